"""Heat files: reading them, replaying their games, ranking and outlook.

The format is in docs/formats/heat.md; rulebook §8 has the settled interpretations. The
whole header is checked first; then every game must be a valid game record with the heat's rules and
players. Finished games count; games still running are listed but do not count.

>>> heat = {"format": "chicago-heat", "version": 1, "rules": "festival",
...         "players": ["Anna", "Bo", "Cia"], "games": [], "games_planned": 3, "advance": 1}
>>> played = play(read_heat(heat))
>>> ranking_of(played).advances, outlooks_of(played)[0].clinched
((), False)
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from ..errors import ChicagoError, Problem, shown_value
from ..rules.ruleset import RuleSet
from ..rules.variants import parse_rules
from ..sheet.record import Record, check_format, check_keys, load_json, read_record, read_seats
from ..sheet.sheet import Replay
from ..totals.totals import FORMAT as TOTALS_FORMAT
from ..totals.totals import Totals, problems_of, read_totals, result_of
from .heat import DEFAULT_CHAIN, PlayerResult, Ranking, player_results, rank
from .outlook import HeatSoFar, PlayerOutlook, outlook

FORMAT: Final = "chicago-heat"
VERSION: Final = 1

_NEEDED: Final = ("rules", "players", "games", "games_planned", "advance")
_OPTIONAL: Final = (
    *("id", "event", "heat", "label", "started", "status", "draw", "meta"),
    # Of a heat in an event document (docs/formats/event.md).
    *("acceptances", "objections", "went_on", "unplayed", "doors_at", "starts_at", "ends_at"),
)
_KNOWN: Final = frozenset(("format", "version", "flip_flops", "penalties", *_NEEDED, *_OPTIONAL))
_LIMIT: Final = 10**9


@dataclass(frozen=True, slots=True)
class Penalty:
    """Game points that the director deducts from a player's sum (rulebook §9)."""

    player: str
    game_points: Fraction
    reason: str


@dataclass(frozen=True, slots=True)
class HeatFile:
    """A heat file with a valid header; its games are not checked yet.

    ``meta`` holds the optional keys that tools may add.
    """

    rules: RuleSet
    players: tuple[str, ...]
    games: tuple[object, ...]
    games_planned: int
    advance: int
    flip_flops: tuple[tuple[str, ...], ...] = ()
    meta: Mapping[str, object] = field(default_factory=dict)
    penalties: tuple[Penalty, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a heat: its seats and its ``state`` document.

    A game entered from paper as totals has only the keys that :func:`player_results` reads.
    """

    seats: tuple[str, ...]
    finished: bool
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlayedHeat:
    """A heat file with all its games replayed and valid.

    ``finished`` and ``unfinished`` hold indices of ``games``.
    """

    file: HeatFile
    games: tuple[PlayedGame, ...]

    @property
    def finished(self) -> tuple[int, ...]:
        """Indices of the finished games."""
        return tuple(i for i, game in enumerate(self.games) if game.finished)

    @property
    def unfinished(self) -> tuple[int, ...]:
        """Indices of the games still running."""
        return tuple(i for i, game in enumerate(self.games) if not game.finished)


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A problem of the heat's game with this index; ``names`` are that game's, by seat."""

    game: int
    problem: Problem
    names: tuple[str, ...] = ()


class HeatGamesError(ChicagoError):
    """Some games of a heat cannot count.

    ``status`` is the exit status: 1 if games are invalid, 2 if one does not belong to the heat.
    """

    def __init__(self, problems: Sequence[GameProblem], status: int) -> None:
        super().__init__(problems[0].problem.code, **problems[0].problem.params)
        self.problems = tuple(problems)
        self.status = status


def read_heat(source: object) -> HeatFile:
    """Read a heat file from its text or its document.

    Raises :class:`ChicagoError` for the header; the codes are checked in the order of
    game-record.md: ``malformed``, ``unknown_rules``, ``bad_seats``, ``unknown_field``,
    ``missing_field``, ``bad_value``.
    """
    document = load_json(source) if isinstance(source, str | bytes) else source
    if not isinstance(document, Mapping):
        raise ChicagoError("malformed", reason="object")
    check_format(document, FORMAT, VERSION)
    rules = parse_rules(document["rules"]) if "rules" in document else None
    players = read_seats(document["players"], rules) if "players" in document else ()
    if rules is not None and "players" in document:
        fits = rules.heat_players_min <= len(players) <= rules.heat_players_max
        if not fits:
            raise ChicagoError("bad_seats", reason="heat", number=len(players))
    check_keys(document, _KNOWN, _NEEDED)
    assert rules is not None
    games = document["games"]
    if not isinstance(games, list | tuple):
        raise _bad("games", games)
    flip_flops = document.get("flip_flops", ())
    if not isinstance(flip_flops, list | tuple):
        raise _bad("flip_flops", flip_flops)
    meta = {key: document[key] for key in _OPTIONAL if key in document}
    return HeatFile(
        rules,
        players,
        tuple(games),
        _number(document, "games_planned", 1),
        _number(document, "advance", 0),
        tuple(_order(order, players) for order in flip_flops),
        meta,
        _penalties(document.get("penalties", ()), players),
    )


def _penalties(value: object, players: Sequence[str]) -> tuple[Penalty, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, Mapping) for each in value):
        raise _bad("penalties", value)
    found: list[Penalty] = []
    for each in value:
        check_keys(each, ("player", "game_points", "reason"), ("player", "game_points"))
        player, reason = each["player"], each.get("reason", "")
        if not isinstance(player, str) or player not in players:
            raise _bad("player", player)
        if not isinstance(reason, str):
            raise _bad("reason", reason)
        points = penalty_points(each["game_points"])
        if not reason.strip():
            raise ChicagoError("missing_reason", action="points")
        found.append(Penalty(player, points, reason))
    return tuple(found)


_EXACT: Final = re.compile(r"[0-9]{1,9}(/[0-9]{1,9})?", re.ASCII)


def penalty_points(value: object) -> Fraction:
    """Read a penalty's game points: text, positive, a multiple of 1/12; else ``bad_value``.

    >>> penalty_points("5/2")
    Fraction(5, 2)
    """
    if isinstance(value, str) and _EXACT.fullmatch(value):
        with contextlib.suppress(ZeroDivisionError):
            points = Fraction(value)
            if points > 0 and 12 % points.denominator == 0:
                return points
    raise _bad("game_points", value)


def _number(document: Mapping[str, object], key: str, least: int) -> int:
    value = document[key]
    if type(value) is not int or not least <= value <= _LIMIT:
        raise _bad(key, value)
    return value


def _order(order: object, players: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(order, list | tuple) or not all(isinstance(name, str) for name in order):
        raise _bad("flip_flops", order)
    if any(name not in players for name in order):
        raise ChicagoError("bad_flip_flop", order=[shown_value(name) for name in order])
    return tuple(order)


def _bad(name: str, value: object) -> ChicagoError:
    return ChicagoError("bad_value", field=name, kind=None, value=shown_value(value))


def play(heat: HeatFile) -> PlayedHeat:
    """Replay the games of a heat.

    Raises :class:`HeatGamesError` with one or more problems per bad game: those of
    :mod:`engine.sheet.record` for an invalid record, ``other_rules`` or ``other_players`` for a
    game that does not belong to this heat.
    """
    problems: list[GameProblem] = []
    status = 0
    games: list[PlayedGame] = []
    for index, game in enumerate(heat.games):
        names, found, worth = _play_one(heat, game, games)
        problems += [GameProblem(index, problem, names) for problem in found]
        status = max(status, worth)
    if problems:
        raise HeatGamesError(problems, status)
    return PlayedHeat(heat, tuple(games))


def _play_one(
    heat: HeatFile, game: object, games: list[PlayedGame]
) -> tuple[tuple[str, ...], Sequence[Problem], int]:
    """Replay one game and append it to the list; return its names, problems and exit status."""
    document = game if isinstance(game, Mapping) else {"format": None}
    found: Record | Totals
    try:
        if document.get("format") == TOTALS_FORMAT:
            found = read_totals(document)
        else:
            found = read_record(document)
    except ChicagoError as error:
        return (), [error.as_problem()], 1
    names = found.names if isinstance(found, Totals) else found.seats
    if found.rules.digest() != heat.rules.digest():
        params = {"rules": found.rules.spec, "heat": heat.rules.spec}
        return names, [Problem("other_rules", params=params)], 2
    if sorted(names) != sorted(heat.players):
        return names, [Problem("other_players")], 2
    if isinstance(found, Totals):
        problems = problems_of(found)
        if problems:
            return names, problems, 1
        games.append(PlayedGame(names, True, result_of(found)))
        return names, (), 0
    played: Replay = found.replay()
    if not played.valid:
        return names, played.problems, 1
    games.append(PlayedGame(names, played.state.finished, played.state.as_json()))
    return names, (), 0


def results(heat: PlayedHeat) -> list[PlayerResult]:
    """Return every player's results from the finished games, in the order of the heat's players."""
    finished = [heat.games[index] for index in heat.finished]
    found = player_results(heat.file.players, ((game.seats, game.result) for game in finished))
    taken: dict[str, Fraction] = {}
    for penalty in heat.file.penalties:
        taken[penalty.player] = taken.get(penalty.player, Fraction()) + penalty.game_points
    return [replace(result, penalty=taken.get(result.player, Fraction())) for result in found]


def ranking_of(heat: PlayedHeat) -> Ranking:
    """Rank the finished games of a heat; raises like :func:`engine.ranking.heat.rank`."""
    return rank(results(heat), DEFAULT_CHAIN, heat.file.advance, heat.file.flip_flops)


def heat_so_far(heat: PlayedHeat) -> HeatSoFar:
    """Return the heat as the outlook sees it: every unfinished game is completely open."""
    found = results(heat)
    return HeatSoFar(
        {result.player: result.counted for result in found},
        max(0, heat.file.games_planned - len(heat.finished)),
        heat.file.advance,
        heat.file.rules.place_points(len(found)),
        frozenset(result.player for result in found if result.disqualified),
    )


def outlooks_of(heat: PlayedHeat) -> list[PlayerOutlook]:
    """Return the outlook of every player; raises like :func:`engine.ranking.outlook.outlook`."""
    return outlook(heat_so_far(heat))
