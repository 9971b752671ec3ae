"""The state of a score sheet: an immutable value, and its document (rulebook §3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from ..cards.categories import Category
from ..documents import StateDocument
from ..rules.ruleset import RuleSet
from .facts import Fact

IN: Final = "in"
OUT: Final = "out"
DISQUALIFIED: Final = "disqualified"

# Stages of a deal: what the next entry is about.
EXCHANGE: Final = "exchange"  # the best hand after an exchange that is not the last
TRICKS: Final = "tricks"  # the final phase up to the last trick or the Chicago
FINAL_HAND: Final = "final_hand"  # the best hand after the tricks
CHICAGO_HAND: Final = "chicago_hand"  # the best hand after a Chicago
OVER: Final = "over"

STAGES: Final = (EXCHANGE, TRICKS, FINAL_HAND, CHICAGO_HAND, OVER)


# Without slots: a draft of the next state starts as a copy of all fields at once (closing.py).
@dataclass(frozen=True)
class State:
    """A game between two entries.

    >>> from engine import parse_rules, start
    >>> state = start(parse_rules("festival"), seats=3, dealer=2)
    >>> state.phase, state.forehand, state.as_json()["status"]
    (1, 0, ['in', 'in', 'in'])

    Seats are indices 0 … ``seats`` − 1, clockwise. ``deal`` counts from 0. ``phase`` is that of the
    next entry, ``None`` when the game is over. ``scores`` are sheet points. ``places`` and
    ``game_points`` are set when the game is over. Fields named ``…_mask`` hold one bit per seat
    (bit 0 is seat 0).
    """

    rules: RuleSet
    seats: int
    dealer: int
    scores: tuple[int, ...]
    executed: tuple[bool, ...]
    asterisks: tuple[int, ...]
    discardless: tuple[bool, ...]
    status: tuple[str, ...]
    #: Hand points of this deal since the seat was last set to zero: what a revoke would cost, or
    #: for a dead hand what it did cost.
    deal_points: tuple[int, ...]
    #: The category that each seat scored and must still hold, since it could not exchange (0:
    #: none).
    standing_hands: tuple[int, ...]
    deal: int = 0
    phase: int | None = 1
    finished: bool = False
    winners: tuple[int, ...] = ()
    win: str | None = None
    places: tuple[tuple[int, ...], ...] | None = None
    game_points: tuple[Fraction, ...] | None = None
    stage: str = EXCHANGE
    #: True once the exchange before the current phase must have happened.
    exchanged: bool = False
    #: Who took the last trick or won a Chicago in this deal.
    trick_winner: int | None = None
    sitting_mask: int = 0
    dead_mask: int = 0
    bound_mask: int = 0
    #: ``win-again``: seats that ended an earlier deal at the target and have stayed there.
    armed_mask: int = 0
    #: Seats that sit out the next deal to begin.
    next_mask: int = 0
    #: True once the deal has an entry other than a ruling.
    begun: bool = False
    #: What this deal's rulings alone have made of the state in which it began: where a redeal goes.
    redealt: State | None = field(default=None, compare=False, repr=False)
    #: What the entry that led here did; not part of the state's value.
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)

    @property
    def sitting_out(self) -> tuple[bool, ...]:
        """Whether each seat sits out this deal by a ruling."""
        return flags(self.sitting_mask, self.seats)

    @property
    def sitting_out_next(self) -> tuple[bool, ...]:
        """Whether each seat sits out the next deal by a ruling."""
        return flags(self.next_mask, self.seats)

    @property
    def dead(self) -> tuple[bool, ...]:
        """Whether each seat's hand is dead for the tricks of this deal."""
        return flags(self.dead_mask, self.seats)

    @property
    def bound(self) -> tuple[bool, ...]:
        """Whether each seat scored four of a kind in this deal and may not reset with it now."""
        return flags(self.bound_mask, self.seats)

    @property
    def armed(self) -> tuple[bool, ...]:
        """Whether each seat wins with its next last trick or Chicago (``win-again``)."""
        return flags(self.armed_mask, self.seats)

    @property
    def forehand(self) -> int:
        """The seat that speaks first: the next one after the dealer that is still in."""
        return next_in(self.dealer, self.status)

    def plays(self, seat: int) -> bool:
        """True if ``seat`` is in the game and in this deal."""
        return self.status[seat] == IN and not self.sitting_mask >> seat & 1

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self  # deeply immutable

    def __repr__(self) -> str:
        return f"<sheet: {self.rules}, deal {self.deal}, scores {self.scores}>"

    def as_json(self) -> StateDocument:
        """Return the ``state`` document of docs/formats/facts.md."""
        points = self.game_points
        # Sheets are stored with this document, so fields added later appear only where they say
        # something.
        document: StateDocument = {
            "deal": self.deal,
            "phase": self.phase,
            "dealer": self.dealer,
            "finished": self.finished,
            "scores": list(self.scores),
            "executed": list(self.executed),
            "asterisks": list(self.asterisks),
            "discardless": list(self.discardless),
            "status": list(self.status),
            "winners": list(self.winners),
            "win": self.win,
            "places": None if self.places is None else [list(group) for group in self.places],
            "game_points": None if points is None else [str(value) for value in points],
            "stage": self.stage,
            "sitting_out": list(self.sitting_out),
            "dead": list(self.dead),
            "bound": list(self.bound),
            "armed": list(self.armed),
            "standing": [Category(held).key if held else None for held in self.standing_hands],
        }
        if self.next_mask:
            document["sitting_out_next"] = list(self.sitting_out_next)
        return document


def flags(mask: int, seats: int) -> tuple[bool, ...]:
    """Return a mask as one bool per seat.

    >>> flags(0b101, 4)
    (True, False, True, False)
    """
    return tuple(bool(mask >> seat & 1) for seat in range(seats))


def next_in(seat: int, status: tuple[str, ...] | list[str]) -> int:
    """Return the next seat clockwise that is still in the game.

    >>> next_in(0, ("in", "out", "in"))
    2
    """
    seats = len(status)
    for step in range(1, seats + 1):
        candidate = (seat + step) % seats
        if status[candidate] == IN:
            return candidate
    return seat
