"""What places are worth in a series of events, and the order that they give.

Points are exact throughout (``Fraction``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from math import lcm
from typing import Any, Final, NamedTuple

#: Events of which the size is of no importance.
NO_SIZE: Final = "none"
#: More heats or Chicagos than anybody wins.
NO_LIMIT: Final = 10_000_000
#: What the size of an event can be.
SIZES: Final = (NO_SIZE, "players", "entries")


@dataclass(frozen=True)
class PointRules:
    """The rules of a series; ``factors`` are pairs of a size, from which on they hold."""

    points: tuple[Fraction, ...]
    rest: Fraction = Fraction(0)
    size_by: str = NO_SIZE
    factors: tuple[tuple[int, Fraction], ...] = ()
    best_of: int | None = None
    bonus_chicago: Fraction = Fraction(0)
    bonus_heat: Fraction = Fraction(0)
    bonus_start: Fraction = Fraction(0)
    ties: tuple[str, ...] = ()

    def factor(self, size: int) -> Fraction:
        """Return by what the points of an event of this size are multiplied.

        Below the first size the first factor holds.
        """
        if self.size_by == NO_SIZE or not self.factors:
            return Fraction(1)
        held = [factor for least, factor in self.factors if least <= size]
        return held[-1] if held else self.factors[0][1]

    def of_place(self, place: int, shared: int = 1) -> Fraction:
        """Return the points of a place; those who share it share the points of all their places."""
        listed = self.points[place - 1 : place - 1 + shared]
        if shared == 1:
            return listed[0] if listed else self.rest
        return (sum(listed, Fraction(0)) + (shared - len(listed)) * self.rest) / shared

    def gives(self, result: Result) -> Fraction:
        """Return what a result is worth, bonuses included; a bonus does not grow with the size."""
        if result.given is not None:
            return result.given
        points = self.of_place(result.place, result.shared)
        if self.factors:
            points *= self.factor(result.size)
        for bonus, times in (
            (self.bonus_start, 1),
            (self.bonus_heat, result.heats_won),
            (self.bonus_chicago, result.chicagos),
        ):
            # Most are none, and exact sums are slow.
            if bonus and times:
                points += bonus * times
        return points

    @property
    def most(self) -> Fraction:
        """What the first place of an event can be worth at most, without bonuses for play."""
        best = max((*self.points, self.rest))
        factors = [factor for _size, factor in self.factors] if self.size_by != NO_SIZE else []
        return best * max(factors, default=Fraction(1)) + self.bonus_start

    @property
    def is_known(self) -> bool:
        """Whether what an event can give at most is known exactly before it is played."""
        return not (
            self.bonus_chicago
            or self.bonus_heat
            or (self.size_by != NO_SIZE and len({factor for _size, factor in self.factors}) > 1)
        )

    @property
    def has_no_limit(self) -> bool:
        """Whether nobody can say what an event gives at most: heats and Chicagos have no number."""
        return bool(self.bonus_chicago or self.bonus_heat)


class Result(NamedTuple):
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


class Line(NamedTuple):
    """A player's line; ``points`` are those of each event, in parts of which ``unit`` make one."""

    player: int
    place: int
    shared: bool
    points: Mapping[int, int]
    dropped: frozenset[int]
    results: Sequence[Result]
    unit: int

    @property
    def gave(self) -> dict[int, Fraction]:
        """What each event gave, whether it counts or not."""
        return {event: Fraction(points, self.unit) for event, points in self.points.items()}

    @property
    def total(self) -> Fraction:
        """The points that count."""
        return Fraction(_counted(self.points, self.dropped), self.unit)


def _counted(points: Mapping[int, int], dropped: Iterable[int]) -> int:
    return sum(points.values()) - sum(points[event] for event in dropped)


def ranked(rules: PointRules, results: Mapping[int, Sequence[Result]]) -> list[Line]:
    """Return the standing: by points, then by the chain; who is level in all shares the place.

    ``results`` are each player's, at most one of an event.
    """
    every = [each for own in results.values() for each in own]
    # Without the event: hundreds are alike, and are compared as whole numbers.
    worth = {each[1:]: rules.gives(each) for each in {each[1:]: each for each in every}.values()}
    unit = lcm(*(points.denominator for points in worth.values()))
    whole = {kind: int(points * unit) for kind, points in worth.items()}
    scored = []
    for player, own in sorted(results.items()):
        points = {each.event: whole[each[1:]] for each in own}
        dropped: frozenset[int] = frozenset()
        if rules.best_of and len(points) > rules.best_of:
            order = sorted(points, key=lambda event: (-points[event], event))
            dropped = frozenset(order[rules.best_of :])
        chain = [TIES[step](own, points) for step in rules.ties]
        key = (_counted(points, dropped), *chain)
        scored.append((key, player, points, dropped))
    scored.sort(key=lambda each: each[0], reverse=True)
    keys = [key for key, *_rest in scored]
    lines: list[Line] = []
    for index, (key, player, points, dropped) in enumerate(scored):
        level = bool(index) and key == keys[index - 1]
        place = lines[-1].place if level else index + 1
        shared = level or key in keys[index + 1 : index + 2]
        lines.append(Line(player, place, shared, points, dropped, results[player], unit))
    return lines


#: Each step, from a player's results and their points by event. A result more is better than none;
#: so is any result in the latest event.
TIES: dict[str, Callable[[Sequence[Result], Mapping[int, int]], Any]] = {
    "best": lambda own, points: sorted(points.values(), reverse=True),
    "wins": lambda own, points: sum(each.place == 1 for each in own),
    "latest": lambda own, points: sorted(points.items(), reverse=True),
    "heats": lambda own, points: sum(each.heats_won for each in own),
    "chicagos": lambda own, points: sum(each.chicagos for each in own),
}


def can_reach(rules: PointRules, line: Line, left: int) -> Fraction:
    """Return the most points that a player can end with who wins all ``left`` events to come.

    Without bonuses for play, of which nobody knows how many there will be.
    """
    gave = sorted([*line.gave.values(), *[rules.most] * left], reverse=True)
    return sum(gave[: rules.best_of], Fraction(0))


def can_win(rules: PointRules, line: Line, lines: Sequence[Line], coming: Sequence[int]) -> bool:
    """Return whether a player ends first who wins all events to come, if nobody else takes part.

    ``lines`` are the standing, ``coming`` the events' numbers. Without bonuses for play. A shared
    first place is one; who can only draw level is judged by the chain, in which heats and Chicagos
    to come have no limit.
    """
    if not coming:
        return False
    best = lines[0].total
    most = can_reach(rules, line, len(coming))
    if most != best:
        return most > best
    rivals = takewhile(lambda each: each.total == best, lines)
    results = {each.player: list(each.results) for each in (line, *rivals)}
    results[line.player] += [
        Result(event, 1, heats_won=NO_LIMIT, chicagos=NO_LIMIT, given=rules.most)
        for event in coming
    ]
    found = {each.player: each for each in ranked(rules, results)}
    return found[line.player].place == 1
