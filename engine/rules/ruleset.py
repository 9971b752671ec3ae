"""The rule set: every decision about a game in one immutable value (rulebook §2).

A :class:`RuleSet` is data. Presets are rule sets, variants are functions from one rule set to
another (:mod:`engine.rules.variants`), and nothing else in the engine knows the name of a preset.
docs/rules-decisions.md explains every field to tournament directors.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from fractions import Fraction
from typing import Any

from ..cards.cards import SuitOrder
from ..cards.categories import Category
from ..documents import RuleSetDocument
from ..errors import ChicagoError

SPEC_SEPARATOR = "+"


class Ending(StrEnum):
    """When the scores are compared with the target."""

    AT_ONCE = "at_once"  # after every entry
    AFTER_DEAL = "after_deal"  # when a deal closes
    EARLY = "after_deal_or_hand"  # also after a hand scored before the final phase (Z)


class Need(StrEnum):
    """What a player needs in addition to the target."""

    NOTHING = "nothing"
    EXECUTED = "executed"  # has played a Chicago, won or not
    WON = "won"  # has won a Chicago

    def lacks(self, executed: bool, asterisks: int) -> bool:
        """True if a seat with this circle and these asterisks lacks what it needs.

        >>> Need.EXECUTED.lacks(False, 0), Need.WON.lacks(True, 0), Need.NOTHING.lacks(False, 0)
        (True, True, False)
        """
        if self is Need.EXECUTED:
            return not executed
        return self is Need.WON and not asterisks


class Missing(StrEnum):
    """What happens to a player who reaches the target without it."""

    OUT = "zero_and_out"
    ZERO = "zero"


class FlushEffect(StrEnum):
    """What a straight flush or royal flush does."""

    POINTS = "points"  # it scores like any other hand
    BECOMES = "becomes_52"  # the score becomes 52 and the game is won
    PLUS = "plus_52"  # 52 points, and the game is won if that reaches the target
    LIFT = "lift"  # the score becomes the target if below it; the game goes on
    WINS = "wins"  # the score becomes the target if below it, and the game is won


class QuadsReset(StrEnum):
    """Whether four of a kind sets the others to zero."""

    NEVER = "never"
    CHOICE = "instead_of_points"
    BOTH = "with_points"
    ONE = "one_seat_instead_of_points"


class FinalHand(StrEnum):
    """Whether the final hand scores in a Chicago deal."""

    NEVER = "never"
    IF_WON = "if_won"
    ALWAYS = "always"


class Limit(StrEnum):
    """When a player who reaches the limit loses the right to exchange."""

    AT_ONCE = "at_once"
    NEXT_DEAL = "next_deal"
    EARLY = "next_exchange"  # from the next exchange; after the tricks from the next deal (Z)


class Lead(StrEnum):
    """Who leads to the first trick of a Chicago."""

    DECLARER = "declarer"
    FOREHAND = "forehand"


class Redeal(StrEnum):
    """Which dealt hands may be thrown in for a new one."""

    NEVER = "never"
    BELOW_TEN = "below_ten"
    UP_TO_TEN = "up_to_ten"


class ExchangeOrder(StrEnum):
    """The order in which players discard and are dealt new cards."""

    TOGETHER = "together"  # all discard, then all are dealt
    ONE_BY_ONE = "one_by_one"  # each player is dealt before the next one decides


class Reshuffle(StrEnum):
    """What is shuffled when the stub runs out in an exchange."""

    EARLIER = "earlier_discards"  # all but the discards of this exchange
    ALL = "every_discard"


class Breaker(StrEnum):
    """Who breaks a Chicago."""

    OVERTAKER = "first_to_overtake"  # the first whose card beats the declarer's, who leads
    AFTER_DECLARER = "first_after_declarer"  # if nobody after the declarer does, the trick's winner
    TAKER = "taker_of_the_trick"  # who wins the trick once it is complete


class OutPoints(StrEnum):
    """Game points of players who went out."""

    LAST_PLACE = "last_place"
    ZERO = "zero"


#: What straight and royal flushes score where they win: the paper's 52, whatever the target.
FLUSH_SCORE = 52


@dataclass(frozen=True)
class RuleSet:
    """A complete set of rules, valid by construction.

    Points are whole sheet points, game points fractions. Two rule sets are equal if they play the
    same, whatever their names; :attr:`spec` is the name.

    >>> from engine.rules.presets import FESTIVAL
    >>> FESTIVAL.target, FESTIVAL.exchanges, str(FESTIVAL)
    (52, 3, 'festival')
    """

    preset: str = field(compare=False)
    variants: tuple[str, ...] = field(default=(), compare=False)

    # The table
    players_min: int = 2
    players_max: int = 4
    heat_players_min: int = 3
    heat_players_max: int = 4

    # The deal
    exchanges: int = 3
    exchange_max: int = 5
    open_card: bool = False
    open_card_on_request: bool = False
    exchange_order: ExchangeOrder = ExchangeOrder.TOGETHER
    reshuffle: Reshuffle = Reshuffle.EARLIER
    redeal: Redeal = Redeal.NEVER
    broken_aside: bool = False

    # Hands
    hand_points: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6, 8, 8, 8)
    alone_of_category: bool = False
    suit_order: SuitOrder = SuitOrder.NEVER
    quads_reset: QuadsReset = QuadsReset.NEVER
    quads_bound: bool = False
    reset_ends_deal: bool = True
    quads_end_deal: bool = False
    quads_lift: bool = False
    straight_flush: FlushEffect = FlushEffect.POINTS
    royal_flush: FlushEffect = FlushEffect.POINTS
    royal_resets: bool = False
    royal_hearts_only: bool = False
    royal_as_straight_flush: bool = False

    # Winning
    target: int = 52
    ending: Ending = Ending.AFTER_DEAL
    need: Need = Need.NOTHING
    missing: Missing = Missing.ZERO
    need_won_with_three: bool = False
    trick_to_win: bool = False
    win_again: bool = False

    # Without exchanging
    discardless: int | None = None
    discardless_from: Limit = Limit.NEXT_DEAL
    six_card_stand: bool = False

    # Chicago
    chicago_minimum: int | None = None
    chicago_won: int = 15
    chicago_lost: int = 15
    chicago_once: bool = False
    breaker_points: int = 0
    breaker: Breaker = Breaker.OVERTAKER
    final_hand_in_chicago: FinalHand = FinalHand.NEVER
    chicago_lead: Lead = Lead.DECLARER
    chicago_free_order: bool = False
    chicago_any_time: bool = False
    blind_chicago: bool = False
    blind_won: int = 30
    blind_lost: int = 20
    blind_deuce: int = 60

    # Tricks and offences
    last_trick: int = 5
    last_trick_deuce: int = 5
    floor: bool = True
    offences: bool = False

    # Game points
    game_points: tuple[int, ...] = (20, 15, 12, 8)
    out_points: OutPoints = OutPoints.LAST_PLACE

    def __post_init__(self) -> None:
        self._validate()
        # Looked up for every entry, so computed once: what is needed, by number of seats.
        won_at_three = Need.WON if self.need_won_with_three else self.need
        needs = (*(self.need,) * 3, won_at_three, *(self.need,) * 3)
        object.__setattr__(self, "_needs", needs)

    def _validate(self) -> None:
        def clash(first: str, second: str) -> None:
            raise ChicagoError("unknown_rules", reason="fields", first=first, second=second)

        if self.exchanges not in (2, 3):
            clash("exchanges", str(self.exchanges))
        if len(self.hand_points) != len(Category):
            clash("hand_points", str(len(self.hand_points)))
        if len(self.game_points) < self.heat_players_max:
            clash("game_points", "heat_players_max")
        if self.win_again and self.ending is not Ending.AFTER_DEAL:
            clash("win_again", "ending")
        if self.chicago_minimum is not None and self.chicago_minimum > self.target:
            clash("chicago_minimum", "target")
        if self.last_trick_deuce < self.last_trick:
            clash("last_trick_deuce", "last_trick")

    # ------------------------------------------------------------------ names

    @property
    def spec(self) -> str:
        """The canonical name, for example ``"svensk+C+N"``."""
        return SPEC_SEPARATOR.join((self.preset, *self.variants))

    def __copy__(self) -> RuleSet:
        return self

    def __deepcopy__(self, memo: object) -> RuleSet:
        return self  # deeply immutable

    def __repr__(self) -> str:
        return f"<rules {self.spec}>"

    def __str__(self) -> str:
        return self.spec

    def as_json(self) -> RuleSetDocument:
        """Return the rule set as ``python -m engine rules NAME`` prints it."""
        return {
            "rules": self.spec,
            "preset": self.preset,
            "variants": list(self.variants),
            "digest": self.digest(),
            "fields": {name: _plain(getattr(self, name)) for name in FIELD_NAMES},
        }

    def digest(self) -> str:
        """Return the SHA-256 (hex) over the fields, names left out.

        It is stored with games: rule sets with equal digests play the same.

        >>> from engine.rules.presets import FESTIVAL
        >>> FESTIVAL.digest()[:8], len(FESTIVAL.digest())
        ('35c6406f', 64)
        """
        values = {name: _plain(getattr(self, name)) for name in FIELD_NAMES}
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    # ------------------------------------------------------------- questions

    def need_for(self, seats: int) -> Need:
        """Return what a player needs besides the target in a game of ``seats`` players.

        >>> from engine.rules.variants import parse_rules
        >>> rules = parse_rules("pagat+need-chicago-3")
        >>> rules.need_for(3).value, rules.need_for(4).value
        ('won', 'nothing')
        """
        needs: tuple[Need, ...] = self.__dict__["_needs"]
        return needs[seats]

    def flush_effect(self, category: Category, suit: str | None = None) -> FlushEffect:
        """Return what a hand of ``category`` does besides scoring points.

        >>> from engine.rules.presets import FESTIVAL
        >>> FESTIVAL.flush_effect(Category.STRAIGHT_FLUSH).value
        'becomes_52'
        """
        if category is Category.STRAIGHT_FLUSH:
            return self.straight_flush
        if category is Category.ROYAL_FLUSH and not (self.royal_hearts_only and suit != "H"):
            return self.royal_flush
        return FlushEffect.POINTS

    def wins_at_once(self, category: Category, suit: str | None = None) -> bool:
        """Return whether a hand wins the game at once, so that it is shown before the tricks.

        >>> from engine.rules.presets import PAGAT, SVENSK
        >>> [rules.wins_at_once(Category.ROYAL_FLUSH) for rules in (SVENSK, PAGAT)]
        [True, False]
        """
        return self.flush_effect(category, suit) not in (FlushEffect.POINTS, FlushEffect.LIFT)

    @property
    def shows_resets(self) -> bool:
        """True if four of a kind may be shown before the tricks as a reset."""
        return self.quads_reset in (QuadsReset.CHOICE, QuadsReset.BOTH)

    def points_for(self, category: Category) -> int:
        """Return the points of a hand that does not win the game at once.

        >>> from engine.rules.presets import PAGAT
        >>> PAGAT.points_for(Category.FOUR_OF_A_KIND)
        7
        """
        return self.hand_points[category]

    def place_points(self, seats: int) -> tuple[Fraction, ...]:
        """Return the game points of the places, best first, for ``seats`` players.

        Empty if there are more players than places with points.

        >>> from engine.rules.presets import FESTIVAL
        >>> [str(points) for points in FESTIVAL.place_points(3)], FESTIVAL.place_points(5)
        (['20', '15', '12'], ())
        """
        if seats > len(self.game_points):
            return ()
        return tuple(Fraction(points) for points in self.game_points[:seats])


def rules_from_json(document: Mapping[str, object]) -> RuleSet:
    """Return the rule set of a stored :meth:`RuleSet.as_json` document, field by field.

    This way an old game keeps its rules even if a preset of that name changes. Raise
    ``ChicagoError("unknown_rules")`` if a field is missing, unknown or invalid.

    >>> from engine.rules.presets import SVENSK
    >>> rules_from_json(SVENSK.as_json()) == SVENSK
    True
    """
    values = document.get("fields")
    preset = document.get("preset")
    variants = document.get("variants", [])
    if (
        not isinstance(values, Mapping)
        or not isinstance(preset, str)
        or not isinstance(variants, list | tuple)
        or not all(isinstance(name, str) for name in variants)
        or set(values) != set(FIELD_NAMES)
    ):
        raise ChicagoError("unknown_rules", reason="stored")
    plain = RuleSet(preset)
    found = {name: _typed(name, values[name], getattr(plain, name)) for name in values}
    return RuleSet(preset, tuple(variants), **found)


#: Fields that may be ``None`` ("no limit", "no minimum") or a whole number.
_OPTIONAL_NUMBERS = frozenset({"discardless", "chicago_minimum"})


def _typed(name: str, value: object, default: object) -> Any:
    """Convert a stored value to the type of the field's default."""
    if name in _OPTIONAL_NUMBERS:
        if value is None or type(value) is int:
            return value
    elif isinstance(default, Enum):
        with contextlib.suppress(ValueError):
            return type(default)(value)
    elif isinstance(default, tuple):
        if isinstance(value, list | tuple) and all(type(item) is int for item in value):
            return tuple(value)
    elif type(value) is type(default):
        return value
    raise ChicagoError("unknown_rules", reason="stored_field", name=name)


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return value


#: The names of all fields that decide how a rule set plays, in the order of the documentation.
FIELD_NAMES: tuple[str, ...] = tuple(
    item.name for item in fields(RuleSet) if item.name not in ("preset", "variants")
)
