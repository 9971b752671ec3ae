"""Taking a correction back: what it struck counts again, what it added is struck."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from ..enums import SheetStatus
from ..errors import LaterEntries, ScoringError
from ..models import Author, SheetEntry
from ..reading.correction import plan_rows
from ..reading.rows import rows_of
from ..reading.take_back import rows_back, taking_back
from ..reasons import coded, with_words
from .announce import announce_sheet
from .correct import refuse_second_running, write_plan
from .locks import locked_sheet
from .rows import settle_state
from .write import WriteResult, check_storable, check_writable, result_of


@transaction.atomic
def take_back_correction(
    *,
    sheet_id: int,
    seen_version: int,
    author: Author,
    first: int,
    reason: str,
    with_later: bool = False,
    then: Sequence[Mapping[str, Any]] = (),
) -> tuple[WriteResult, dict[uuid.UUID, uuid.UUID]]:
    """Take back the correction whose first row has the number ``first``; for directors.

    Return the result, and for each line that had been struck its id and that of the row that writes
    it again. A correction is taken back once; the second call gets the first one's answer and no
    ids. ``with_later`` and ``then`` are as in :func:`scoring.writing.correct_entry`.

    Raises the errors of a write, ``missing_reason``, ``unknown_entry``, ``built_on``,
    ``would_reopen``, :class:`LaterEntries` and :class:`IllegalEntry`.
    """
    for given in then:
        check_storable(given)
    sheet = locked_sheet(sheet_id)
    aimed = sheet.entries.filter(sequence=first).first()
    if aimed is None:
        raise ScoringError("unknown_entry")
    client_id = taking_back(aimed.client_id)
    known = SheetEntry.objects.filter(client_id=client_id).first()
    if known is not None:
        return result_of(sheet_id, known.answer, repeated=True), {}
    check_writable(sheet, seen_version)
    if not reason.strip():
        raise ScoringError("missing_reason")
    back, struck = rows_back(sheet, first)
    plan = plan_rows(sheet, rows_of(sheet), back, then)
    if plan.voids and not with_later:
        raise LaterEntries(plan.voids)
    if not plan.state.finished and sheet.status == SheetStatus.FINISHED:
        refuse_second_running(sheet)
    now = timezone.now()
    ids = dict(sheet.entries.filter(sequence__in=struck).values_list("sequence", "client_id"))
    start = sheet.version + 1
    said = with_words(coded("correction_taken_back"), reason)[:200]
    answer = write_plan(sheet, plan, back, client_id, author, now, said)
    settle_state(sheet, plan.state, at=now)
    sheet.save()
    announce_sheet(sheet, unsign=True)
    new = dict(sheet.entries.filter(sequence__gte=start).values_list("sequence", "client_id"))
    again = {ids[number]: new[start + place] for number, place in struck.items()}
    return result_of(sheet_id, answer), again
