"""A second reader of card records, written independently of the card table.

It knows docs/formats/card-record.md and the rule sets' values, but not ``engine.table``: it deals
the pack itself, follows every card, and works out from the cards which entries the sheet must hold.
It ignores scores (who may declare, who is discardless); the sheet has its own second
implementation.
"""

from __future__ import annotations

from collections import Counter

from engine.rules.ruleset import RuleSet

RANKS = "23456789TJQKA"
KINDS = ["nothing", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"]
KINDS += ["four_of_a_kind", "straight_flush", "royal_flush"]


def worth(hand: list[str], rules: RuleSet) -> tuple[int, tuple[int, ...], int]:
    """Return category, deciding ranks and suit (0 if suits do not count) of five cards."""
    values = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    counts = Counter(values)
    ranks = tuple(sorted(counts, key=lambda rank: (-counts[rank], -rank)))
    shape = sorted(counts.values(), reverse=True)
    suited = len({card[1] for card in hand}) == 1
    top = values[0]
    run = len(counts) == 5 and (top - values[4] == 4 or values == [12, 3, 2, 1, 0])
    if run:
        ranks = (3 if values == [12, 3, 2, 1, 0] else top,)
    if run and suited:
        kind = 9 if ranks[0] == 12 and not rules.royal_as_straight_flush else 8
    elif shape[0] == 4:
        kind = 7
    elif shape == [3, 2]:
        kind = 6
    elif suited:
        kind = 5
    elif run:
        kind = 4
    else:
        kind = {(3, 1): 3, (2, 2): 2, (2, 1): 1}.get((shape[0], shape[1]), 0)
    suit = "cdsh".index(hand[0][1]) if rules.suit_order.value != "never" and kind >= 8 else 0
    return kind, ranks, suit


class Reader:
    """Follows one record's actions and collects the entries that result from the cards."""

    def __init__(self, record: dict, rules: RuleSet, order_of: list[list[int]]) -> None:
        self.rules = rules
        self.seats = len(record["seats"])
        # Who plays each deal, from forehand, and with six cards or five.
        self.orders = iter(order_of)
        self.entries: list[dict] = []
        self.hands: list[list[str]] = []
        for action in record["actions"]:
            getattr(self, "do_" + action["do"])(action)

    def write(self, **entry) -> None:
        self.entries.append(entry)

    def do_ruling(self, action) -> None:
        self.write(kind="ruling", **{key: action[key] for key in action if key != "do"})

    # -- dealing

    def do_deck(self, action) -> None:
        self.order = next(self.orders)
        self.stub = action["cards"].split()
        self.hands = [[] for _ in range(self.seats)]
        for _ in range(5):
            for seat in self.order:
                self.hands[seat].append(self.stub.pop(0))
        self.phase, self.declarer = 0, None
        self.announced: dict[int, str] = {}
        self.trick: list[tuple[int, str]] = []
        self.tricks = 0
        self.new_exchange()

    def new_exchange(self) -> None:
        self.phase += 1
        self.owed = dict.fromkeys(self.order, 0)
        self.laid = 0
        self.asked: set[int] = set()
        self.announced = {}

    def do_discard(self, action) -> None:
        seat, gone = action["seat"], action["cards"].split()
        for card in gone:
            self.hands[seat].remove(card)
        self.owed[seat] = len(gone)
        rules = self.rules
        wants = action.get("open", False) if rules.open_card_on_request else rules.open_card
        if wants and len(gone) == 1:
            self.asked.add(seat)
        self.laid += 1
        if rules.exchange_order.value == "one_by_one" or self.laid == len(self.order):
            self.deal()

    def deal(self) -> None:
        for seat in self.order:
            while self.owed[seat] and self.stub and seat not in self.asked:
                self.hands[seat].append(self.stub.pop(0))
                self.owed[seat] -= 1
            if self.owed[seat]:
                return  # Looking at an open card, or reshuffling the stub.

    def do_reshuffle(self, action) -> None:
        self.stub = action["cards"].split()
        self.deal()

    def do_take(self, action) -> None:
        card = self.stub.pop(0)
        self.asked.discard(action["seat"])
        if action["take"]:
            self.hands[action["seat"]].append(card)
            self.owed[action["seat"]] = 0
        self.deal()

    # -- the best hand of a phase

    def do_announce(self, action) -> None:
        self.announced[action["seat"]] = action["category"]
        if len(self.announced) == len(self.order):
            self.score(self.phase)
            self.new_exchange()

    def do_specify(self, action) -> None:
        """Do nothing: the named details are already in the hands."""

    def score(self, phase: int) -> None:
        worths = {seat: worth(self.hands[seat], self.rules) for seat in self.order}
        best = max(worths.values())
        seats = [seat for seat in self.order if worths[seat] == best]
        if best[0] and len(seats) == 1:
            self.write(kind="hand", phase=phase, seat=seats[0], category=KINDS[best[0]])
        else:
            self.write(kind="none", phase=phase)

    # -- the tricks

    def do_show(self, action) -> None:
        assert action["claim"] is None

    def do_chicago(self, action) -> None:
        if action["call"]:
            self.declarer = action["seat"]

    def do_blind(self, action) -> None:
        assert not action["call"]

    def do_play(self, action) -> None:
        if not self.trick and not self.tricks:
            self.full = [list(hand) for hand in self.hands]
        seat, card = action["seat"], action["card"]
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        done = len(self.trick) == len(self.order)
        led = self.trick[0][1][1]

        def height(play: tuple[int, str]) -> int:
            return RANKS.index(play[1][0]) if play[1][1] == led else -1

        taker, best = max(self.trick, key=height)
        if self.declarer is not None:
            breaker = None
            seats = [other for other, _ in self.trick]
            if self.declarer in seats:
                place = seats.index(self.declarer)
                if self.rules.breaker.value != "taker_of_the_trick":
                    own = height(self.trick[place])
                    after = [p[0] for p in self.trick[place + 1 :] if height(p) > own]
                    breaker = after[0] if after else None
                if breaker is None and done and taker != self.declarer:
                    breaker = taker
            if breaker is not None:
                self.write(kind="chicago", seat=self.declarer, won=False, breaker=breaker)
                return self.final(lost=True)
        if not done:
            return None
        self.trick, self.tricks = [], self.tricks + 1
        if self.tricks < 5:
            return None
        if self.declarer is not None:
            self.write(kind="chicago", seat=self.declarer, won=True)
            return self.final(lost=False)
        self.write(kind="last_trick", seat=taker, **({"deuce": True} if best[0] == "2" else {}))
        self.hands = self.full
        return self.score(self.rules.exchanges)

    def final(self, *, lost: bool) -> None:
        when = self.rules.final_hand_in_chicago.value
        if when == "always" or (when == "if_won" and not lost):
            self.hands = self.full
            self.score(self.rules.exchanges)
