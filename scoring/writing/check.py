"""Putting right a cached state that does not agree with the stored rows."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from ..reading.check import replayed
from ..reading.rows import rows_of
from .announce import announce_sheet
from .locks import locked_sheet
from .rows import settle_state


@transaction.atomic
def repair(*, sheet_id: int) -> bool:
    """Store the replayed state, seats and status; return False if the rows cannot be replayed.

    It is announced like any change, so that listeners recompute the results.
    """
    sheet = locked_sheet(sheet_id)
    played, seats = replayed(sheet, rows_of(sheet))
    if played.problem is not None:
        return False
    sheet.seats = seats
    settle_state(sheet, played.state, at=sheet.last_entry_at or timezone.now())
    sheet.save()
    announce_sheet(sheet)
    return True
