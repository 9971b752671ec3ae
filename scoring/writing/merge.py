"""Writing entries that waited on a device while others wrote on the same sheet."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from engine.errors import EntryError
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import entry_from_json
from engine.sheet.state import State

from ..enums import RowKind, SheetStatus
from ..errors import IllegalEntry, ScoringError, SheetConflict
from ..models import Author, Sheet, SheetEntry
from ..reading.history import Row, Slot, folds_of, play, slots_of
from ..reading.log import not_taken
from ..reading.merge import Take, Tap, as_seated, is_over, only_theirs, outcome
from ..reading.rows import rows_of
from ..reading.rules import rules_of
from ..reasons import needs_director
from .acceptance import keep_words
from .announce import announce_sheet
from .lease import hold_lease
from .locks import locked_sheet
from .rows import append_folds, append_row, settle_state
from .write import check_storable


@transaction.atomic
def settle_waiting(
    *,
    sheet_id: int,
    seen_version: int,
    base: int,
    taps: Sequence[Tap],
    take: Take,
    author: Author,
    device: str,
) -> Sheet:
    """Write what waited on ``device`` since row ``base``, according to a person's choice.

    Entries that are not taken stay on the sheet as rows that were taken back, also on one that
    still waits. ``seen_version`` is the version that the person saw. Taps already written change
    nothing, so the same choice may be sent twice; another one raises ``already_chosen``.

    Raises ``SheetConflict`` (the sheet has changed again), ``LeaseTaken``, :class:`IllegalEntry`
    (the rules do not allow the result) and ``ScoringError`` ``signed_off``, ``not_running``,
    ``other_seats``, ``would_reopen``, ``ruling_only_director``, ``client_id_reused`` or
    ``malformed``.
    """
    sheet = locked_sheet(sheet_id)
    ids = [tap.client_id for tap in taps]
    known = set(SheetEntry.objects.filter(client_id__in=ids).values_list("sheet", flat=True))
    if known - {sheet_id} or len(set(ids)) < len(ids):
        raise ScoringError("client_id_reused")
    if known:
        if take not in _carried_out(sheet, base, taps):
            raise ScoringError("already_chosen")
        return sheet
    if not taps:
        return sheet
    check_taps(sheet, taps)
    if seen_version != sheet.version or base > sheet.version:
        raise SheetConflict(seen=seen_version, version=sheet.version, state=sheet.state)
    rows = rows_of(sheet)
    refusal = only_theirs(sheet, rows, taps)
    if refusal and take is not Take.THEIRS:
        raise refusal
    now = timezone.now()
    plays = sheet.status in {SheetStatus.RUNNING, SheetStatus.FINISHED}
    if plays:
        hold_lease(sheet, device=device, author=author, at=now)
    rules = rules_of(sheet.table)
    taps = as_seated(sheet, rows, taps)
    chosen = outcome(rules, rows, sheet.drawn_seats, sheet.dealer, base, taps, take)
    if chosen.played.problem is not None:
        raise IllegalEntry(chosen.played.problem)
    if chosen.reopens(over=is_over(sheet)):
        raise ScoringError("would_reopen")
    before = sheet.chain
    state = _append(sheet, rules, list(rows), chosen.voids, taps, take, author, now)
    if plays and not state.begun:
        state, folds = folds_of(state, sheet.seats, sheet.table.away)
        answer = {"sequence": sheet.version, "version": sheet.version, "state": state.as_json()}
        append_folds(
            sheet,
            folds,
            author=author,
            at=now,
            client_id=taps[-1].client_id,
            answer={**answer, "warnings": []},
        )
    settle_state(sheet, state, at=now)
    sheet.save()
    if take is Take.THEIRS:
        keep_words(sheet, before=before)
    announce_sheet(sheet, unsign=take is not Take.THEIRS)
    return sheet


def _carried_out(sheet: Sheet, base: int, taps: Sequence[Tap]) -> set[Take]:
    """Return by which choice these taps were written, or by which of two that are the same."""
    stored = dict(sheet.entries.values_list("client_id", "sequence"))
    if any(not_taken(tap.client_id) in stored for tap in taps):
        return {Take.THEIRS}
    rows = rows_of(sheet)
    if any(_left_out(taps, row.target) in stored for row in rows):
        return {Take.MINE}
    first = min(stored[tap.client_id] for tap in taps if tap.client_id in stored)
    stood = rows[: first - 1], sheet.drawn_seats, sheet.dealer, base
    theirs = outcome(rules_of(sheet.table), *stood, taps, Take.MINE).voids
    return {Take.BOTH} if theirs else {Take.MINE, Take.BOTH}


def _left_out(taps: Sequence[Tap], sequence: int | None) -> uuid.UUID:
    """Return the id of the row that takes back what others had written there."""
    return uuid.uuid5(taps[0].client_id, f"void {sequence}")


def check_taps(sheet: Sheet, taps: Sequence[Tap]) -> None:
    """Raise ``ScoringError`` if a waiting entry is none, or is one that only a director makes."""
    for tap in taps:
        if tap.entry is None:
            continue
        check_storable(tap.entry)
        if sheet.table.directed and needs_director(tap.entry):
            raise ScoringError("ruling_only_director")
        try:
            entry_from_json(tap.entry)
        except EntryError as error:
            raise IllegalEntry(error.problem) from error


def _append(
    sheet: Sheet,
    rules: RuleSet,
    rows: list[Row],
    voids: Sequence[int],
    taps: Sequence[Tap],
    take: Take,
    author: Author,
    at: datetime,
) -> State:
    """Append the rows of a choice in the order in which they take effect; return the last state.

    Each row's answer has the state after it, like any row's: a restored server is given them back
    one by one.
    """
    stored = {row.sequence: row for row in sheet.entries.all()}

    def state_now() -> State:
        slots, seats = slots_of(rows, sheet.drawn_seats)
        return play(rules, len(seats), sheet.dealer, slots).state

    def append(
        kind: RowKind, client_id: uuid.UUID, tap: Tap | None = None, target: int | None = None
    ) -> int:
        number = sheet.version + 1
        entry = dict(tap.entry) if tap and tap.entry is not None else None
        rows.append(Row(number, kind, entry, target))
        row = append_row(
            sheet,
            kind=kind,
            client_id=client_id,
            author=author,
            at=at,
            answer={
                "sequence": number,
                "version": number,
                "warnings": [],
                "state": state_now().as_json(),
            },
            entry=entry,
            target=stored[target] if target else None,
            confirmed=kind == RowKind.ENTRY and take is not Take.THEIRS,
        )
        stored[number] = row
        return number

    for sequence in voids:
        append(RowKind.VOID, _left_out(taps, sequence), target=sequence)
    for tap in taps:
        if tap.entry is not None:
            number = append(RowKind.ENTRY, tap.client_id, tap)
            if take is Take.THEIRS:
                append(RowKind.VOID, not_taken(tap.client_id), target=number)
        elif take is not Take.THEIRS:
            slot = _last(rows, sheet.drawn_seats)
            if slot is not None:
                append(RowKind.VOID, tap.client_id, target=slot.sequence)
    return state_now()


def _last(rows: Sequence[Row], drawn_seats: Sequence[str]) -> Slot | None:
    slots, _seats = slots_of(rows, drawn_seats)
    counting = [slot for slot in slots if not slot.voided and not needs_director(slot.entry)]
    return counting[-1] if counting else None
