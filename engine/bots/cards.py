"""What bots know about cards: which to keep, which to play, how safe a Chicago is.

Plain functions of cards; none of them sees a table.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..cards.cards import Card, parse_card
from ..cards.categories import Category
from ..table.hands import category_of
from ..table.state import Cards, combination

#: The lowest cards of these ranks.
QUEEN, ACE = parse_card("Qc"), parse_card("Ac")

# Looking up an enum's member costs more than the comparison.
_NOTHING, _PAIR, _STRAIGHT = Category.NOTHING, Category.PAIR, Category.STRAIGHT


def four_to_a_flush(hand: Cards) -> Cards:
    """Return four cards of one suit, or none if the hand has no such four.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(four_to_a_flush(parse_cards("Ah 9h 5h 2h Ks")))
    'Ah 9h 5h 2h'
    """
    suits = [card & 3 for card in hand]
    for suit in suits[:2]:  # four of five cards are at least one of any two
        if suits.count(suit) == 4:
            return tuple([card for card in hand if card & 3 == suit])
    return ()


def four_to_a_straight(hand: Cards) -> Cards:
    """Return four consecutive ranks, or none if the hand has no such four.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(four_to_a_straight(parse_cards("9h 8c 7d 6s Ks")))
    '9h 8c 7d 6s'
    """
    by_rank = {card >> 2: card for card in hand}
    for low in sorted(by_rank):
        if low < 9 and low + 1 in by_rank and low + 2 in by_rank and low + 3 in by_rank:
            run = [by_rank[rank] for rank in range(low, low + 4)]
            return tuple([card for card in hand if card in run])
    return ()


def keep_for_points(hand: Cards) -> Cards:
    """Return the cards worth keeping for a poker hand; possibly none or all five.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(keep_for_points(parse_cards("9h 9c 6d 6s 5h")))
    '9h 9c 6d 6s'
    """
    category = category_of(hand)
    if category >= _STRAIGHT:
        return hand
    if category is not _NOTHING:
        return combination(hand, category)
    draw = four_to_a_flush(hand) or four_to_a_straight(hand)
    return draw or tuple([card for card in hand if card >= ACE])[:1]


def keep_for_tricks(hand: Cards) -> Cards:
    """Return the cards to keep before the tricks: scoring cards, a flush draw, high cards.

    >>> from engine.cards.cards import format_cards, parse_cards
    >>> format_cards(keep_for_tricks(parse_cards("9h 9c Kd 6s 5h")))
    '9h 9c Kd'
    """
    category = category_of(hand)
    if category > _PAIR:
        return keep_for_points(hand)
    pair = combination(hand, category) if category is _PAIR else ()
    draw = () if pair else four_to_a_flush(hand)
    if draw:
        return draw
    return tuple([card for card in hand if card >= QUEEN or card in pair])


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
