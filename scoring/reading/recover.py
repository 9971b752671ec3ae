"""What an Auditor's device stores beyond its own actions, for a server that lost it.

Lines corrected at the table are given back like entries. What the director decided is stored in
words only: a device can show it to the director, who alone can enter it again. So are objections
and an open call; the sign-off is given again, and what the others have accepted they accept again.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from ..models import Sheet, SheetEntry, Table
from ..models.author import is_link
from .acceptance import ObjectionRow
from .games import Game
from .rulings import RulingRow
from .words import correction_text


def seating_of(sheet: Sheet, seats: Sequence[str] | None = None) -> str:
    """Return a mark of who sits where (now, or in ``seats``): entries hold for one seating only.

    It is the same on a new server that has read the event's document.
    """
    return _mark(sheet.number, *(seats or sheet.seats))[:8]


def seatings_of(sheet: Sheet, seats: Sequence[str] | None = None) -> set[str]:
    """Return that mark, the one that earlier scripts have stored, and none (older ones)."""
    return {"", seating_of(sheet, seats), _mark(sheet.public_id, *(seats or sheet.seats))[:8]}


def heat_fingerprint(table: Table) -> str:
    """Return by what a device knows a heat again on a server made from the event's document.

    The seed of its seats stands there; links do not. Empty outside tournaments.
    """
    return "" if table.heat_number is None else _mark(table.heat_number, table.seed)


def _mark(*what: object) -> str:
    return hashlib.sha256(" ".join(map(str, what)).encode()).hexdigest()


def position_of(state: Mapping[str, Any]) -> tuple[int, str, int]:
    """Return deal, stage and phase of a state document; a finished game has phase 0."""
    return state["deal"], state["stage"], state["phase"] or 0


def decisions_of(game: Game, decided: Sequence[RulingRow]) -> list[dict[str, Any]]:
    """Return the director's decisions about a game, and penalties in game points, in words.

    One query if any was made in the game.
    """
    where = _("Game %(number)s") % {"number": game.number}
    rulings = [
        (row.sequence, row.client_id, row.at, row.where, row.text)
        for row in decided
        if row.client_id or row.game == game.number
    ]
    corrected = [
        (row.row, None, row.at, where, correction_text(row))
        for row in game.corrections
        if not row.at_table
    ]
    ids = _ids(game.sheet, [sequence for sequence, *_rest in (*rulings, *corrected) if sequence])
    return [
        {
            "id": str(client_id or ids[sequence]),
            "text": f"{where}: {text}" if where else text,
            "at": at.isoformat() if at else "",
        }
        for sequence, client_id, at, where, text in (*rulings, *corrected)
    ]


def voids_of(voided: Sequence[Game]) -> list[dict[str, Any]]:
    """Return in words which games the director has declared void, which is never undone.

    ``final`` says so: whatever game is played since, it has not been taken back.
    """
    text = _("Game %(number)s was declared void: %(reason)s")
    return [
        {
            "id": str(_void_id(game.sheet.public_id)),
            "text": text % {"number": game.number, "reason": game.void_reason},
            "at": "",
            "final": True,
        }
        for game in voided
    ]


def _void_id(sheet: uuid.UUID) -> uuid.UUID:
    return uuid.uuid5(sheet, "void")


def statements_of(table: Table, open_objections: Sequence[ObjectionRow]) -> list[dict[str, Any]]:
    """Return what was said at a table and still counts: objections, a call, the sign-off.

    A call and the sign-off have no rows of their own, but are the table's ``state``. A sign-off at
    the table can be given again (``act``), all else only be read.
    """
    found: list[tuple[uuid.UUID | None, datetime | None, str, dict[str, Any]]] = [
        (row.client_id, row.at, " ".join(filter(None, (row.sentence, row.text))), {})
        for row in open_objections
    ]
    called = ": ".join(filter(None, (_("Director called"), table.call_text)))
    found.append((call_id(table), table.call_since, called, {"state": True}))
    act = "sign" if is_link(table.signed_by) else "told"
    signed = {"state": True, "act": act}
    found.append((sign_off_id(table), table.signed_at, _("The table has signed off"), signed))
    return [
        {"id": str(client_id), "text": text, "at": at.isoformat() if at else "", **more}
        for client_id, at, text, more in found
        if client_id
    ]


def call_id(table: Table) -> uuid.UUID | None:
    """Return an id of the table's open call."""
    return _id_of(table, "call", table.call_since)


def sign_off_id(table: Table) -> uuid.UUID | None:
    """Return an id of the table's sign-off."""
    return _id_of(table, "signed", table.signed_at)


def _id_of(table: Table, what: str, at: datetime | None) -> uuid.UUID | None:
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {table.pk} {at.isoformat()}") if at else None


def _ids(sheet: Sheet, sequences: Sequence[int]) -> dict[int, Any]:
    if not sequences:
        return {}
    rows = SheetEntry.objects.filter(sheet=sheet, sequence__in=sequences)
    return dict(rows.values_list("sequence", "client_id"))
