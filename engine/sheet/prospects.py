"""What a table wants to know while it plays: whose turn it is, and what each player needs to win.

>>> from engine import Hand, NoHand, parse_rules, start, step
>>> from engine.cards.categories import Category
>>> state = start(parse_rules("svensk"), seats=3, dealer=2)
>>> for entry in (Hand(1, 1, Category.FULL_HOUSE), NoHand(2)):
...     state = step(state, entry)
>>> exchange_due(state), turns(state)
(3, (0, 1, 2))
>>> needs(state)[1]
WinNeed(seat=1, points=46, chicago='executed', enough=False, trick=False, later=False)
"""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.ruleset import Need
from .state import EXCHANGE, IN, TRICKS, State

#: A Chicago that can no longer be won: one per game (S), and it was lost.
NEVER = "never"


@dataclass(frozen=True, slots=True)
class WinNeed:
    """What a seat needs to win the running game by its score.

    ``points`` are those that lack to the target. ``chicago`` is the Chicago that lacks besides:
    ``""``, ``"executed"`` (played, won or not), ``"won"``, or ``"never"`` if the seat cannot get it
    any more. ``enough``: winning one Chicago gives all of it. ``trick``: in the deal that decides,
    the last trick must be taken or a Chicago won, too (Y, ``win-again``); ``later``: in a deal
    after the one that closes with the target reached.
    """

    seat: int
    points: int
    chicago: str = ""
    enough: bool = False
    trick: bool = False
    later: bool = False


def exchange_due(state: State) -> int | None:
    """Return the number of the exchange that comes next, or has just been; ``None`` if none does.

    >>> from engine import parse_rules, start
    >>> exchange_due(start(parse_rules("festival"), seats=4))
    1
    """
    return None if state.stage not in (EXCHANGE, TRICKS) or state.exchanged else state.phase


def turns(state: State) -> tuple[int, ...]:
    """Return the seats that play this deal in their order; the first one speaks first.

    >>> from engine import parse_rules, start
    >>> turns(start(parse_rules("festival"), seats=4, dealer=1))
    (2, 3, 0, 1)
    """
    order = ((state.dealer + 1 + turn) % state.seats for turn in range(state.seats))
    return tuple(seat for seat in order if state.plays(seat))


def needs(state: State) -> tuple[WinNeed, ...]:
    """Return what each seat still in needs to win; nothing once the game is over.

    Flushes that win at once, and being the last one left, are not counted on.
    """
    if state.finished:
        return ()
    return tuple(_need(state, seat) for seat in range(state.seats) if state.status[seat] == IN)


def _need(state: State, seat: int) -> WinNeed:
    rules = state.rules
    need = rules.need_for(state.seats)
    executed = state.executed[seat]
    chicago: str = need.value if need.lacks(executed, state.asterisks[seat]) else ""
    may_declare = not (rules.chicago_once and executed)
    if chicago == Need.WON and not may_declare:
        chicago = NEVER
    points = max(0, rules.target - state.scores[seat])
    later = rules.win_again and not state.armed_mask >> seat & 1
    trick = rules.trick_to_win or rules.win_again
    enough = may_declare and not later and 0 < points <= rules.chicago_won
    return WinNeed(seat, points, chicago, enough, trick, later)
