"""From stored rows to the entries that count, and from entries to states.

These are pure functions of rows already read; writes and reads both use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EntryError, Problem
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import SEAT_FIELDS, entry_from_json
from engine.sheet.sheet import start, step, warnings
from engine.sheet.state import IN, State
from engine.totals.totals import FORMAT, VERSION, Totals, final_state, read_totals

from ..enums import RowKind
from ..reasons import AWAY

#: Players who are away fold.
Folds = tuple[Mapping[str, Any], ...]

#: The kind of entry that stands for a whole game: its totals, entered from paper.
TOTALS = "totals"


@dataclass(frozen=True, slots=True)
class Row:
    """What a replay needs of a stored row; ``target`` is the sequence of the row it refers to."""

    sequence: int
    kind: str
    entry: Mapping[str, Any] | None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of the sheet: an entry that may have been replaced or taken back later.

    ``sequence`` is the row that created the slot, ``written`` the row that holds its current entry.
    """

    sequence: int
    written: int
    entry: Mapping[str, Any]
    voided: bool = False

    @property
    def totals(self) -> bool:
        """Whether the slot holds a whole game's totals from paper."""
        return self.entry.get("kind") == TOTALS

    @property
    def replaced(self) -> bool:
        """Whether the entry is not the original one."""
        return self.sequence != self.written


@dataclass(frozen=True, slots=True)
class Step:
    """A slot that counts, with the states around it and the engine's warnings."""

    slot: Slot
    before: State
    after: State
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A replay: the good prefix and the first illegal slot, if any."""

    state: State
    steps: tuple[Step, ...]
    failed: Slot | None = None
    problem: Problem | None = None


def slots_of(rows: Iterable[Row], seats: Sequence[str]) -> tuple[list[Slot], list[str]]:
    """Return the sheet's slots in playing order, and the seats after all reseats.

    A ``reseat`` row holds ``{"seats": [...], "follow": "player" | "seat"}``. If the points follow
    the player, the seat numbers of earlier entries are mapped to the new seats. A ``paper`` row
    with totals stands for the whole game: while it counts, nothing else does.
    """
    slots: list[Slot] = []
    seats = list(seats)
    for row in rows:
        if row.kind == RowKind.ENTRY:
            slots.append(Slot(row.sequence, row.sequence, row.entry or {}))
        elif row.kind == RowKind.RESEAT:
            change = row.entry or {}
            new = list(change["seats"])
            if change.get("follow", "player") == "player":
                turn = {old: new.index(player_id) for old, player_id in enumerate(seats)}
                slots = [replace(slot, entry=_turned(slot.entry, turn)) for slot in slots]
            seats = new
        elif row.kind == RowKind.FROM_PAPER:
            if row.entry is not None:
                slots.append(Slot(row.sequence, row.sequence, row.entry))
        elif row.kind != RowKind.CHECKED:
            index = next(i for i, slot in enumerate(slots) if slot.sequence == row.target)
            if row.kind == RowKind.VOID:
                slots[index] = replace(slots[index], voided=True)
            elif row.kind == RowKind.AMEND:
                slots[index] = replace(slots[index], written=row.sequence, entry=row.entry or {})
            else:
                slots.insert(index, Slot(row.sequence, row.sequence, row.entry or {}))
    whole = [slot.sequence for slot in slots if slot.totals and not slot.voided][-1:]
    if whole:
        slots = [replace(s, voided=s.voided or s.sequence != whole[0]) for s in slots]
    return slots, seats


def marks_from_paper(rows: Iterable[Row]) -> set[int]:
    """Return the rows that mark a game as entered from paper and have not been taken back."""
    rows = list(rows)
    gone = {row.target for row in rows if row.kind == RowKind.VOID}
    return {row.sequence for row in rows if row.kind == RowKind.FROM_PAPER} - gone


def totals_from_paper(rules: RuleSet, entry: Mapping[str, Any]) -> Totals:
    """Return the totals in a ``paper`` row, as the engine checks and places them.

    Raises ``engine.errors.ChicagoError`` like :func:`engine.totals.totals.read_totals`.
    """
    seats = entry.get("seats")
    if isinstance(seats, list) and all(isinstance(seat, Mapping) for seat in seats):
        seats = [{**seat, "name": str(number)} for number, seat in enumerate(seats, start=1)]
    document = {key: value for key, value in entry.items() if key != "kind"}
    document |= {"format": FORMAT, "version": VERSION, "rules": rules.spec, "seats": seats}
    return replace(read_totals(document), rules=rules)


def _turned(entry: Mapping[str, Any], turn: Mapping[int, int]) -> dict[str, Any]:
    if entry.get("kind") == TOTALS:
        back = {new: old for old, new in turn.items()}
        seats = entry["seats"]
        turned = {**entry, "seats": [seats[back[new]] for new in range(len(seats))]}
        if "winner" in entry:
            turned["winner"] = sorted(turn[seat] for seat in entry["winner"])
        return turned
    return {
        key: turn.get(value, value) if key in SEAT_FIELDS and isinstance(value, int) else value
        for key, value in entry.items()
    }


def play(rules: RuleSet, seats: int, dealer: int, slots: Iterable[Slot]) -> Played:
    """Replay the slots that have not been taken back, up to the first illegal one."""
    state = start(rules, seats, dealer)
    steps: list[Step] = []
    for slot in slots:
        if slot.voided:
            continue
        if slot.totals:
            state = final_state(totals_from_paper(rules, slot.entry))
            continue
        try:
            entry = entry_from_json(slot.entry)
            after = step(state, entry)
        except EntryError as error:
            return Played(state, tuple(steps), slot, error.problem)
        steps.append(Step(slot, state, after, tuple(warnings(state, entry))))
        state = after
    return Played(state, tuple(steps))


def folds_of(state: State, seats: Sequence[str], away: Sequence[str] | None) -> tuple[State, Folds]:
    """Return the state after folding for players who are away at a deal's start, and the folds.

    There are none if nobody else is in the game, since somebody has to play it.
    ``static/scoring/log.js`` does the same.
    """
    folds: list[Mapping[str, Any]] = []
    playing = {seats[seat] for seat, status in enumerate(state.status) if status == IN}
    if not away or playing <= set(away):
        return state, ()
    deal = -1
    # If penalties make all others sit out, the deal closes by itself; then fold the next one too.
    while not state.finished and state.deal != deal:
        deal = state.deal
        for seat, player_id in enumerate(seats):
            if player_id in away and state.deal == deal and state.plays(seat):
                fold = {**AWAY, "seat": seat}
                state = step(state, entry_from_json(fold))
                folds.append(fold)
    return state, tuple(folds)
