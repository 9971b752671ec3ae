"""Tricks as a player imagines them, with hands as sets of bits: bit ``n`` is the card ``n``.

Thousands are imagined in a game, and with bits the cards of a suit, the lowest of them and those
that beat another are one operation each: a card's bit is the larger the better it is in its suit.

>>> from engine.cards.cards import format_cards, parse_cards
>>> hand = bits(parse_cards("Kd 9h 6d"))
>>> format_cards(cards_in(hand & SUIT_OF[bits(parse_cards("2d"))]))
'6d Kd'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..cards.cards import DECK, Card

BITS: Final = tuple(1 << card for card in DECK)
ALL: Final = sum(BITS)
SUITS: Final = tuple(sum(BITS[suit::4]) for suit in range(4))

#: All cards of a card's suit, and all of its rank, by the card's bit.
SUIT_OF: Final[Mapping[int, int]] = {BITS[card]: SUITS[card & 3] for card in DECK}
RANK_OF: Final[Mapping[int, int]] = {BITS[card]: 0b1111 << (card & ~3) for card in DECK}
RANKS: Final = tuple(0b1111 << low for low in range(0, 52, 4))

#: By seat: the others who play tricks, clockwise from the next one.
Others = Mapping[int, Sequence[int]]


def bits(cards: Iterable[Card]) -> int:
    """Return the cards as a set of bits."""
    return sum([BITS[card] for card in cards])


def cards_in(hand: int) -> tuple[Card, ...]:
    """Return the cards of a set of bits, lowest first."""
    return tuple(card for card in DECK if hand >> card & 1)


def clockwise(live: Sequence[int]) -> dict[int, Sequence[int]]:
    """Return for each of these seats the others, in the order in which they follow its lead.

    >>> clockwise([0, 2, 3])[2]
    [3, 0]
    """
    return {seat: [*live[at + 1 :], *live[:at]] for at, seat in enumerate(live)}


def holes(hand: int, hidden: int) -> int:
    """Return how many hidden cards beat the best of a suit in the hand, its lowest card apart.

    Each may take a trick from a player who leads from the top; the lowest card comes last, when
    most of them have gone.

    >>> from engine.cards.cards import parse_cards
    >>> hand = bits(parse_cards("Kh Qh Ad Js 9c"))
    >>> holes(hand, ALL ^ hand)                  # the ace of hearts; queen, king and ace of spades
    4
    """
    lowest = hand & -hand
    beaten = 0
    for suit in SUITS:
        own = hand & suit
        if own and own != lowest:
            beaten += (hidden & suit & -(1 << own.bit_length())).bit_count()
    return beaten


def play_out(
    hands: list[int], waiting: Sequence[int], others: Others, best: int, winner: int, late: bool
) -> tuple[int, bool]:
    """Return who takes the last trick, and whether with a deuce, if all play on like plain players.

    ``best`` is the best card of the trick on the table and ``winner`` who played it; ``waiting``
    are the seats that still follow. ``late`` is whether it is one of the last two tricks. The cards
    played are taken out of ``hands`` (by seat).

    >>> from engine.cards.cards import parse_cards
    >>> hands = [bits(parse_cards(cards)) for cards in ("Ah 2c", "Kh 3c", "4d")]
    >>> play_out(hands, [0, 1], clockwise([0, 1, 2]), bits(parse_cards("Qh")), 2, True)
    (1, False)
    """
    suit = SUIT_OF[best]
    while True:
        for seat in waiting:
            hand = hands[seat]
            suited = hand & suit
            if not suited:
                card = hand & -hand
            elif suited < best:
                card = suited & -suited
            else:  # it has better ones: late it takes the trick as cheaply as it can
                better = suited & -best if late else suited
                card = better & -better
                if card > best:
                    best, winner = card, seat
            hands[seat] = hand ^ card
        hand = hands[winner]
        if not hand:
            return winner, best < 16
        rest = hand & (hand - 1)
        late = not rest & (rest - 1)
        best = rest or hand if late else hand & -hand
        hands[winner] = hand ^ best
        suit, waiting = SUIT_OF[best], others[winner]


def takes_all(
    hands: list[int], seat: int, card: int, waiting: Sequence[int], others: Others
) -> bool:
    """Return whether the seat takes this trick with ``card``, and all others from the top.

    ``waiting`` are the seats that still follow to this trick. Whoever can beat a card does, and
    else plays the lowest. The cards played are taken out of ``hands`` (by seat).

    >>> from engine.cards.cards import parse_cards
    >>> own, other, queen = (bits(parse_cards(cards)) for cards in ("Ah Qh", "Kh 3h", "Qh"))
    >>> takes_all([own, other], 0, queen, [1], clockwise([0, 1]))
    False
    >>> takes_all([own, other], 0, top_of(own), [1], clockwise([0, 1]))
    False
    """
    while True:
        suit = SUIT_OF[card]
        for other in waiting:
            hand = hands[other]
            suited = hand & suit
            if suited > card:
                return False
            low = suited or hand
            hands[other] = hand ^ (low & -low)
        hands[seat] ^= card
        if not hands[seat]:
            return True
        card, waiting = top_of(hands[seat]), others[seat]


def top_of(hand: int) -> int:
    """Return the card with the highest rank, of equal ones the one in the longest suit.

    >>> from engine.cards.cards import parse_cards
    >>> cards_in(top_of(bits(parse_cards("Ah Ac 9c 5d"))))
    (Card('Ac'),)
    """
    best = 1 << hand.bit_length() - 1
    tops = hand & RANK_OF[best]
    if tops == best:
        return best
    same = [bit for bit in (best, best >> 1, best >> 2, best >> 3) if bit & tops]
    return max(same, key=lambda bit: (hand & SUIT_OF[bit]).bit_count())
