"""Comparing results of different tables: lucky losers and the ranking of a whole event.

Totals of tables of three and of four cannot be compared as they are: 47 game points are shared
out per game at one, 55 at the other. A *share* puts them on one scale: a player's game points
divided by what an average player of that table gets in as many games. 1 is average everywhere.

Order of results of different tables [decided; rulebook §6 says only "the best"]: share, then
sheet points per game, then Chicagos won per game. Where all are equal, the results are equal;
who of two equal lucky losers comes first is decided by lot from a recorded seed.

>>> three = Result("Anna", Fraction(44), 120, 1, games=3, place_points=(20, 15, 12))
>>> four = Result("Bo", Fraction(44), 120, 1, games=3, place_points=(20, 15, 12, 8))
>>> three.share, four.share
(Fraction(44, 47), Fraction(16, 15))
>>> [result.player for result in best_first([three, four])]
['Bo', 'Anna']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from ..draws.draw import lot

Key = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Result:
    """What one player brought out of one heat.

    ``game_points``: exact sum over the heat's ``games``. ``score_points``: sum of sheet scores.
    ``asterisks``: Chicagos won. ``place_points``: game points of the table's places.
    """

    player: str
    game_points: Fraction
    score_points: int
    asterisks: int
    games: int
    place_points: tuple[int, ...]

    @property
    def share(self) -> Fraction:
        """Game points as a share of an average player's at that table; 0 without games."""
        average = Fraction(sum(self.place_points) * self.games, len(self.place_points))
        return self.game_points / average if average else Fraction(0)

    @property
    def key(self) -> Key:
        """What is compared, greater is better: share, then per game sheet points and asterisks."""
        games = max(self.games, 1)
        return (
            self.share,
            Fraction(self.score_points, games),
            Fraction(self.asterisks, games),
        )


def best_first(results: Iterable[Result], seed: str = "") -> list[Result]:
    """Put results of different tables in order, best first.

    Equal ones are ordered by their lots (``engine.draws.draw.lot(seed, "equal results", player)``).
    """
    ordered = sorted(results, key=lambda result: lot(seed, "equal results", result.player))
    return sorted(ordered, key=lambda result: result.key, reverse=True)


def best_of_each(results: Iterable[Result]) -> list[Result]:
    """Return for every player the best result; players in the order of their first result.

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

    Fewer where there are not so many. ``seed`` decides between equal results.

    >>> results = [Result(name, Fraction(points), 100, 0, 3, (20, 15, 12, 8))
    ...            for name, points in (("Anna", 60), ("Bo", 45), ("Cia", 36))]
    >>> [result.player for result in lucky_losers(results, {"Anna"}, 1, "seed")]
    ['Bo']
    """
    free = [result for result in best_of_each(results) if result.player not in taken]
    return best_first(free, seed)[:count]


def overall(groups: Sequence[Sequence[Sequence[str]]]) -> list[tuple[int, str]]:
    """Number the places of an event from its sections, best section first.

    A section is a list of groups of equal players, best group first. Equal players share the
    place and the next one is left out. A player of several sections counts in the first.

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
    """Return the players of the best results of each, best first, equal ones together."""
    ordered = best_first(best_of_each(results))
    return [
        [result.player for result in group]
        for _key, group in groupby(ordered, key=lambda result: result.key)
    ]
