"""The lease: only one device at a time writes on a sheet."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from ..errors import LeaseTaken
from ..models import Author, LeaseChange, Sheet, author_text
from .announce import announce_sheet
from .locks import locked_sheet


def hold_lease(sheet: Sheet, *, device: str, author: Author, at: datetime) -> None:
    """Give ``device`` the lease of a locked sheet if it is free or already its own.

    Raises :class:`LeaseTaken` if another device has it. Without a device (the director, a replay)
    no lease is needed. The caller saves the sheet.
    """
    if not device or sheet.lease_device == device:
        return
    if sheet.lease_device:
        raise LeaseTaken(holder=sheet.lease_author, since=sheet.lease_since)
    _hand_over(sheet, device, author, at)


@transaction.atomic
def take_lease(*, sheet_id: int, device: str, author: Author) -> Sheet:
    """Take over a sheet's lease and log its previous holder; taking one's own changes nothing."""
    sheet = locked_sheet(sheet_id)
    if sheet.lease_device != device:
        _hand_over(sheet, device, author, timezone.now())
        sheet.save(update_fields=["lease_device", "lease_author", "lease_since"])
        announce_sheet(sheet)
    return sheet


def _hand_over(sheet: Sheet, device: str, author: Author, at: datetime) -> None:
    LeaseChange(
        sheet=sheet,
        device=device,
        author=author_text(author),
        previous_device=sheet.lease_device,
        previous_author=sheet.lease_author,
        created_at=at,
    ).save()
    sheet.lease_device = device
    sheet.lease_author = author_text(author)
    sheet.lease_since = at
