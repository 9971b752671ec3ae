"""An entry's slot on its sheet, and what could be there instead, for correcting a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.sheet.state import State

from ..models import SheetEntry
from .games import Game
from .history import Row, Slot, Step, play, slots_of
from .question import Button, Panel, every_panel
from .rules import rules_of


@dataclass(frozen=True)
class Choice:
    """One complete legal entry, as the form sends it."""

    value: str
    label: str
    checked: bool = False


@dataclass(frozen=True)
class ChoiceRow:
    """One thing that can happen, with a choice per seat; ``None`` where the rules forbid it.

    ``alone`` replaces ``cells`` for things that happen to nobody in particular.
    """

    label: str
    worth: str
    cells: tuple[Choice | None, ...] = ()
    alone: Choice | None = None


@dataclass(frozen=True)
class Grid:
    """Rows that belong together; ``folded`` ones are rare."""

    key: str
    title: str
    lines: tuple[ChoiceRow, ...]
    folded: bool = False

    @property
    def chosen(self) -> bool:
        """Whether one of its choices is checked."""
        choices = (choice for line in self.lines for choice in (line.alone, *line.cells))
        return any(choice is not None and choice.checked for choice in choices)


@dataclass(frozen=True)
class EntrySlot:
    """An entry's slot on its sheet: the entry, and the state before it."""

    game: Game
    sequence: int
    entry: Mapping[str, Any]
    before: State

    @property
    def deal(self) -> int:
        """The deal, from 1."""
        return self.before.deal + 1


def slot_of(game: Game, sequence: int) -> EntrySlot | None:
    """Return the slot of the counting entry with this sequence, or ``None``."""
    sheet = game.sheet
    rows = [
        Row(*values)
        for values in SheetEntry.objects.filter(sheet=sheet)
        .order_by("sequence")
        .values_list("sequence", "kind", "entry", "target__sequence")
    ]
    slots: Sequence[Slot]
    slots, seats = slots_of(rows, sheet.drawn_seats)
    steps: Sequence[Step] = play(rules_of(sheet.table), len(seats), sheet.dealer, slots).steps
    for step in steps:
        if step.slot.sequence == sequence:
            return EntrySlot(game, sequence, step.slot.entry, step.before)
    return None


def as_value(entry: Mapping[str, Any]) -> str:
    """Return an entry as the form sends it; equal entries give equal texts."""
    # A false flag means the same as a missing one, except ``won``.
    kept = {
        key: value
        for key, value in entry.items()
        if value is not None and (value is not False or key == "won")
    }
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def grids_of(slot: EntrySlot, chosen: str) -> list[Grid]:
    """Return everything except rulings that could legally be in this slot."""
    names = slot.game.names
    grids = []
    for panel in every_panel(slot.before, names):
        grid = _grid(panel, len(names), chosen)
        if grid.lines:
            grids.append(grid)
    # Hands and tricks first, rare entries after them.
    unique: dict[str, Grid] = {}
    for grid in grids:
        unique.setdefault(grid.key, grid)
    return sorted(unique.values(), key=lambda grid: grid.folded)


def _grid(panel: Panel, seats: int, chosen: str) -> Grid:
    lines = [line for button in panel.buttons if (line := _line(button, seats, chosen))]
    return Grid(panel.key, panel.title, tuple(lines), panel.folded)


def _line(button: Button, seats: int, chosen: str) -> ChoiceRow | None:
    if not button.who:
        value = as_value(button.what)
        choice = Choice(value, button.label, value == chosen)
        return ChoiceRow(button.label, button.points, alone=choice)
    cells: list[Choice | None] = []
    for seat in range(seats):
        if str(seat) in button.reasons:
            cells.append(None)
            continue
        value = as_value({**button.what, "seat": seat})
        cells.append(Choice(value, button.label, value == chosen))
    return ChoiceRow(button.label, button.points, tuple(cells)) if any(cells) else None


def legal_values(grids: Sequence[Grid]) -> dict[str, Mapping[str, Any]]:
    """Return the entries of these grids by their form values."""
    choices = [
        choice
        for grid in grids
        for line in grid.lines
        for choice in (*line.cells, line.alone)
        if choice is not None
    ]
    return {choice.value: json.loads(choice.value) for choice in choices}


@dataclass(frozen=True)
class Change:
    """A row of a before-and-after table; the cells of both sides are in the same order."""

    name: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def changed(self) -> bool:
        return self.before != self.after
