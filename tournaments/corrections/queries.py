"""A sheet as the director corrects it: its entries, and what could replace them."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from engine.sheet.sheet import legal_rulings
from scoring.models import Sheet
from scoring.reading.games import Game, games_of
from scoring.reading.slots import Change, EntrySlot

from ..models import Heat, HeatResult
from .consequences import Consequences


def game_of(heat: Heat, number: int, names: Mapping[str, str]) -> Game | None:
    """Return one game of a heat, replayed, or None if there is no such game."""
    if heat.table is None:
        return None
    sheets = list(Sheet.objects.filter(table=heat.table, number=number))
    return games_of(heat.table, sheets, names).games[0] if sheets else None


def rulings_at(slot: EntrySlot) -> set[tuple[str, int | None]]:
    """Return the rulings that the rules allow at this slot, as (action, seat)."""
    return set(legal_rulings(slot.before))


# --- before and after -------------------------------------------------------------------------


def game_changes(found: Consequences, names: Mapping[str, str]) -> list[Change]:
    """Return the changes of score, place and points, in the corrected game's new order."""
    rows = [
        Change(names.get(seat.player_id, seat.player_id), tuple(seat.before), tuple(seat.after))
        for seat in found.seats
    ]
    return sorted(rows, key=lambda row: (row.after[1] or 9, -row.after[0]))


def ranking_changes(found: Consequences, names: Mapping[str, str]) -> list[Change]:
    """Return the changes of place, game points and sheet points, in the heat's new order."""
    before = {row.entry.registration.player_id: _values(row) for row in found.ranking_before}
    after = {row.entry.registration.player_id: _values(row) for row in found.ranking_after}
    player_ids = [*after, *(player_id for player_id in before if player_id not in after)]
    none = (None, None, None, None)
    return [
        Change(
            names.get(player_id, player_id), before.get(player_id, none), after.get(player_id, none)
        )
        for player_id in player_ids
    ]


def follows_text(found: Consequences, names: Mapping[str, str]) -> str:
    """Return a sentence on who now goes on and who no longer does."""
    if found.round is not None and found.round.begun:
        return _(
            "The ranking changes; the tables of the next round have begun and stay as they are."
        )
    if not found.lost and not found.won:
        return _("The ranking is recomputed; nobody's qualification changes.")
    lost, won = (
        ", ".join(names.get(player_id, player_id) for player_id in players) or "–"
        for players in (found.lost, found.won)
    )
    words = {"lost": lost, "won": won}
    if found.heat.nobody_goes_on:
        return _("No longer the winner: %(lost)s. The winner instead: %(won)s.") % words
    return _("No longer through: %(lost)s. Through instead: %(won)s.") % words


def _values(row: HeatResult) -> tuple[Any, ...]:
    return (row.place, row.game_points, row.score_points, row.asterisks)
