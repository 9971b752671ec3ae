"""Plausible games for the demo: cards are dealt, exchanged and played, and entries come out.

What is written on the sheets is what a table would have written: hands come up as often as real
cards give them, nobody's standing hand contradicts itself, and a Chicago is played by somebody who
had a reason to try. The players are simple but not foolish. The same generator and seats always
give the same game.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from engine.cards.cards import DECK, Card
from engine.cards.categories import Category
from engine.cards.hands import best_hands, category_of
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import Chicago, Entry, Hand, LastTrick, NoHand
from engine.sheet.sheet import start, step
from engine.sheet.state import State

Found = TypeVar("Found")

MOST_ENTRIES = 400
DEUCE = 2


@dataclass(frozen=True, slots=True)
class Game:
    """A game's entries in order and the state that they lead to."""

    entries: tuple[Entry, ...]
    state: State


def play_game(
    rules: RuleSet,
    seats: int,
    generator: Random,
    *,
    opening: Sequence[Entry] = (),
    royal_after: int | None = None,
    deals: int | None = None,
) -> Game:
    """Play one game, or its first `deals` deals.

    `opening` are entries to begin with (whole deals). In the first deal after `royal_after` deals
    somebody is dealt a royal flush.
    """
    state = start(rules, seats)
    entries: list[Entry] = []
    for entry in opening:
        state = step(state, entry)
        entries.append(entry)
    while not state.finished and (deals is None or state.deal < deals):
        deal = _Deal(state, generator)
        deal.play(royal=royal_after is not None and state.deal >= royal_after)
        entries += deal.written
        state = deal.state
        if len(entries) > MOST_ENTRIES:
            raise RuntimeError("this game does not end")
    return Game(tuple(entries), state)


def search(
    seed: str, make: Callable[[Random], Found], wanted: Callable[[Found], bool], tries: int = 2000
) -> Found:
    """Return the first thing made from `seed` and 0, 1, 2, … that is as wanted."""
    for number in range(tries):
        found = make(Random(f"{seed} {number}"))
        if wanted(found):
            return found
    raise RuntimeError(f"nothing as wanted within {tries} tries from {seed!r}")


class _Deal:
    """One deal: the hands, the exchanges, the tricks."""

    def __init__(self, state: State, generator: Random) -> None:
        self.state = state
        self.number = state.deal
        self.generator = generator
        self.written: list[Entry] = []
        self.stock = list(DECK)
        generator.shuffle(self.stock)
        self.hands: dict[int, list[Card]] = {}
        self.hands = {seat: self.take(5) for seat in self.playing()}

    def playing(self) -> list[int]:
        """Return who plays at this moment, in the order of the seats."""
        return [seat for seat in range(self.state.seats) if self.state.plays(seat)]

    def take(self, count: int) -> list[Card]:
        """Take cards from the stock, which is made of new ones when it runs out."""
        if len(self.stock) < count:
            held = {card for hand in self.hands.values() for card in hand}
            self.stock = [card for card in DECK if card not in held]
            self.generator.shuffle(self.stock)
        taken, self.stock = self.stock[:count], self.stock[count:]
        return taken

    def write(self, entry: Entry) -> bool:
        """Write an entry; False if it ended the deal or the game."""
        self.state = step(self.state, entry)
        self.written.append(entry)
        return not self.state.finished and self.state.deal == self.number

    def play(self, *, royal: bool) -> None:
        """Play the deal and write what the Auditor writes."""
        if royal:
            self.write(Hand(1, self.generator.choice(self.playing()), Category.ROYAL_FLUSH))
            return
        for phase in (1, 2):
            self.exchange()
            if not self.write(self.best(phase)):
                return
        self.exchange()
        final = self.best(3)
        if isinstance(final, Hand) and final.category >= Category.STRAIGHT_FLUSH:
            self.write(final)
            return
        chicago = self.chicago()
        if chicago is not None:
            self.write(chicago)
            return
        winner, card = self.tricks(self.from_forehand()[0])
        # The last trick may have put its winner out, who then shows no hand any more.
        if self.write(LastTrick(winner, deuce=card.rank == DEUCE)):
            self.write(self.best(3))

    def from_forehand(self) -> list[int]:
        """Return who plays, beginning at the dealer's left."""
        return self.clockwise((self.state.dealer + 1) % self.state.seats)

    def clockwise(self, first: int) -> list[int]:
        """Return who plays, beginning at a seat."""
        playing = self.playing()
        return [seat for seat in playing if seat >= first] + [
            seat for seat in playing if seat < first
        ]

    def best(self, phase: int) -> Entry:
        """Return the entry for the best hand on the table."""
        playing = self.playing()
        best = best_hands([self.hands[seat] for seat in playing])
        if len(best) != 1:
            return NoHand(phase)
        seat = playing[best[0]]
        category = category_of(self.hands[seat])
        return NoHand(phase) if category == Category.NOTHING else Hand(phase, seat, category)

    def exchange(self) -> None:
        """Let everybody who may exchange cards, at most four, do so."""
        for seat in self.playing():
            if not self.state.discardless[seat]:
                kept = _keep(self.hands[seat])
                self.hands[seat] = [*kept, *self.take(5 - len(kept))]

    def chicago(self) -> Chicago | None:
        """Return the Chicago of this deal, if somebody dares one."""
        for seat in self.from_forehand():
            score = self.state.scores[seat]
            if score < 15:
                continue
            high = sum(card.rank >= 12 for card in self.hands[seat])
            longest = max(Counter(card.suit for card in self.hands[seat]).values())
            courage = 0.03 * high + 0.04 * max(0, longest - 2)
            if not self.state.executed[seat]:
                # Without one there is no winning, and from 37 on the next deal may be too late.
                courage *= 2 if score < 37 else 5
            played = self.play_chicago(seat)
            # Who knows the game feels which hands will do.
            if self.generator.random() < (courage * 2.5 if played.won else courage):
                return played
        return None

    def play_chicago(self, declarer: int) -> Chicago:
        """Play the tricks until somebody overtakes the declarer."""
        order = self.clockwise(declarer)
        hands = {seat: list(self.hands[seat]) for seat in order}
        for _ in range(5):
            suits = Counter(card.suit for card in hands[declarer])
            lead = max(hands[declarer], key=lambda card: (card.rank, suits[card.suit]))
            hands[declarer].remove(lead)
            for seat in order[1:]:
                following = [card for card in hands[seat] if card.suit == lead.suit]
                card = max(following, default=min(hands[seat], key=lambda card: card.rank))
                hands[seat].remove(card)
                if card.suit == lead.suit and card > lead:
                    return Chicago(declarer, won=False, breaker=seat)
        return Chicago(declarer, won=True)

    def tricks(self, leader: int) -> tuple[int, Card]:
        """Play five tricks; return who took the last one, and with which card."""
        hands = {seat: sorted(self.hands[seat]) for seat in self.playing()}
        best = hands[leader][0]
        for _ in range(5):
            # Low cards first: who keeps a long suit to the end takes the last trick with it.
            best = self.generator.choice(hands[leader][:2])
            hands[leader].remove(best)
            suit = best.suit
            for seat in self.clockwise(leader)[1:]:
                following = [card for card in hands[seat] if card.suit == suit]
                card = self.generator.choice(following) if following else hands[seat][0]
                hands[seat].remove(card)
                if card.suit == suit and card > best:
                    best, leader = card, seat
        return leader, best


def _keep(hand: Sequence[Card]) -> list[Card]:
    """Return the cards to keep: what scores, else four of a suit, else the two highest."""
    category = category_of(hand)
    if category in {Category.STRAIGHT, Category.FLUSH} or category >= Category.FULL_HOUSE:
        return list(hand)
    ranks = Counter(card.rank for card in hand)
    grouped = [card for card in hand if ranks[card.rank] > 1]
    if len(grouped) > 2:
        return grouped
    suit, count = Counter(card.suit for card in hand).most_common(1)[0]
    if count == 4:
        return [card for card in hand if card.suit == suit]
    return grouped or sorted(hand)[-2:]
