"""What an entry costs, for a question before it is written and a line after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .facts import ScoreChanged, StatusChanged
from .state import IN, State

#: Larger losses are asked about.
MOST_LOST: Final = 10


@dataclass(frozen=True, slots=True)
class Loss:
    """A seat's loss; ``short``: it reached the target without the needed Chicago."""

    seat: int
    before: int
    after: int
    short: bool = False
    out: bool = False


def losses(before: State, after: State) -> list[Loss]:
    """Return the seats that an entry sets to zero, or that lose more than ten points.

    >>> from engine import Category, Hand, parse_rules, start, step
    >>> state = step(start(parse_rules("festival"), 3), Hand(1, 1, Category.PAIR))
    >>> losses(state, step(state, Hand(2, 0, Category.FOUR_OF_A_KIND, reset=True)))
    [Loss(seat=1, before=1, after=0, short=False, out=False)]
    """
    scored = [fact for fact in after.facts if isinstance(fact, ScoreChanged)]
    short = {fact.seat for fact in scored if fact.cause == "no_chicago"}
    out = {fact.seat for fact in after.facts if isinstance(fact, StatusChanged)}
    found = []
    for seat, (was, now) in enumerate(zip(before.scores, after.scores, strict=True)):
        much = (now == 0 and was > 0) or was - now > MOST_LOST
        if seat in short or much:
            found.append(Loss(seat, was, now, seat in short, seat in out))
    return found


def near_target(state: State) -> list[int]:
    """Return the seats that the next few points may set to zero, as they lack a Chicago.

    >>> from engine import parse_rules, start
    >>> near_target(start(parse_rules("festival"), 3))
    []
    """
    rules = state.rules
    need = rules.need_for(state.seats)
    return [
        seat
        for seat in range(state.seats)
        if state.status[seat] == IN
        and state.scores[seat] >= rules.target - rules.last_trick
        and need.lacks(state.executed[seat], state.asterisks[seat])
    ]
