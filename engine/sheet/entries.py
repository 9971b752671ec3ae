"""Entries: what the Auditor writes on the score sheet (rulebook §3, game-record.md).

An entry says what happened at the table, never how many points it is worth. The classes are
immutable. :func:`entry_from_json` reads one from a record and refuses anything that is not an
entry; :mod:`engine.sheet.sheet` checks whether it fits the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..cards.categories import BY_KEY, SUITS, Category
from ..documents import EntryDocument
from ..errors import EntryError, Problem, shown_value
from ..rules.ruleset import QuadsReset, RuleSet

#: Integers beyond this, positive or negative, are refused anywhere in a record.
LIMIT = 10**9

#: Optional strings that any entry of a record may have besides its own fields.
NOTES: frozenset[str] = frozenset({"id", "at", "by", "note"})

#: The fields of an entry that hold the number of a seat.
SEAT_FIELDS: tuple[str, ...] = ("seat", "breaker", "reset_seat")

#: What a ruling by the tournament director can do.
ACTIONS: tuple[str, ...] = (
    "points",
    "sit_out_deal",
    "sit_out_next_deal",
    "sit_out_game",
    "disqualify",
    "redeal",
    "end_game",
)

#: Rulings about the whole table, without a seat.
WITHOUT_SEAT: frozenset[str] = frozenset({"redeal", "end_game"})


@dataclass(frozen=True, slots=True)
class Hand:
    """The best hand of a phase: who showed or announced it, and its category.

    ``reset`` may be true for four of a kind only. ``reset_seat`` names the only seat that is reset,
    in rule sets with such resets. ``suit`` (S, H, D or C) is required where royal flushes score by
    suit.

    >>> Hand(1, 0, Category.TWO_PAIR).as_json()
    {'kind': 'hand', 'phase': 1, 'seat': 0, 'category': 'two_pair'}
    """

    kind: ClassVar[str] = "hand"
    phase: int
    seat: int
    category: Category
    reset: bool | None = None
    suit: str | None = None
    reset_seat: int | None = None

    def as_json(self) -> EntryDocument:
        document: EntryDocument = {
            "kind": "hand",
            "phase": self.phase,
            "seat": self.seat,
            "category": self.category.key,
        }
        if self.reset is not None:
            document["reset"] = self.reset
        if self.reset_seat is not None:
            document["reset_seat"] = self.reset_seat
        if self.suit is not None:
            document["suit"] = self.suit
        return document


@dataclass(frozen=True, slots=True)
class NoHand:
    """Nobody scores in this phase: all passed, or the best hands were equal.

    >>> NoHand(2).as_json()
    {'kind': 'none', 'phase': 2}
    """

    kind: ClassVar[str] = "none"
    phase: int

    def as_json(self) -> EntryDocument:
        return {"kind": "none", "phase": self.phase}


@dataclass(frozen=True, slots=True)
class Chicago:
    """A Chicago was played: won with all five tricks, or broken.

    ``breaker`` is the seat that overtook first; it is absent if the declarer revoked or conceded.
    ``blind`` and ``deuce`` belong to the Blind Chicago.

    >>> Chicago(2, won=False, breaker=0).as_json()
    {'kind': 'chicago', 'seat': 2, 'won': False, 'breaker': 0}
    """

    kind: ClassVar[str] = "chicago"
    seat: int
    won: bool
    breaker: int | None = None
    blind: bool = False
    deuce: bool = False

    def as_json(self) -> EntryDocument:
        document: EntryDocument = {"kind": "chicago", "seat": self.seat, "won": self.won}
        if self.breaker is not None:
            document["breaker"] = self.breaker
        if self.blind:
            document["blind"] = True
        if self.deuce:
            document["deuce"] = True
        return document


@dataclass(frozen=True, slots=True)
class LastTrick:
    """Who took the last trick, and whether with a deuce.

    >>> LastTrick(1, deuce=True).as_json()
    {'kind': 'last_trick', 'seat': 1, 'deuce': True}
    """

    kind: ClassVar[str] = "last_trick"
    seat: int
    deuce: bool = False

    def as_json(self) -> EntryDocument:
        document: EntryDocument = {"kind": "last_trick", "seat": self.seat}
        if self.deuce:
            document["deuce"] = True
        return document


@dataclass(frozen=True, slots=True)
class Revoke:
    """The seat failed to follow suit and did not correct it in time: its hand is dead.

    >>> Revoke(1).as_json()
    {'kind': 'revoke', 'seat': 1}
    """

    kind: ClassVar[str] = "revoke"
    seat: int

    def as_json(self) -> EntryDocument:
        return {"kind": "revoke", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class IllegalDiscard:
    """A discardless seat exchanged cards anyway.

    >>> IllegalDiscard(1).as_json()
    {'kind': 'illegal_discard', 'seat': 1}
    """

    kind: ClassVar[str] = "illegal_discard"
    seat: int

    def as_json(self) -> EntryDocument:
        return {"kind": "illegal_discard", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of the tournament director, always with a reason.

    ``action`` is one of :data:`ACTIONS`. Every action except those in :data:`WITHOUT_SEAT` names a
    seat; only ``points`` has points.

    >>> Ruling("points", 1, -5, "slow play").as_json()
    {'kind': 'ruling', 'action': 'points', 'seat': 1, 'points': -5, 'reason': 'slow play'}
    """

    kind: ClassVar[str] = "ruling"
    action: str
    seat: int | None = None
    points: int | None = None
    reason: str = ""

    def as_json(self) -> EntryDocument:
        document: EntryDocument = {"kind": "ruling", "action": self.action}
        if self.seat is not None:
            document["seat"] = self.seat
        if self.points is not None:
            document["points"] = self.points
        document["reason"] = self.reason
        return document


Entry = Hand | NoHand | Chicago | LastTrick | Revoke | IllegalDiscard | Ruling

#: The classes of entries, to tell an entry from a JSON document.
ENTRY_TYPES: tuple[type, ...] = (
    Hand,
    NoHand,
    Chicago,
    LastTrick,
    Revoke,
    IllegalDiscard,
    Ruling,
)


def entry_from_json(document: object, rules: RuleSet | None = None) -> Entry:
    """Read one entry of a record; raise :class:`EntryError` if it is not an entry.

    It checks what can be checked without the game: kind, fields, types. The codes are checked in
    the order of game-record.md: ``malformed``, ``unknown_kind``, ``unknown_field``,
    ``missing_field``, ``bad_value``. With ``rules`` a field is missed that only they need.

    >>> entry_from_json({"kind": "last_trick", "seat": 2, "deuce": True})
    LastTrick(seat=2, deuce=True)
    >>> entry_from_json({"kind": "hand", "phase": 1, "seat": 0})
    Traceback (most recent call last):
    engine.errors.EntryError: missing_field (field='category', kind='hand')
    """
    if type(document) is not dict:
        if not isinstance(document, Mapping):
            raise _fault("malformed", reason="entry")
        document = dict(document)
    if "kind" not in document:
        raise _fault("missing_field", reason="entry", field="kind", kind=None)
    kind = document["kind"]
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise _fault("unknown_kind", kind=shown_value(kind))
    return _read_hand(document, rules) if kind == "hand" else reader(document)


Document = dict[str, object]


def _fault(code: str, **params: object) -> EntryError:
    return EntryError(Problem(code, params=params))


def _bad(document: Document, name: str) -> EntryError:
    return _fault(
        "bad_value", field=name, kind=document["kind"], value=shown_value(document.get(name))
    )


def _fields(
    document: Document, known: frozenset[str], needed: tuple[str, ...], plain: frozenset[str]
) -> None:
    """Refuse unknown fields, then missing ones, then wrong types of the optional notes."""
    keys = document.keys()
    if not keys <= known:
        raise _fault(
            "unknown_field",
            field=shown_value(next(key for key in document if key not in known)),
            kind=document["kind"],
        )
    for name in needed:
        if name not in document:
            raise _fault("missing_field", field=name, kind=document["kind"])
    if not keys <= plain:
        for name in NOTES:
            if name in document and not isinstance(document[name], str):
                raise _bad(document, name)


def _whole(document: Document, name: str, low: int = 0) -> int:
    value = document[name]
    if type(value) is not int or not low <= value <= LIMIT:
        raise _bad(document, name)
    return value


def _flag(document: Document, name: str) -> bool:
    value = document[name]
    if type(value) is not bool:
        raise _bad(document, name)
    return value


def _sets(*names: str) -> tuple[frozenset[str], frozenset[str]]:
    plain = frozenset(names) | {"kind"}
    return plain | NOTES, plain


_HAND, _HAND_PLAIN = _sets("phase", "seat", "category", "reset", "reset_seat", "suit")
_NONE, _NONE_PLAIN = _sets("phase")
_CHICAGO, _CHICAGO_PLAIN = _sets("seat", "won", "breaker", "blind", "deuce")
_TRICK, _TRICK_PLAIN = _sets("seat", "deuce")
_SEAT, _SEAT_PLAIN = _sets("seat")
_RULING, _RULING_PLAIN = _sets("action", "seat", "points", "reason")


def _read_hand(document: Document, rules: RuleSet | None = None) -> Hand:
    needed: tuple[str, ...] = ("phase", "seat", "category")
    if rules is not None and rules.quads_reset is QuadsReset.ONE and document.get("reset") is True:
        needed += ("reset_seat",)
    _fields(document, _HAND, needed, _HAND_PLAIN)
    phase = _whole(document, "phase", 1)
    seat = _whole(document, "seat")
    key = document["category"]
    category = BY_KEY.get(key) if isinstance(key, str) else None
    if not category:
        raise _bad(document, "category")
    reset: bool | None = None
    if "reset" in document:
        reset = _flag(document, "reset")
        if reset and category is not Category.FOUR_OF_A_KIND:
            raise _bad(document, "reset")
    reset_seat: int | None = None
    if "reset_seat" in document:
        reset_seat = _whole(document, "reset_seat")
        if not reset or reset_seat == seat:
            raise _bad(document, "reset_seat")
    suit: str | None = None
    if "suit" in document:
        value = document["suit"]
        if not isinstance(value, str) or value not in SUITS:
            raise _bad(document, "suit")
        suit = value
    return Hand(phase, seat, category, reset, suit, reset_seat)


def _read_none(document: Document) -> NoHand:
    _fields(document, _NONE, ("phase",), _NONE_PLAIN)
    return NoHand(_whole(document, "phase", 1))


def _read_chicago(document: Document) -> Chicago:
    _fields(document, _CHICAGO, ("seat", "won"), _CHICAGO_PLAIN)
    seat = _whole(document, "seat")
    won = _flag(document, "won")
    breaker: int | None = None
    if "breaker" in document:
        if won:
            raise _bad(document, "breaker")
        breaker = _whole(document, "breaker")
    blind = _flag(document, "blind") if "blind" in document else False
    deuce = _flag(document, "deuce") if "deuce" in document else False
    if deuce and not (won and blind):
        raise _bad(document, "deuce")
    return Chicago(seat, won, breaker, blind, deuce)


def _read_last_trick(document: Document) -> LastTrick:
    _fields(document, _TRICK, ("seat",), _TRICK_PLAIN)
    seat = _whole(document, "seat")
    return LastTrick(seat, _flag(document, "deuce") if "deuce" in document else False)


def _read_revoke(document: Document) -> Revoke:
    _fields(document, _SEAT, ("seat",), _SEAT_PLAIN)
    return Revoke(_whole(document, "seat"))


def _read_illegal_discard(document: Document) -> IllegalDiscard:
    _fields(document, _SEAT, ("seat",), _SEAT_PLAIN)
    return IllegalDiscard(_whole(document, "seat"))


def _read_ruling(document: Document) -> Ruling:
    action = document.get("action")
    needed: tuple[str, ...] = ("action",)
    if isinstance(action, str) and action in ACTIONS:
        if action == "points":
            needed = ("action", "seat", "points")
        elif action not in WITHOUT_SEAT:
            needed = ("action", "seat")
    _fields(document, _RULING, needed, _RULING_PLAIN)
    if not isinstance(action, str) or action not in ACTIONS:
        raise _bad(document, "action")
    seat: int | None = None
    if "seat" in document:
        if action in WITHOUT_SEAT:
            raise _bad(document, "seat")
        seat = _whole(document, "seat")
    points: int | None = None
    if "points" in document:
        if action != "points":
            raise _bad(document, "points")
        points = _whole(document, "points", -LIMIT)
    reason = ""
    if "reason" in document:
        value = document["reason"]
        if not isinstance(value, str):
            raise _bad(document, "reason")
        reason = value
    return Ruling(action, seat, points, reason)


_READERS: dict[str, Callable[[Document], Entry]] = {
    "hand": _read_hand,
    "none": _read_none,
    "chicago": _read_chicago,
    "last_trick": _read_last_trick,
    "revoke": _read_revoke,
    "illegal_discard": _read_illegal_discard,
    "ruling": _read_ruling,
}
