"""A table's log as a phone holds it: every stored row as a line, in order, with its id.

A line's identity is its id. Hashes cover author, time and place; they are the server's alone and
are in no line.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

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


def sheets_now(table_id: int) -> list[Sheet]:
    """Return a table's sheets in order, with what says how far they are (one query)."""
    told = ("number", "version", "chain", "lease_device", "lease_author")
    return list(Sheet.objects.filter(table=table_id).only(*told).order_by("number"))


def lines_since(
    sheets: Sequence[Sheet], held: Mapping[int, Held], rows: Sequence[SheetEntry], text: ShownText
) -> dict[str, Any] | None:
    """Return the ``rows`` just written as lines, by game, and note them on the ``sheets``.

    None if the phone does not have all that was there before: then it lacks more than these.
    """
    lines: dict[str, Any] = {}
    if any(held.get(sheet.number, Held()).rows != sheet.version for sheet in sheets):
        return None
    own = {sheet.pk: sheet for sheet in sheets}
    for row in rows:
        sheet = own[row.sheet_id]
        if row.sequence != sheet.version + 1:
            return None
        sheet.version, sheet.chain = row.sequence, row.hash
        values = {
            "client_id": row.client_id,
            "sequence": row.sequence,
            "kind": row.kind,
            "created_at": row.created_at,
            "entry": row.entry,
            "author_link": row.author_link_id,
            "first": row.sequence,
            "target_id_": None,
        }
        lines.setdefault(str(sheet.number), []).append(_line(values, text, own=True))
    return lines


def rows_after(sheet: Sheet, sequence: int = 0) -> list[dict[str, Any]]:
    """Return a sheet's rows after the one with this number (one query)."""
    return _rows(SheetEntry.objects.filter(sheet=sheet.pk, sequence__gt=sequence))


def _rows(found: QuerySet[SheetEntry]) -> list[dict[str, Any]]:
    target, first = F("target__client_id"), F("answer__sequence")
    ordered = found.order_by("sheet", "sequence")
    return list(ordered.values("sheet", *_VALUES, target_id_=target, first=first))


def lines_of(rows: Sequence[Mapping[str, Any]], text: ShownText) -> list[dict[str, Any]]:
    """Return rows of a game, up to its last one, as a phone's lines."""
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


def unlike(
    sheets: Sequence[Sheet], held: Mapping[int, Held]
) -> tuple[dict[int, list[dict[str, Any]]], list[int]]:
    """Return the rows that the phone lacks, by game, and the games where its copy differs.

    Those are games in which the phone has lines of which this server knows nothing, or cannot tell
    (one query).
    """
    # From the last one that the phone has: by that its copy is known.
    asked = Q()
    for sheet in sheets:
        has = held.get(sheet.number, Held())
        if has.ids is None and (has.rows or sheet.version):
            asked |= Q(sheet=sheet.pk, sequence__gte=has.rows)
    found = _rows(SheetEntry.objects.filter(asked)) if asked else []
    behind: dict[int, list[dict[str, Any]]] = {}
    other: list[int] = []
    for sheet in sheets:
        has = held.get(sheet.number, Held())
        rows = [row for row in found if row["sheet"] == sheet.pk]
        is_known = not has.rows or (rows and rows[0]["client_id"] == has.last)
        if has.ids is not None or not is_known:
            other.append(sheet.number)
        elif later := [row for row in rows if row["sequence"] > has.rows]:
            behind[sheet.number] = later
    return behind, other


def unknown_of(table_id: int, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return those of a phone's lines that the table has nowhere (one query)."""
    rows = SheetEntry.objects.filter(sheet__table=table_id, client_id__in=ids)
    known: Collection[uuid.UUID] = set(rows.values_list("client_id", flat=True))
    return [client_id for client_id in ids if client_id not in known]
