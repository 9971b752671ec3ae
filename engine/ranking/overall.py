"""Comparing results of different tables: lucky losers and the ranking of a whole event.

Totals from tables of three and of four cannot be compared directly: a game shares out 47 game
points at one, 55 at the other. A *share* puts them on one scale: a player's game points divided by
those of an average player at that table in as many games. 1 is average at any table.

Results of different tables are ordered [decided; rulebook §6 says only "the best"] by share, then
sheet points per game, then Chicagos won per game. If all are equal, the results are equal; between
equal lucky losers a lot from a recorded seed decides.

>>> three = Result("Anna", Fraction(44), 120, 1, games=3, place_points=(20, 15, 12))
>>> four = Result("Bo", Fraction(44), 120, 1, games=3, place_points=(20, 15, 12, 8))
>>> three.share, four.share
(Fraction(44, 47), Fraction(16, 15))
>>> [result.player for result in best_first([three, four])]
['Bo', 'Anna']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from math import lcm

from ..draws.draw import lot

Key = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Result:
    """One player's result in one heat.

    ``game_points``: exact sum over the heat's ``games``. ``score_points``: sum of sheet scores.
    ``asterisks``: Chicagos won. ``place_points``: game points of the table's places. ``key`` is the
    sort key, higher is better: share, then sheet points and asterisks per game.
    """

    player: str
    game_points: Fraction
    score_points: int
    asterisks: int
    games: int
    place_points: tuple[int, ...]
    key: Key = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        games = max(self.games, 1)
        points, seats = self.game_points, len(self.place_points)
        average = sum(self.place_points) * self.games
        # One division of whole numbers: a ranking makes hundreds.
        share = Fraction(points.numerator * seats, points.denominator * average) if average else 0
        key = Fraction(share), Fraction(self.score_points, games), Fraction(self.asterisks, games)
        object.__setattr__(self, "key", key)

    @property
    def share(self) -> Fraction:
        """Game points relative to an average player's at that table; 0 without games."""
        return self.key[0]


def best_first(results: Iterable[Result], seed: str = "") -> list[Result]:
    """Sort results of different tables, best first.

    Equal results are ordered by lot (``engine.draws.draw.lot(seed, "equal results", player)``).
    """
    ordered = sorted(results, key=lambda result: lot(seed, "equal results", result.player))
    # Over a common denominator: whole numbers compare many times faster than fractions.
    scales = [lcm(*(result.key[step].denominator for result in ordered)) for step in range(3)]

    def whole(result: Result) -> list[int]:
        parts = zip(result.key, scales, strict=True)
        return [part.numerator * (scale // part.denominator) for part, scale in parts]

    return sorted(ordered, key=whole, reverse=True)


def best_of_each(results: Iterable[Result]) -> list[Result]:
    """Return each player's best result, in the order of the players' first results.

    >>> poor = Result("Anna", Fraction(24), 60, 0, games=3, place_points=(20, 15, 12, 8))
    >>> good = Result("Anna", Fraction(50), 150, 2, games=3, place_points=(20, 15, 12, 8))
    >>> best_of_each([poor, good]) == [good]
    True
    """
    best: dict[str, Result] = {}
    for result in results:
        known = best.get(result.player)
        if known is None or result.key > known.key:
            best[result.player] = result
    return list(best.values())


def lucky_losers(
    results: Iterable[Result], taken: Collection[str], count: int, seed: str
) -> list[Result]:
    """Return the ``count`` best results of players who are not ``taken``, best first.

    Returns fewer if there are not that many. ``seed`` decides between equal results.

    >>> results = [Result(name, Fraction(points), 100, 0, 3, (20, 15, 12, 8))
    ...            for name, points in (("Anna", 60), ("Bo", 45), ("Cia", 36))]
    >>> [result.player for result in lucky_losers(results, {"Anna"}, 1, "seed")]
    ['Bo']
    """
    free = [result for result in best_of_each(results) if result.player not in taken]
    return best_first(free, seed)[:count]


def overall(groups: Sequence[Sequence[Sequence[str]]]) -> list[tuple[int, str]]:
    """Number the places of an event from its sections, best section first.

    A section is a list of groups of equal players, best group first. Equal players share a place,
    and the following places are skipped. A player in several sections counts in the first.

    >>> overall([[["Anna"], ["Bo"]], [["Bo"], ["Cia", "Dag"]], [["Eva"]]])
    [(1, 'Anna'), (2, 'Bo'), (3, 'Cia'), (3, 'Dag'), (5, 'Eva')]
    """
    ranking: list[tuple[int, str]] = []
    seen: set[str] = set()
    for section in groups:
        for equal in section:
            players = [player for player in equal if player not in seen]
            seen.update(players)
            place = len(ranking) + 1
            ranking.extend((place, player) for player in players)
    return ranking


def equal_groups(results: Iterable[Result]) -> list[list[str]]:
    """Group the players by their best results, best first, equal ones together."""
    ordered = best_first(best_of_each(results))
    return [
        [result.player for result in group]
        for _key, group in groupby(ordered, key=lambda result: result.key)
    ]
