"""What a correction of a sheet would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EntryError, Problem
from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import step
from engine.sheet.state import State

from ..enums import RowKind
from ..errors import IllegalEntry, ScoringError
from ..models import Sheet
from .games import Game
from .history import Folds, Row, Slot, folds_of, play, slots_of
from .rows import rows_of
from .rules import rules_of
from .words import entry_text


@dataclass(frozen=True, slots=True)
class Plan:
    """The effect of a correction: the state after it, and the later entries it would take along.

    ``voids`` are the sequences of later entries that become illegal, each with the reason.
    ``deals`` are the numbers of other deals in which entries then count, by their sequences.
    ``dealers`` are the seats that then deal, by the deals' numbers. ``appended`` are the entries
    that the correction adds at the end.
    """

    state: State
    voids: Mapping[int, Problem]
    deals: Mapping[int, int]
    dealers: Mapping[int, int]
    appended: tuple[Mapping[str, Any], ...] = ()


def plan_correction(
    sheet: Sheet,
    kind: RowKind,
    sequence: int,
    entry: Mapping[str, Any] | None = None,
    then: Sequence[Mapping[str, Any]] = (),
    also: Sequence[Mapping[str, Any]] = (),
) -> Plan:
    """Return the effect of voiding, amending or inserting an entry; nothing is written.

    ``also`` are inserted after the entry: the rest of a forgotten deal. Raises
    :class:`IllegalEntry` if a new entry itself is illegal in its place.
    """
    rows = rows_of(sheet)
    slots, _ = slots_of(rows, sheet.drawn_seats)
    aimed = next((slot for slot in slots if slot.sequence == sequence), None)
    if aimed is None:
        raise ScoringError("unknown_entry")
    if aimed.voided:
        raise ScoringError("already_void")
    new = [Row(0, kind, each, sequence) for each in (entry, *also)]
    return plan_rows(sheet, rows, new, then)


def plan_rows(
    sheet: Sheet,
    rows: Sequence[Row],
    new: Sequence[Row],
    then: Sequence[Mapping[str, Any]] = (),
) -> Plan:
    """Return the effect of new rows after a sheet's ``rows``; nothing is written.

    They get the next numbers. Raises :class:`IllegalEntry` as :func:`plan_correction`.
    """
    old_slots, _ = slots_of(rows, sheet.drawn_seats)
    # The rows say how far the sheet is; the caller may have read it before they were written.
    last = rows[-1].sequence
    new = [replace(row, sequence=number) for number, row in enumerate(new, start=last + 1)]
    slots, seats = slots_of([*rows, *new], sheet.drawn_seats)
    rules = rules_of(sheet.table)
    voids: dict[int, Problem] = {}
    while True:
        played = play(rules, len(seats), sheet.dealer, slots)
        if played.failed is None or played.problem is None:
            break
        if played.failed.written > last:
            raise IllegalEntry(played.problem)
        voids[played.failed.sequence] = played.problem
        slots = [
            Slot(s.sequence, s.written, s.entry, s.voided or s.sequence == played.failed.sequence)
            for s in slots
        ]
    state = played.state
    try:
        for more in then:
            state = step(state, entry_from_json(more))
    except EntryError as error:
        raise IllegalEntry(error.problem) from error
    folds: Folds = ()
    if not state.begun:
        state, folds = folds_of(state, seats, sheet.table.away)
    before = play(rules, len(seats), sheet.dealer, old_slots)
    dealt = {each.slot.sequence: each.before.deal for each in before.steps}
    deals = {
        each.slot.sequence: each.before.deal + 1
        for each in played.steps
        if dealt.get(each.slot.sequence, each.before.deal) != each.before.deal
    }
    dealers = {each.before.deal + 1: each.before.dealer for each in played.steps}
    if not played.state.finished:
        dealers[played.state.deal + 1] = played.state.dealer
    return Plan(state, voids, deals, dealers, tuple(dict(more) for more in (*then, *folds)))


@dataclass(frozen=True, slots=True)
class MovedDeal:
    """A deal that gets another number; dealers are names."""

    number: int
    then: int
    dealer: str
    dealer_then: str


def moved_deals(game: Game, plan: Plan, sequence: int) -> list[MovedDeal]:
    """Return the deals that a deal put in before the line with this sequence moves on."""
    found = []
    first = next(
        deal.number for deal in game.deals if any(row.sequence == sequence for row in deal.entries)
    )
    for deal in game.deals:
        then = [
            plan.deals.get(row.sequence, deal.number)
            for row in deal.entries
            if row.sequence not in plan.voids
        ]
        if deal.number >= first and then:
            found.append((deal.number, then[0], deal.dealer))
    running = game.state.deal + 1
    ends = game.state.finished or plan.state.finished
    if not ends and all(number != running for number, _then, _dealer in found):
        found.append((running, plan.state.deal + 1, game.state.dealer))
    return [
        MovedDeal(number, then, game.names[dealer], game.names[plan.dealers[then]])
        for number, then, dealer in found
    ]


def moved_entries(game: Game, deals: Mapping[int, int]) -> list[tuple[str, int]]:
    """Return a game's entries that would count in other ``deals``, in words, with their numbers."""
    return [
        (entry_text(row.entry, game.names), deals[row.sequence])
        for deal in game.deals
        for row in deal.entries
        if row.sequence in deals
    ]
