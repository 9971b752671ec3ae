"""What one seat sees of the card table: its own cards and all that is public (rulebook §2).

Bots, players' pages and spectators get nothing but a :class:`View`. Two tables that differ only in
cards hidden from a seat give that seat equal views. A view keeps the table privately, only to make
the legal actions on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from ..cards.cards import Card, format_cards
from ..documents import ViewDocument
from ..errors import ChicagoError
from ..rules.ruleset import RuleSet
from ..sheet.state import State
from .actions import Action
from .legal import exchange_sizes
from .state import Cards, Observation, Stage, TableState
from .table import legal_actions

_BLIND = Stage.BLIND  # looking it up costs more than the comparison, and hands are looked at often


class OpenView:
    """What everybody sees: a spectator's view, without a seat or a hand.

    ``sheet`` is public, since everybody may read the score sheet. ``observations`` are what was
    seen and heard in this deal, in order. Nothing else of the private table is accessible.
    """

    __slots__ = ("_legal", "_table", "seat")

    def __init__(self, table: TableState, seat: int | None = None) -> None:
        self._table = table
        self._legal: tuple[Action, ...] | None = None
        self.seat = seat

    @property
    def sheet(self) -> State:
        return self._table.sheet

    @property
    def stage(self) -> Stage:
        """What the table is waiting for."""
        return self._table.stage

    @property
    def turn(self) -> int | None:
        queue = self._table.queue
        return queue[0] if queue else None

    @property
    def exchange(self) -> int:
        """Exchanges begun in this deal."""
        return self._table.exchange

    @property
    def order(self) -> tuple[int, ...]:
        """Seats with cards, in order of speaking from forehand."""
        return self._table.order

    @property
    def hand(self) -> Cards:
        """The seat's own cards; none until it has answered for a Blind Chicago."""
        table = self._table
        return () if self.seat is None or table.stage is _BLIND else table.hands[self.seat]

    @property
    def laid(self) -> Cards:
        """The seat's own cards laid down in this exchange."""
        return () if self.seat is None else self._table.laid[self.seat]

    @property
    def aside(self) -> Cards:
        """The seat's own cards set aside until the deal is over."""
        return () if self.seat is None else self._table.aside[self.seat]

    @property
    def discards(self) -> Cards:
        """The seat's own cards laid down in this deal."""
        return () if self.seat is None else self._table.discards[self.seat]

    @property
    def known_muck(self) -> Cards:
        """Cards known to be in the muck: the seat's own discards, and cards that lay open."""
        table = self._table
        own = () if self.seat is None else table.own_muck[self.seat]
        return (*own, *table.open_muck)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(map(len, self._table.hands))

    @property
    def piles(self) -> tuple[Cards, ...]:
        """The cards played, by seat."""
        return self._table.piles

    @property
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """The cards of the current trick with their seats."""
        return self._table.trick

    @property
    def leader(self) -> int | None:
        """The seat that led, or leads, the trick."""
        return self._table.leader

    @property
    def played(self) -> int:
        """Tricks completed."""
        return self._table.played

    @property
    def dead(self) -> frozenset[int]:
        """Seats that may not go on in the tricks."""
        return self._table.dead

    @property
    def declarer(self) -> int | None:
        """The seat that plays a Chicago."""
        return self._table.declarer

    @property
    def blind(self) -> bool:
        """True if the Chicago is a blind one."""
        return self._table.blind

    @property
    def offered(self) -> Card | None:
        """The open card on offer."""
        return self._table.offered

    @property
    def stub_size(self) -> int:
        """How many cards are left in the stub."""
        return len(self._table.stub)

    @property
    def muck_size(self) -> int:
        """How many cards are in the muck."""
        return len(self._table.muck)

    @property
    def observations(self) -> tuple[Observation, ...]:
        """What was seen and heard in this deal, in order."""
        return self._table.observations

    @property
    def legal(self) -> tuple[Action, ...]:
        """The seat's legal actions, computed on first use; empty while it is not its turn."""
        if self._legal is None:
            mine = self.seat is not None and self.seat == self.turn
            self._legal = legal_actions(self._table) if mine else ()
        return self._legal

    @property
    def exchange_sizes(self) -> Sequence[int]:
        """How many cards the seat in turn may lay down; empty outside exchanges."""
        return exchange_sizes(self._table) if self.stage is Stage.DISCARD else ()

    @property
    def rules(self) -> RuleSet:
        return self._table.sheet.rules

    @property
    def final(self) -> bool:
        """True once the last exchange has begun."""
        return self.exchange >= self.sheet.rules.exchanges

    def as_json(self) -> ViewDocument:
        """Return the view as a document; cards are names separated by blanks."""
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
            "observations": [seen.as_json() for seen in self.observations],
            "legal": [action.as_json() for action in self.legal],
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenView):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SEEN)

    # As Python says that a class is unhashable; typeshed knows the method only.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<view of {who}: deal {self.sheet.deal}, awaits {self.stage.value} {self.turn}>"


class View(OpenView):
    """The table as ``seat`` sees it, with what it remembers of this deal.

    ``laid`` are the seat's own cards laid down in this exchange, ``discards`` those of the whole
    deal. ``known_muck`` are the cards it knows to be in the muck: its own discards, and cards that
    lay open before. A reshuffle ends that knowledge.
    """

    __slots__ = ()
    seat: int


_SEEN = ("seat", *(name for name, each in vars(OpenView).items() if isinstance(each, property)))
"""The attributes that make two views equal."""


@overload
def view_of(state: TableState, seat: int) -> View: ...
@overload
def view_of(state: TableState, seat: None = None) -> OpenView: ...
def view_of(state: TableState, seat: int | None = None) -> OpenView:
    """Return the table as ``seat`` sees it, or as a spectator does (``None``).

    A seat that has not yet answered the question for a Blind Chicago has not looked at its cards.

    >>> from engine.cards.cards import DECK
    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.table.table import apply, start_table
    >>> from engine.table.actions import Deck
    >>> table = apply(start_table(FESTIVAL, 2), Deck(DECK))
    >>> [len(view_of(table, seat).hand) for seat in (0, 1, None)]
    [5, 5, 0]

    Raises :class:`~engine.errors.ChicagoError` (``bad_value``) for a seat that is not in the game.
    """
    if seat is None:
        return OpenView(state)
    if seat not in range(state.sheet.seats):
        raise ChicagoError("bad_value", field="seat", value=seat)
    return View(state, seat)
