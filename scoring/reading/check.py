"""Checks that the stored rows are unchanged and agree with the cached state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from ..chain import head_hash, row_body, row_hash
from ..enums import SheetStatus
from ..models import Sheet
from .history import Played, Row, play, slots_of
from .rules import rules_of


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The outcome; ``broken_at`` is the first bad row (0: the sheet's own hash or version)."""

    valid: bool
    broken_at: int | None
    rows: int
    chain: str


def head_of(sheet: Sheet) -> str:
    """Return the hash of the sheet's head, to which the first row is chained."""
    return head_hash(
        sheet=str(sheet.public_id),
        number=sheet.number,
        rules_digest=sheet.rules_digest,
        seats=sheet.drawn_seats,
        dealer=sheet.dealer,
    )


def verify_sheet(*, sheet_id: int) -> tuple[ChainReport, bool]:
    """Recompute every hash of a sheet, and replay it (three queries).

    The second value is whether the chain holds and the cached state, seats and status match the
    replay.
    """
    sheet, rows = _read(sheet_id)
    report = _chain(sheet, rows)
    return report, report.valid and _as_played(sheet, rows)


def _read(sheet_id: int) -> tuple[Sheet, list[dict[str, Any]]]:
    """Return a sheet and what is hashed of its rows; their answers are long and not needed."""
    sheet = Sheet.objects.select_related("table").get(pk=sheet_id)
    hashed = ("sequence", "client_id", "kind", "entry", "author", "reason", "confirmed")
    rows = sheet.entries.order_by("sequence").values(
        *hashed, "previous_hash", "hash", "target__sequence", at=F("created_at")
    )
    return sheet, list(rows)


def _chain(sheet: Sheet, rows: Sequence[Mapping[str, Any]]) -> ChainReport:
    previous = head_of(sheet)
    for count, row in enumerate(rows, start=1):
        fields = dict(row)
        before, after, target = (
            fields.pop(name) for name in ("previous_hash", "hash", "target__sequence")
        )
        if (
            row["sequence"] != count
            or before != previous
            or after != row_hash(previous, row_body(**fields, target=target))
        ):
            return ChainReport(False, count, count, previous)
        previous = after
    whole = sheet.chain == previous and sheet.version == len(rows)
    return ChainReport(whole, None if whole else 0, len(rows), previous)


def _as_played(sheet: Sheet, rows: Sequence[Mapping[str, Any]]) -> bool:
    played, seats = replayed(
        sheet,
        [Row(row["sequence"], row["kind"], row["entry"], row["target__sequence"]) for row in rows],
    )
    return (
        played.problem is None
        and played.state.as_json() == sheet.state
        and seats == sheet.seats
        and (
            sheet.status == SheetStatus.VOID
            or played.state.finished == (sheet.status == SheetStatus.FINISHED)
        )
    )


def replayed(sheet: Sheet, rows: Iterable[Row]) -> tuple[Played, list[str]]:
    """Return a sheet's rows as played, and the seats after them."""
    slots, seats = slots_of(rows, sheet.drawn_seats)
    return play(rules_of(sheet.table), len(seats), sheet.dealer, slots), seats
