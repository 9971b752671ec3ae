"""Taking back, correcting, adding and reseating: always by a new row, never by an edit."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.sheet.state import State

from ..enums import RowKind, SheetStatus
from ..errors import IllegalEntry, LaterEntries, ScoringError
from ..models import Author, Sheet, SheetEntry
from ..reading.check import replayed
from ..reading.correction import Plan, plan_correction
from ..reading.history import Row, play, slots_of
from ..reading.rows import later_begun, rows_of
from ..reading.rules import rules_of
from ..reasons import is_away, needs_director
from .announce import announce_sheet
from .lease import hold_lease
from .locks import locked_sheet
from .rows import append_row, settle_state
from .write import (
    WriteResult,
    answer_again,
    check_storable,
    check_writable,
    result_of,
)


def correct_entry(
    *,
    sheet_id: int,
    client_id: uuid.UUID,
    seen_version: int,
    author: Author,
    kind: RowKind,
    sequence: int | None = None,
    entry: Mapping[str, Any] | None = None,
    device: str = "",
    reason: str = "",
    with_later: bool = False,
    by_director: bool = False,
    then: Sequence[Mapping[str, Any]] = (),
    also: Sequence[Mapping[str, Any]] = (),
) -> WriteResult:
    """Take back an entry, replace it by another, or insert a forgotten one in front of it.

    ``kind`` is :attr:`RowKind.VOID`, :attr:`RowKind.AMEND` or :attr:`RowKind.INSERT`. ``sequence``
    names the entry, ``None`` the last one that counts. ``then`` is appended after it, e.g. a ruling
    that ends a game which a correction would otherwise leave open. ``also`` are inserted after
    ``entry``: the rest of a forgotten deal.

    Raises the errors of :func:`scoring.writing.write_entry`, and ``ScoringError``
    ``nothing_to_take_back``, ``unknown_entry``, ``already_void`` or ``would_reopen``; unless
    ``by_director`` also ``signed_off`` and ``ruling_only_director``; for anything but a void also
    ``missing_reason``. Raises :class:`LaterEntries` if later entries would become illegal (with
    ``with_later`` they are taken back too).
    """
    for given in (entry, *also, *then):
        check_storable(given)
    try:
        with transaction.atomic():
            sheet = locked_sheet(sheet_id)
            known = SheetEntry.objects.select_related("target").filter(client_id=client_id).first()
            if known is not None:
                return answer_again(
                    known, sheet_id=sheet_id, kind=kind, entry=entry, target=sequence
                )
            now = timezone.now()
            check_writable(sheet, seen_version)
            if sheet.table.signed_at and not by_director:
                raise ScoringError("signed_off")
            if kind != RowKind.VOID and not reason.strip():
                raise ScoringError("missing_reason")
            hold_lease(sheet, device=device, author=author, at=now)
            if sequence is None:
                sequence = _last_sequence(sheet)
            if not by_director and sheet.table.directed and not also:
                _refuse_rulings(sheet, sequence)
            plan = plan_correction(sheet, kind, sequence, entry, then, also)
            if plan.voids and not with_later:
                raise LaterEntries(plan.voids)
            if not plan.state.finished and sheet.status == SheetStatus.FINISHED:
                refuse_second_running(sheet)
            reason = reason.strip()[:200]
            new = [Row(0, kind, each, sequence) for each in (entry, *also)]
            answer = write_plan(sheet, plan, new, client_id, author, now, reason)
            settle_state(sheet, plan.state, at=now)
            sheet.save()
            announce_sheet(sheet, unsign=True)
            return result_of(sheet_id, answer)
    except IntegrityError:
        known = SheetEntry.objects.select_related("target").filter(client_id=client_id).first()
        if known is None:
            raise
        return answer_again(known, sheet_id=sheet_id, kind=kind, entry=entry, target=sequence)


@transaction.atomic
def reseat(
    *,
    sheet_id: int,
    client_id: uuid.UUID,
    seen_version: int,
    author: Author,
    seats: Sequence[str],
    reason: str,
    follow: str = "player",
) -> WriteResult:
    """Move the players of a sheet to other seats without losing entries.

    With ``follow="player"`` the points move with the players (they sat elsewhere than drawn); with
    ``follow="seat"`` they stay with the seat (the Auditor mistook one player for another). Raises
    ``bad_seats``, ``missing_reason`` and the errors of a write.
    """
    sheet = locked_sheet(sheet_id)
    change = {"seats": list(seats), "follow": follow}
    known = SheetEntry.objects.filter(client_id=client_id).first()
    if known is not None:
        return answer_again(known, sheet_id=sheet_id, kind=RowKind.RESEAT, entry=change)
    # A waiting game may be reseated too; it keeps waiting.
    check_writable(sheet, seen_version, waiting=True)
    if sorted(seats) != sorted(sheet.seats) or follow not in {"player", "seat"}:
        raise ScoringError("bad_seats")
    if not reason.strip():
        raise ScoringError("missing_reason")
    now = timezone.now()
    row = Row(sheet.version + 1, RowKind.RESEAT, change)
    slots, new_seats = slots_of([*rows_of(sheet), row], sheet.drawn_seats)
    played = play(rules_of(sheet.table), len(new_seats), sheet.dealer, slots)
    if played.problem is not None:
        raise IllegalEntry(played.problem)
    sheet.seats = new_seats
    answer = _answer(sheet.version + 1, sheet.version + 1, played.state)
    append_row(
        sheet,
        kind=RowKind.RESEAT,
        client_id=client_id,
        author=author,
        at=now,
        answer=answer,
        entry=change,
        reason=reason.strip()[:200],
    )
    settle_state(sheet, played.state, at=now)
    sheet.save()
    announce_sheet(sheet, unsign=True)
    return result_of(sheet_id, answer)


def _last_sequence(sheet: Sheet) -> int:
    slots, _ = slots_of(rows_of(sheet), sheet.drawn_seats)
    counting = [slot for slot in slots if not slot.voided and not is_away(slot.entry)]
    if not counting:
        raise ScoringError("nothing_to_take_back")
    return counting[-1].sequence


def _refuse_rulings(sheet: Sheet, sequence: int) -> None:
    """Raise if the entry is a ruling, which only the director may take back."""
    slots, _ = slots_of(rows_of(sheet), sheet.drawn_seats)
    if any(s.sequence == sequence and needs_director(s.entry) for s in slots):
        raise ScoringError("ruling_only_director")


def refuse_second_running(sheet: Sheet) -> None:
    """Raise if a later game of the table has begun: then a finished game cannot run again."""
    if later_begun(sheet):
        raise ScoringError("would_reopen")


def write_plan(
    sheet: Sheet,
    plan: Plan,
    new: Sequence[Row],
    client_id: uuid.UUID,
    author: Author,
    at: datetime,
    reason: str,
) -> dict[str, Any]:
    """Append the correction's rows, the voids it takes along, and the entries after it.

    Return the answer that all of them hold: its ``sequence`` is the first one's.
    """
    numbers = {*(row.target or 0 for row in new), *plan.voids}
    found = {row.sequence: row for row in sheet.entries.filter(sequence__in=numbers)}
    first = sheet.version + 1
    last = sheet.version + len(new) + len(plan.voids) + len(plan.appended)
    answer = _answer(first, last, plan.state)
    for index, row in enumerate(new):
        append_row(
            sheet,
            kind=RowKind(row.kind),
            client_id=uuid.uuid5(client_id, f"also {index}") if index else client_id,
            author=author,
            at=at,
            answer=answer,
            entry=None if row.entry is None else dict(row.entry),
            target=found[row.target or 0],
            reason=reason,
        )
    for number in plan.voids:
        append_row(
            sheet,
            kind=RowKind.VOID,
            client_id=uuid.uuid5(client_id, f"void {number}"),
            author=author,
            at=at,
            answer=answer,
            target=found[number],
            reason=reason,
        )
    for index, more in enumerate(plan.appended):
        append_row(
            sheet,
            kind=RowKind.ENTRY,
            client_id=uuid.uuid5(client_id, f"then {index}"),
            author=author,
            at=at,
            answer=answer,
            entry=more,
        )
    return answer


def _answer(sequence: int, version: int, state: State) -> dict[str, Any]:
    return {"sequence": sequence, "version": version, "state": state.as_json(), "warnings": []}


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
