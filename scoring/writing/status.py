"""The only function that changes a sheet's status."""

from __future__ import annotations

from datetime import datetime

from ..enums import SheetStatus
from ..errors import ScoringError
from ..models import Sheet

#: The statuses that may follow each status. A finished sheet runs again when a correction removes
#: the deciding entry; a running one waits again while nothing was ever written on it.
TRANSITIONS: dict[SheetStatus, frozenset[SheetStatus]] = {
    SheetStatus.WAITING: frozenset({SheetStatus.RUNNING, SheetStatus.VOID}),
    SheetStatus.RUNNING: frozenset({SheetStatus.FINISHED, SheetStatus.WAITING, SheetStatus.VOID}),
    SheetStatus.FINISHED: frozenset({SheetStatus.RUNNING, SheetStatus.VOID}),
    SheetStatus.VOID: frozenset(),
}


def transition(sheet: Sheet, to: SheetStatus, *, at: datetime, reason: str = "") -> None:
    """Set the status of a locked sheet and the related times; the caller saves.

    Raises ``ScoringError("illegal_move")`` with both statuses, and ``missing_reason`` for a void
    without a reason.
    """
    now = SheetStatus(sheet.status)
    if to not in TRANSITIONS[now]:
        raise ScoringError("illegal_move", **{"from": now.label, "to": to.label})
    if to is SheetStatus.VOID and not reason.strip():
        raise ScoringError("missing_reason")
    if to is SheetStatus.WAITING and sheet.is_written:
        raise ScoringError("has_entries")
    sheet.status = to
    sheet.finished_at = at if to is SheetStatus.FINISHED else None
    if to is SheetStatus.RUNNING and sheet.started_at is None:
        sheet.started_at = at
    if to is SheetStatus.WAITING:
        sheet.started_at = None
    if to is SheetStatus.VOID:
        sheet.void_reason = reason.strip()[:200]
