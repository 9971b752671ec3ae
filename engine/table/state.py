"""The state of a card table between two actions: an immutable value (rulebook §2).

It includes the sheet's :class:`~engine.sheet.state.State`, the only source of scores, phases, the
dealer and who is in. It adds where every card is and whose turn it is to do what.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from ..cards.cards import Card, Suit, format_cards
from ..cards.categories import Category
from ..cards.hands import named_ranks
from ..documents import ObservationDocument
from ..rules.ruleset import RuleSet
from ..sheet.entries import Entry
from ..sheet.state import State

TRICKS = 5
HAND_SIZE = 5
ONE_OPEN = -1


class Stage(Enum):
    """What the table is waiting for; the value is the ``do`` of the action that answers it."""

    DECK = "deck"
    RESHUFFLE = "reshuffle"
    BLIND = "blind"
    REDEAL = "redeal"
    DISCARD = "discard"
    TAKE = "take"
    ANNOUNCE = "announce"
    SPECIFY = "specify"
    QUADS = "quads"
    SHOW = "show"
    OUTRANK = "outrank"
    BID = "chicago"
    PLAY = "play"
    CORRECT = "correct"
    FINISHED = "finished"

    __hash__ = object.__hash__  # members are singletons, and hashing their names is slower


class Claim(NamedTuple):
    """A combination that scored, or tied for best, in an earlier phase of the deal.

    ``cards`` are those of the combination. ``named`` are the ranks that the seat disclosed, in
    naming order, the combination's first. A broken claim is kept only where the broken cards are
    set aside (variant L).
    """

    category: Category
    cards: tuple[Card, ...]
    named: tuple[int, ...]
    broken: bool = False


class Observation(NamedTuple):
    """Something that everybody at the table saw or heard in this deal.

    ``do`` is the kind of action, or ``"dealt"``, ``"shown"``, ``"refused"``, ``"trick"`` for
    consequences. ``cards`` holds only cards that lay face up; ``number`` counts cards.
    """

    do: str
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    number: int | None = None
    category: Category | None = None
    rank: int | None = None
    suit: Suit | None = None
    call: bool | None = None
    claim: str | None = None

    def as_json(self) -> ObservationDocument:
        """Return the observation's document, with only the keys that apply."""
        document: ObservationDocument = {"do": self.do}
        if self.seat is not None:
            document["seat"] = self.seat
        if self.cards:
            document["cards"] = format_cards(self.cards)
        if self.number is not None:
            document["number"] = self.number
        if self.rank is not None:
            document["rank"] = self.rank
        if self.call is not None:
            document["call"] = self.call
        if self.claim is not None:
            document["claim"] = self.claim
        if self.category is not None:
            document["category"] = self.category.key
        if self.suit is not None:
            document["suit"] = self.suit.letter
        return document


Cards = tuple[Card, ...]
PerSeat = tuple[Cards, ...]


# Without slots: the next table starts as a copy of all fields at once (dozens are made per deal).
@dataclass(frozen=True, repr=False)
class TableState:
    """A card table between two actions. Seats are indices, clockwise, as on the sheet."""

    sheet: State
    entries: tuple[Entry, ...]  # everything written on the sheet so far
    deal: int  # the deal of these cards; the sheet may be one ahead
    stage: Stage
    queue: tuple[int, ...]  # seats still to act in this stage, the next one first
    order: tuple[int, ...]  # seats with cards, in order of speaking from forehand
    hands: PerSeat
    piles: PerSeat  # cards played, in order
    stub: Cards  # the next card first
    muck: Cards
    laid: PerSeat  # cards laid down for exchange, not yet in the muck
    aside: PerSeat  # broken combinations set aside until the deal is over (L)
    owed: tuple[int, ...]  # cards still to be dealt in this exchange; ONE_OPEN for an open one
    offered: Card | None  # the open card on offer
    refused: Cards  # open cards refused in this exchange; they are part of the seat's ``laid``
    waiting: tuple[int, ...]  # seats that discard after the one before them has been dealt
    before_dealing: TableState | None  # the table before the cards just dealt, if any were
    exchange: int  # exchanges begun in this deal
    claims: tuple[tuple[Claim, ...], ...]
    spoken: tuple[tuple[int, Category], ...]  # categories announced in this phase
    detail: int  # ranks named so far by those still tied
    values: tuple[tuple[int, int], ...]  # (seat, value) named in this round of detail
    best: int | None  # the seat that decides about its four of a kind
    shows: tuple[tuple[int, str], ...]  # (seat, claim) before the tricks
    declarer: int | None
    blind: bool
    trick: tuple[tuple[int, Card], ...]
    leader: int | None
    played: int  # tricks completed
    dead: frozenset[int]  # seats that may not go on in the tricks
    full: PerSeat  # the hands with which the tricks began
    observations: tuple[Observation, ...]  # what everybody saw in this deal
    discards: PerSeat  # what each seat laid down in this deal
    own_muck: PerSeat  # the part of it in the muck, which the seat remembers
    open_muck: Cards  # cards that lay face up before they went into the muck

    def _replace(self, **changes: Any) -> TableState:
        """Return the table with these fields changed, faster than ``dataclasses.replace`` does."""
        table = object.__new__(TableState)
        object.__setattr__(table, "__dict__", {**vars(self), **changes})
        return table

    def __copy__(self) -> TableState:
        return self

    def __deepcopy__(self, memo: object) -> TableState:
        return self  # deeply immutable

    def __repr__(self) -> str:
        return f"<table: {self.rules}, deal {self.deal}, awaits {self.stage.value} {self.turn}>"

    @property
    def rules(self) -> RuleSet:
        return self.sheet.rules

    @property
    def seats(self) -> int:
        """The number of seats, including those that are out."""
        return self.sheet.seats

    @property
    def turn(self) -> int | None:
        """The seat that acts next; ``None`` for chance and when the game is over."""
        return self.queue[0] if self.queue else None

    @property
    def finished(self) -> bool:
        return self.stage is Stage.FINISHED

    @property
    def phase(self) -> int:
        """The phase that the cards are in, from 1 up to the number of exchanges."""
        return max(1, self.exchange)

    @property
    def final(self) -> bool:
        """True once the last exchange has begun."""
        return self.exchange >= self.rules.exchanges


def new_table(sheet: State) -> TableState:
    """Return a table that waits for its first shuffled pack."""
    none: PerSeat = ((),) * sheet.seats
    return TableState(
        sheet=sheet,
        entries=(),
        deal=sheet.deal,
        stage=Stage.DECK,
        queue=(),
        order=(),
        hands=none,
        piles=none,
        stub=(),
        muck=(),
        laid=none,
        aside=none,
        owed=(0,) * sheet.seats,
        offered=None,
        refused=(),
        waiting=(),
        before_dealing=None,
        exchange=0,
        claims=((),) * sheet.seats,
        spoken=(),
        detail=0,
        values=(),
        best=None,
        shows=(),
        declarer=None,
        blind=False,
        trick=(),
        leader=None,
        played=0,
        dead=frozenset(),
        full=none,
        observations=(),
        discards=none,
        own_muck=none,
        open_muck=(),
    )


def put(rows: PerSeat, seat: int, cards: Cards) -> PerSeat:
    """Return ``rows`` with the cards of one seat replaced."""
    return (*rows[:seat], cards, *rows[seat + 1 :])


def speaking_order(sheet: State) -> tuple[int, ...]:
    """Return the seats that play this deal, forehand (left of the dealer, rulebook §1) first."""
    seats = sheet.seats
    clockwise = [(sheet.dealer + step) % seats for step in range(1, seats + 1)]
    return tuple(seat for seat in clockwise if sheet.plays(seat))


def remaining(cards: Cards, gone: Cards) -> Cards:
    """Return ``cards`` without those in ``gone``, in their order."""
    return tuple([card for card in cards if card not in gone])  # a list is faster here


_GROUP = {
    Category.PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FOUR_OF_A_KIND: (4,),
}


def combination(cards: Cards, category: Category) -> Cards:
    """Return the cards that make up the category: the pair of a pair, all five of a straight.

    >>> from engine.cards.cards import parse_cards
    >>> combination(parse_cards("6d Kc 9s 6h Kd"), Category.TWO_PAIR)
    (Card('6d'), Card('Kc'), Card('6h'), Card('Kd'))
    """
    groups = _GROUP.get(category)
    if groups is None:
        return cards
    ranks = named_ranks(cards)[: len(groups)]
    return tuple([card for card in cards if (card >> 2) + 2 in ranks])
