"""Writing the card table's entries on the sheet (rulebook §3).

No other module of card-level play calls :func:`engine.sheet.sheet.step`.
"""

from __future__ import annotations

from ..cards.categories import Category
from ..sheet.entries import Entry, NoHand
from ..sheet.sheet import step
from .hands import claim_for, hand_entry, quads_choices, scored_phase, whole_hand
from .state import Observation, Stage, TableState, new_table


def write(state: TableState, entry: Entry, **changes: object) -> TableState:
    """Put an entry on the sheet; seats that it takes out of the deal lose their turns."""
    before = state.sheet
    sheet = step(before, entry)
    state = state._replace(sheet=sheet, entries=(*state.entries, entry), **changes)
    if sheet.status != before.status or sheet.sitting_mask != before.sitting_mask:
        state = prune(state)
    return state


def prune(state: TableState) -> TableState:
    """Remove the seats that no longer play this deal from all lists."""
    plays = state.sheet.plays
    trick = tuple((seat, card) for seat, card in state.trick if plays(seat))
    while trick and trick[0][0] in state.dead:  # a dead hand's card cannot be the one led
        trick = trick[1:]
    return state._replace(
        order=tuple(filter(plays, state.order)),
        queue=tuple(filter(plays, state.queue)),
        waiting=tuple(filter(plays, state.waiting)),
        spoken=tuple(pair for pair in state.spoken if plays(pair[0])),
        values=tuple(pair for pair in state.values if plays(pair[0])),
        shows=tuple(pair for pair in state.shows if plays(pair[0])),
        trick=trick,
        owed=tuple(count if plays(seat) else 0 for seat, count in enumerate(state.owed)),
    )


def over(state: TableState) -> bool:
    """True if the sheet has closed the deal or the game."""
    return state.sheet.finished or state.sheet.deal != state.deal


def close(state: TableState) -> TableState:
    """End the deal: show what was set aside, gather the cards, wait for the next pack."""
    observations = state.observations
    for seat in range(state.seats):
        if state.aside[seat]:
            observations = (*observations, Observation("shown", seat, state.aside[seat]))
    if state.sheet.finished:
        return state._replace(stage=Stage.FINISHED, queue=(), observations=observations)
    return new_table(state.sheet)._replace(entries=state.entries, observations=observations)


def share(state: TableState, seats: tuple[int, ...]) -> TableState:
    """Score nobody for equal best hands; each of their seats has promised what it named."""
    for seat in seats:
        state = _promise(state, seat)
    return write(state, NoHand(state.phase))


def _promise(state: TableState, seat: int) -> TableState:
    claim = claim_for(state.rules, state.hands[seat], state.detail)
    claims = (*state.claims[seat], claim)
    return state._replace(claims=(*state.claims[:seat], claims, *state.claims[seat + 1 :]))


def award(state: TableState, seat: int) -> TableState:
    """Score the seat's best hand, or first let it choose what its four of a kind does."""
    cards = whole_hand(state, seat) if state.full[seat] else state.hands[seat]
    phase = scored_phase(state)
    entry = hand_entry(state, seat, cards, phase)
    if entry.category is Category.FOUR_OF_A_KIND:
        ways = quads_choices(state.sheet, seat, phase)
        if len(ways) > 1:
            return state._replace(stage=Stage.QUADS, queue=(seat,), best=seat)
        if ways == (True,):
            entry = hand_entry(state, seat, cards, phase, True)
    return scored(state, seat, entry)


def scored(state: TableState, seat: int, entry: Entry) -> TableState:
    """Write the best hand of a phase."""
    if not state.full[seat]:
        state = _promise(state, seat)
    return write(state, entry, best=None)
