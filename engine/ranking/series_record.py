"""Series documents: read, and checked against what their events give (docs/formats/series.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Final

from ..errors import ChicagoError, shown_value
from ..sheet.record import check_format, check_keys
from .series import SIZES, TIES, PointRules, Result, ranked

FORMAT: Final = "chicago-series"
VERSION: Final = 1
#: Places and sizes are below this; the longest text of a number.
MOST: Final = 10_000_000
LETTERS: Final = 40
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_POINTS: Final = re.compile(r"-?[0-9]+(/(?!0+\Z)[0-9]+)?")

#: The keys of each kind of object; those of ``_OPTIONAL`` may be missing.
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "document": (
        *("format", "version", "name", "slug", "starts_on", "ends_on", "finished"),
        *("rules", "players", "events", "standing"),
    ),
    "rules": ("points", "rest", "size_by", "factors", "best_of", "bonus", "ties"),
    "bonus": ("chicago", "heat", "start"),
    "player": ("id", "name"),
    "event": ("name", "event", "day", "over", "size", "results", "stale"),
    "result": ("id", "place", "shared", "heats_won", "chicagos", "points"),
    "line": ("place", "id", "points"),
}
_OPTIONAL: Final = {"result": ("points",), "event": ("stale",)}


@dataclass(frozen=True)
class SeriesRecord:
    """A series as a document tells it; players are named by their ids."""

    rules: PointRules
    players: tuple[str, ...]
    #: By event the results, by player.
    events: tuple[tuple[tuple[str, Result], ...], ...]
    #: Place, player and points of each line.
    standing: tuple[tuple[int, str, Fraction], ...]


def read_series(document: object) -> SeriesRecord:
    """Return a document as read.

    Raises :class:`ChicagoError`: ``malformed``, ``missing_field``, ``unknown_field`` and
    ``bad_value`` of one that is not whole.
    """
    if not isinstance(document, Mapping):
        raise ChicagoError("malformed", reason="object")
    check_format(document, FORMAT, VERSION)
    source = _object("document", document)
    for key in ("name", "slug"):
        _name(source, key)
    for key in ("starts_on", "ends_on"):
        _day(source, key)
    _typed(source, "finished", bool)
    players = [_object("player", each) for each in _typed(source, "players", list)]
    for each in players:
        _typed(each, "name", str)
    return SeriesRecord(
        rules=_rules(_object("rules", source["rules"])),
        players=tuple(_typed(each, "id", str) for each in players),
        events=tuple(
            tuple(_event(number, _object("event", each)))
            for number, each in enumerate(_typed(source, "events", list))
        ),
        standing=tuple(
            (_count(each, "place", 1), _typed(each, "id", str), _exact(each, "points"))
            for each in (_object("line", row) for row in _typed(source, "standing", list))
        ),
    )


def check_series(document: object) -> None:
    """Raise :class:`ChicagoError` unless a document's standing is what its events give.

    The codes: those of :func:`read_series`, ``repeated_item`` (a player twice), ``bad_value`` (an
    id that belongs to no player) and ``other_standing``.
    """
    read = read_series(document)
    for ids in (read.players, *([who for who, _result in event] for event in read.events)):
        _once(ids)
    keys = {who: key for key, who in enumerate(read.players)}
    results: dict[int, list[Result]] = {}
    for event in read.events:
        for who, result in event:
            if who not in keys:
                raise _bad("id", who)
            results.setdefault(keys[who], []).append(result)
    lines = ranked(read.rules, results)
    right = sorted((line.place, read.players[line.player], line.total) for line in lines)
    for given, wanted in zip_longest(sorted(read.standing), right):
        if given != wanted:
            raise ChicagoError("other_standing", told=_placed(given), found=_placed(wanted))


def _once(ids: Sequence[str]) -> None:
    here: set[str] = set()
    for each in ids:
        if each in here:
            raise ChicagoError("repeated_item", item=shown_value(each))
        here.add(each)


def _placed(row: tuple[int, str, Fraction] | None) -> str:
    """Return a line for a sentence: "1: 17, 35/2", or a dash."""
    return f"{row[0]}: {shown_value(row[1])}, {row[2]}" if row else "–"


def _rules(source: Mapping[str, Any]) -> PointRules:
    bonus = _object("bonus", source["bonus"])
    ties = _typed(source, "ties", list)
    if not all(isinstance(each, str) and each in TIES for each in ties):
        raise _bad("ties", ties)
    if source["size_by"] not in SIZES:
        raise _bad("size_by", source["size_by"])
    return PointRules(
        points=tuple(_exact({"points": each}, "points") for each in _typed(source, "points", list)),
        rest=_exact(source, "rest"),
        size_by=source["size_by"],
        factors=tuple(_factor(each) for each in _typed(source, "factors", list)),
        best_of=None if source["best_of"] is None else _count(source, "best_of", 1),
        bonus_chicago=_exact(bonus, "chicago"),
        bonus_heat=_exact(bonus, "heat"),
        bonus_start=_exact(bonus, "start"),
        ties=tuple(ties),
    )


def _factor(value: object) -> tuple[int, Fraction]:
    if not isinstance(value, list) or len(value) != 2:
        raise _bad("factors", value)
    return _count({"size": value[0]}, "size"), _exact({"factor": value[1]}, "factor")


def _event(number: int, source: Mapping[str, Any]) -> list[tuple[str, Result]]:
    _name(source, "name")
    if source["event"] is not None:
        _name(source, "event")
    _day(source, "day")
    _typed(source, "over", bool)
    if "stale" in source:
        _typed(source, "stale", bool)
    size = _count(source, "size")
    rows = [_object("result", each) for each in _typed(source, "results", list)]
    return [(_typed(row, "id", str), _result(number, size, row)) for row in rows]


def _result(event: int, size: int, row: Mapping[str, Any]) -> Result:
    return Result(
        event,
        _count(row, "place", 1),
        _count(row, "shared", 1),
        size,
        _count(row, "heats_won"),
        _count(row, "chicagos"),
        _exact(row, "points") if "points" in row else None,
    )


def _object(kind: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _bad(kind, value)
    known, optional = KEYS[kind], _OPTIONAL.get(kind, ())
    check_keys(value, known, [key for key in known if key not in optional])
    return value


def _typed(source: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(source[key], kind):
        raise _bad(key, source[key])
    return source[key]


def _name(source: Mapping[str, Any], key: str) -> None:
    if not _typed(source, key, str).strip():
        raise _bad(key, source[key])


def _day(source: Mapping[str, Any], key: str) -> None:
    if not _DAY.fullmatch(_typed(source, key, str)):
        raise _bad(key, source[key])


def _count(source: Mapping[str, Any], key: str, least: int = 0) -> int:
    """Return a number of places, players or heats: at most seven digits."""
    value = source[key]
    if type(value) is not int or not least <= value < MOST:
        raise _bad(key, value)
    return int(value)


def _exact(source: Mapping[str, Any], key: str) -> Fraction:
    """Return points: an exact text such as "25" or "35/2"."""
    text = _typed(source, key, str)
    if len(text) > LETTERS or not _POINTS.fullmatch(text):
        raise _bad(key, text)
    return Fraction(text)


def _bad(field: str, value: object) -> ChicagoError:
    return ChicagoError("bad_value", field=field, kind=None, value=shown_value(value))
