"""The one gate through which a sheet's status moves."""

from __future__ import annotations

from datetime import datetime

from scoring.enums import SheetStatus
from scoring.errors import ScoringError
from scoring.models import Sheet

#: From each status the ones that may follow. A finished sheet runs again when a correction
#: takes the deciding entry away; a running one waits again while nothing is written on it.
MOVES: dict[SheetStatus, frozenset[SheetStatus]] = {
    SheetStatus.WAITING: frozenset({SheetStatus.RUNNING, SheetStatus.VOID}),
    SheetStatus.RUNNING: frozenset({SheetStatus.FINISHED, SheetStatus.WAITING, SheetStatus.VOID}),
    SheetStatus.FINISHED: frozenset({SheetStatus.RUNNING, SheetStatus.VOID}),
    SheetStatus.VOID: frozenset(),
}


def move(sheet: Sheet, to: SheetStatus, *, at: datetime, reason: str = "") -> None:
    """Set the status of a locked sheet and the times that belong to it; the caller saves.

    Raises ``ScoringError("illegal_move")`` naming both, and ``missing_reason`` for a void
    without one.
    """
    now = SheetStatus(sheet.status)
    if to not in MOVES[now]:
        raise ScoringError("illegal_move", **{"from": now.label, "to": to.label})
    if to is SheetStatus.VOID and not reason.strip():
        raise ScoringError("missing_reason")
    if to is SheetStatus.WAITING and sheet.version:
        raise ScoringError("has_entries")
    sheet.status = to
    sheet.finished_at = at if to is SheetStatus.FINISHED else None
    if to is SheetStatus.RUNNING and sheet.started_at is None:
        sheet.started_at = at
    if to is SheetStatus.WAITING:
        sheet.started_at = None
    if to is SheetStatus.VOID:
        sheet.void_reason = reason.strip()[:200]
