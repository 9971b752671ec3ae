"""Corrections that can be taken back, and the rows that do it.

A correction is all rows of one write: what was asked for, the later lines that went along, and what
was added at the end. Taking it back appends rows of the usual kinds: a struck line is written again
in its old slot, a replaced one gets back what stood there, an added one is struck.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from ..enums import RowKind
from ..errors import ScoringError
from ..models import Sheet, SheetEntry
from .history import Row, Slot, slots_of
from .rows import rows_of

#: What changes an earlier line.
CORRECTIONS = (RowKind.VOID, RowKind.AMEND, RowKind.INSERT)


def taking_back(client_id: uuid.UUID) -> uuid.UUID:
    """Return the id of the first row that takes back the correction with this id."""
    return uuid.uuid5(client_id, "taken back")


@dataclass(frozen=True, slots=True)
class Standing:
    """A correction that can be taken back: the id of its first row, and the numbers of all."""

    client_id: uuid.UUID
    rows: tuple[int, ...]


def corrections_standing(sheet: Sheet) -> dict[int, Standing]:
    """Return the corrections that can be taken back, by the numbers of their first rows.

    Totals from paper are not among them: what takes them back is not corrected, but entered again.
    One query.
    """
    rows = list(
        SheetEntry.objects.filter(sheet=sheet)
        .order_by("sequence")
        .values_list("sequence", "client_id", "kind", "target__kind", F("answer__sequence"))
    )
    ids = {client_id for _number, client_id, *_more in rows}
    return {
        number: Standing(client_id, tuple(each[0] for each in rows if each[4] == number))
        for number, client_id, kind, target, first in rows
        if kind in CORRECTIONS
        and number == first
        and target != RowKind.FROM_PAPER
        and taking_back(client_id) not in ids
    }


def rows_back(sheet: Sheet, first: int) -> tuple[list[Row], dict[int, int]]:
    """Return the rows that take back the correction that began with row ``first``.

    Their numbers are 0. The second maps each struck line's number to its row's place in them.
    Raises ``ScoringError`` ``unknown_entry``, or ``built_on`` if a later correction changed the
    same lines.
    """
    rows = rows_of(sheet)
    numbers = set(
        SheetEntry.objects.filter(sheet=sheet, answer__sequence=first).values_list(
            "sequence", flat=True
        )
    )
    own = [row for row in rows if row.sequence in numbers]
    if not own or own[0].sequence != first or own[0].kind not in CORRECTIONS:
        raise ScoringError("unknown_entry")
    later = [row for row in rows if row.sequence > own[-1].sequence]
    touched = {row.target for row in own} | {row.sequence for row in own}
    if any(row.kind in CORRECTIONS and row.target in touched for row in later):
        raise ScoringError("built_on")
    now = {slot.sequence: slot for slot in slots_of(rows, sheet.drawn_seats)[0]}
    # What a replaced line said before, in the seats of today.
    kept = [row for row in rows if row.kind != RowKind.AMEND or row.sequence not in numbers]
    before = {slot.sequence: slot for slot in slots_of(kept, sheet.drawn_seats)[0]}
    back: list[Row] = []
    struck: dict[int, int] = {}
    for row in own:
        if row.kind == RowKind.VOID and row.target is not None:
            struck[row.target] = len(back)
        back += _back(row, now, before)
    return back, struck


def _back(row: Row, now: Mapping[int, Slot], before: Mapping[int, Slot]) -> Collection[Row]:
    """Return the row that takes this one back, if any is needed."""
    if row.kind == RowKind.VOID:
        entry: Mapping[str, Any] = now[row.target or 0].entry
        return [Row(0, RowKind.INSERT, entry, row.target)]
    if row.kind == RowKind.AMEND:
        return [Row(0, RowKind.AMEND, before[row.target or 0].entry, row.target)]
    return [] if now[row.sequence].voided else [Row(0, RowKind.VOID, None, row.sequence)]
