"""Draws that avoid repeated opponents and that anyone can repeat (rulebook §6).

A plain draw (:mod:`engine.draws.draw`) ignores earlier heats. This one makes several plain draws
from the same seed, takes the best and improves it by swaps. The complete method:

1. Attempt 0 is the plain draw with the label ``heats``; attempt *k* = 1 … 199 is the plain draw
   with the label ``heats k``.
2. The *cost* of a division is three numbers, compared in this order: pairs to be kept apart who
   share a table; earlier meetings, summed over all pairs at the same table; earlier tables
   of three, summed over all players now at a table of three.
3. The attempt with the lowest cost is taken, the first of equals. The search ends early at an
   attempt of cost 0, 0, 0.
4. Improving: go through all pairs of seats (table by table, seat by seat; the first seat runs
   slowest) and swap the two players whenever that lowers the cost, until a whole round changes
   nothing.

Only the seed is random. Without history the result is the plain draw.

>>> meetings = {("Anna", "Bo"): 1, ("Cia", "Dag"): 1, ("Eva", "Fia"): 1}
>>> players = ["Anna", "Bo", "Cia", "Dag", "Eva", "Fia"]
>>> division = fair_split("s", players, [3, 3], meetings=meetings)
>>> division.cost
Cost(kept_apart=0, meetings=0, tables_of_three=0)
>>> [len(group) for group in division.groups]
[3, 3]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from .draw import TABLE_MIN, split_heats

METHOD = "sha256-lots-fair-1"
"""Name of the method, stored with every draw; a changed method gets a new name."""

ATTEMPTS = 200
"""Number of plain draws tried."""

Pair = tuple[str, str]


class Cost(NamedTuple):
    """The cost of a division: lower is better, and the first number counts most."""

    kept_apart: int
    meetings: int
    tables_of_three: int

    # Adds as numbers, where a tuple would append.
    def __add__(self, other: tuple[int, ...]) -> Cost:  # type: ignore[override]
        return Cost(self[0] + other[0], self[1] + other[1], self[2] + other[2])


NOTHING = Cost(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Division:
    """A division into tables: ``groups`` in table order, the winning ``attempt``, and the cost."""

    groups: tuple[tuple[str, ...], ...]
    attempt: int
    cost: Cost


@dataclass(frozen=True, slots=True)
class History:
    """Earlier heats: meetings by sorted pair, tables of three by player, pairs kept apart."""

    meetings: Mapping[Pair, int]
    tables_of_three: Mapping[str, int]
    kept_apart: frozenset[Pair]

    def cost(self, group: Sequence[str]) -> Cost:
        """Return the cost of these players sharing a table."""
        pairs = [pair_of(a, b) for a, b in combinations(group, 2)]
        return Cost(
            sum(pair in self.kept_apart for pair in pairs),
            sum(self.meetings.get(pair, 0) for pair in pairs),
            sum(self.tables_of_three.get(player, 0) for player in group)
            if len(group) == TABLE_MIN
            else 0,
        )

    def total(self, groups: Iterable[Sequence[str]]) -> Cost:
        """Return the cost of a whole division."""
        return sum((self.cost(group) for group in groups), NOTHING)


def pair_of(a: str, b: str) -> Pair:
    """Return two players as a sorted pair.

    >>> pair_of("Bo", "Anna")
    ('Anna', 'Bo')
    """
    return (a, b) if a < b else (b, a)


def fair_split(
    seed: str,
    players: Sequence[str],
    sizes: Sequence[int],
    *,
    meetings: Mapping[Pair, int] | None = None,
    tables_of_three: Mapping[str, int] | None = None,
    kept_apart: Iterable[Pair] = (),
    label: str = "heats",
) -> Division:
    """Divide the players into tables with as few repeated opponents as the method finds.

    ``meetings`` counts earlier meetings by pair, ``tables_of_three`` earlier ones by player;
    ``kept_apart`` lists pairs that must not share a table. Pairs may be in any order.

    Raises :class:`engine.errors.ChicagoError` ``cannot_split`` if the sizes do not add up to the
    number of players, ``repeated_item`` if a player occurs twice.

    >>> names = ["Anna", "Bo", "Cia", "Dag", "Eva", "Fia"]
    >>> division = fair_split("friday", names, [3, 3], meetings={("Anna", "Bo"): 1})
    >>> division.groups, division.cost.meetings
    ((('Fia', 'Anna', 'Cia'), ('Bo', 'Eva', 'Dag')), 0)
    """
    counted: dict[Pair, int] = {}
    for (a, b), times in (meetings or {}).items():
        counted[pair_of(a, b)] = counted.get(pair_of(a, b), 0) + times
    history = History(
        counted, tables_of_three or {}, frozenset(pair_of(a, b) for a, b in kept_apart)
    )
    best: tuple[Cost, int, list[list[str]]] | None = None
    for attempt in range(ATTEMPTS):
        groups = split_heats(seed, players, sizes, label=f"{label} {attempt}" if attempt else label)
        cost = history.total(groups)
        if best is None or cost < best[0]:
            best = cost, attempt, groups
        if cost == NOTHING:
            break
    assert best is not None
    cost, attempt, groups = best
    if cost != NOTHING:
        _improve(groups, history)
    return Division(tuple(map(tuple, groups)), attempt, history.total(groups))


def _improve(groups: list[list[str]], history: History) -> None:
    """Swap players of different tables wherever that lowers the cost, until nothing does."""
    costs = [history.cost(group) for group in groups]
    seats = [(table, seat) for table, group in enumerate(groups) for seat in range(len(group))]
    changed = True
    while changed:
        changed = False
        for (table, seat), (other, chair) in combinations(seats, 2):
            if table == other:
                continue
            before = costs[table] + costs[other]
            if before == NOTHING:
                continue
            _swap(groups, (table, seat), (other, chair))
            here, there = history.cost(groups[table]), history.cost(groups[other])
            if here + there < before:
                costs[table], costs[other] = here, there
                changed = True
            else:
                _swap(groups, (table, seat), (other, chair))


def _swap(groups: list[list[str]], one: tuple[int, int], two: tuple[int, int]) -> None:
    (a, i), (b, j) = one, two
    groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
