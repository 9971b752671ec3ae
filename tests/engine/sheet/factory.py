"""Short ways to write sheets in tests: one word per entry."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards.categories import BY_KEY, Category
from engine.rules.variants import parse_rules
from engine.sheet.entries import (
    Chicago,
    Entry,
    Hand,
    IllegalDiscard,
    LastTrick,
    NoHand,
    Revoke,
    Ruling,
)
from engine.sheet.sheet import Replay, legal_entries, replay, start, step, why_not
from engine.sheet.state import State

PAIR = Category.PAIR
TWO_PAIR = Category.TWO_PAIR
TRIPS = Category.THREE_OF_A_KIND
STRAIGHT = Category.STRAIGHT
FLUSH = Category.FLUSH
FULL_HOUSE = Category.FULL_HOUSE
QUADS = Category.FOUR_OF_A_KIND
STRAIGHT_FLUSH = Category.STRAIGHT_FLUSH
ROYAL = Category.ROYAL_FLUSH


def hand(phase: int, seat: int, category: Category | str, **more: object) -> Hand:
    """Return a phase's best hand, by category or its key."""
    chosen = BY_KEY[category] if isinstance(category, str) else category
    return Hand(phase, seat, chosen, **more)


def none(phase: int) -> NoHand:
    """Return an entry for a phase in which nobody scores."""
    return NoHand(phase)


def won(seat: int) -> Chicago:
    return Chicago(seat, True)


def lost(seat: int, breaker: int | None = None) -> Chicago:
    """Return a Chicago broken or conceded."""
    return Chicago(seat, False, breaker)


def blind(seat: int, success: bool, deuce: bool = False, breaker: int | None = None) -> Chicago:
    return Chicago(seat, success, breaker, True, deuce)


def trick(seat: int, deuce: bool = False) -> LastTrick:
    return LastTrick(seat, deuce)


def revoke(seat: int) -> Revoke:
    return Revoke(seat)


def discard(seat: int) -> IllegalDiscard:
    return IllegalDiscard(seat)


def points(seat: int, number: int) -> Ruling:
    """Return points awarded by a ruling, the quick way to any score."""
    return Ruling("points", seat, number, "test")


def rule(action: str, seat: int | None = None) -> Ruling:
    return Ruling(action, seat, None, "test")


def begin(spec: str, seats: int = 4, dealer: int = 0) -> State:
    """Return an empty sheet."""
    return start(parse_rules(spec), seats, dealer)


def after(state: State, *entries: Entry) -> State:
    """Return the state after some entries, which must be legal."""
    for entry in entries:
        state = step(state, entry)
    return state


def play(spec: str, *entries: Entry, seats: int = 4, dealer: int = 0) -> State:
    """Return the state after some entries from an empty sheet."""
    return after(begin(spec, seats, dealer), *entries)


def at(spec: str, *scores: int, more: Iterable[Entry] = ()) -> State:
    """Return a first deal with scores set by rulings (must stay below the target)."""
    state = begin(spec, len(scores))
    for seat, score in enumerate(scores):
        if score:
            state = step(state, points(seat, score))
    return after(state, *more)


def to_tricks(state: State) -> State:
    """Return the state at the final phase, after phases in which nobody scored."""
    while state.stage == "exchange":
        assert state.phase is not None
        state = step(state, none(state.phase))
    return state


def quiet_deal(state: State, taker: int = 0) -> State:
    """Return the state after a whole deal in which only the last trick scores."""
    state = step(to_tricks(state), trick(taker))
    if not state.finished:
        assert state.phase is not None
        state = step(state, none(state.phase))
    return state


def executed(state: State, seat: int) -> State:
    """Return the state after ``seat`` conceded a Chicago; rulings restore its score."""
    before = state.scores[seat]
    state = to_tricks(state)
    minimum = state.rules.chicago_minimum
    if minimum is not None and state.scores[seat] < minimum:
        state = step(state, points(seat, minimum - state.scores[seat]))
    state = step(state, lost(seat))
    return step(state, points(seat, before - state.scores[seat]))


def code(state: State, entry: Entry) -> str | None:
    """Return the code of the problem with an entry, or ``None``."""
    problem = why_not(state, entry)
    return None if problem is None else problem.code


def kinds(state: State) -> set[str]:
    """Return the kinds of entries that are legal now, without rulings."""
    return {entry.kind for entry in legal_entries(state)}


def document(*entries: object, rules: str = "festival", seats: int = 4, **header: object) -> dict:
    names = ["Anna", "Bo", "Cia", "Dag"][:seats]
    return {
        "format": "chicago-game-record",
        "version": 1,
        "rules": rules,
        "seats": names,
        "entries": list(entries),
        **header,
    }


def replayed(spec: str, *entries: object, seats: int = 4) -> Replay:
    return replay(parse_rules(spec), seats, entries)
