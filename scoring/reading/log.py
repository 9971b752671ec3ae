"""A table's log as a phone holds it: every stored row as a line, in order, with its id.

A line's identity is its id. Hashes cover author, time and place; they are the server's alone and
are in no line.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from ..enums import RowKind
from ..models import Sheet, SheetEntry
from ..reasons import is_away
from .names import ShownText, shown_entry

#: What a table may write by itself, and give back to a server that has lost it.
_OF_THE_TABLE = {RowKind.ENTRY, RowKind.VOID, RowKind.AMEND, RowKind.INSERT, RowKind.RESEAT}
_VALUES = ("client_id", "kind", "entry", "sequence", "created_at", "author_link", "reason")


@dataclass(frozen=True, slots=True)
class Held:
    """What a phone has of one game: how many lines, and the last one's id, or the ids of all."""

    rows: int = 0
    last: uuid.UUID | None = None
    ids: tuple[uuid.UUID, ...] | None = None


def not_taken(client_id: uuid.UUID) -> uuid.UUID:
    """Return the id of the row that takes back an entry that was not chosen after a conflict."""
    return uuid.uuid5(client_id, "not taken")


def is_tables(row: Mapping[str, Any]) -> bool:
    """Return whether the table itself wrote a row, by a tap of its own.

    Rulings, the director's corrections, folds of players called away, and rows that follow from
    another one are not its own: a phone never gives them back.
    """
    return (
        row["author_link"] is not None
        and row["kind"] in _OF_THE_TABLE
        and row["first"] == row["sequence"]
        and not (row["kind"] == RowKind.ENTRY and is_away(row["entry"]))
    )


def rows_after(sheet: Sheet, sequence: int = 0) -> list[dict[str, Any]]:
    """Return a sheet's rows after the one with this number (one query)."""
    return list(
        SheetEntry.objects.filter(sheet=sheet.pk, sequence__gt=sequence)
        .order_by("sequence")
        .values(
            *_VALUES,
            target_id_=F("target__client_id"),
            first=F("answer__sequence"),
        )
    )


def lines_of(sheet: Sheet, text: ShownText, *, after: int = 0) -> list[dict[str, Any]]:
    """Return the lines of a game after the one with this number (one query)."""
    rows = rows_after(sheet, after)
    ids = {row["client_id"] for row in rows}
    left = {row["client_id"] for row in rows if not_taken(row["client_id"]) in ids}
    left |= {not_taken(client_id) for client_id in left}
    return [_line(row, text, own=row["client_id"] not in left) for row in rows]


def _line(row: Mapping[str, Any], text: ShownText, *, own: bool) -> dict[str, Any]:
    line = {
        "id": str(row["client_id"]),
        "row": row["sequence"],
        "kind": row["kind"],
        "at": row["created_at"].isoformat(timespec="seconds"),
    }
    if row["entry"] is not None:
        line["entry"] = dict(shown_entry(row["entry"], text))
    if row["target_id_"] is not None:
        line["target"] = str(row["target_id_"])
    if own and is_tables(row):
        line["own"] = True
    return line


def unlike(sheets: Iterable[Sheet], held: Mapping[int, Held]) -> tuple[dict[int, int], list[int]]:
    """Return the line from which the phone lacks each game, and the games where its copy differs.

    The first maps games to how many lines the phone has, where it lacks some; the second lists the
    games in which the phone has lines of which this server knows nothing, or cannot tell.
    """
    sheets = list(sheets)
    lasts = {
        (row["sheet"], row["sequence"]): row["client_id"]
        for row in SheetEntry.objects.filter(
            client_id__in=[each.last for each in held.values() if each.last]
        ).values("sheet", "sequence", "client_id")
    }
    behind: dict[int, int] = {}
    other: list[int] = []
    for sheet in sheets:
        has = held.get(sheet.number, Held())
        if has.ids is not None or (has.rows and lasts.get((sheet.pk, has.rows)) != has.last):
            other.append(sheet.number)
        elif has.rows < sheet.version:
            behind[sheet.number] = has.rows
    return behind, other


def unknown_of(table_id: int, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return those of a phone's lines that the table has nowhere (one query)."""
    rows = SheetEntry.objects.filter(sheet__table=table_id, client_id__in=ids)
    known: Collection[uuid.UUID] = set(rows.values_list("client_id", flat=True))
    return [client_id for client_id in ids if client_id not in known]
