"""What one seat sees of the card table: its own cards, what lies or was said openly (rulebook §2).

A :class:`View` is all that a bot, a player's page or a spectator gets. It holds no state of the
table, so that nothing can leak through it: two tables that differ only in cards hidden from a
seat give that seat equal views.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cards.cards import Card, format_cards
from ..rules.ruleset import RuleSet
from ..sheet.state import State
from .actions import Action
from .state import Cards, Fact, Stage, TableState
from .table import legal_actions


class View(NamedTuple):
    """The table as ``seat`` sees it; ``seat`` is ``None`` for somebody who only watches.

    ``sheet`` is public: everybody may read the score sheet. ``facts`` are what was seen and
    heard in this deal, in order. ``laid`` are the seat's own cards laid down in this exchange.
    ``legal`` is what the seat may do now, empty while it is not its turn.
    """

    seat: int | None
    sheet: State
    stage: Stage
    turn: int | None
    exchange: int
    order: tuple[int, ...]
    hand: Cards
    laid: Cards
    aside: Cards
    hand_sizes: tuple[int, ...]
    piles: tuple[Cards, ...]
    trick: tuple[tuple[int, Card], ...]
    leader: int | None
    played: int
    dead: frozenset[int]
    declarer: int | None
    blind: bool
    offered: Card | None
    stub_size: int
    muck_size: int
    facts: tuple[Fact, ...]
    legal: tuple[Action, ...]

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.sheet.rules

    @property
    def final(self) -> bool:
        """True once the last exchange has begun."""
        return self.exchange >= self.sheet.rules.exchanges

    def as_json(self) -> dict[str, object]:
        """The view as a document; cards are names separated by blanks."""
        return {
            "seat": self.seat,
            "rules": self.rules.spec,
            "state": self.sheet.as_json(),
            "awaits": self.stage.value,
            "turn": self.turn,
            "exchange": self.exchange,
            "order": list(self.order),
            "hand": format_cards(self.hand),
            "laid": format_cards(self.laid),
            "aside": format_cards(self.aside),
            "hand_sizes": list(self.hand_sizes),
            "piles": [format_cards(cards) for cards in self.piles],
            "trick": [[seat, str(card)] for seat, card in self.trick],
            "leader": self.leader,
            "tricks_played": self.played,
            "dead": sorted(self.dead),
            "declarer": self.declarer,
            "blind": self.blind,
            "offered": None if self.offered is None else str(self.offered),
            "stub": self.stub_size,
            "muck": self.muck_size,
            "facts": [fact.as_json() for fact in self.facts],
            "legal": [action.as_json() for action in self.legal],
        }


def view_of(state: TableState, seat: int | None = None) -> View:
    """The table as ``seat`` sees it, or as a spectator does (``None``).

    A seat that has not yet answered the question for a Blind Chicago has not looked at its cards.

    >>> from engine.cards.cards import DECK
    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.table.table import apply, start_table
    >>> from engine.table.actions import Deck
    >>> table = apply(start_table(FESTIVAL, 2), Deck(DECK))
    >>> [len(view_of(table, seat).hand) for seat in (0, 1, None)]
    [5, 5, 0]
    """
    hand: Cards = ()
    laid: Cards = ()
    aside: Cards = ()
    if seat is not None:
        laid, aside = state.laid[seat], state.aside[seat]
        if state.stage is not Stage.BLIND:
            hand = state.hands[seat]
    return View(
        seat,
        state.sheet,
        state.stage,
        state.turn,
        state.exchange,
        state.order,
        hand,
        laid,
        aside,
        tuple(map(len, state.hands)),
        state.piles,
        state.trick,
        state.leader,
        state.played,
        state.dead,
        state.declarer,
        state.blind,
        state.offered,
        len(state.stub),
        len(state.muck),
        state.facts,
        legal_actions(state) if seat is not None and state.turn == seat else (),
    )
