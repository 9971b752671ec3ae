"""What a seat can know of the others' cards, and deals of the hidden cards that fit it.

Everything comes from the :class:`~engine.table.view.View`: the seat's own discards, cards known to
be in the muck, open cards that were taken, hands announced or shown, and failures to follow suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..cards.cards import DECK, Card
from ..cards.categories import Category
from ..table.view import View
from .cards import Deal, shuffle

#: Sizes of the groups of equal ranks in a hand, and how many cards can be exchanged without
#: breaking them.
_GROUPS = {
    Category.PAIR: ((2,), 3),
    Category.TWO_PAIR: ((2, 2), 1),
    Category.THREE_OF_A_KIND: ((3,), 2),
    Category.FULL_HOUSE: ((3, 2), 0),
    Category.FOUR_OF_A_KIND: ((4,), 1),
}

#: How loosely hidden discards follow the ranks: players mostly discard low cards.
_LOOSENESS = 16

#: Ranks are counted in lists with places up to the ace's, 14.
_RANKS = 15


class Knowledge:
    """What one seat knows now; :meth:`deal` deals the hidden cards to fit."""

    def __init__(self, view: View) -> None:
        self.view = view
        own = {*view.hand, *view.laid, *view.aside, *view.known_muck}
        played = [card for pile in view.piles for card in pile]
        seen = own.union(played)
        if view.offered is not None:
            seen.add(view.offered)
        self.unseen = [card for card in DECK if card not in seen]
        self.sizes = view.hand_sizes
        self.others = [seat for seat in view.order if seat != view.seat and self.sizes[seat] > 0]
        self.in_muck = max(0, view.muck_size - len(view.known_muck))
        self.holds: dict[int, set[Card]] = {seat: set() for seat in view.order}
        self.announced: dict[int, tuple[Category, tuple[int, ...]]] = {}
        self.voids: dict[int, set[int]] = {seat: set() for seat in view.order}
        self._listen()
        hidden = set(self.unseen)
        for seat in self.others:
            self.holds[seat] &= hidden
        #: Those who lack most suits first: the others can take what is left.
        self.emptiest = sorted(self.others, key=lambda seat: -len(self.voids[seat]))

    def _listen(self) -> None:
        """Collect what was seen and heard in this deal."""
        led: int | None = None
        for seen in self.view.observations:
            seat, do = seen.seat, seen.do
            if seat is None or seat not in self.holds:
                continue
            if do == "discard" and seen.number:
                self.holds[seat].clear()
                announced = self.announced.get(seat)
                if announced is not None and _GROUPS.get(announced[0], ((), 0))[1] < seen.number:
                    del self.announced[seat]
            elif do == "shown":
                self.announced.pop(seat, None)  # a broken combination
            elif (do == "take" and seen.call) or do == "show":
                self.holds[seat].update(seen.cards)
            elif do == "announce":
                if seen.category is None:
                    self.announced.pop(seat, None)
                else:
                    self.announced[seat] = seen.category, ()
            elif do == "specify" and seen.rank is not None and seat in self.announced:
                category, ranks = self.announced[seat]
                self.announced[seat] = category, (*ranks, seen.rank)
            elif do == "trick":
                led = None
            elif do == "play":
                suit = seen.cards[0] & 3
                if led is None:
                    led = suit
                elif suit != led:
                    self.voids[seat].add(led)

    def deal(self, rng: Random) -> Deal:
        """Deal the hidden cards at random; return all hands by seat, its own included."""
        hands: Deal = [[] for _ in self.sizes]
        hands[self.view.seat] = list(self.view.hand)
        spare = len(self.unseen) - sum([self.sizes[seat] for seat in self.others])
        random = rng.random
        keys = [(card >> 2) + random() * _LOOSENESS for card in self.unseen]
        pool = [card for _key, card in sorted(zip(keys, self.unseen, strict=True))]
        del pool[: min(self.in_muck, spare)]  # probably discarded by the others
        left = set(pool)
        for seat in self.others:
            hand = hands[seat]
            hand += self.holds[seat]
            left.difference_update(hand)
        for seat in self.others:
            announced = self.announced.get(seat)
            if announced is not None:
                self._keep_promise(seat, announced, hands[seat], left, rng)
        rest = [card for card in pool if card in left]
        shuffle(rng, rest)
        for seat in self.emptiest:
            self._fill(seat, hands[seat], rest)
        return hands

    def _keep_promise(
        self,
        seat: int,
        announced: tuple[Category, tuple[int, ...]],
        hand: list[Card],
        left: set[Card],
        rng: Random,
    ) -> None:
        """Give the seat the combination that it announced and still holds."""
        category, named = announced
        groups = _GROUPS.get(category)
        if groups is None:
            return
        voids = self.voids[seat]
        has = [0] * _RANKS
        for card in (*hand, *self.view.piles[seat]):
            has[(card >> 2) + 2] += 1
        taken: list[int] = []
        for place, size in enumerate(groups[0]):
            could = [card for card in left if card & 3 not in voids] if voids else left
            if place < len(named):
                rank = rng.choice((named[place],))
            else:
                there = has.copy()
                for card in could:
                    there[(card >> 2) + 2] += 1
                ranks = [rank for rank in range(2, _RANKS) if there[rank] >= size]
                if taken:
                    ranks = [rank for rank in ranks if rank not in taken]
                if not ranks:
                    return
                most = max([has[rank] for rank in ranks])
                rank = rng.choice([rank for rank in ranks if has[rank] == most])
            taken.append(rank)
            want = min(size - has[rank], self.sizes[seat] - len(hand))
            if want <= 0:
                continue
            cards = [card for card in could if card >> 2 == rank - 2]
            if len(cards) < want:
                continue
            picked = rng.sample(cards, want)
            hand += picked
            left.difference_update(picked)

    def _fill(self, seat: int, hand: list[Card], rest: list[Card]) -> None:
        """Fill the hand, avoiding suits the seat failed to follow while other cards are left."""
        missing = self.sizes[seat] - len(hand)
        voids = self.voids[seat]
        if voids and missing > 0:
            fitting = [card for card in rest if card & 3 not in voids][:missing]
            for card in fitting:
                rest.remove(card)
            hand += fitting
            missing -= len(fitting)
        if missing > 0:
            hand += rest[:missing]
            del rest[:missing]


def chicago_chance(
    knowledge: Knowledge,
    hand: Sequence[Card],
    rng: Random,
    samples: int,
    *,
    first: Card | None = None,
) -> float:
    """Estimate how often the seat takes all remaining tricks (0.0–1.0), over sampled hands.

    ``first`` is the card it plays now. The others beat it if they can, and otherwise keep their
    high cards.
    """
    view = knowledge.view
    live = [seat for seat in view.order if seat not in view.dead]
    won = 0
    for _ in range(samples):
        hands = knowledge.deal(rng)
        hands[view.seat] = list(hand)
        won += _takes_all(hands, view, live, first)
    return won / samples


def _takes_all(hands: Deal, view: View, live: Sequence[int], first: Card | None) -> bool:
    me = view.seat
    trick = list(view.trick)
    start = view.leader if trick and view.leader in live else me
    while hands[me] or any(seat == me for seat, _ in trick):
        place = live.index(start)
        order = [*live[place:], *live[:place]]
        done = {seat for seat, _ in trick}
        led = trick[0][1] & 3 if trick else None
        best, winner = -1, -1
        for seat, card in trick:
            if card & 3 == led and card > best:
                best, winner = int(card), seat
        for seat in order:
            if seat in done or not hands[seat]:
                continue
            hand = hands[seat]
            if seat == me and first is not None:
                card, first = first, None
            elif led is None:
                card = max(hand, key=lambda own: (own >> 2, sum(o & 3 == own & 3 for o in hand)))
            else:
                suited = [own for own in hand if own & 3 == led]
                winning = [own for own in suited if own > best]
                card = min(winning) if winning else min(suited or hand)
            hand.remove(card)
            if led is None:
                led = card & 3
            if card & 3 == led and card > best:
                best, winner = int(card), seat
            elif seat == me:
                return False
        if winner != me:
            return False
        trick, start = [], me
    return True
