"""What can happen at a card table, as immutable values (rulebook §2, docs/formats/card-record.md).

Chance is an action like any other: :class:`Deck` is the order of the shuffled pack,
:class:`Reshuffle` that of the muck when the stub has run out. So a game is the list of its actions
and replays without a random generator. Every action has a document form with the key ``do``;
:func:`action_from_json` reads it.

>>> from engine.cards.cards import parse_cards
>>> Discard(1, parse_cards("7c 2d")).as_json()
{'do': 'discard', 'seat': 1, 'cards': '7c 2d'}
>>> action_from_json({"do": "play", "seat": 0, "card": "Qh"})
Play(seat=0, card=Card('Qh'), offence=False)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from ..cards.cards import RANKS, Card, Suit, format_cards, parse_card, parse_cards
from ..cards.categories import BY_KEY, Category
from ..documents import ActionDocument
from ..errors import ChicagoError
from ..sheet.entries import Ruling, entry_from_json
from .errors import ActionError, ActionProblem


@dataclass(frozen=True, slots=True)
class Deck:
    """Chance: the shuffled pack, in dealing order; begins a deal."""

    do: ClassVar[str] = "deck"
    cards: tuple[Card, ...]

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "cards": format_cards(self.cards)}


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Chance: the stub has run out, and the muck is dealt on in this order."""

    do: ClassVar[str] = "reshuffle"
    cards: tuple[Card, ...]

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "cards": format_cards(self.cards)}


@dataclass(frozen=True, slots=True)
class Blind:
    """A seat that has not looked at its cards says whether it plays a Blind Chicago."""

    do: ClassVar[str] = "blind"
    seat: int
    call: bool

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat, "call": self.call}


@dataclass(frozen=True, slots=True)
class Redeal:
    """A seat with only low cards keeps them or asks for a new hand (E, ``redeal-ten``)."""

    do: ClassVar[str] = "redeal"
    seat: int
    call: bool

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat, "call": self.call}


@dataclass(frozen=True, slots=True)
class Discard:
    """A seat lays down the cards it wants to exchange; no cards means it stands.

    ``offence`` marks an exchange by a discardless seat: it is against the rules, but some rule sets
    say what it costs. ``open`` asks for the one card face up, where that is done on request.
    """

    do: ClassVar[str] = "discard"
    seat: int
    cards: tuple[Card, ...] = ()
    offence: bool = False
    open: bool = False

    def as_json(self) -> ActionDocument:
        document: ActionDocument = {
            "do": self.do,
            "seat": self.seat,
            "cards": format_cards(self.cards),
        }
        if self.offence:
            document["offence"] = True
        if self.open:
            document["open"] = True
        return document


@dataclass(frozen=True, slots=True)
class Take:
    """A seat that asked for one card takes the open card, or refuses it and gets a closed one."""

    do: ClassVar[str] = "take"
    seat: int
    take: bool

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat, "take": self.take}


@dataclass(frozen=True, slots=True)
class Exposed:
    """Chance: a card dealt in the exchange just done was exposed by mistake.

    It goes back into the stub, which is shuffled. ``cards`` is the stub's new order, including the
    cards that were dealt after the mistake. Dealing continues from there.
    """

    do: ClassVar[str] = "exposed"
    seat: int
    card: Card
    cards: tuple[Card, ...]

    def as_json(self) -> ActionDocument:
        return {
            "do": self.do,
            "seat": self.seat,
            "card": str(self.card),
            "cards": format_cards(self.cards),
        }


@dataclass(frozen=True, slots=True)
class Announce:
    """A seat announces the category of its hand, or passes (``None``)."""

    do: ClassVar[str] = "announce"
    seat: int
    category: Category | None = None

    def as_json(self) -> ActionDocument:
        key = None if self.category is None else self.category.key
        return {"do": self.do, "seat": self.seat, "category": key}


@dataclass(frozen=True, slots=True)
class Specify:
    """A seat tied on category names its next rank (2–14) or its suit, or passes."""

    do: ClassVar[str] = "specify"
    seat: int
    rank: int | None = None
    suit: Suit | None = None

    def as_json(self) -> ActionDocument:
        value: str | None = None
        if self.rank is not None:
            value = RANKS[self.rank - 2]
        elif self.suit is not None:
            value = self.suit.letter
        return {"do": self.do, "seat": self.seat, "value": value}


@dataclass(frozen=True, slots=True)
class Quads:
    """The seat with four of a kind as best hand resets the others or takes the points.

    ``reset_seat`` is the one seat that is reset, in rule sets with such resets.
    """

    do: ClassVar[str] = "quads"
    seat: int
    reset: bool
    reset_seat: int | None = None

    def as_json(self) -> ActionDocument:
        document: ActionDocument = {"do": self.do, "seat": self.seat, "reset": self.reset}
        if self.reset_seat is not None:
            document["reset_seat"] = self.reset_seat
        return document


@dataclass(frozen=True, slots=True)
class Show:
    """A seat shows a hand before the tricks: ``"hand"`` to score, ``"reset"``, or ``None``."""

    do: ClassVar[str] = "show"
    seat: int
    claim: str | None = None

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat, "claim": self.claim}


@dataclass(frozen=True, slots=True)
class Outrank:
    """A seat says whether it holds a better hand than the one shown before the tricks."""

    do: ClassVar[str] = "outrank"
    seat: int
    claim: bool

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat, "claim": self.claim}


@dataclass(frozen=True, slots=True)
class Bid:
    """A seat declares a Chicago or not when asked, or binds itself to one unasked."""

    do: ClassVar[str] = "chicago"
    seat: int
    call: bool

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat, "call": self.call}


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card; ``offence`` marks a card that fails to follow suit."""

    do: ClassVar[str] = "play"
    seat: int
    card: Card
    offence: bool = False

    def as_json(self) -> ActionDocument:
        document: ActionDocument = {"do": self.do, "seat": self.seat, "card": str(self.card)}
        if self.offence:
            document["offence"] = True
        return document


@dataclass(frozen=True, slots=True)
class Correct:
    """A seat corrects its failure to follow suit, or (``None``) the next card is played first."""

    do: ClassVar[str] = "correct"
    seat: int
    card: Card | None = None

    def as_json(self) -> ActionDocument:
        card = None if self.card is None else str(self.card)
        return {"do": self.do, "seat": self.seat, "card": card}


@dataclass(frozen=True, slots=True)
class Concede:
    """The declarer gives up a Chicago before anybody has overtaken."""

    do: ClassVar[str] = "concede"
    seat: int

    def as_json(self) -> ActionDocument:
        return {"do": self.do, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruling by the tournament director; it goes on the sheet unchanged."""

    do: ClassVar[str] = "ruling"
    ruling: Ruling

    @property
    def seat(self) -> int | None:
        """The seat that the ruling is about."""
        return self.ruling.seat

    def as_json(self) -> ActionDocument:
        ruling = self.ruling
        document: ActionDocument = {"do": self.do, "action": ruling.action}
        if ruling.seat is not None:
            document["seat"] = ruling.seat
        if ruling.points is not None:
            document["points"] = ruling.points
        document["reason"] = ruling.reason
        return document


Action = (
    Deck
    | Reshuffle
    | Blind
    | Redeal
    | Discard
    | Take
    | Exposed
    | Announce
    | Specify
    | Quads
    | Show
    | Outrank
    | Bid
    | Play
    | Correct
    | Concede
    | Rule
)


@lru_cache(maxsize=1024)
def made(kind: Callable[..., Action], *values: object) -> Action:
    """Return ``kind(*values)``, the same object each time: few actions come again in every deal.

    >>> made(Bid, 0, True) is made(Bid, 0, True), made(Bid, 0, True) == Bid(0, True)
    (True, True)
    """
    return kind(*values)


#: The values of :attr:`Show.claim` besides ``None``.
CLAIMS: tuple[str, ...] = ("hand", "reset")


def action_from_json(document: object) -> Action:
    """Read one action of a card record.

    Raises :class:`~engine.table.errors.ActionError` with ``malformed``, ``missing_field``,
    ``unknown_kind``, ``unknown_field`` or ``bad_value``, as for entries of a game record.

    >>> action_from_json({"do": "chicago", "seat": 2, "call": True})
    Bid(seat=2, call=True)
    >>> action_from_json({"do": "chicago", "seat": 2})
    Traceback (most recent call last):
    engine.table.errors.ActionError: missing_field (field='call', do='chicago')
    """
    if not isinstance(document, Mapping):
        raise _fault("malformed")
    if "do" not in document:
        raise _fault("missing_field", field="do", do=None)
    do = document["do"]
    known = FORMS.get(do) if isinstance(do, str) else None
    if known is None:
        raise _fault("unknown_kind", do=_shown(do))
    fields, needed, read = known
    for name in document:
        if name not in fields:
            raise _fault("unknown_field", field=_shown(name), do=do)
    for name in needed:
        if name not in document:
            raise _fault("missing_field", field=name, do=do)
    return read(document)


def _fault(code: str, **params: object) -> ActionError:
    return ActionError(ActionProblem(code, params=params))


def _shown(value: object) -> str:
    try:
        text = value if isinstance(value, str) else repr(value)
    except (RecursionError, ValueError):
        text = type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"


def _bad(document: Mapping[str, object], name: str) -> ActionError:
    return _fault("bad_value", field=name, do=document["do"], value=_shown(document.get(name)))


def _seat(document: Mapping[str, object], name: str = "seat") -> int:
    value = document[name]
    if type(value) is not int or not 0 <= value <= 5:
        raise _bad(document, name)
    return value


def _flag(document: Mapping[str, object], name: str) -> bool:
    value = document.get(name, False)
    if type(value) is not bool:
        raise _bad(document, name)
    return value


def _cards(document: Mapping[str, object]) -> tuple[Card, ...]:
    value = document["cards"]
    try:
        # It answers for any value.
        return parse_cards(value)  # type: ignore[arg-type]
    except ChicagoError:
        raise _bad(document, "cards") from None


def _card(document: Mapping[str, object]) -> Card:
    try:
        return parse_card(document["card"])  # type: ignore[arg-type]
    except ChicagoError:
        raise _bad(document, "card") from None


def _read_announce(document: Mapping[str, object]) -> Announce:
    seat, key = _seat(document), document["category"]
    if key is None:
        return Announce(seat)
    category = BY_KEY.get(key) if isinstance(key, str) else None
    if not category:
        raise _bad(document, "category")
    return Announce(seat, category)


def _read_specify(document: Mapping[str, object]) -> Specify:
    seat, value = _seat(document), document["value"]
    if value is None:
        return Specify(seat)
    if isinstance(value, str) and len(value) == 1:
        if value in RANKS:
            return Specify(seat, rank=RANKS.index(value) + 2)
        if value in "cdsh":
            return Specify(seat, suit=Suit("cdsh".index(value)))
    raise _bad(document, "value")


def _read_show(document: Mapping[str, object]) -> Show:
    seat, claim = _seat(document), document["claim"]
    if claim is None or (isinstance(claim, str) and claim in CLAIMS):
        return Show(seat, claim)
    raise _bad(document, "claim")


def _read_quads(document: Mapping[str, object]) -> Quads:
    other = _seat(document, "reset_seat") if "reset_seat" in document else None
    return Quads(_seat(document), _flag(document, "reset"), other)


def _read_correct(document: Mapping[str, object]) -> Correct:
    seat = _seat(document)
    return Correct(seat, None if document["card"] is None else _card(document))


def _read_ruling(document: Mapping[str, object]) -> Rule:
    entry = {name: value for name, value in document.items() if name != "do"}
    try:
        ruling = entry_from_json({"kind": "ruling", **entry})
    except ChicagoError as error:
        raise _fault(error.code, **{**error.params, "do": "ruling"}) from None
    assert isinstance(ruling, Ruling)
    return Rule(ruling)


_Reader = Callable[[Mapping[str, object]], Action]


def _form(names: str, read: _Reader, optional: str = "") -> tuple[set[str], list[str], _Reader]:
    needed = names.split()
    return {"do", *needed, *optional.split()}, needed, read


#: By ``do``: an action's allowed fields, its required fields, and its reader.
FORMS: dict[str, tuple[set[str], list[str], _Reader]] = {
    "deck": _form("cards", lambda d: Deck(_cards(d))),
    "reshuffle": _form("cards", lambda d: Reshuffle(_cards(d))),
    "blind": _form("seat call", lambda d: Blind(_seat(d), _flag(d, "call"))),
    "redeal": _form("seat call", lambda d: Redeal(_seat(d), _flag(d, "call"))),
    "discard": _form(
        "seat cards",
        lambda d: Discard(_seat(d), _cards(d), _flag(d, "offence"), _flag(d, "open")),
        "offence open",
    ),
    "take": _form("seat take", lambda d: Take(_seat(d), _flag(d, "take"))),
    "exposed": _form("seat card cards", lambda d: Exposed(_seat(d), _card(d), _cards(d))),
    "announce": _form("seat category", _read_announce),
    "specify": _form("seat value", _read_specify),
    "quads": _form("seat reset", _read_quads, "reset_seat"),
    "show": _form("seat claim", _read_show),
    "outrank": _form("seat claim", lambda d: Outrank(_seat(d), _flag(d, "claim"))),
    "chicago": _form("seat call", lambda d: Bid(_seat(d), _flag(d, "call"))),
    "play": _form("seat card", lambda d: Play(_seat(d), _card(d), _flag(d, "offence")), "offence"),
    "correct": _form("seat card", _read_correct),
    "concede": _form("seat", lambda d: Concede(_seat(d))),
    "ruling": _form("action", _read_ruling, "seat points reason id at by note"),
}
