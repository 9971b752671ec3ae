"""Two versions of one sheet: the server's, and what a device wrote without network.

Nothing is guessed: both are shown deal by deal, and a person chooses. The result of each choice is
computed here, both for the page that asks and for the write that follows.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from engine.rules.ruleset import RuleSet

from ..enums import RowKind, SheetStatus
from ..errors import ScoringError
from ..models import Sheet
from ..reasons import needs_director
from .history import Played, Row, Slot, play, slots_of
from .recover import seatings_of
from .rows import later_begun


class Take(StrEnum):
    """What happens to the entries that waited on the device."""

    THEIRS = "theirs"  # keep them only as rows taken back
    MINE = "mine"  # they replace what others wrote meanwhile, except rulings
    BOTH = "both"  # they come after what others wrote


@dataclass(frozen=True, slots=True)
class Tap:
    """An action that waited on a device: an entry, or taking back the last one (no entry).

    ``seating`` is who sat where (empty from older scripts).
    """

    client_id: uuid.UUID
    entry: Mapping[str, Any] | None
    at: datetime
    seating: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side's entries since the two diverged, with the deal of each.

    ``gone`` are earlier entries that this side took back.
    """

    written: tuple[tuple[int, Slot], ...]
    gone: tuple[Slot, ...]
    played: Played


@dataclass(frozen=True, slots=True)
class Merge:
    """Both sides of a sheet that diverged after ``base`` rows, and the possible choices."""

    theirs: Side
    mine: Side
    choices: tuple[Take, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a choice: which rows are taken back, and the game after it.

    ``voids`` are the sequences of the stored rows taken back, last one first.
    """

    voids: tuple[int, ...]
    played: Played

    @property
    def legal(self) -> bool:
        """Whether the rules allow this game."""
        return self.played.problem is None

    def reopens(self, *, over: bool) -> bool:
        """Whether a game that is ``over`` would go on again."""
        return over and not self.played.state.finished


#: Numbers the taps after every stored row while both are replayed together.
BEHIND = 10**6


def merge_of(
    rules: RuleSet,
    rows: Sequence[Row],
    seats: Sequence[str],
    dealer: int,
    base: int,
    taps: Sequence[Tap],
    *,
    over: bool = False,
) -> Merge:
    """Return both sides of a sheet, and the choices that the rules allow.

    Both can be kept only if every entry stays where it was tapped: in the same deal and phase.
    ``over`` is what :func:`is_over` says of the sheet.
    """
    before = _slots([*rows[:base], *_moves(rows[base:])], seats)
    now = _slots(rows, seats)
    mine = _side(rules, len(seats), dealer, before, _tapped(before, taps))
    theirs = _side(rules, len(seats), dealer, before, now)
    choices = [Take.THEIRS]
    alone = outcome(rules, rows, seats, dealer, base, taps, Take.MINE)
    if alone.legal and not alone.reopens(over=over):
        choices.insert(0, Take.MINE)
    both = outcome(rules, rows, seats, dealer, base, taps, Take.BOTH)
    entries = all(tap.entry is not None for tap in taps)
    fits = both.legal and not both.reopens(over=over)
    if entries and fits and _positions(both.played) == _positions(mine.played):
        choices.insert(0, Take.BOTH)
    return Merge(theirs, mine, tuple(choices))


def is_over(sheet: Sheet) -> bool:
    """Return whether a game has ended and a later one has begun: it cannot go on again."""
    return sheet.status == SheetStatus.FINISHED and later_begun(sheet)


def only_theirs(sheet: Sheet, rows: Sequence[Row], taps: Sequence[Tap]) -> ScoringError | None:
    """Return why nothing but :attr:`Take.THEIRS` can be chosen, if so."""
    if sheet.status in {SheetStatus.WAITING, SheetStatus.VOID}:
        return ScoringError("not_running", status=SheetStatus(sheet.status).label)
    if sheet.table.signed_at:
        return ScoringError("signed_off")
    known = _seatings(sheet, rows)
    return None if all(tap.seating in known for tap in taps) else ScoringError("other_seats")


def as_seated(sheet: Sheet, rows: Sequence[Row], taps: Sequence[Tap]) -> tuple[Tap, ...]:
    """Return the taps as the players sit now: they move like the entries before the move."""
    known = _seatings(sheet, rows)
    found = []
    for tap in taps:
        if tap.entry is not None and tap.seating in known:
            seats, moves = known[tap.seating]
            [slot] = _slots([Row(BEHIND, RowKind.ENTRY, tap.entry), *moves], seats)
            tap = replace(tap, entry=slot.entry)
        found.append(tap)
    return tuple(found)


def _seatings(sheet: Sheet, rows: Sequence[Row]) -> dict[str, tuple[Sequence[str], list[Row]]]:
    """Return the seats of every seating so far by its mark, with the moves since."""
    moves = _moves(rows)
    found: dict[str, tuple[Sequence[str], list[Row]]] = {}
    for done in range(len(moves) + 1):
        seats = slots_of(moves[:done], sheet.drawn_seats)[1]
        found |= dict.fromkeys(seatings_of(sheet, seats), (seats, moves[done:]))
    return found


def _moves(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.kind == RowKind.RESEAT]


def outcome(
    rules: RuleSet,
    rows: Sequence[Row],
    seats: Sequence[str],
    dealer: int,
    base: int,
    taps: Sequence[Tap],
    take: Take,
) -> Outcome:
    """Return the result of a choice."""
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
    """Return the sheet's slots followed by the taps."""
    found = list(slots)
    for number, tap in enumerate(taps):
        if tap.entry is not None:
            found.append(Slot(BEHIND + number, BEHIND + number, tap.entry))
            continue
        counted = [
            at
            for at, slot in enumerate(found)
            if not slot.voided and not needs_director(slot.entry)
        ]
        if counted:
            found[counted[-1]] = replace(found[counted[-1]], voided=True)
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


def _positions(played: Played) -> list[tuple[int, str, int | None]]:
    """Return the deal, stage and phase in which each tap would be written."""
    return [
        (step.before.deal, step.before.stage, step.before.phase)
        for step in played.steps
        if step.slot.sequence >= BEHIND
    ]
