"""Players against each other: who is better, and how certain that is (rulebook §4).

>>> result = tournament(["novice", "regular"], 6, "doc", max_deals=2)
>>> [(row.name, row.games) for row in result.standings] == [("regular", 6), ("novice", 6)]
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev

from ..documents import IntervalDocument, OutcomeDocument
from ..errors import ChicagoError
from ..rules.ruleset import RuleSet
from ..rules.variants import rules_of
from ..sheet.entries import Chicago
from .players import Bot, Player, bot
from .simulation import MAX_DEALS, play_game

NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def as_json(self) -> IntervalDocument:
        """The bounds as a document."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player earned per game; players with the same name share a row."""

    name: str
    games: int
    game_points: Interval
    chicagos: int
    chicagos_won: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tournament's standings, best first, and how far each player is ahead of those below.

    ``gaps`` are paired differences, game by game, so that luck that both shared cancels out.
    """

    standings: tuple[Standing, ...]
    gaps: Mapping[tuple[str, str], Interval]

    def as_json(self) -> OutcomeDocument:
        """Return the result as plain numbers."""
        return {
            "standings": [
                {
                    "name": row.name,
                    "games": row.games,
                    "game_points": row.game_points.as_json(),
                    "chicagos": row.chicagos,
                    "chicagos_won": row.chicagos_won,
                }
                for row in self.standings
            ],
            "gaps": [
                {"ahead": ahead, "behind": behind, **gap.as_json()}
                for (ahead, behind), gap in self.gaps.items()
            ],
        }


@dataclass(frozen=True, slots=True)
class _Game:
    points: tuple[float, ...]
    chicagos: tuple[int, ...]
    won: tuple[int, ...]


def tournament(
    players: Sequence[str | Bot | Player] | Mapping[str, str | Bot | Player],
    games: int,
    seed: str | int,
    *,
    rules: RuleSet | str = "festival",
    max_deals: int = MAX_DEALS,
    executor: Executor | None = None,
) -> Outcome:
    """Play ``games`` games; the seats rotate by one from game to game.

    ``players`` are names of strengths, bots, or functions from a view to an action; a mapping gives
    them names of their own. If ``games`` is a multiple of the number of players, everybody has each
    seat, and deals first, equally often. An ``executor`` may play the games in parallel.
    Raises :class:`~engine.errors.ChicagoError` for unknown rules or bots, and ``bad_seats`` if the
    rules have no game points for so many players.

    >>> from engine.table.view import View
    >>> def first(view: View):
    ...     return view.legal[0]
    >>> outcome = tournament({"first": first, "novice": "novice"}, 4, 1, max_deals=2)
    >>> sorted(row.name for row in outcome.standings)
    ['first', 'novice']
    """
    if isinstance(players, Mapping):
        names, seated = list(players), list(players.values())
    else:
        names, seated = [_name(player) for player in players], list(players)
    rules = rules_of(rules)
    if not rules.place_points(len(seated)):
        raise ChicagoError("bad_seats", reason="number", number=len(seated))
    for player in seated:
        bot(player)  # refuse an unknown name before the first game
    one = partial(_play, rules, tuple(seated), str(seed), max_deals)
    played = list(map(one, range(games)) if executor is None else executor.map(one, range(games)))
    seats = {name: [at for at, other in enumerate(names) if other == name] for name in names}
    earned = {
        name: [fmean(game.points[at] for at in found) for game in played]
        for name, found in seats.items()
    }
    standings = sorted(
        (
            Standing(
                name,
                games,
                interval(earned[name]),
                sum(game.chicagos[at] for game in played for at in found),
                sum(game.won[at] for game in played for at in found),
            )
            for name, found in seats.items()
        ),
        key=lambda row: -row.game_points.mean,
    )
    gaps = {
        (a.name, b.name): interval(
            [mine - theirs for mine, theirs in zip(earned[a.name], earned[b.name], strict=True)]
        )
        for a, b in combinations(standings, 2)
    }
    return Outcome(tuple(standings), gaps)


def interval(values: Iterable[float]) -> Interval:
    """Return the mean of independent values with its 95 % bounds.

    >>> interval([1, 2, 3, 4])
    Interval(mean=2.5, low=1.235, high=3.765)
    """
    numbers = list(values)
    mean = fmean(numbers)
    half = NORMAL_95 * stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else float("inf")
    return Interval(mean, round(mean - half, 3), round(mean + half, 3))


def _name(player: str | Bot | Player) -> str:
    if isinstance(player, str):
        return player
    return str(getattr(player, "name", None) or getattr(player, "__name__", type(player).__name__))


def _play(
    rules: RuleSet,
    players: Sequence[str | Bot | Player],
    seed: str,
    max_deals: int,
    number: int,
) -> _Game:
    """Play game ``number``; return what each player got, in the order of ``players``."""
    seats = len(players)
    at = [(seat + number) % seats for seat in range(seats)]
    names = [f"{seat + 1}" for seat in range(seats)]
    seated = [players[player] for player in at]
    table = play_game(rules, names, f"{seed}/{number}", bots=seated, max_deals=max_deals).table
    points = table.sheet.game_points
    earned, declared, won = [0.0] * seats, [0] * seats, [0] * seats
    for seat, player in enumerate(at):
        earned[player] = float(points[seat]) if points is not None else 0.0
    for entry in table.entries:
        if isinstance(entry, Chicago):
            declared[at[entry.seat]] += 1
            won[at[entry.seat]] += entry.won
    return _Game(tuple(earned), tuple(declared), tuple(won))
