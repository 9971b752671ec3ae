"""What a seat can know of the others' cards, and deals of the hidden cards that fit it.

Everything comes from the :class:`~engine.table.view.View`: the seat's own discards, cards known to
be in the muck, open cards that were taken, hands announced or shown, and failures to follow suit.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Final

from ..cards.categories import Category
from ..table.view import View
from .imagined import ALL, BITS, RANK_OF, RANKS, SUIT_OF, bits, clockwise, takes_all, top_of

#: Sizes of the groups of equal ranks in a hand, and how many cards can be exchanged without
#: breaking them.
_GROUPS: Final = {
    Category.PAIR: ((2,), 3),
    Category.TWO_PAIR: ((2, 2), 1),
    Category.THREE_OF_A_KIND: ((3,), 2),
    Category.FULL_HOUSE: ((3, 2), 0),
    Category.FOUR_OF_A_KIND: ((4,), 1),
}

#: By cards of one rank, as bits: each of them alone.
_APART: Final = {
    sum(cards): list(cards)
    for low in range(0, 52, 4)
    for size in range(1, 5)
    for cards in combinations(BITS[low : low + 4], size)
}
#: By size, by cards of one rank: the groups of so many of them, each with all cards of the rank.
_GROUPED: Final = {
    size: {
        cards: [(sum(group), RANK_OF[apart[0]]) for group in combinations(apart, size)]
        for cards, apart in _APART.items()
        if len(apart) >= size
    }
    for size in (1, 2, 3, 4)
}

#: How loosely hidden discards follow the ranks: players mostly discard low cards.
_LOOSENESS: Final = 16
#: How often a group is drawn anew that is not there any more.
_TRIES: Final = 4


class Knowledge:
    """What one seat knows now; :meth:`deal` deals the hidden cards to fit."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.sizes = view.hand_sizes
        self.others = [seat for seat in view.order if seat != view.seat and self.sizes[seat] > 0]
        own, self.piles = bits(view.hand), list(map(bits, view.piles))
        seen = own | bits((*view.laid, *view.aside, *view.known_muck)) | sum(self.piles)
        if view.offered is not None:
            seen |= BITS[view.offered]
        self.hidden = ALL & ~seen
        self.in_muck = max(0, view.muck_size - len(view.known_muck))
        self.holds = dict.fromkeys(view.order, 0)
        self.announced: dict[int, tuple[Category, tuple[int, ...]]] = {}
        self.voids = dict.fromkeys(view.order, 0)
        self._listen()
        self.known = [0] * len(self.sizes)
        self.known[view.seat] = own
        for seat in self.others:
            self.known[seat] = self.holds[seat] & self.hidden
        self.held = sum(self.known)
        self.promises = [
            (seat, groups)
            for seat in self.others
            if seat in self.announced and (groups := self._promised(seat, *self.announced[seat]))
        ]
        #: Those who lack most suits first: the others can take what is left.
        self.emptiest = sorted(self.others, key=lambda seat: -self.voids[seat].bit_count())
        self.urn = self._urn()

    def _listen(self) -> None:
        """Collect what was seen and heard in this deal."""
        holds, announced = self.holds, self.announced
        led: int | None = None
        for do, seat, cards, number, category, rank, _suit, call, _claim in self.view.observations:
            if seat is None or seat not in holds:
                continue
            if do == "play":
                suit = SUIT_OF[BITS[cards[0]]]
                if led is None:
                    led = suit
                elif suit != led:
                    self.voids[seat] |= led
            elif do == "trick":
                led = None
            elif do == "discard" and number:
                holds[seat] = 0
                if seat in announced and _GROUPS.get(announced[seat][0], ((), 0))[1] < number:
                    del announced[seat]
            elif do == "announce" and category is not None:
                announced[seat] = category, ()
            elif do == "announce" or do == "shown":  # that it passes, or a broken combination
                announced.pop(seat, None)
            elif do == "specify" and rank is not None and seat in announced:
                announced[seat] = announced[seat][0], (*announced[seat][1], rank)
            elif (do == "take" and call) or do == "show":
                holds[seat] |= bits(cards)

    def _urn(self) -> list[int]:
        """Return the hidden cards, each the more often the likelier it is not in the muck yet.

        As if every card had been given its rank plus a random number up to the looseness, and the
        lowest of these had gone.
        """
        left = [self.hidden & rank for rank in RANKS]
        level = going = gone = 0
        while gone < self.in_muck * _LOOSENESS and level < _LOOSENESS:
            if level < len(left):
                going += left[level].bit_count()
            gone += going
            level += 1
        urn: list[int] = []
        for low, cards in enumerate(left):
            if cards:
                urn += _APART[cards] * (_LOOSENESS - max(0, level - low) or 1)
        return urn

    def _promised(
        self, seat: int, category: Category, named: tuple[int, ...]
    ) -> list[list[tuple[int, int]]]:
        """Return for each group of equal ranks that the seat announced what it may consist of.

        Each of its lists has the cards missing in the groups, with their ranks; more often where
        some of the rank were seen already.
        """
        room = self.sizes[seat] - self.known[seat].bit_count()
        had = self.known[seat] | self.piles[seat]
        fitting = self.hidden & ~(self.held | self.voids[seat])
        likelier = max(1, self.hidden.bit_count() // self.sizes[seat])
        promised = []
        for place, size in enumerate(_GROUPS[category][0] if category in _GROUPS else ()):
            groups: list[tuple[int, int]] = []
            for low in (named[place] - 2,) if place < len(named) else range(len(RANKS)):
                rank = RANKS[low]
                seen = (had & rank).bit_count() if had & rank else 0
                if seen >= size:  # the group is known already
                    break
                if size - seen <= room and (there := fitting & rank):
                    groups += _GROUPED[size - seen].get(there, []) * likelier**seen
            else:
                promised.append(groups)
        return [groups for groups in promised if groups]

    def deal(self, rng: Random) -> list[int]:
        """Deal the hidden cards at random; return all hands by seat as bits, its own included."""
        random, hidden, urn = rng.random, self.hidden, self.urn
        balls = len(urn)
        hands, taken = self.known.copy(), self.held
        for seat, promised in self.promises:
            ranks = 0
            for groups in promised:
                for _ in range(_TRIES):
                    group, rank = groups[int(random() * len(groups))]
                    if not (group & taken or rank & ranks):
                        break
                else:
                    continue
                ranks |= rank
                if (hands[seat] | group).bit_count() <= self.sizes[seat]:
                    hands[seat] |= group
                    taken |= group
        for seat in self.emptiest:
            hand = hands[seat]
            wrong = taken | self.voids[seat]
            for _ in range(self.sizes[seat] - hand.bit_count()):
                if not hidden & ~wrong:  # nothing else is left
                    wrong = taken | hand
                card = urn[int(random() * balls)]
                while card & wrong:
                    card = urn[int(random() * balls)]
                hand |= card
                wrong |= card
            hands[seat] = hand
            taken |= hand
        return hands


def chicago_chance(knowledge: Knowledge, rng: Random, samples: int, wanted: float = 0.0) -> float:
    """Estimate how often the seat takes all tricks if it leads (0.0–1.0), over sampled hands.

    Ends as soon as it cannot be as often as ``wanted`` any more.
    """
    view = knowledge.view
    others = clockwise([seat for seat in view.order if seat not in view.dead])
    first, waiting = top_of(bits(view.hand)), others[view.seat]
    won, may_lose = 0, samples * (1 - wanted)
    for dealt in range(samples):
        if dealt - won > may_lose:
            break
        won += takes_all(knowledge.deal(rng), view.seat, first, waiting, others)
    return won / samples
