"""All possible final scores of games under a small rule set, found by playing all of them.

Slow and simple on purpose: it goes from state to state with the engine's own legality and effects
and remembers what it has seen. Seats are interchangeable (the dealer does not matter on the sheet),
so states that differ only by swapped seats count as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.cards.categories import Category
from engine.rules.ruleset import FlushEffect, QuadsReset, RuleSet
from engine.sheet.effects import apply
from engine.sheet.entries import Chicago, Entry, Hand, IllegalDiscard, LastTrick, NoHand, Revoke
from engine.sheet.legality import find_fault
from engine.sheet.sheet import start
from engine.sheet.state import TRICKS, State

#: (score, executed, asterisks, out, winner) of each seat, sorted; and how the game was won.
End = tuple[tuple[tuple[int, bool, int, bool, bool], ...], str]


def all_entries(rules: RuleSet, seats: int, *, revokes: bool) -> tuple[Entry, ...]:
    """Return every entry, but only one of several hands with the same effect."""
    hands: dict[tuple[object, ...], tuple[Category, bool | None, str | None]] = {}
    for category in tuple(Category)[1:]:
        for suit in ("H", "S") if category is Category.ROYAL_FLUSH else (None,):
            for reset in (None, True) if category is Category.FOUR_OF_A_KIND else (None,):
                effect = rules.flush_effect(category, suit)
                special = category if category >= Category.FOUR_OF_A_KIND else None
                if reset and rules.quads_reset is QuadsReset.ONE:
                    continue
                if special is not Category.FOUR_OF_A_KIND and effect is FlushEffect.POINTS:
                    special = None
                hands[rules.hand_points[category], special, reset] = (category, reset, suit)
    found: list[Entry] = []
    for phase in range(1, rules.exchanges + 1):
        found.append(NoHand(phase))
        for seat in range(seats):
            found += [Hand(phase, seat, *hand) for hand in hands.values()]
            if rules.quads_reset is QuadsReset.ONE:
                quads = Category.FOUR_OF_A_KIND
                others = (other for other in range(seats) if other != seat)
                found += [Hand(phase, seat, quads, True, None, other) for other in others]
    for seat in range(seats):
        found += [LastTrick(seat), Chicago(seat, True), Chicago(seat, False), IllegalDiscard(seat)]
        if rules.last_trick_deuce != rules.last_trick:
            found.append(LastTrick(seat, True))
        if revokes:
            found.append(Revoke(seat))
        if rules.blind_chicago:
            found += [Chicago(seat, True, None, True), Chicago(seat, True, None, True, True)]
            found.append(Chicago(seat, False, None, True))
        for breaker in range(seats):
            if rules.breaker_points and breaker != seat:
                found.append(Chicago(seat, False, breaker))
                if rules.blind_chicago:
                    found.append(Chicago(seat, False, breaker, True))
    return tuple(found)


def plain(state: State, *, revokes: bool) -> State:
    """Return the state without what does not affect scores, with seats in a fixed order."""
    seats = range(state.seats)
    mine = [
        (
            state.scores[seat],
            state.executed[seat],
            state.asterisks[seat],
            state.discardless[seat],
            state.status[seat],
            state.deal_points[seat] if revokes else 0,
            state.trick_winner == seat and (state.rules.trick_to_win or state.rules.win_again),
            bool(state.dead_mask >> seat & 1),
            bool(state.bound_mask >> seat & 1),
            bool(state.armed_mask >> seat & 1),
        )
        for seat in seats
    ]
    mine.sort()
    columns = list(zip(*mine, strict=True))
    tricks = [seat for seat in seats if columns[6][seat]]
    return replace(
        state,
        scores=columns[0],
        executed=columns[1],
        asterisks=columns[2],
        discardless=columns[3],
        status=columns[4],
        deal_points=columns[5],
        trick_winner=tricks[0] if tricks else None,
        dead_mask=sum(1 << seat for seat in seats if columns[7][seat]),
        bound_mask=sum(1 << seat for seat in seats if columns[8][seat]),
        armed_mask=sum(1 << seat for seat in seats if columns[9][seat]),
        standing_hands=(0,) * state.seats,
        exchanged=state.exchanged and state.stage == TRICKS,
        begun=False,
        redealt=None,
        deal=0,
        dealer=0,
    )


def all_ends(
    rules: RuleSet,
    seats: int,
    *,
    asterisks: int = 1,
    highest: int = 10**9,
    lowest: int = -(10**9),
    revokes: bool = False,
    stopped: bool = False,
) -> set[End]:
    """Return all ends of games in which asterisks and scores stay within the limits.

    ``stopped``: return how games can stand when a ruling ends them instead.
    """
    entries = all_entries(rules, seats, revokes=revokes)
    by_phase = {
        phase: [e for e in entries if getattr(e, "phase", phase) == phase]
        for phase in range(1, rules.exchanges + 1)
    }
    first = plain(start(rules, seats), revokes=revokes)
    seen, fresh = {_key(first)}, [first]
    ends: set[End] = set()
    stops: set[End] = {(_end(first, "ended")[0], "ended")}
    while fresh:
        state = fresh.pop()
        for entry in by_phase[state.phase or 1]:
            if find_fault(state, entry) is not None:
                continue
            after = apply(state, entry)
            if max(after.asterisks) > asterisks:
                continue
            if after.finished:
                ends.add(_end(after))
                continue
            if stopped:
                stops.add((_end(after, "ended")[0], "ended"))
            if max(after.scores) > highest or min(after.scores) < lowest:
                continue
            after = plain(after, revokes=revokes)
            key = _key(after)
            if key not in seen:
                seen.add(key)
                fresh.append(after)
    return stops if stopped else ends


def _key(state: State) -> tuple[object, ...]:
    return (
        state.phase,
        state.stage,
        state.scores,
        state.executed,
        state.asterisks,
        state.discardless,
        state.status,
        state.deal_points,
        state.trick_winner,
        state.dead_mask,
        state.bound_mask,
        state.armed_mask,
    )


def _end(state: State, win: str | None = None) -> End:
    rows = sorted(
        (
            state.scores[seat],
            state.executed[seat],
            state.asterisks[seat],
            state.status[seat] == "out",
            seat in state.winners,
        )
        for seat in range(state.seats)
    )
    won = win or state.win
    assert won is not None
    return tuple(rows), won


def small(rules: RuleSet, **changes: object) -> RuleSet:
    """Return the rule set with numbers small enough to play all its games."""
    points = list(rules.hand_points)
    points[1:7] = [1, 1, 1, 1, 1, 2]
    points[7] = 3
    points[8:] = [4 if p < 52 else p for p in points[8:]]
    numbers: dict[str, object] = {
        "hand_points": tuple(points),
        "target": 10,
        "discardless": None if rules.discardless is None else 8,
        "chicago_minimum": None if rules.chicago_minimum is None else 4,
        "chicago_won": 4,
        "chicago_lost": 4,
        "breaker_points": 2 if rules.breaker_points else 0,
        "blind_won": 6,
        "blind_lost": 5,
        "blind_deuce": 12,
        "last_trick": 3,
        "last_trick_deuce": 4 if rules.last_trick_deuce > rules.last_trick else 3,
    }
    return replace(rules, **{**numbers, **changes})


def possible_ends(
    scores: range, asterisks: int, seats: int, *, outs: bool
) -> Iterator[tuple[tuple[int, bool, int, bool], ...]]:
    """Return all sorted totals of this many seats."""
    each = [
        (score, executed, stars, out)
        for score in scores
        for executed in (False, True)
        for stars in range(asterisks + 1)
        for out in ((False, True) if outs else (False,))
    ]

    def choose(count: int, begin: int) -> Iterator[tuple[tuple[int, bool, int, bool], ...]]:
        if count == 0:
            yield ()
            return
        for at in range(begin, len(each)):
            for rest in choose(count - 1, at):
                yield (each[at], *rest)

    yield from choose(seats, 0)
