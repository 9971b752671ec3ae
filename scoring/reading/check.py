"""Checks that the stored rows are unchanged and agree with the cached state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from ..chain import head_hash, row_body, row_hash
from ..enums import RowKind, SheetStatus
from ..models import Sheet, SheetEntry
from .history import Played, Row, Step, play, slots_of
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


@dataclass(frozen=True, slots=True)
class Verified:
    """What recomputing a sheet gives.

    ``as_played``: whether the chain holds and the cached state, seats and status match the replay;
    then ``steps`` are the replay's, unless the game was entered from paper.
    """

    report: ChainReport
    as_played: bool
    steps: Sequence[Step] | None


def verify_sheet(*, sheet_id: int) -> tuple[ChainReport, bool]:
    """Recompute every hash of a sheet, and replay it (two queries).

    The second value is whether the chain holds and the cached state, seats and status match the
    replay.
    """
    [found] = verify_sheets([Sheet.objects.select_related("table").get(pk=sheet_id)])
    return found.report, found.as_played


def verify_sheets(sheets: Sequence[Sheet]) -> list[Verified]:
    """Recompute every hash of these sheets, and replay them (one query)."""
    # Their answers are long and not needed.
    hashed = ("sequence", "client_id", "kind", "entry", "author", "reason", "confirmed")
    rows = SheetEntry.objects.filter(sheet__in=[sheet.pk for sheet in sheets]).values(
        *hashed, "previous_hash", "hash", "target__sequence", of=F("sheet"), at=F("created_at")
    )
    own: dict[int, list[dict[str, Any]]] = {sheet.pk: [] for sheet in sheets}
    for row in rows.order_by("sheet", "sequence"):
        own[row.pop("of")].append(row)
    return [_verified(sheet, own[sheet.pk]) for sheet in sheets]


def _verified(sheet: Sheet, rows: Sequence[dict[str, Any]]) -> Verified:
    report = _chain(sheet, rows)
    if not report.valid:
        return Verified(report, False, None)
    played = _as_played(sheet, rows)
    paper = any(row["kind"] == RowKind.FROM_PAPER for row in rows)
    return Verified(report, played is not None, None if paper or played is None else played.steps)


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


def _as_played(sheet: Sheet, rows: Sequence[Mapping[str, Any]]) -> Played | None:
    """Return the replay if the sheet's cached state, seats and status match it."""
    played, seats = replayed(
        sheet,
        [Row(row["sequence"], row["kind"], row["entry"], row["target__sequence"]) for row in rows],
    )
    matches = (
        played.problem is None
        and played.state.as_json() == sheet.state
        and seats == sheet.seats
        and (
            sheet.status == SheetStatus.VOID
            or played.state.finished == (sheet.status == SheetStatus.FINISHED)
        )
    )
    return played if matches else None


def replayed(sheet: Sheet, rows: Iterable[Row]) -> tuple[Played, list[str]]:
    """Return a sheet's rows as played, and the seats after them."""
    slots, seats = slots_of(rows, sheet.drawn_seats)
    return play(rules_of(sheet.table), len(seats), sheet.dealer, slots), seats
