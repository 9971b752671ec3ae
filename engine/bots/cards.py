"""What bots know about cards: which to keep, what a trick is worth, how safe a Chicago is.

Plain functions of cards and a random generator; none of them sees a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..cards.cards import Card
from ..cards.categories import Category
from ..table.hands import category_of
from ..table.state import Cards, combination

Deal = list[list[Card]]


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


def shuffle(rng: Random, cards: list[Card]) -> None:
    """Shuffle as ``rng.shuffle`` does, to the same order, in half the time.

    >>> from random import Random
    >>> from engine.cards.cards import DECK
    >>> one, other = list(DECK), list(DECK)
    >>> shuffle(Random(1), one)
    >>> Random(1).shuffle(other)
    >>> one == other
    True
    """
    bits = rng.getrandbits
    for last in range(len(cards) - 1, 0, -1):
        length = (last + 1).bit_length()
        place = bits(length)
        while place > last:
            place = bits(length)
        cards[last], cards[place] = cards[place], cards[last]


# --- simulated tricks -----------------------------------------------------------------------


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


def play_out(
    hands: Deal, waiting: Sequence[int], live: Sequence[int], trick: Sequence[tuple[int, Card]]
) -> tuple[int, bool]:
    """Return who takes the last trick, and whether with a deuce, if everybody plays on sensibly.

    ``waiting`` holds the seats still to play to the current ``trick``, ``live`` all seats in the
    tricks, clockwise. ``hands`` (by seat) is emptied.
    """
    led = trick[0][1] & 3 if trick else None
    best, winner = -1, -1
    for seat, card in trick:
        if card & 3 == led and card > best:
            best, winner = int(card), seat
    while True:
        for seat in waiting:
            hand = hands[seat]
            # As ``sensible`` chooses of ``follow``; most of an expert's time is spent here.
            late = len(hand) <= 2
            if led is None:
                card = max(hand) if late else min(hand)
            elif suited := [own for own in hand if own & 3 == led]:
                card = min(suited)
                if late and (winning := [own for own in suited if own > best]):
                    card = min(winning) if len(hand) == 2 else max(winning)
            else:
                card = min(hand)
            hand.remove(card)
            if led is None:
                led = card & 3
            if card & 3 == led and card > best:
                best, winner = int(card), seat
        if not hands[winner]:
            return winner, best < 4
        start = live.index(winner)
        waiting = [*live[start:], *live[:start]]
        led, best = None, -1
