"""What one seat sees of the card table: its own cards, what lies or was said openly (rulebook §2).

A :class:`View` is all that a bot, a player's page or a spectator gets. Two tables that differ
only in cards hidden from a seat give that seat equal views; the table that a view keeps to
itself is there to make the legal actions when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import overload

from ..cards.cards import Card, format_cards
from ..rules.ruleset import RuleSet
from ..sheet.state import State
from .actions import Action
from .legal import exchange_sizes
from .state import Cards, Observation, Stage, TableState
from .table import legal_actions


@dataclass(slots=True, repr=False, eq=False)
class OpenView:
    """What everybody sees: the view of somebody who only watches has no seat and no hand.

    ``sheet`` is public: everybody may read the score sheet. ``facts`` are what was seen and
    heard in this deal, in order.
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
    discards: Cards
    known_muck: Cards
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
    facts: tuple[Observation, ...]
    _table: TableState
    _legal: tuple[Action, ...] | None = None

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the seat may do now, made when first asked for; empty while it is not its turn."""
        if self._legal is None:
            mine = self.seat is not None and self.seat == self.turn
            self._legal = legal_actions(self._table) if mine else ()
        return self._legal

    @property
    def exchange_sizes(self) -> Sequence[int]:
        """How many cards the seat in turn may lay down, at the moment of the exchange."""
        return exchange_sizes(self._table)

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
            "discards": format_cards(self.discards),
            "known_muck": format_cards(self.known_muck),
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenView):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SEEN)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<view of {who}: deal {self.sheet.deal}, awaits {self.stage.value} {self.turn}>"


@dataclass(slots=True, repr=False, eq=False)
class View(OpenView):
    """The table as ``seat`` sees it, with what it remembers of this deal.

    ``laid`` are the seat's own cards laid down in this exchange, ``discards`` those of the deal,
    ``known_muck`` the cards that it knows to lie in the muck: its own discards, and what lay
    open before it went there. A reshuffle ends that knowledge.
    """

    seat: int


_SEEN = (*(each.name for each in fields(OpenView) if not each.name.startswith("_")), "legal")


@overload
def view_of(state: TableState, seat: int) -> View: ...
@overload
def view_of(state: TableState, seat: None = None) -> OpenView: ...
def view_of(state: TableState, seat: int | None = None) -> OpenView:
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
    discards: Cards = ()
    known = state.open_muck
    form: type[OpenView] = OpenView
    if seat is not None:
        form = View
        laid, aside, discards = state.laid[seat], state.aside[seat], state.discards[seat]
        known = (*state.own_muck[seat], *known)
        if state.stage is not Stage.BLIND:
            hand = state.hands[seat]
    return form(
        seat,
        state.sheet,
        state.stage,
        state.turn,
        state.exchange,
        state.order,
        hand,
        laid,
        aside,
        discards,
        known,
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
        state,
    )
