"""From stored rows to the entries that count, and from those to states.

Pure functions over rows that are already read; both writes and reads use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EntryError, Problem
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import start, step, warnings
from engine.sheet.state import State
from engine.totals.totals import FORMAT, VERSION, Totals, final_state, read_totals
from scoring.enums import RowKind

#: The kind of what stands on a sheet for a whole game: its totals, entered from paper.
TOTALS = "totals"


@dataclass(frozen=True, slots=True)
class Row:
    """What replaying needs of a stored row; ``target`` is the sequence of the row aimed at."""

    sequence: int
    kind: str
    entry: Mapping[str, Any] | None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """One place on the sheet: an entry, perhaps replaced later, perhaps taken back.

    ``sequence`` is the row that made the place, ``written`` the row whose entry stands there.
    """

    sequence: int
    written: int
    entry: Mapping[str, Any]
    voided: bool = False

    @property
    def totals(self) -> bool:
        """Whether a whole game's totals stand here, entered from paper."""
        return self.entry.get("kind") == TOTALS

    @property
    def amended(self) -> bool:
        """Whether the entry is not the one first written."""
        return self.sequence != self.written


@dataclass(frozen=True, slots=True)
class Step:
    """A slot that counts, with the states around it and what the engine warned of."""

    slot: Slot
    before: State
    after: State
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A replay: the good prefix and, where there is one, the first slot that is illegal."""

    state: State
    steps: tuple[Step, ...]
    failed: Slot | None = None
    problem: Problem | None = None


def slots_of(rows: Iterable[Row], seats: Sequence[str]) -> tuple[list[Slot], list[str]]:
    """Return the sheet's places in playing order, and the seats after all reseats.

    A ``reseat`` row carries ``{"seats": [...], "follow": "player" | "seat"}``; where the points
    follow the player, the seat numbers of earlier entries are turned to the new seats. A ``paper``
    row with totals stands for the whole game: while it counts, nothing else does.
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
        elif row.kind == RowKind.PAPER:
            if row.entry is not None:
                slots.append(Slot(row.sequence, row.sequence, row.entry))
        elif row.kind != RowKind.CHECKED:
            place = next(i for i, slot in enumerate(slots) if slot.sequence == row.target)
            if row.kind == RowKind.VOID:
                slots[place] = replace(slots[place], voided=True)
            elif row.kind == RowKind.AMEND:
                slots[place] = replace(slots[place], written=row.sequence, entry=row.entry or {})
            else:
                slots.insert(place, Slot(row.sequence, row.sequence, row.entry or {}))
    whole = [slot.sequence for slot in slots if slot.totals and not slot.voided][-1:]
    if whole:
        slots = [replace(s, voided=s.voided or s.sequence != whole[0]) for s in slots]
    return slots, seats


def paper_marks(rows: Iterable[Row]) -> set[int]:
    """Return the rows that say that a game was entered from paper and are not taken back."""
    rows = list(rows)
    gone = {row.target for row in rows if row.kind == RowKind.VOID}
    return {row.sequence for row in rows if row.kind == RowKind.PAPER} - gone


def paper_totals(
    rules: RuleSet, entry: Mapping[str, Any], names: Sequence[str] | None = None
) -> Totals:
    """Return the totals that a ``paper`` row holds, as the engine checks and places them.

    Raises ``engine.errors.ChicagoError`` as :func:`engine.totals.totals.read_totals` does.
    """
    seats = entry.get("seats")
    if isinstance(seats, list) and all(isinstance(seat, Mapping) for seat in seats):
        names = names or [str(number) for number in range(1, len(seats) + 1)]
        seats = [{**seat, "name": name} for seat, name in zip(seats, names, strict=False)]
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
        key: turn.get(value, value) if key in {"seat", "breaker"} and value is not None else value
        for key, value in entry.items()
    }


def play(rules: RuleSet, seats: int, dealer: int, slots: Iterable[Slot]) -> Played:
    """Replay the slots that are not taken back, up to the first illegal one."""
    state = start(rules, seats, dealer)
    steps: list[Step] = []
    for slot in slots:
        if slot.voided:
            continue
        if slot.totals:
            state = final_state(paper_totals(rules, slot.entry))
            continue
        try:
            entry = entry_from_json(slot.entry)
            after = step(state, entry)
        except EntryError as error:
            return Played(state, tuple(steps), slot, error.problem)
        steps.append(Step(slot, state, after, tuple(warnings(state, entry))))
        state = after
    return Played(state, tuple(steps))
