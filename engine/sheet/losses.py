"""What an entry costs, for a question before it is written and a line after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .facts import Fact, ScoreChanged, StatusChanged
from .state import IN, State

#: Larger losses are asked about.
MAX_LOST: Final = 10


@dataclass(frozen=True, slots=True)
class Loss:
    """A seat's loss; ``short``: it reached the target without the needed Chicago."""

    seat: int
    before: int
    after: int
    short: bool = False
    out: bool = False


def losses(facts: Iterable[Fact]) -> list[Loss]:
    """Return the seats that an entry with these facts sets to zero or costs more than ten points.

    >>> from engine import Category, Hand, parse_rules, start, step
    >>> state = step(start(parse_rules("festival"), 3), Hand(1, 1, Category.PAIR))
    >>> losses(step(state, Hand(2, 0, Category.FOUR_OF_A_KIND, reset=True)).facts)
    [Loss(seat=1, before=1, after=0, short=False, out=False)]
    """
    facts = tuple(facts)
    scored = [fact for fact in facts if isinstance(fact, ScoreChanged)]
    short = {fact.seat for fact in scored if fact.cause == "no_chicago"}
    out = {fact.seat for fact in facts if isinstance(fact, StatusChanged)}
    found = []
    for seat in sorted({fact.seat for fact in scored}):
        own = [fact for fact in scored if fact.seat == seat]
        was, now = own[0].before, own[-1].after
        if seat in short or (now == 0 and was > 0) or was - now > MAX_LOST:
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
