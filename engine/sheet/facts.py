"""What an entry did, as facts (rulebook §3; docs/formats/facts.md).

The effects record a fact whenever they change the state; :attr:`State.facts
<engine.sheet.state.State>` holds the facts of the entry that led to it, in the order in which they
happened. Whatever shows, prints or counts the effects of an entry reads them, so that nothing
computes them twice.

>>> from engine import Hand, Category, parse_rules, start, step
>>> state = step(start(parse_rules("festival"), seats=3), Hand(1, 2, Category.FLUSH))
>>> [fact.as_json() for fact in state.facts]
[{'fact': 'score', 'seat': 2, 'from': 0, 'to': 5, 'cause': 'hand'}]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Literal

from ..documents import DealFact, GameFact, MarkFact, ScoreFact, StatusFact

#: Why a score changed.
Cause = Literal[
    "hand",
    "last_trick",
    "chicago_won",
    "chicago_lost",
    "breaker",
    "reset",
    "royal_flush",
    "lift",
    "no_chicago",
    "illegal_discard",
    "revoke",
    "ruling",
    "sit_out_game",
    "redeal",
]

#: The causes that set a score to 0, whatever it was.
ZEROING: Final[frozenset[Cause]] = frozenset(
    {"reset", "royal_flush", "no_chicago", "illegal_discard", "sit_out_game"}
)


@dataclass(frozen=True, slots=True)
class ScoreChanged:
    """A seat's score changed from ``before`` to ``after``."""

    fact: ClassVar[str] = "score"
    seat: int
    before: int
    after: int
    cause: Cause

    @property
    def gain(self) -> int:
        """The points that the seat gained; negative for a loss.

        >>> ScoreChanged(0, 52, 0, "no_chicago").gain
        -52
        """
        return self.after - self.before

    @property
    def zeroed(self) -> bool:
        """Whether the seat was set to zero, which a sheet shows as the score struck out.

        >>> ScoreChanged(0, 15, 0, "reset").zeroed, ScoreChanged(0, 15, 0, "chicago_lost").zeroed
        (True, False)
        """
        return self.cause in ZEROING

    def as_json(self) -> ScoreFact:
        return {
            "fact": "score",
            "seat": self.seat,
            "from": self.before,
            "to": self.after,
            "cause": self.cause,
        }


@dataclass(frozen=True, slots=True)
class ExecutedChanged:
    """A seat's name is circled: it has played a Chicago.

    >>> ExecutedChanged(1, on=True).as_json()
    {'fact': 'executed', 'seat': 1, 'on': True}
    """

    fact: ClassVar[str] = "executed"
    seat: int
    on: bool

    def as_json(self) -> MarkFact:
        return {"fact": "executed", "seat": self.seat, "on": self.on}


@dataclass(frozen=True, slots=True)
class AsteriskChanged:
    """A seat gained or lost an asterisk.

    >>> AsteriskChanged(1, on=True).as_json()
    {'fact': 'asterisk', 'seat': 1, 'on': True}
    """

    fact: ClassVar[str] = "asterisk"
    seat: int
    on: bool

    def as_json(self) -> MarkFact:
        return {"fact": "asterisk", "seat": self.seat, "on": self.on}


@dataclass(frozen=True, slots=True)
class DiscardlessChanged:
    """A seat may no longer exchange cards, or may again.

    >>> DiscardlessChanged(1, on=False).as_json()
    {'fact': 'discardless', 'seat': 1, 'on': False}
    """

    fact: ClassVar[str] = "discardless"
    seat: int
    on: bool

    def as_json(self) -> MarkFact:
        return {"fact": "discardless", "seat": self.seat, "on": self.on}


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """A seat is out of the game or disqualified.

    >>> StatusChanged(1, "out").as_json()
    {'fact': 'status', 'seat': 1, 'to': 'out'}
    """

    fact: ClassVar[str] = "status"
    seat: int
    status: str

    def as_json(self) -> StatusFact:
        return {"fact": "status", "seat": self.seat, "to": self.status}


@dataclass(frozen=True, slots=True)
class DealBegan:
    """A deal began. The first deal of a game is not reported.

    >>> DealBegan(1, dealer=2).as_json()
    {'fact': 'deal', 'deal': 1, 'dealer': 2}
    """

    fact: ClassVar[str] = "deal"
    deal: int
    dealer: int

    def as_json(self) -> DealFact:
        return {"fact": "deal", "deal": self.deal, "dealer": self.dealer}


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; the fields are those of the state."""

    fact: ClassVar[str] = "game"
    win: str
    winners: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    game_points: tuple[Fraction, ...] | None

    def as_json(self) -> GameFact:
        """Return the fact's document, game points as exact strings.

        >>> GameEnded("ended", (0,), ((0,), (1,)), (Fraction(20), Fraction(27, 2))).as_json()
        {'fact': 'game', 'win': 'ended', 'winners': [0], 'places': [[0], [1]], \
'game_points': ['20', '27/2']}
        """
        points = self.game_points
        return {
            "fact": "game",
            "win": self.win,
            "winners": list(self.winners),
            "places": [list(group) for group in self.places],
            "game_points": None if points is None else [str(value) for value in points],
        }


Fact = (
    ScoreChanged
    | ExecutedChanged
    | AsteriskChanged
    | DiscardlessChanged
    | StatusChanged
    | DealBegan
    | GameEnded
)
