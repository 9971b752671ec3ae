"""Entries that a scorekeeper should check: rare hands and standing hands (rulebook §3, §8).

A *standing hand*: a seat that scored a category earlier in this deal and could not exchange since
then still holds it. If the sheet later contradicts that, one of the two entries is probably wrong.
"""

from __future__ import annotations

from typing import Final

from ..cards.categories import Category
from ..errors import Problem
from .entries import Entry, Hand
from .state import IN, State

_RARE: Final = Category.STRAIGHT_FLUSH


def after_exchange(state: State) -> tuple[int, ...]:
    """Return the standing hands once the exchange before the current phase has happened.

    A seat that may exchange is assumed to have exchanged.
    """
    if True not in state.discardless:
        return (0,) * state.seats
    return tuple(
        held if held and state.discardless[seat] else 0
        for seat, held in enumerate(state.standing_hands)
    )


def find_warnings(state: State, entry: Entry) -> tuple[Problem, ...]:
    """Return the warnings of a legal entry, the rare hand first."""
    if type(entry) is not Hand:
        return ()
    category = entry.category
    if category < _RARE and not any(state.standing_hands):
        return ()
    found: list[Problem] = []
    if category >= _RARE:
        found.append(
            Problem(
                "rare_hand",
                "warning",
                params={"seat": entry.seat, "category": category.key},
            )
        )
    contradiction = _contradiction(state, entry)
    if contradiction is not None:
        found.append(contradiction)
    return tuple(found)


def _contradiction(state: State, entry: Hand) -> Problem | None:
    standing_hands = state.standing_hands if state.exchanged else after_exchange(state)
    holder = entry.seat
    held = standing_hands[holder]
    if held == entry.category:
        held = 0
    if not held:
        # Another seat's standing hand would have scored before a weaker one; name the strongest
        # such hand.
        for seat, category in enumerate(standing_hands):
            if (
                category > max(held, entry.category)
                and seat != entry.seat
                and state.status[seat] == IN
                and not state.sitting_mask >> seat & 1
            ):
                holder, held = seat, category
    if not held:
        return None
    return Problem(
        "standing_hand",
        "warning",
        params={
            "seat": entry.seat,
            "category": entry.category.key,
            "holder": holder,
            "held": Category(held).key,
            "why": "own" if holder == entry.seat else "other",
        },
    )
