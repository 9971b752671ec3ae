"""What the director decided at a table, for readers who have not seen it yet."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.utils.translation import gettext as _

from engine.sheet.facts import ScoreChanged

from ..host import Warned, host
from ..models import HeatPenalty, Table
from ..reasons import coded, is_away, needs_director, params_of, reason_text
from .acceptance import ObjectionRow
from .games import EntryRow, Game
from .names import ShownText
from .words import entry_text, points_text

RULING = "ruling"


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A ruling; ``mark`` is what a device stores of it, ``where`` its game and deal.

    ``game`` and ``sequence`` are its row; a penalty in game points has a ``client_id``, and says
    who loses how many; the end of an objection has the objection's.
    """

    mark: str
    text: str
    at: datetime | None
    where: str = ""
    game: int = 0
    sequence: int = 0
    client_id: UUID | None = None
    player_id: str = ""
    game_points: Fraction = Fraction()


def rulings_in(
    table: Table, games: Sequence[Game], names: Mapping[str, str]
) -> tuple[RulingRow, ...]:
    """Return the rulings in these games and the table's game point penalties (one query).

    Rulings carried over from an earlier game are not repeated when the next one opens.
    """
    if not table.directed:
        return ()
    return (*rulings_on(table, games), *_penalties(table, names))


def rulings_on(table: Table, games: Iterable[Game]) -> tuple[RulingRow, ...]:
    """Return the rulings on the sheets of these games, as :func:`rulings_in` (no query)."""
    return tuple(row for game in games for row in _of_game(table, game))


def warnings_in(
    table: Table, games: Sequence[Game], names: Mapping[str, str]
) -> tuple[RulingRow, ...]:
    """Return the warnings that those at the table got in these games, until the sign-off."""
    if not table.directed or table.signed_at:
        return ()
    numbers = {game.number for game in games}
    shown = ShownText(table)

    def row(each: Warned) -> RulingRow:
        words = {"name": names[each.player_id], "reason": shown(reason_text(each.reason))}
        text = _("Warning: %(name)s (%(reason)s)") % words
        return RulingRow(_mark(table, each.client_id), text, each.at)

    warned = host().warned(table.pk)
    return tuple(row(each) for each in warned if each.game in numbers and each.player_id in names)


def answers_in(
    table: Table, games: Sequence[Game], objections: Iterable[ObjectionRow]
) -> tuple[RulingRow, ...]:
    """Return how objections to any game have ended since these games began."""
    began = min(
        (row.at for deal in games[0].deals for row in deal.entries if row.at) if games else (),
        default=None,
    )
    return tuple(
        RulingRow(
            _mark(table, row.client_id),
            row.ending,
            row.answered_at,
            where=_where(row.game, row.deal),
            client_id=row.client_id,
        )
        for row in objections
        if row.answered_at and (began is None or row.answered_at >= began)
    )


def unseen(rulings: Iterable[RulingRow], seen: Collection[str]) -> tuple[RulingRow, ...]:
    """Return what the reader's device has not shown yet, oldest first."""
    found = (row for row in rulings if row.mark not in seen)
    return tuple(sorted(found, key=lambda row: (row.at is None, row.at)))


def latest_games(begun: Sequence[Game]) -> Sequence[Game]:
    """Return the latest game, and the one before it until the latest has an entry."""
    entries = [row.entry for deal in begun[-1].deals for row in deal.entries] if begun else []
    return begun[-1:] if any(entry["kind"] != RULING for entry in entries) else begun[-2:]


def _of_game(table: Table, game: Game) -> Iterable[RulingRow]:
    opening = game.number > 1
    away: set[int] = set()
    for deal in game.deals:
        # A player who is called away folds deal after deal: show that only once.
        told, away = away, {row.entry["seat"] for row in deal.entries if is_away(row.entry)}
        for row in deal.entries:
            opening = opening and row.entry["kind"] == RULING
            if row.entry["kind"] != RULING or not needs_director(row.entry):
                continue
            if opening and _carried_over(row):
                continue
            if is_away(row.entry) and row.entry["seat"] in told:
                continue
            yield RulingRow(
                mark=_mark(table, game.number, row.sequence, row.at),
                text=_with_taken(row, entry_text(row.entry, game.names)),
                at=row.at,
                where=_where(game.number, deal.number),
                game=game.number,
                sequence=row.sequence,
            )


def _where(game: int, deal: int) -> str:
    return _("Game %(number)s, deal %(deal)s") % {"number": game, "deal": deal}


def _with_taken(row: EntryRow, text: str) -> str:
    """Return a ruling's text, with what it really took if that is less (rulebook §9)."""
    taken = -sum(
        fact.gain
        for fact in row.facts
        if isinstance(fact, ScoreChanged)
        and (fact.seat, fact.cause) == (row.entry.get("seat"), RULING)
    )
    if not 0 <= taken < -row.entry.get("points", 0):
        return text
    return _("%(ruling)s, %(taken)s taken") % {"ruling": text, "taken": taken}


def _carried_over(row: EntryRow) -> bool:
    reason = str(row.entry.get("reason", ""))
    codes = (coded("not_at_table"), coded("away"))
    return reason in codes or params_of(reason, "disqualified_before") is not None


def _penalties(table: Table, names: Mapping[str, str]) -> Iterable[RulingRow]:
    shown = ShownText(table)
    for row in HeatPenalty.objects.in_force().filter(table=table):
        words = {
            "name": names.get(row.player, row.player),
            "points": points_text(row.game_points),
            "reason": shown(reason_text(row.reason)),
        }
        text = _("Penalty in game points: %(name)s −%(points)s (%(reason)s)") % words
        mark = _mark(table, row.client_id)
        yield RulingRow(
            mark,
            text,
            row.created_at,
            client_id=row.client_id,
            player_id=row.player,
            game_points=row.game_points,
        )


def _mark(table: Table, *what: object) -> str:
    """Return a mark that is the same for the same ruling, and changes when it is replaced."""
    text = " ".join(map(str, (table.public_id, *what)))
    return hashlib.sha256(text.encode()).hexdigest()[:8]
