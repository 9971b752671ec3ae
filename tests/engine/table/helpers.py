"""Set up card tables for tests: chosen hands, chosen scores, actions in shorthand."""

from __future__ import annotations

from engine.cards.cards import DECK, Card, parse_card, parse_cards
from engine.cards.categories import Category
from engine.messages import say
from engine.rules.variants import parse_rules
from engine.sheet.entries import Ruling
from engine.table.actions import (
    Action,
    Announce,
    Bid,
    Blind,
    Correct,
    Deck,
    Discard,
    Play,
    Quads,
    Redeal,
    Rule,
    Show,
    Specify,
    Take,
)
from engine.table.state import Stage, TableState, speaking_order
from engine.table.table import apply, legal_actions, start_table, why_not


def deck_for(table: TableState, hands: dict[int, str], stub: str = "") -> tuple[Card, ...]:
    """Return a pack that deals these hands (by seat), then these cards, then the rest in order."""
    order = speaking_order(table.sheet)
    dealt = {seat: parse_cards(text) for seat, text in hands.items()}
    front = [
        dealt[seat][turn]
        for turn in range(max(map(len, dealt.values())))
        for seat in order
        if turn < len(dealt[seat])
    ]
    front += parse_cards(stub)
    assert len(set(front)) == len(front), "a card twice"
    return (*front, *(card for card in DECK if card not in front))


def cards_in(state: TableState) -> list[Card]:
    """Return all cards of a deal, wherever they are, sorted."""
    found = [*state.stub, *state.muck]
    if state.offered is not None:
        found.append(state.offered)
    for cards in (*state.hands, *state.piles, *state.laid, *state.aside):
        found += cards
    return sorted(found)


class Table:
    """A card table played in shorthand; ``state`` is the engine's."""

    def __init__(self, rules: str = "festival", seats: int = 3, dealer: int | None = None) -> None:
        self.state = start_table(parse_rules(rules), seats, seats - 1 if dealer is None else dealer)

    # -- setting up

    def points(self, *scores: int) -> Table:
        """Give the seats points by rulings."""
        for seat, score in enumerate(scores):
            if score:
                self.do(Rule(Ruling("points", seat, score, "set up")))
        return self

    def deal(self, *hands: str, stub: str = "") -> Table:
        """Deal these hands, one per seat."""
        return self.do(Deck(deck_for(self.state, dict(enumerate(hands)), stub)))

    def no_blind(self) -> Table:
        """Have everybody decline a Blind Chicago."""
        while self.state.stage is Stage.BLIND:
            self.do(Blind(self.turn, False))
        return self

    # -- acting

    def do(self, *actions: Action) -> Table:
        """Do these actions, which must not lose any cards."""
        for action in actions:
            self.state = apply(self.state, action)
            if self.state.stage not in (Stage.DECK, Stage.FINISHED):
                assert cards_in(self.state) == list(DECK)
        return self

    def discards(self, *texts: str) -> Table:
        """Have the seats, in turn, discard these cards (empty: stand)."""
        for text in texts:
            self.do(Discard(self.turn, parse_cards(text)))
        return self

    def stand(self) -> Table:
        """Have all stand in this exchange."""
        while self.state.stage is Stage.DISCARD:
            self.do(Discard(self.turn))
        return self

    def take(self, yes: bool) -> Table:
        """Have the seat whose turn it is take or refuse the open card."""
        return self.do(Take(self.turn, yes))

    def forced(self) -> Table:
        """Do everything forced: announcements, and hands that may not be shown."""
        while self.state.stage in (Stage.ANNOUNCE, Stage.SPECIFY, Stage.SHOW):
            action, *others = legal_actions(self.state)
            # A Chicago is possible at any time.
            assert all(isinstance(other, Bid) for other in others)
            self.do(action)
        return self

    def to_tricks(self) -> Table:
        """Stand, announce and decline everything up to the first trick."""
        deal = self.state.deal
        while self.state.stage is not Stage.PLAY and self.state.deal == deal:
            self.pass_on()
        return self

    def pass_on(self) -> Table:
        """Do the first legal passive action: stand, no, refuse, points, pass."""
        return self.do(legal_actions(self.state)[0])

    def play(self, text: str) -> Table:
        """Play these cards, whoever holds them."""
        for word in text.split():
            self.do(Play(self.turn, parse_card(word)))
        return self

    # -- asking

    @property
    def turn(self) -> int:
        assert self.state.turn is not None
        return self.state.turn

    @property
    def scores(self) -> tuple[int, ...]:
        return self.state.sheet.scores

    @property
    def entries(self) -> list[dict[str, object]]:
        """Return the entries on the sheet, without rulings."""
        documents = [entry.as_json() for entry in self.state.entries]
        return [document for document in documents if document["kind"] != "ruling"]

    @property
    def stage(self) -> str:
        """Return what the table waits for."""
        return self.state.stage.value

    def observations(self, *kinds: str) -> list[dict[str, object]]:
        """Return this deal's public observations of these kinds."""
        return [seen.as_json() for seen in self.state.observations if seen.do in kinds]

    def refusal(self, action: Action) -> str | None:
        """Return the code with which an action would be refused."""
        problem = why_not(self.state, action)
        if problem is None:
            return None
        assert say(problem, "en", ["Anna", "Bo", "Cia", "Dag"])
        assert say(problem, "sv", ["Anna", "Bo", "Cia", "Dag"])
        return problem.code


__all__ = [
    "Announce",
    "Bid",
    "Blind",
    "Category",
    "Correct",
    "Deck",
    "Discard",
    "Play",
    "Quads",
    "Redeal",
    "Rule",
    "Ruling",
    "Show",
    "Specify",
    "Table",
    "Take",
    "deck_for",
    "parse_card",
    "parse_cards",
]
