"""Five-card hands: category, strength 1–7462, comparison (rulebook §2).

Every card has a *code*. Its rank part, shifted left by eight bits, has a different sum over five
cards for every choice of ranks; its suit part has a sum that shows a flush. So adding five integers
gives a key to the hand's class, and one or two table lookups give its strength: for each of the
2,598,960 hands, without a loop or a branch on ranks.

*Strength* numbers the 7,462 classes of hands that differ when suits are ignored: 1 is 7-5-4-3-2 of
mixed suits, 7462 a royal flush.

>>> from engine.cards.cards import parse_cards
>>> strength(parse_cards("Ah Kh Qh Jh Th")), strength(parse_cards("7c 5d 4h 3s 2c"))
(7462, 1)
>>> category_of(parse_cards("5c 4d 3h 2s Ac")).key       # the ace may be low
'straight'
>>> compare(parse_cards("8c 8d 8h Ks 2c"), parse_cards("8s 8d 8c Qs Jc"))
1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from ..errors import ChicagoError
from .cards import DECK, Card, SuitOrder
from .categories import Category

CLASSES: Final = 7462
"""The number of classes of five-card hands, suits ignored; also the best strength."""

# The smallest numbers, found greedily, whose sums over five cards (at most four alike) all differ;
# a test tries them all.
_RANK_PART: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
# A sum of five of these is 0, 5, 30 or 155 only if all five are the same number.
_SUIT_PART: Final = (0, 1, 6, 31)

CODES: Final[tuple[int, ...]] = tuple(
    _RANK_PART[number // 4] << 8 | _SUIT_PART[number & 3] for number in range(52)
)
"""The code of each card, indexed by the card (0–51)."""


_RANKS: Final = range(14, 1, -1)


class _HandClass(NamedTuple):
    category: Category
    ranks: tuple[int, ...]  # in the order in which players name them
    cards: tuple[int, ...]  # all five, repeats included


def _straight_tops() -> Iterator[tuple[int, tuple[int, ...]]]:
    for top in range(5, 15):
        low = [rank if rank > 1 else 14 for rank in range(top, top - 5, -1)]
        yield top, tuple(low)


def _classes() -> Iterator[_HandClass]:
    """Yield all classes of hands, worst first, so that the index gives the strength."""
    straights = {frozenset(cards) for _, cards in _straight_tops()}
    five = [choice for choice in _choices(_RANKS, 5) if frozenset(choice) not in straights]
    for choice in five:
        yield _HandClass(Category.NOTHING, choice, choice)
    yield from _grouped(Category.PAIR, (1, 2), (3, 1))
    yield from _grouped(Category.TWO_PAIR, (2, 2), (1, 1))
    yield from _grouped(Category.THREE_OF_A_KIND, (1, 3), (2, 1))
    for top, cards in _straight_tops():
        yield _HandClass(Category.STRAIGHT, (top,), cards)
    for choice in five:
        yield _HandClass(Category.FLUSH, choice, choice)
    yield from _grouped(Category.FULL_HOUSE, (1, 3), (1, 2))
    yield from _grouped(Category.FOUR_OF_A_KIND, (1, 4), (1, 1))
    for top, cards in _straight_tops():
        category = Category.ROYAL_FLUSH if top == 14 else Category.STRAIGHT_FLUSH
        yield _HandClass(category, (top,), cards)


def _choices(falling: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return so many of these ranks in all ways, the worst first, each in falling order."""
    return sorted(combinations(falling, count))


def _grouped(
    category: Category, first: tuple[int, int], then: tuple[int, int]
) -> Iterator[_HandClass]:
    """Yield hands of so many groups of so many equal ranks, and then of so many of the others."""
    for ranks in _choices(_RANKS, first[0]):
        left = [rank for rank in _RANKS if rank not in ranks]
        for others in _choices(left, then[0]):
            yield _HandClass(category, ranks + others, ranks * first[1] + others * then[1])


def _tables() -> tuple[list[int], dict[int, int], tuple[_HandClass, ...]]:
    # Hands of mixed suits go into a list: most slots stay empty, but a lookup is cheaper than in a
    # dictionary, and lookups are half the time of an evaluation.
    mixed = [0] * (4 * (_RANK_PART[-1] + _RANK_PART[-2]))
    suited: dict[int, int] = {}
    classes = tuple(_classes())
    flushes = {Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
    for value, hand in enumerate(classes, start=1):
        key = sum(_RANK_PART[rank - 2] for rank in hand.cards)
        if hand.category in flushes:
            for part in _SUIT_PART:
                suited[key << 8 | 5 * part] = value
        else:
            mixed[key] = value
    return mixed, suited, classes


_MIXED, _SUITED, _CLASSES = _tables()
_CATEGORY: Final = (Category.NOTHING, *(hand.category for hand in _CLASSES))
_CODE_OF: Final = dict(enumerate(CODES))


def strength_of_codes(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength (1–7462) of five different cards, given by :data:`CODES`, unchecked.

    For loops over many hands; :func:`strength` checks its cards.

    >>> strength_of_codes(*CODES[:5])
    7297
    """
    key = a + b + c + d + e
    return _SUITED[key] if key in _SUITED else _MIXED[key >> 8]


def strength(cards: Sequence[Card]) -> int:
    """Return the strength of a hand, 1 (7-5-4-3-2) to 7462 (royal flush); suits are ignored.

    Raises :class:`~engine.errors.ChicagoError` (``bad_value``) unless given five different cards.

    >>> from engine.cards.cards import parse_cards
    >>> strength(parse_cards("9c 9d Kc 7s 2h")) < strength(parse_cards("9h 9s Kd Ts 3h"))
    True
    """
    try:
        a, b, c, d, e = cards
        code = _CODE_OF
        key = code[a] + code[b] + code[c] + code[d] + code[e]
        if len({a, b, c, d, e}) == 5:
            return _SUITED[key] if key in _SUITED else _MIXED[key >> 8]
    except (TypeError, ValueError, KeyError):
        pass
    raise ChicagoError("bad_value", field="hand", value=str(cards)[:160])


def category_of_strength(value: int) -> Category:
    """Return the category of a strength (1–7462).

    >>> category_of_strength(7461).key
    'straight_flush'
    """
    return _CATEGORY[value]


def category_of(cards: Sequence[Card]) -> Category:
    """Return the category of five cards; raises like :func:`strength`.

    >>> from engine.cards.cards import parse_cards
    >>> category_of(parse_cards("Kd Kc 6h 6d 9d"))
    <Category.TWO_PAIR: 2>
    """
    return _CATEGORY[strength(cards)]


def named_ranks(cards: Sequence[Card]) -> tuple[int, ...]:
    """Return the ranks that set the hand apart in its category, in the order they are named.

    For two pair: the higher pair, the lower pair, the last card. For a straight: its top card.

    >>> from engine.cards.cards import parse_cards
    >>> named_ranks(parse_cards("6d Kc 9s 6h Kd"))
    (13, 6, 9)
    """
    return _CLASSES[strength(cards) - 1].ranks


def deciding_suit(cards: Sequence[Card]) -> int:
    """Return the suit (0 clubs – 3 hearts) that decides between hands of equal ranks.

    For a pair the better of its suits, for two pair the better suit of the higher pair, for a
    straight the suit of its top card, for a flush its own (seed svensk, variant A). For other
    categories, where one pack cannot hold two equal hands, the suit of the highest-ranking group.

    >>> from engine.cards.cards import Suit, parse_cards
    >>> Suit(deciding_suit(parse_cards("9c 9s Kh 7d 2h"))).name
    'SPADES'
    """
    first = named_ranks(cards)[0]
    return max(card & 3 for card in cards if int(card) // 4 + 2 == first)


def hand_key(cards: Sequence[Card], suits: SuitOrder = SuitOrder.NEVER) -> tuple[int, int]:
    """Return a key that sorts hands worst first; hands are equal exactly if their keys are.

    >>> from engine.cards.cards import parse_cards
    >>> spades, hearts = parse_cards("9s 8s 7s 6s 5s"), parse_cards("9h 8h 7h 6h 5h")
    >>> hand_key(spades) == hand_key(hearts)
    True
    >>> hand_key(spades, SuitOrder.ALWAYS) < hand_key(hearts, SuitOrder.ALWAYS)
    True
    """
    value = strength(cards)
    if suits is SuitOrder.ALWAYS or (
        suits is SuitOrder.FLUSHES and _CATEGORY[value] >= Category.STRAIGHT_FLUSH
    ):
        return value, deciding_suit(cards)
    return value, 0


def compare(
    first: Sequence[Card], second: Sequence[Card], suits: SuitOrder = SuitOrder.NEVER
) -> int:
    """Return 1 if the first hand is better, -1 if the second is, 0 if they are equal.

    ``suits`` says which ties the suits break (rulebook §2).

    >>> from engine.cards.cards import parse_cards
    >>> spades, clubs = parse_cards("9s 8s 7s 6s 5s"), parse_cards("9c 8c 7c 6c 5c")
    >>> compare(spades, clubs), compare(spades, clubs, SuitOrder.FLUSHES)
    (0, 1)
    """
    left, right = hand_key(first, suits), hand_key(second, suits)
    return (left > right) - (left < right)


def best_hands(
    hands: Sequence[Sequence[Card]], suits: SuitOrder = SuitOrder.NEVER
) -> tuple[int, ...]:
    """Return the indices of the best hand, or of all hands tied for best; empty for no hands.

    >>> from engine.cards.cards import parse_cards
    >>> best_hands([parse_cards("9c 9d Kc 7s 2h"), parse_cards("9h 9s Kd Ts 3h")])
    (1,)
    """
    keys = [hand_key(hand, suits) for hand in hands]
    best = max(keys, default=None)
    return tuple(index for index, key in enumerate(keys) if key == best)


def count_categories(deck: Sequence[Card] = DECK) -> dict[Category, int]:
    """Count how many of all five-card hands from ``deck`` fall into each category.

    Goes through every hand: 2,598,960 for the whole pack.

    >>> count_categories(DECK[:8])[Category.FOUR_OF_A_KIND]      # the twos and threes
    8
    """
    codes = [CODES[card] for card in deck]
    suited, mixed = _SUITED, _MIXED
    seen = [0] * (CLASSES + 1)
    size = len(codes)
    for i in range(size - 4):
        one = codes[i]
        for j in range(i + 1, size - 3):
            two = one + codes[j]
            for k in range(j + 1, size - 2):
                three = two + codes[k]
                for m in range(k + 1, size - 1):
                    four = three + codes[m]
                    for last in codes[m + 1 :]:
                        key = four + last
                        seen[suited[key] if key in suited else mixed[key >> 8]] += 1
    counts: Counter[Category] = Counter(dict.fromkeys(Category, 0))
    for value, count in enumerate(seen):
        counts[_CATEGORY[value]] += count
    return dict(counts)
