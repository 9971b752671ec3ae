"""The public game record: reading, checking and printing (rulebook §8, game-record.md).

A record is a JSON document with a header and entries. The whole header is checked first; the
entries are checked one by one as they are replayed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ..documents import GameRecordDocument
from ..errors import ChicagoError, shown_value
from ..rules.ruleset import RuleSet
from ..rules.variants import parse_rules
from .entries import ENTRY_TYPES, LIMIT
from .sheet import Replay, replay

FORMAT = "chicago-game-record"
VERSION = 1

_NEEDED: tuple[str, ...] = ("rules", "seats", "entries")
_OPTIONAL: tuple[str, ...] = ("id", "event", "heat", "game", "started", "game_points", "meta")
_KNOWN: frozenset[str] = frozenset(("format", "version", "dealer", *_NEEDED, *_OPTIONAL))

#: Integers are cut to this size while reading, so that a number of a million digits costs nothing;
#: it is beyond every limit of the format.
_HUGE = 10**18


@dataclass(frozen=True, slots=True)
class Record:
    """A game record with a valid header; its entries are not checked yet.

    ``meta`` holds the optional keys of the header.

    >>> from engine.rules.variants import parse_rules
    >>> record = Record(parse_rules("svensk"), ("Anna", "Bo"), 0, ())
    >>> record.as_json()["format"], record.replay().valid
    ('chicago-game-record', True)
    """

    rules: RuleSet
    seats: tuple[str, ...]
    dealer: int
    entries: tuple[object, ...] = field(repr=False)
    meta: Mapping[str, object] = field(default_factory=dict)

    def replay(self) -> Replay:
        """Replay the entries."""
        return replay(self.rules, len(self.seats), self.entries, self.dealer)

    def as_json(self) -> GameRecordDocument:
        """Return the record as a document."""
        document: dict[str, object] = {
            "format": FORMAT,
            "version": VERSION,
            "rules": self.rules.spec,
            "seats": list(self.seats),
            "dealer": self.dealer,
            **self.meta,
            "entries": [
                # mypy does not narrow by a tuple of types kept in a variable.
                entry.as_json() if isinstance(entry, ENTRY_TYPES) else entry  # type: ignore[attr-defined]
                for entry in self.entries
            ],
        }
        return cast(GameRecordDocument, document)


def load_json(text: str | bytes) -> object:
    """Read one JSON document; raise ``ChicagoError("malformed")`` for anything else.

    Documents that different readers would understand differently are refused, unlike by the json
    module: no NaN, no repeated keys, UTF-8 only (a byte order mark is skipped). Integers of any
    length are read.

    >>> load_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    engine.errors.ChicagoError: malformed (reason='repeated_key', name='a')
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        elif text.startswith("\ufeff"):
            text = text[1:]
        return _DECODER.decode(text)
    except ChicagoError:
        raise
    except UnicodeDecodeError:
        raise ChicagoError("malformed", reason="encoding") from None
    except RecursionError:
        raise ChicagoError("malformed", reason="nesting") from None
    except (ValueError, MemoryError):
        raise ChicagoError("malformed", reason="json") from None


def _no_constant(name: str) -> object:
    raise ChicagoError("malformed", reason="constant", name=name)


def _integer(digits: str) -> int:
    if len(digits) <= 18:
        return int(digits)
    return -_HUGE if digits.startswith("-") else _HUGE


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ChicagoError("malformed", reason="repeated_key", name=key[:40])
            seen.add(key)
    return document


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_no_constant, parse_int=_integer
)


def dump_json(document: object) -> str:
    """Return a document on one line for any UTF-8 stream; only lone surrogates are escaped.

    >>> print(dump_json({"player": "Åsa"}))
    {"player": "Åsa"}
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def read_record(source: object) -> Record:
    """Read a record from its text or its document; raise :class:`ChicagoError` for a bad header.

    The codes are checked in the order of game-record.md: ``malformed``, ``unknown_rules``,
    ``bad_seats``, ``unknown_field``, ``missing_field``, ``bad_value``.

    >>> read_record({"format": "chicago-game-record", "version": 1, "rules": "sm",
    ...              "seats": ["Anna", "Bo"], "entries": []}).rules.spec
    'sm'
    """
    document = load_json(source) if isinstance(source, str | bytes) else source
    if not isinstance(document, Mapping):
        raise ChicagoError("malformed", reason="object")
    check_format(document, FORMAT, VERSION)
    rules = parse_rules(document["rules"]) if "rules" in document else None
    seats = read_seats(document["seats"], rules) if "seats" in document else None
    check_keys(document, _KNOWN, _NEEDED)
    assert rules is not None  # both keys are there
    assert seats is not None
    dealer = document.get("dealer", 0)
    if type(dealer) is not int or not 0 <= dealer < len(seats):
        raise ChicagoError("bad_value", field="dealer", kind=None, value=shown_value(dealer))
    entries = document["entries"]
    if not isinstance(entries, list | tuple):
        raise ChicagoError("bad_value", field="entries", kind=None, value=shown_value(entries))
    meta = document.get("meta", {})
    if not isinstance(meta, Mapping):
        raise ChicagoError("bad_value", field="meta", kind=None, value=shown_value(meta))
    if "game_points" in document:
        rules = replace(rules, game_points=_own_points(document["game_points"], rules, len(seats)))
    optional = {key: document[key] for key in _OPTIONAL if key in document}
    return Record(rules, seats, dealer, tuple(entries), optional)


def _own_points(value: object, rules: RuleSet, seats: int) -> tuple[int, ...]:
    """Return the record's own game points, allowed where the rule set has none for so many."""
    if not (
        seats > rules.heat_players_max
        and isinstance(value, list | tuple)
        and len(value) == seats
        and all(type(points) is int and 0 <= points <= LIMIT for points in value)
    ):
        raise ChicagoError("bad_value", field="game_points", kind=None, value=shown_value(value))
    return tuple(value)


def check_format(document: Mapping[str, object], name: str, version: int) -> None:
    """Raise ``ChicagoError("malformed")`` unless a document has this format and version.

    >>> check_format({"format": "chicago-heat", "version": 1}, "chicago-heat", 1)
    """
    if document.get("format") != name:
        raise ChicagoError("malformed", reason="format", name=name)
    given = document.get("version")
    if type(given) is not int or given != version:
        raise ChicagoError("malformed", reason="version", name=name, version=version)


def check_keys(
    document: Mapping[str, object], known: Collection[str], needed: Iterable[str]
) -> None:
    """Raise ``ChicagoError`` for an unknown field, or else for a missing one."""
    for key in document:
        if key not in known:
            raise ChicagoError("unknown_field", field=shown_value(key), kind=None)
    for key in needed:
        if key not in document:
            raise ChicagoError("missing_field", field=key, kind=None)


def read_seats(value: object, rules: RuleSet | None = None) -> tuple[str, ...]:
    """Return the players' names; raise ``ChicagoError("bad_seats")`` for anything else.

    >>> read_seats(["Anna", "Bo"])
    ('Anna', 'Bo')
    """
    low = rules.players_min if rules else 2
    high = rules.players_max if rules else 6
    if not isinstance(value, list | tuple):
        raise ChicagoError("bad_seats", reason="type")
    if not low <= len(value) <= high:
        raise ChicagoError("bad_seats", reason="number", number=len(value))
    for name in value:
        if not isinstance(name, str):
            raise ChicagoError("bad_seats", reason="type")
        if not name.strip():
            raise ChicagoError("bad_seats", reason="blank")
    for index, name in enumerate(value):
        if name in value[:index]:
            raise ChicagoError("bad_seats", reason="repeated", name=shown_value(name))
    return tuple(value)
