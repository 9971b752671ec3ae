"""What readers see of a state, and the facts between two of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from .facts import (
    AsteriskChanged,
    Cause,
    DealBegan,
    DiscardlessChanged,
    ExecutedChanged,
    Fact,
    GameEnded,
    ScoreChanged,
    StatusChanged,
)
from .state import State

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The part of a state that facts describe: everything that readers of a sheet see.

    >>> from engine import parse_rules, start
    >>> Scoreboard.of(start(parse_rules("festival"), seats=3)).scores
    (0, 0, 0)
    """

    scores: tuple[int, ...]
    executed: tuple[bool, ...]
    asterisks: tuple[int, ...]
    discardless: tuple[bool, ...]
    status: tuple[str, ...]
    deal: int
    dealer: int
    win: str | None
    winners: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None
    game_points: tuple[Fraction, ...] | None

    @classmethod
    def of(cls, state: State) -> Scoreboard:
        """Return the scoreboard of a state."""
        return cls(*(getattr(state, name) for name in cls.__slots__))


def changes(before: Scoreboard, after: Scoreboard, cause: Cause) -> tuple[Fact, ...]:
    """Return the facts that turn one scoreboard into another.

    >>> from engine import parse_rules, start
    >>> board = Scoreboard.of(start(parse_rules("festival"), seats=3))
    >>> changes(replace(board, asterisks=(0, 1, 0)), board, "redeal")
    (AsteriskChanged(seat=1, on=False),)
    """
    facts: list[Fact] = []
    for seat in range(len(before.scores)):
        if before.scores[seat] != after.scores[seat]:
            facts.append(ScoreChanged(seat, before.scores[seat], after.scores[seat], cause))
        if before.executed[seat] != after.executed[seat]:
            facts.append(ExecutedChanged(seat, after.executed[seat]))
        more = after.asterisks[seat] - before.asterisks[seat]
        facts += [AsteriskChanged(seat, more > 0)] * abs(more)
        if before.discardless[seat] != after.discardless[seat]:
            facts.append(DiscardlessChanged(seat, after.discardless[seat]))
        if before.status[seat] != after.status[seat]:
            facts.append(StatusChanged(seat, after.status[seat]))
    if (before.deal, before.dealer) != (after.deal, after.dealer):
        facts.append(DealBegan(after.deal, after.dealer))
    if after.win is not None and after.places is not None:
        facts.append(GameEnded(after.win, after.winners, after.places, after.game_points))
    return tuple(facts)


def fold(facts: Iterable[Fact], board: Scoreboard) -> Scoreboard:
    """Return the scoreboard after these facts.

    >>> from engine import LastTrick, NoHand, parse_rules, replay
    >>> game = replay(parse_rules("festival"), 3, [NoHand(1), NoHand(2), LastTrick(1), NoHand(3)])
    >>> board = Scoreboard.of(game.start)
    >>> for record in game.steps:
    ...     board = fold(record.facts, board)
    >>> board.scores, board.deal, board == Scoreboard.of(game.state)
    ((0, 5, 0), 1, True)
    """
    for fact in facts:
        match fact:
            case ScoreChanged(seat, _, after):
                board = replace(board, scores=put(board.scores, seat, after))
            case ExecutedChanged(seat, on):
                board = replace(board, executed=put(board.executed, seat, on))
            case AsteriskChanged(seat, on):
                number = board.asterisks[seat] + (1 if on else -1)
                board = replace(board, asterisks=put(board.asterisks, seat, number))
            case DiscardlessChanged(seat, on):
                board = replace(board, discardless=put(board.discardless, seat, on))
            case StatusChanged(seat, status):
                board = replace(board, status=put(board.status, seat, status))
            case DealBegan(deal, dealer):
                board = replace(board, deal=deal, dealer=dealer)
            case GameEnded(win, winners, places, points):
                board = replace(board, win=win, winners=winners, places=places, game_points=points)
    return board


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return ``values`` with one item replaced."""
    return (*values[:index], value, *values[index + 1 :])
