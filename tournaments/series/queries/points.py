"""What places are worth in a series, and the order that they give: exact, and without a database.

Points are ``Fraction``s throughout.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...models import Series
from ...models.enums import SeriesTie, SizeBy
from ...models.series import exact


@dataclass(frozen=True)
class PointRules:
    """The rules of a series; ``factors`` are pairs of a size, from which on they hold."""

    points: tuple[Fraction, ...]
    rest: Fraction = Fraction(0)
    size_by: str = SizeBy.NONE
    factors: tuple[tuple[int, Fraction], ...] = ()
    best_of: int | None = None
    bonus_chicago: Fraction = Fraction(0)
    bonus_heat: Fraction = Fraction(0)
    bonus_start: Fraction = Fraction(0)
    ties: tuple[str, ...] = ()

    @classmethod
    def of(cls, series: Series) -> "PointRules":
        """Return the rules that a series has stored."""
        return cls(
            points=exact(series.points),
            rest=Fraction(series.rest),
            size_by=series.size_by,
            factors=tuple((int(size), Fraction(factor)) for size, factor in series.factors),
            best_of=series.best_of,
            bonus_chicago=series.bonus_chicago,
            bonus_heat=series.bonus_heat,
            bonus_start=series.bonus_start,
            ties=tuple(series.ties),
        )

    def factor(self, size: int) -> Fraction:
        """Return by what the points of an event of this size are multiplied.

        Below the first size the first factor holds.
        """
        if self.size_by == SizeBy.NONE or not self.factors:
            return Fraction(1)
        held = [factor for least, factor in self.factors if least <= size]
        return held[-1] if held else self.factors[0][1]

    def of_place(self, place: int, shared: int = 1) -> Fraction:
        """Return the points of a place; those who share it share the points of all their places."""
        places = range(place - 1, place - 1 + shared)
        count = len(self.points)
        listed = sum((self.points[index] for index in places if index < count), Fraction(0))
        further = sum(1 for index in places if index >= count)
        return (listed + further * self.rest) / shared

    def gives(self, result: "Result") -> Fraction:
        """Return what a result is worth, bonuses included; a bonus does not grow with the size."""
        if result.given is not None:
            return result.given
        places = self.of_place(result.place, result.shared) * self.factor(result.size)
        return (
            places
            + self.bonus_start
            + self.bonus_heat * result.heats_won
            + self.bonus_chicago * result.chicagos
        )

    @property
    def most(self) -> Fraction:
        """What the first place of an event can be worth at most, without bonuses for play."""
        best = max((*self.points, self.rest))
        factors = [factor for _size, factor in self.factors] if self.size_by != SizeBy.NONE else []
        return best * max(factors, default=Fraction(1)) + self.bonus_start

    @property
    def is_known(self) -> bool:
        """Whether what an event can give at most is known exactly before it is played."""
        return not (
            self.bonus_chicago
            or self.bonus_heat
            or (self.size_by != SizeBy.NONE and len({factor for _size, factor in self.factors}) > 1)
        )

    @property
    def has_no_limit(self) -> bool:
        """Whether nobody can say what an event gives at most: heats and Chicagos have no number."""
        return bool(self.bonus_chicago or self.bonus_heat)


@dataclass(frozen=True)
class Result:
    """A player's result in event number ``event`` (from 0); ``given`` points replace the table's.

    ``size`` is the event's, in what the rules count.
    """

    event: int
    place: int
    shared: int = 1
    size: int = 0
    heats_won: int = 0
    chicagos: int = 0
    given: Fraction | None = None


@dataclass(frozen=True)
class Line:
    """A player's line: place, total, and of each event what it gave and whether it counts."""

    player: int
    place: int
    shared: bool
    total: Fraction
    gave: Mapping[int, Fraction]
    dropped: frozenset[int]
    results: tuple[Result, ...]


def ranked(rules: PointRules, results: Mapping[int, Sequence[Result]]) -> list[Line]:
    """Return the standing: by points, then by the chain; who is level in all shares the place.

    ``results`` are each player's, at most one of an event.
    """
    scored: list[tuple[tuple[object, ...], int, Line]] = []
    events = 1 + max((each.event for own in results.values() for each in own), default=-1)
    for player, own in results.items():
        gave = {each.event: rules.gives(each) for each in own}
        order = sorted(gave, key=lambda event: (-gave[event], event))
        dropped = frozenset(order[rules.best_of :]) if rules.best_of else frozenset[int]()
        total = sum((gave[event] for event in gave if event not in dropped), Fraction(0))
        line = Line(player, 0, False, total, gave, dropped, tuple(own))
        chain = tuple(_TIES[step](line, events) for step in rules.ties)
        scored.append(((total, *chain), player, line))
    scored.sort(key=lambda each: each[1])
    scored.sort(key=lambda each: each[0], reverse=True)
    keys = [key for key, _player, _line in scored]
    lines: list[Line] = []
    place = 1
    for index, (key, _player, line) in enumerate(scored):
        if index and key != keys[index - 1]:
            place = index + 1
        shared = key in keys[max(0, index - 1) : index] + keys[index + 1 : index + 2]
        lines.append(
            Line(line.player, place, shared, line.total, line.gave, line.dropped, line.results)
        )
    return lines


def _best(line: Line, events: int) -> tuple[Fraction, ...]:
    """Return all results, best first; a result more is better than none."""
    return tuple(sorted(line.gave.values(), reverse=True))


def _latest(line: Line, events: int) -> tuple[Fraction, ...]:
    return tuple(line.gave.get(event, Fraction(-1)) for event in reversed(range(events)))


_TIES: dict[str, Callable[[Line, int], object]] = {
    SeriesTie.BEST: _best,
    SeriesTie.WINS: lambda line, events: sum(each.place == 1 for each in line.results),
    SeriesTie.LATEST: _latest,
    SeriesTie.HEATS: lambda line, events: sum(each.heats_won for each in line.results),
    SeriesTie.CHICAGOS: lambda line, events: sum(each.chicagos for each in line.results),
}


def can_reach(rules: PointRules, line: Line, left: int) -> Fraction:
    """Return the most points that a player can end with who wins all ``left`` events to come.

    Without bonuses for play, of which nobody knows how many there will be.
    """
    gave = sorted([*line.gave.values(), *[rules.most] * left], reverse=True)
    return sum(gave[: rules.best_of], Fraction(0))
