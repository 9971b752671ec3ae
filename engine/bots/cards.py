"""What bots know about cards: which to keep, which to play, how safe a Chicago is.

Plain functions of cards; none of them sees a table.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..cards.cards import Card
from ..cards.categories import Category
from ..table.hands import category_of
from ..table.state import Cards, combination


def four_to_a_flush(hand: Cards) -> Cards:
    """Return four cards of one suit, or none if the hand has no such four.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(four_to_a_flush(parse_cards("Ah 9h 5h 2h Ks")))
    'Ah 9h 5h 2h'
    """
    for suit in range(4):
        found = tuple(card for card in hand if card & 3 == suit)
        if len(found) == 4:
            return found
    return ()


def four_to_a_straight(hand: Cards) -> Cards:
    """Return four consecutive ranks, or none if the hand has no such four.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(four_to_a_straight(parse_cards("9h 8c 7d 6s Ks")))
    '9h 8c 7d 6s'
    """
    by_rank = {card.rank: card for card in hand}
    for low in range(2, 11):
        run = [by_rank[rank] for rank in range(low, low + 4) if rank in by_rank]
        if len(run) == 4:
            return tuple(card for card in hand if card in run)
    return ()


def keep_for_points(hand: Cards) -> Cards:
    """Return the cards worth keeping for a poker hand; possibly none or all five.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(keep_for_points(parse_cards("9h 9c 6d 6s 5h")))
    '9h 9c 6d 6s'
    """
    category = category_of(hand)
    if category >= Category.STRAIGHT:
        return hand
    if category is not Category.NOTHING:
        return combination(hand, category)
    draw = four_to_a_flush(hand) or four_to_a_straight(hand)
    return draw or tuple(card for card in hand if card.rank == 14)[:1]


def keep_for_tricks(hand: Cards) -> Cards:
    """Return the cards to keep before the tricks: scoring cards, a flush draw, high cards.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(keep_for_tricks(parse_cards("9h 9c Kd 6s 5h")))
    '9h 9c Kd'
    """
    category = category_of(hand)
    if category >= Category.TWO_PAIR:
        return keep_for_points(hand)
    pair = combination(hand, category) if category is Category.PAIR else ()
    draw = () if pair else four_to_a_flush(hand)
    if draw:
        return draw
    high = tuple(card for card in hand if card.rank >= 12)
    return tuple(card for card in hand if card in pair or card in high)


def keep_for_chicago(hand: Cards) -> Cards:
    """Return the cards to keep for a Chicago: aces, kings, and the cards just below them in suit.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(keep_for_chicago(parse_cards("Ah Kh Qh 9c Kd")))
    'Ah Kh Qh Kd'
    """
    kept = {card for card in hand if card.rank >= 13}
    for card in sorted(hand, reverse=True):
        if card.rank >= 10 and any(
            high & 3 == card & 3 and 0 < high.rank - card.rank <= 2 for high in kept
        ):
            kept.add(card)
    return tuple(card for card in hand if card in kept)


def high_card_estimate(hand: Cards) -> float:
    """Estimate the chance of a Chicago (0.0–1.0) by how top-heavy the hand is, without sampling."""
    sure = 0.0
    for suit in range(4):
        own = sorted((card.rank for card in hand if card & 3 == suit), reverse=True)
        for length, rank in enumerate(own):
            sure += min(1.0, max(0.0, (rank - 9) / 5) + 0.22 * length)
    return max(0.0, (sure - 2.5) / 2.5)


def follow(hand: Sequence[Card], led: int | None) -> list[Card]:
    """Return the cards of ``hand`` that may be played to a trick in which suit ``led`` was led.

    >>> from engine.cards.cards import parse_cards
    >>> follow(parse_cards("9h Kd 6d"), 1)
    [Card('Kd'), Card('6d')]
    """
    if led is None:
        return list(hand)
    return [card for card in hand if card & 3 == led] or list(hand)


def sensible(options: list[Card], led: int | None, best: int, left: int) -> Card:
    """Choose a card like a plain player: duck early, win the last two tricks cheaply.

    ``best`` is the highest card so far of the suit led (-1 for the leader); ``left`` is the number
    of tricks after this one.
    """
    if led is None:
        return max(options) if left <= 1 else min(options)
    winning = [card for card in options if card & 3 == led and card > best]
    if winning and left <= 1:
        return min(winning) if left else max(winning)
    return min(options)
