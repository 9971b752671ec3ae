"""The ten categories of five-card hands, from nothing to royal flush (rulebook §2, §7)."""

from __future__ import annotations

from enum import IntEnum


class Category(IntEnum):
    """The category of a hand; higher beats lower.

    >>> Category.FULL_HOUSE > Category.FLUSH
    True
    >>> Category.FOUR_OF_A_KIND.key
    'four_of_a_kind'
    """

    NOTHING = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def key(self) -> str:
        """The name in records, for example ``"two_pair"``."""
        return _KEYS[self]


_KEYS: dict[Category, str] = {category: category.name.lower() for category in Category}

#: Categories by their names in records, ``"nothing"`` included.
BY_KEY: dict[str, Category] = {key: category for category, key in _KEYS.items()}

#: The categories on a score sheet (all but ``NOTHING``), lowest first.
SCORING: tuple[Category, ...] = tuple(Category)[1:]

#: The suits of ``Hand.suit``, highest first: hearts, spades, diamonds, clubs.
SUITS: tuple[str, ...] = ("H", "S", "D", "C")
