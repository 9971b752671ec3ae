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
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from ..draws.draw import lot

Key = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Result:
    """One player's result in one heat.

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
    def key(self) -> Key:
        """Sort key, higher is better: share, then sheet points and asterisks per game."""
        games = max(self.games, 1)
        return self.share, Fraction(self.score_points, games), Fraction(self.asterisks, games)

    @property
    def share(self) -> Fraction:
        """Game points relative to an average player's at that table; 0 without games."""
        return Fraction(*self._share())

    def beats(self, other: Result) -> bool:
        """Return whether this result is better."""
        points, average = self._share()
        others, their_average = other._share()
        games, their_games = max(self.games, 1), max(other.games, 1)
        # Whole numbers compare many times faster than fractions, and a ranking has hundreds.
        return (
            points * their_average,
            self.score_points * their_games,
            self.asterisks * their_games,
        ) > (others * average, other.score_points * games, other.asterisks * games)

    def _share(self) -> tuple[int, int]:
        average = sum(self.place_points) * self.games
        points = self.game_points
        if not average:
            return 0, 1
        return points.numerator * len(self.place_points), points.denominator * average


def best_first(results: Iterable[Result], seed: str = "") -> list[Result]:
    """Sort results of different tables, best first.

    Equal results are ordered by lot (``engine.draws.draw.lot(seed, "equal results", player)``).
    """
    return [result for group in _equal(results, seed) for result in group]


def _keys(results: Sequence[Result]) -> list[tuple[int, int, int]]:
    """Return the results' keys as whole numbers: each part times what is common to all.

    Whole numbers compare many times faster than fractions, and a ranking has hundreds.
    """
    kinds = [(each.place_points, each.games, each.game_points.denominator) for each in results]
    # An average player's points there, in the unit of the player's own; 0 without games.
    averages = {
        (points, games, unit): sum(points) * games * unit for points, games, unit in set(kinds)
    }
    common = lcm(*(average or 1 for average in averages.values()))
    of_games = lcm(*(max(games, 1) for _points, games, _unit in averages))
    times = {
        kind: (len(kind[0]) * (common // average) if average else 0, of_games // max(kind[1], 1))
        for kind, average in averages.items()
    }
    keys = []
    for each, kind in zip(results, kinds, strict=True):
        share, game = times[kind]
        points = each.game_points.numerator * share
        keys.append((points, each.score_points * game, each.asterisks * game))
    return keys


def _equal(results: Iterable[Result], seed: str = "") -> list[list[Result]]:
    """Group equal results, best first; within a group by lot."""
    found = list(results)
    groups: dict[tuple[int, int, int], list[Result]] = {}
    for result, key in zip(found, _keys(found), strict=True):
        groups.setdefault(key, []).append(result)

    def by_lot(group: list[Result]) -> list[Result]:
        if len(group) == 1:
            return group
        return sorted(group, key=lambda result: lot(seed, "equal results", result.player))

    return [by_lot(groups[key]) for key in sorted(groups, reverse=True)]


def best_of_each(results: Iterable[Result]) -> list[Result]:
    """Return each player's best result, in the order of the players' first results.

    >>> poor = Result("Anna", Fraction(24), 60, 0, games=3, place_points=(20, 15, 12, 8))
    >>> good = Result("Anna", Fraction(50), 150, 2, games=3, place_points=(20, 15, 12, 8))
    >>> best_of_each([poor, good]) == [good]
    True
    """
    found = list(results)
    keys = _keys(found)
    best: dict[str, int] = {}
    for index, result in enumerate(found):
        known = best.setdefault(result.player, index)
        if keys[index] > keys[known]:
            best[result.player] = index
    return [found[index] for index in best.values()]


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
            place = len(ranking) + 1
            for player in equal:
                if player not in seen:
                    seen.add(player)
                    ranking.append((place, player))
    return ranking


def equal_groups(results: Iterable[Result]) -> list[list[str]]:
    """Group the players by their best results, best first, equal ones together.

    At a table of four an average player gets 55/4 a game, at one of three 47/3: 45 points there
    are more than 47 here.

    >>> equal_groups([Result("Anna", Fraction(45), 130, 1, 3, (20, 15, 12, 8)),
    ...               Result("Bo", Fraction(47), 120, 0, 3, (20, 15, 12))])
    [['Anna'], ['Bo']]
    """
    return [[result.player for result in group] for group in _equal(best_of_each(results))]
