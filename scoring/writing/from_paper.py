"""Games kept on paper: entered afterwards, and compared with the paper by a second person."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.errors import ChicagoError
from engine.sheet.state import DISQUALIFIED
from engine.totals.totals import final_state, problems_of

from ..enums import RowKind, SheetStatus
from ..errors import ImpossibleTotals, ScoringError
from ..models import Author, Sheet, SheetEntry, author_text
from ..reading.history import TOTALS, marks_from_paper, totals_from_paper
from ..reading.rows import has_entries, rows_of, state_of
from ..reading.rules import rules_of
from .acceptance import keep_words
from .announce import announce_sheet
from .locks import locked_sheets
from .rows import append_row, settle_state
from .tables import open_next_sheet
from .write import (
    WriteResult,
    answer_again,
    check_storable,
    check_writable,
    result_of,
)


@transaction.atomic
def write_from_paper(
    *,
    sheet_id: int,
    client_id: uuid.UUID,
    seen_version: int,
    author: Author,
    totals: Mapping[str, Any] | None = None,
    reason: str = "",
) -> WriteResult:
    """Record that a game was kept on paper: entered deal by deal from here, or as its ``totals``.

    ``totals`` holds the game's part of a totals document (docs/formats/totals.md): ``seats``
    without names, in this game's order, ``win`` and ``winner``. It stands for the whole game:
    earlier entries are kept but no longer count, which requires a ``reason``. A waiting game is
    opened.

    Raises ``Sheet.DoesNotExist``, :class:`ImpossibleTotals`, :class:`SheetConflict`,
    ``engine.errors.ChicagoError`` (unreadable totals) and ``ScoringError`` ``missing_reason``,
    ``not_running``, ``game_running``, ``game_order`` or ``totals_disqualified``.
    """
    check_storable(totals)
    entry = None if totals is None else {"kind": TOTALS, **totals}
    table_id = Sheet.objects.values_list("table", flat=True).get(pk=sheet_id)
    sheet = _locked(table_id, sheet_id)
    known = SheetEntry.objects.filter(client_id=client_id).first()
    if known is not None:
        return answer_again(known, sheet_id=sheet_id, kind=RowKind.FROM_PAPER, entry=entry)
    check_writable(sheet, seen_version, waiting=True)
    if sheet.status == SheetStatus.WAITING:
        open_next_sheet(table_id=table_id, by=author, number=sheet.number)
        sheet = _locked(table_id, sheet_id)
    state = state_of(sheet)
    if entry is not None:
        if DISQUALIFIED in state.status:
            raise ScoringError("totals_disqualified")
        read = totals_from_paper(rules_of(sheet.table), entry)
        if len(read.seats) != len(sheet.seats):
            raise ChicagoError("bad_seats", reason="number")
        if problems := problems_of(read):
            raise ImpossibleTotals(problems)
        if has_entries(sheet) and not reason.strip():
            raise ScoringError("missing_reason")
        state = final_state(read)
    elif state.finished:
        raise ScoringError("not_running", status=SheetStatus(sheet.status).label)
    number = sheet.version + 1
    answer = {"sequence": number, "version": number, "state": state.as_json(), "warnings": []}
    now = timezone.now()
    append_row(
        sheet,
        kind=RowKind.FROM_PAPER,
        client_id=client_id,
        author=author,
        at=now,
        answer=answer,
        entry=entry,
        reason=reason.strip()[:200],
    )
    settle_state(sheet, state, at=now)
    sheet.save()
    announce_sheet(sheet, unsign=True)
    return result_of(sheet_id, answer)


@transaction.atomic
def compare_with_paper(
    *,
    sheet_id: int,
    client_id: uuid.UUID,
    seen_version: int,
    author: Author,
    player: str = "",
) -> WriteResult:
    """Record that a second person, ``player`` or the author, has compared a game with its paper.

    The caller has made sure that it is the player who says so. Anything written afterwards must be
    compared again. Raises ``ScoringError`` ``not_from_paper``,
    ``unknown_player`` or ``same_person``, and the errors of a write.
    """
    table_id = Sheet.objects.values_list("table", flat=True).get(pk=sheet_id)
    sheet = _locked(table_id, sheet_id)
    entry = {"player": player} if player else None
    known = SheetEntry.objects.filter(client_id=client_id).first()
    if known is not None:
        return answer_again(known, sheet_id=sheet_id, kind=RowKind.CHECKED, entry=entry)
    check_writable(sheet, seen_version)
    marks = marks_from_paper(rows_of(sheet))
    if not marks or sheet.status != SheetStatus.FINISHED:
        raise ScoringError("not_from_paper")
    if player and player not in sheet.seats:
        raise ScoringError("unknown_player")
    typed = sheet.entries.filter(sequence__gte=min(marks)).exclude(kind=RowKind.CHECKED)
    if not player:
        own = typed.filter(author=author_text(author))
    elif player == sheet.table.auditor:
        # The table's link writes for the Auditor.
        own = typed.filter(author_link__isnull=False)
    else:
        own = typed.none()
    if own.exists():
        raise ScoringError("same_person")
    number, before = sheet.version + 1, sheet.chain
    answer = {"sequence": number, "version": number, "state": sheet.state, "warnings": []}
    append_row(
        sheet,
        kind=RowKind.CHECKED,
        client_id=client_id,
        author=author,
        at=timezone.now(),
        answer=answer,
        entry=entry,
    )
    sheet.save()
    keep_words(sheet, before=before)
    announce_sheet(sheet)
    return result_of(sheet_id, answer)


def _locked(table_id: int, sheet_id: int) -> Sheet:
    return next(sheet for sheet in locked_sheets(table_id) if sheet.pk == sheet_id)
