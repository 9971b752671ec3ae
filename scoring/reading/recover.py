"""What an Auditor's device stores beyond its own actions, for a server that lost it.

Lines corrected at the table are given back like entries. What the director decided is stored in
words only: a device can show it to the director, who alone can enter it again. So are objections
and an open call; the sign-off is given again, and what the others have accepted they accept again.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from engine.sheet.state import EXCHANGE

from ..enums import RowKind, SheetStatus
from ..models import Declaration, HeatPenalty, Objection, Sheet, SheetEntry, Table
from ..models.author import is_link
from ..reasons import is_away
from .acceptance import ObjectionRow
from .board import declaration_in
from .games import Game, games_of
from .log import not_taken
from .rulings import RulingRow
from .words import correction_text

_CORRECTIONS = (RowKind.VOID, RowKind.AMEND, RowKind.INSERT, RowKind.RESEAT)
_BEGINNING = {"deal": 0, "stage": EXCHANGE, "phase": 1}


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


def corrections_of(game: Game) -> list[dict[str, Any]]:
    """Return the corrections of a game that were made at the table (two queries if any).

    Changed seats are one of them; ``entry`` then names the players.

    ``place`` is where the game was before the correction; ``later`` is whether it took back later
    entries as well.
    """
    if not any(row.at_table for row in game.corrections):
        return []
    rows = SheetEntry.objects.filter(sheet=game.sheet)
    found = rows.filter(kind__in=_CORRECTIONS, author_link__isnull=False).select_related("target")
    # Rows that another one took along have its answer.
    own = [row for row in found.order_by("sequence") if row.answer["sequence"] == row.sequence]
    sequences = [row.sequence - 1 for row in own]
    answers = dict(rows.filter(sequence__in=sequences).values_list("sequence", "answer"))
    return [
        {
            "id": str(row.client_id),
            "row": row.sequence,
            "kind": row.kind,
            "target": str(row.target.client_id) if row.target else None,
            "entry": row.entry,
            "place": _position(answers[before]["state"]) if before in answers else _BEGINNING,
            "later": row.answer["version"] > row.sequence,
            "at": row.created_at.isoformat(),
        }
        for row in own
        for before in [row.sequence - 1]
    ]


def written_at(*, table_id: int, known: Collection[uuid.UUID]) -> list[dict[str, Any]]:
    """Return what was written at a table besides the ``known`` ids, as a phone stores its own taps.

    ``row`` and ``place`` are as in :func:`corrections_of`; ``away`` are the seats that the program
    lets fold the deal, or the next one if this closes it (four queries). An open Chicago that
    somebody has declared is there as well; what was not chosen after a conflict is not.
    """
    sheets = list(Sheet.objects.filter(table=table_id).select_related("table"))
    seatings = {sheet.number: seating_of(sheet) for sheet in sheets}
    running = [sheet for sheet in sheets if sheet.status == SheetStatus.RUNNING]
    games = games_of(running[0].table, running, {}).games if running else ()
    declared = declaration_in(games[0]) if games else None
    rows = list(
        SheetEntry.objects.filter(sheet__table=table_id, kind__in=(RowKind.ENTRY, *_CORRECTIONS))
        .order_by("sheet__number", "sequence")
        .values(
            *("client_id", "kind", "entry", "sequence", "created_at", "author_link"),
            game=F("sheet__number"),
            mended=F("target__client_id"),
            first=F("answer__sequence"),
            version=F("answer__version"),
            deal=F("answer__state__deal"),
            stage=F("answer__state__stage"),
            phase=F("answer__state__phase"),
        )
    )
    left = {not_taken(row["client_id"]) for row in rows} & {row["client_id"] for row in rows}
    found: list[dict[str, Any]] = []
    for game, of_game in groupby(rows, lambda row: row["game"]):
        position = dict(_BEGINNING)
        away: list[int] = []
        for row in of_game:
            after = {"deal": row["deal"], "stage": row["stage"], "phase": row["phase"] or 0}
            if row["kind"] == RowKind.ENTRY and is_away(row["entry"]):
                away.append(row["entry"]["seat"])
            elif row["author_link"] and row["first"] == row["sequence"]:
                if after["deal"] != position["deal"]:
                    away = []
                mine = {row["client_id"], not_taken(row["client_id"])}
                if not mine & left:
                    found.append(
                        {
                            "id": str(row["client_id"]),
                            "at": row["created_at"].isoformat(),
                            "act": "entry" if row["kind"] == RowKind.ENTRY else "correction",
                            "row": row["sequence"],
                            "place": position,
                            "seating": seatings[game],
                            "away": away,
                            "game": game,
                            "entry": row["entry"],
                            "kind": row["kind"],
                            "target": row["mended"],
                            "later": row["version"] > row["sequence"],
                        }
                    )
            position = after
        if declared and declared.author_link_id and games[0].number == game:
            found.append(
                {
                    "id": str(declared.client_id),
                    "at": declared.created_at.isoformat(),
                    "act": "chicago",
                    "row": games[0].sheet.version + 1,
                    "place": position,
                    "seating": seatings[game],
                    "away": away,
                    "game": game,
                    "announce": declared.seat,
                }
            )
    return [row for row in found if uuid.UUID(row["id"]) not in known]


def _position(state: Mapping[str, Any]) -> dict[str, Any]:
    return dict(zip(("deal", "stage", "phase"), position_of(state), strict=True))


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


def lacking(*, table_id: int, client_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return the ids that the table has neither on a sheet nor beside it (six queries)."""
    table = Table.objects.get(pk=table_id)
    void = table.sheets.filter(status=SheetStatus.VOID).values_list("public_id", flat=True)
    known = {call_id(table), sign_off_id(table), *map(_void_id, void)}
    for found in (
        SheetEntry.objects.filter(sheet__table=table_id),
        Declaration.objects.filter(sheet__table=table_id),
        HeatPenalty.objects.filter(table=table_id),
        Objection.objects.filter(sheet__table=table_id),
    ):
        known.update(found.filter(client_id__in=client_ids).values_list("client_id", flat=True))
    return [client_id for client_id in client_ids if client_id not in known]
