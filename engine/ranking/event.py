"""Event documents: do the result, the qualifiers and the champion follow from the games?

The format is in docs/formats/event.md. Every finished heat is ranked again from its games, and what
the document says of the event is compared with what comes out. Decisions that people or lots made
are taken as they are recorded: who went on against the sheets, Flip Flops, lucky losers,
replacements, no-shows, and who has withdrawn or is disqualified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from ..errors import ChicagoError, shown_value
from ..sheet.record import check_format
from .heat import DEFAULT_CHAIN, FLIP_FLOP, RankRow, rank
from .heat_record import play, read_heat, results
from .overall import Result, equal_groups, overall

FORMAT: Final = "chicago-event"
VERSION: Final = 1
#: Without these it cannot be told whether the result is true.
_NEEDED: Final = ("registrations", "stages", "qualifiers", "lucky_losers", "result", "game_points")
#: What :func:`check_event` takes as it stands, by its place in the document.
NOT_CHECKED: Final = (
    "order_of_qualifiers", "lucky_losers_by_rule", "statuses", "queue", "draws", "lots",
    "penalties", "timetable", "settings", "statements", "history", "heads",
)  # fmt: skip
_GONE: Final = ("withdrawn", "disqualified")
_TAKEN_IN: Final = ("lucky_loser", "replacement")
_KINDS: Final = ("qualifying", "playoff", "final")


@dataclass(slots=True)
class _Stage:
    """A stage: who played in it, with what result, and who went on."""

    kind: str
    rows: list[tuple[RankRow, Result]] = field(default_factory=list)
    went_on: list[str] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)

    @property
    def results(self) -> list[Result]:
        return [result for row, result in self.rows if not row.disqualified]


def check_event(document: object) -> None:
    """Raise :class:`ChicagoError` unless a document's outcome is what its games give.

    The codes: ``malformed``, ``missing_field`` and ``bad_value`` of a document that is not whole,
    those of a heat or a game that is not valid, ``needs_flip_flop`` (a finished heat is not
    decided), ``other_round`` (somebody is in a round, or missing from it, against the heats),
    ``other_qualifiers``, ``other_lucky_losers`` and ``other_result``.
    """
    if not isinstance(document, Mapping):
        raise ChicagoError("malformed", reason="object")
    check_format(document, FORMAT, VERSION)
    for key in _NEEDED:
        if key not in document:
            raise ChicagoError("missing_field", field=key, kind=None)
    people = {_text(row, "id"): _text(row, "status") for row in _rows(document, "registrations")}
    stages: list[_Stage] = []
    taken_in: list[str] = []
    for source in _rows(document, "stages"):
        stage = _stage(source, document)
        if stage.kind != "qualifying":
            taken_in += _check_round(source, stage, stages, people)
        stages.append(stage)
    qualified = {
        player for stage in stages if stage.kind == "qualifying" for player in stage.went_on
    }
    _compare("other_qualifiers", _texts(document, "qualifiers"), qualified)
    _compare("other_lucky_losers", _texts(document, "lucky_losers"), set(taken_in))
    _check_result(document, stages, qualified, people)


def _stage(source: Mapping[str, Any], document: Mapping[str, Any]) -> _Stage:
    kind = _text(source, "kind")
    if kind not in _KINDS:
        raise _bad("kind", kind)
    stage = _Stage(kind)
    for heat in _rows(source, "heats"):
        if _text(heat, "status") == "finished":
            _add_heat(stage, heat, document)
    return stage


def _add_heat(stage: _Stage, source: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    played = play(read_heat(source))
    heat = played.file
    chain = tuple(document.get("ties") or DEFAULT_CHAIN)
    flip_flops = heat.flip_flops if chain[-1] == FLIP_FLOP else ()
    ranking = rank(results(played), chain, heat.advance, flip_flops)
    went_on = _texts(source, "went_on") if "went_on" in source else list(ranking.advances)
    if ranking.needs_flip_flop:
        raise ChicagoError("needs_flip_flop", heat=shown_value(source.get("id")))
    if strangers := set(went_on) - set(heat.players):
        raise _bad("went_on", sorted(strangers)[0])
    worth = document["game_points"]
    points = worth.get(str(len(heat.players))) if isinstance(worth, Mapping) else None
    if points is None:
        points = [int(each) for each in heat.rules.place_points(len(heat.players))]
    if not isinstance(points, list) or not all(type(each) is int for each in points):
        raise _bad("game_points", worth)
    games = len(played.finished)
    stage.went_on += went_on
    stage.rows += [
        (row, Result(row.player, row.game_points, row.score_points, row.asterisks, games,
                     tuple(points)))
        for row in ranking.rows
    ]  # fmt: skip


def _check_round(
    source: Mapping[str, Any], stage: _Stage, before: Sequence[_Stage], people: Mapping[str, str]
) -> list[str]:
    """Compare a round's players with who came from before; return who was taken in beside them."""
    rows = _rows(source, "players")
    here = {_text(row, "id"): row for row in rows}
    stage.absent = {player for player, row in here.items() if row.get("absent")}
    came = set(before[-1].went_on) if before else set()
    if before and before[-1].kind == "qualifying":
        came = {p for each in before if each.kind == "qualifying" for p in each.went_on}
    taken_in = [player for player, row in here.items() if row.get("source") in _TAKEN_IN]
    entitled = came | stage.absent | set(taken_in)
    missing = {player for player in came - here.keys() if people.get(player) not in _GONE}
    seated = {row.player for row, _result in stage.rows}
    for player in sorted((here.keys() - entitled) | missing | (seated - here.keys())):
        raise ChicagoError("other_round", stage=source.get("number"), player=player)
    return taken_in


def _check_result(
    document: Mapping[str, Any],
    stages: Sequence[_Stage],
    qualified: set[str],
    people: Mapping[str, str],
) -> None:
    told = []
    for row in _rows(document, "result"):
        if type(row.get("place")) is not int:
            raise _bad("place", row.get("place"))
        told.append((row["place"], _text(row, "id")))
    for given, found in zip_longest(told, ranking_of_event(stages, qualified, people)):
        if given != found:
            raise ChicagoError(
                "other_result",
                told=_placed(given),
                found=_placed(found),
            )


def ranking_of_event(
    stages: Sequence[_Stage], qualified: set[str], people: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Return the places of everybody who played a finished heat (docs/formats/event.md, Result)."""
    barred = {player for player, status in people.items() if status == "disqualified"}
    reached: set[str] = set()
    sections: list[list[list[str]]] = []
    for stage in reversed(stages):
        if stage.kind == "final":
            sections.append(_by_place(stage.rows))
        elif stage.kind == "playoff":
            sections.append(equal_groups(stage.results))
        if stage.kind != "qualifying":
            reached |= {row.player for row, _result in stage.rows}
    absent = {player for stage in stages for player in stage.absent}
    day_1 = equal_groups(
        result for stage in stages if stage.kind == "qualifying" for result in stage.results
    )
    sections += [_only(day_1, qualified - absent - reached), _only(day_1, absent - reached), day_1]
    sections = [[[p for p in group if p not in barred] for group in each] for each in sections]
    placed = {player for section in sections for group in section for player in group}
    played = dict.fromkeys(row.player for stage in stages for row, _result in stage.rows)
    return overall([*sections, [[player for player in played if player not in placed]]])


def _by_place(rows: Sequence[tuple[RankRow, Result]]) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for row, _result in rows:
        groups.setdefault(row.place, []).append(row.player)
    return list(groups.values())


def _only(groups: Sequence[Sequence[str]], these: set[str]) -> list[list[str]]:
    return [[player for player in group if player in these] for group in groups]


def _compare(code: str, told: Sequence[str], found: set[str]) -> None:
    if len(set(told)) != len(told):
        raise ChicagoError("repeated_item", item=max(told, key=told.count))
    for player in sorted(set(told) ^ found):
        raise ChicagoError(code, player=player)


def _placed(row: tuple[int, str] | None) -> str:
    """Return a place for a sentence: "1: 17", or a dash."""
    return f"{row[0]}: {shown_value(row[1])}" if row else "–"


def _rows(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    rows = _list(document, key)
    if not all(isinstance(row, Mapping) for row in rows):
        raise _bad(key, rows)
    return rows


def _texts(document: Mapping[str, Any], key: str) -> list[str]:
    texts = _list(document, key)
    if not all(isinstance(text, str) for text in texts):
        raise _bad(key, texts)
    return texts


def _list(document: Mapping[str, Any], key: str) -> list[Any]:
    if key not in document:
        raise ChicagoError("missing_field", field=key, kind=None)
    if not isinstance(document[key], list):
        raise _bad(key, document[key])
    return list(document[key])


def _text(row: Mapping[str, Any], key: str) -> str:
    if not isinstance(row.get(key), str):
        raise _bad(key, row.get(key))
    return str(row[key])


def _bad(name: str, value: object) -> ChicagoError:
    return ChicagoError("bad_value", field=name, kind=None, value=shown_value(value))
