"""A deal that was played and not written: its questions, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import step
from engine.sheet.state import State

from .games import Game
from .slots import EntrySlot, Grid, as_value, grids_of, legal_values, slot_of
from .words import entry_text


@dataclass(frozen=True)
class ForgottenDeal:
    """A deal to be put in before another one, answered so far.

    ``sequence`` is the first line of the deal that it comes before, whose number it gets. ``start``
    and ``state`` are the states before it and after its ``entries``. ``refused``: the last answer
    was none that the rules allow.
    """

    game: Game
    number: int
    sequence: int
    start: State
    state: State
    entries: tuple[Mapping[str, Any], ...]
    refused: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to ask."""
        return self.state.finished or self.state.deal != self.start.deal

    @property
    def values(self) -> list[str]:
        """The entries as the form sends them."""
        return [as_value(entry) for entry in self.entries]

    @property
    def lines(self) -> list[str]:
        """The entries in words."""
        return [entry_text(entry, self.game.names) for entry in self.entries]

    @property
    def dealer(self) -> str:
        """Who dealt it."""
        return self.game.names[self.start.dealer]

    @property
    def grids(self) -> list[Grid]:
        """Everything that could come next."""
        return _grids(self.game, self.sequence, self.state)


def forgotten_deal(game: Game, number: int, given: Sequence[str]) -> ForgottenDeal | None:
    """Return the deal to be put in before deal ``number`` (from 1), answered with ``given``.

    None if that deal has no line.
    """
    deal = next((deal for deal in game.deals if deal.number == number and deal.entries), None)
    slot = slot_of(game, deal.entries[0].sequence) if deal else None
    if slot is None:
        return None
    state, entries, refused = slot.before, [], False
    for value in given:
        legal = legal_values(_grids(game, slot.sequence, state))
        refused = value not in legal or state.finished or state.deal != slot.before.deal
        if refused:
            break
        entries.append(legal[value])
        state = step(state, entry_from_json(legal[value]))
    return ForgottenDeal(game, number, slot.sequence, slot.before, state, tuple(entries), refused)


def _grids(game: Game, sequence: int, state: State) -> list[Grid]:
    return grids_of(EntrySlot(game, sequence, {}, state), "")
