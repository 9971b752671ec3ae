"""Cards: fifty-two small integers that know their rank, suit and name.

A :class:`Card` is an ``int`` from 0 (two of clubs) to 51 (ace of hearts), so sets, sorting and
storage are as cheap as for integers. Where suits count at all, they rank hearts > spades > diamonds
> clubs (rulebook §2, "suits rank").

>>> cards = parse_cards("Ah 10s 2c")
>>> [str(card) for card in cards]
['Ah', 'Ts', '2c']
>>> cards[0].rank, cards[0].suit.name, cards[0].sign
(14, 'HEARTS', 'A♥')
>>> len(DECK), DECK[0] < DECK[-1]
(52, True)
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Final

from ..errors import ChicagoError

RANKS: Final = "23456789TJQKA"
"""Rank letters, lowest first; rank numbers run from 2 to 14."""


class SuitOrder(StrEnum):
    """Which equal hands are decided by their suits."""

    NEVER = "never"
    FLUSHES = "straight_flushes"
    ALWAYS = "always"


class Suit(IntEnum):
    """A suit; a larger value is a better suit where a rule set compares suits.

    >>> max(Suit).letter, min(Suit).sign
    ('h', '♣')
    """

    CLUBS = 0
    DIAMONDS = 1
    SPADES = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        """``"c"``, ``"d"``, ``"s"`` or ``"h"``; upper case in game records."""
        return _SUIT_LETTERS[self]

    @property
    def sign(self) -> str:
        """The suit's symbol, such as ``"♥"``."""
        return _SUIT_SIGNS[self]


_SUIT_LETTERS: Final = "cdsh"
_SUIT_SIGNS: Final = "♣♦♠♥"
_SUITS: Final = tuple(Suit)


class Card(int):
    """One of the 52 cards, as an ``int`` in 0–51: four times (rank − 2) plus the suit.

    The constructor takes that number and raises :class:`~engine.errors.ChicagoError`
    (``bad_value``) for anything else; :func:`parse_card` takes a name.

    >>> Card(51)
    Card('Ah')
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 52:
            raise ChicagoError("bad_value", field="card", value=repr(number)[:40])
        return int.__new__(cls, number)

    @property
    def rank(self) -> int:
        """The rank: 2–10, jack 11, queen 12, king 13, ace 14."""
        return int(self) // 4 + 2

    @property
    def suit(self) -> Suit:
        return _SUITS[self & 3]

    @property
    def sign(self) -> str:
        """Rank and suit symbol, such as ``"T♥"``."""
        return RANKS[self // 4] + _SUIT_SIGNS[self & 3]

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Card('{_NAMES[self]}')"


_NAMES: Final = tuple(rank + suit for rank in RANKS for suit in _SUIT_LETTERS)

DECK: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(52))
"""All cards, lowest first; ``DECK[number]`` is the shared ``Card`` for a number."""


def _spellings() -> dict[str, Card]:
    known: dict[str, Card] = {}
    for card in DECK:
        rank, suit = _NAMES[card][0], _NAMES[card][1]
        for head in {rank, rank.lower()} | ({"10"} if rank == "T" else set()):
            known[head + suit] = known[head + suit.upper()] = card
    return known


_BY_NAME: Final = _spellings()


def parse_card(text: str) -> Card:
    """Read a card: rank 2–9, T or 10, J, Q, K, A, then c, d, s or h, in either case.

    Raises :class:`~engine.errors.ChicagoError` (``bad_value``) for anything else.

    >>> parse_card("10H") is parse_card("Th")
    True
    """
    try:
        return _BY_NAME[text]
    except (KeyError, TypeError):
        raise ChicagoError("bad_value", field="card", value=str(text)[:40]) from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks, in the order given.

    Raises :class:`~engine.errors.ChicagoError` (``bad_value``) for a bad or repeated card.

    >>> parse_cards("Ah 10d")
    (Card('Ah'), Card('Td'))
    >>> parse_cards("Ah ah")
    Traceback (most recent call last):
    engine.errors.ChicagoError: bad_value (field='cards', value='Ah ah')
    """
    if not isinstance(text, str):
        raise ChicagoError("bad_value", field="cards", value=repr(text)[:40])
    cards = tuple(map(parse_card, text.split()))
    if len(set(cards)) != len(cards):
        raise ChicagoError("bad_value", field="cards", value=text[:160])
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """Return card names separated by blanks, the inverse of :func:`parse_cards`.

    >>> format_cards(parse_cards("ks 2d"))
    'Ks 2d'
    """
    return " ".join([_NAMES[card] for card in cards])
