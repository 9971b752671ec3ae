"""Declared Chicagos, stored beside the record from the moment of the declaration."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils import timezone

from engine.sheet.entries import Chicago
from engine.sheet.sheet import why_not
from engine.sheet.state import TRICKS

from ..errors import IllegalEntry, ScoringError, SheetConflict
from ..models import Author, Declaration, author_fields
from ..reading.rows import state_of
from .announce import announce_sheet
from .lease import hold_lease
from .locks import locked_sheet
from .write import check_writable


@transaction.atomic
def declare_chicago(
    *,
    sheet_id: int,
    client_id: uuid.UUID,
    deal: int,
    seat: int | None,
    author: Author,
    device: str = "",
) -> None:
    """Record that ``seat`` declared a Chicago in this deal, or without a seat, that nobody did.

    The same ``client_id`` again changes nothing. Raises ``SheetConflict`` if the sheet is no longer
    before the tricks of that deal, :class:`IllegalEntry` if the seat may not declare,
    ``client_id_reused`` for the id of another sheet's, and the errors of a write.
    """
    sheet = locked_sheet(sheet_id)
    known = Declaration.objects.filter(client_id=client_id).first()
    if known is not None:
        if known.sheet_id != sheet_id:
            raise ScoringError("client_id_reused")
        return
    check_writable(sheet, sheet.version)
    now = timezone.now()
    hold_lease(sheet, device=device, author=author, at=now)
    state = state_of(sheet)
    if state.finished or (state.deal, state.stage) != (deal, TRICKS):
        raise SheetConflict(seen=deal, version=sheet.version, state=sheet.state)
    if seat is not None:
        problem = why_not(state, Chicago(seat, won=True))
        if problem is not None:
            raise IllegalEntry(problem)
    Declaration(
        sheet=sheet,
        deal=deal,
        seat=seat,
        client_id=client_id,
        created_at=now,
        **author_fields(author),
    ).save()
    sheet.save(update_fields=["lease_device", "lease_author", "lease_since"])
    announce_sheet(sheet, results=False)
