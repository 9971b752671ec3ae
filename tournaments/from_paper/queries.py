"""Who can compare a sheet with its paper, and what somebody else entered meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from scoring.reading.games import Game, SeatRow
from scoring.words import status_name

from ..models import Heat, HeatEntry, Registration


def players_with_pin(heat: Heat) -> dict[str, Registration]:
    """Return the heat's players who have chosen a PIN, by player id (one query)."""
    rows = HeatEntry.objects.filter(heat=heat).exclude(registration__pin="")
    found = [row.registration for row in rows.select_related("registration__person")]
    return {player.player_id: player for player in found}


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Who entered a sheet while somebody else was typing it, when, and where the two differ."""

    by: str
    at: datetime
    differences: tuple[str, ...]


def entered_meanwhile(game: Game, typed: Mapping[str, str]) -> Meanwhile | None:
    """Return what was entered since a form was opened; None if that is nothing.

    ``typed`` are the form's fields as sent.
    """
    if game.from_paper is None or typed.get("version") == str(game.sheet.version):
        return None
    found = (
        _("%(name)s, %(what)s: entered %(there)s, you typed %(here)s")
        % {"name": seat.name, "what": what, "there": there, "here": here}
        for seat in game.seats
        for what, there, here in _compared(seat, typed)
        if there != here
    )
    return Meanwhile(game.from_paper.by, game.from_paper.at, tuple(found))


def _compared(seat: SeatRow, typed: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return each figure of a seat: its name, as entered, and as typed."""

    def sent(field: str, empty: str = "") -> str:
        return typed.get(f"{field}_{seat.seat}", "").strip() or empty

    def ticked(is_so: bool) -> str:
        return str(_("yes") if is_so else _("no"))

    return [
        (str(_("Score")), str(seat.score), sent("score", "0")),
        (str(_("Circle")), ticked(seat.executed), ticked(bool(sent("executed")))),
        (str(_("Asterisks")), str(seat.asterisks), sent("asterisks", "0")),
        (status_name("out"), ticked(seat.status == "out"), ticked(bool(sent("out")))),
    ]
