"""Two versions of one sheet: what the server has, and what a device wrote without network.

Nothing is guessed: both are shown deal by deal, and somebody chooses. What each choice would make
of the sheet is worked out here, for the page that asks as for the write that follows.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from engine.rules.ruleset import RuleSet
from scoring.reading.history import Played, Row, Slot, play, slots_of
from scoring.reasons import needs_director


class Take(StrEnum):
    """What becomes of what waited on the device."""

    THEIRS = "theirs"  # it stays as rows that were taken back
    MINE = "mine"  # it stands instead of what others wrote meanwhile, rulings excepted
    BOTH = "both"  # it comes after that


@dataclass(frozen=True, slots=True)
class Tap:
    """Something that waited on a device: an entry, or the last one taken back (no entry)."""

    client_id: uuid.UUID
    entry: Mapping[str, Any] | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Side:
    """The entries of one side since the two parted, with the deal that each belongs to.

    ``gone`` are entries of before that this side took back.
    """

    written: tuple[tuple[int, Slot], ...]
    gone: tuple[Slot, ...]
    played: Played


@dataclass(frozen=True, slots=True)
class Merge:
    """Both sides of a sheet that parted after ``base`` rows, and what could be chosen."""

    theirs: Side
    mine: Side
    choices: tuple[Take, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a choice makes of a sheet: whose rows go, and how the game then stands.

    ``voids`` are the sequences of stored rows that go, the last one first.
    """

    voids: tuple[int, ...]
    played: Played

    @property
    def legal(self) -> bool:
        """Whether the game can stand like that."""
        return self.played.problem is None


#: Taps stand behind every stored row while both are looked at together.
BEHIND = 10**6


def merge_of(
    rules: RuleSet,
    rows: Sequence[Row],
    seats: Sequence[str],
    dealer: int,
    base: int,
    taps: Sequence[Tap],
) -> Merge:
    """Return both sides of a sheet, and the choices that the rules allow.

    Both can stand only if every entry comes where it was tapped: in the same deal and phase.
    """
    before = _slots(rows[:base], seats)
    now = _slots(rows, seats)
    mine = _side(rules, len(seats), dealer, before, _tapped(before, taps))
    theirs = _side(rules, len(seats), dealer, before, now)
    choices = [Take.THEIRS]
    if outcome(rules, rows, seats, dealer, base, taps, Take.MINE).legal:
        choices.insert(0, Take.MINE)
    both = outcome(rules, rows, seats, dealer, base, taps, Take.BOTH)
    entries = all(tap.entry is not None for tap in taps)
    if entries and both.legal and _places(both.played) == _places(mine.played):
        choices.insert(0, Take.BOTH)
    return Merge(theirs, mine, tuple(choices))


def outcome(
    rules: RuleSet,
    rows: Sequence[Row],
    seats: Sequence[str],
    dealer: int,
    base: int,
    taps: Sequence[Tap],
    take: Take,
) -> Outcome:
    """Return what a choice makes of the sheet."""
    slots = _slots(rows, seats)
    voids: list[int] = []
    if take is Take.MINE:
        for at, slot in enumerate(slots):
            if slot.sequence > base and not slot.voided and not needs_director(slot.entry):
                slots[at] = replace(slot, voided=True)
                voids.append(slot.sequence)
    if take is not Take.THEIRS:
        slots = _tapped(slots, taps)
    return Outcome(tuple(reversed(voids)), play(rules, len(seats), dealer, slots))


def _slots(rows: Sequence[Row], seats: Sequence[str]) -> list[Slot]:
    return slots_of(rows, seats)[0]


def _tapped(slots: Sequence[Slot], taps: Sequence[Tap]) -> list[Slot]:
    """The sheet with the taps behind it."""
    found = list(slots)
    for number, tap in enumerate(taps):
        if tap.entry is not None:
            found.append(Slot(BEHIND + number, BEHIND + number, tap.entry))
            continue
        standing = [
            at
            for at, slot in enumerate(found)
            if not slot.voided and not needs_director(slot.entry)
        ]
        if standing:
            found[standing[-1]] = replace(found[standing[-1]], voided=True)
    return found


def _side(
    rules: RuleSet, seats: int, dealer: int, before: Sequence[Slot], after: Sequence[Slot]
) -> Side:
    old = {slot.sequence: slot for slot in before}
    played = play(rules, seats, dealer, after)
    deals = {step.slot.sequence: step.before.deal for step in played.steps}
    return Side(
        tuple(
            (deals.get(slot.sequence, played.state.deal), slot)
            for slot in after
            if not slot.voided
            and (slot.sequence not in old or old[slot.sequence].entry != slot.entry)
        ),
        tuple(
            slot
            for slot in after
            if slot.voided and slot.sequence in old and not old[slot.sequence].voided
        ),
        played,
    )


def _places(played: Played) -> list[tuple[int, str, int | None]]:
    """Deal, stage and phase in which each tap would be written."""
    return [
        (step.before.deal, step.before.stage, step.before.phase)
        for step in played.steps
        if step.slot.sequence >= BEHIND
    ]
