"""Play-off plans: the number and size of tables in each round up to the final (rulebook §6).

``python -m engine playoff N`` prints the plan for N qualifiers (docs/formats/heat.md).

>>> plan(11).as_json()
{'qualifiers': 11, 'rounds': [[4, 4, 3], [3, 3], [4]], 'needs': None, 'advance': [2, 2]}
>>> plan(5).as_json()
{'qualifiers': 5, 'rounds': [[3, 3], [4]], 'needs': 'lucky_loser', 'advance': [2]}
>>> plan(2).as_json()
{'qualifiers': 2, 'rounds': [], 'needs': 'more_heats', 'advance': []}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..documents import PlanDocument
from ..draws.draw import TABLE_MAX, TABLE_MIN, heat_sizes, split_heats
from ..errors import ChicagoError

MAX_QUALIFIERS: Final = 1_000_000
"""A plan for more is refused: no event is that large, and the list would fill the memory."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds of a play-off for a number of qualifiers.

    ``rounds`` holds the table sizes of each round, largest first, the final last. ``needs`` is
    ``None``, ``"lucky_loser"`` (the rounds include the lucky losers) or ``"more_heats"`` (fewer
    than 3 qualified: no rounds). ``lucky_losers`` is the number to add before each round; with the
    festival's two per table only the first round can need one. ``advance`` is the number who
    advance from each table, for every round but the final.
    """

    qualifiers: int
    rounds: tuple[tuple[int, ...], ...]
    needs: str | None
    lucky_losers: tuple[int, ...]
    advance: tuple[int, ...] = ()

    def as_json(self) -> PlanDocument:
        """Return the document that ``playoff N`` prints."""
        return {
            "qualifiers": self.qualifiers,
            "rounds": [list(sizes) for sizes in self.rounds],
            "needs": self.needs,
            "advance": list(self.advance),
        }


def table_sizes(players: int) -> list[int]:
    """Return the tables of one round: ceil(n / 4) of them, as even as possible, largest first.

    The division is the same as for heats (:func:`engine.draws.draw.heat_sizes`); it raises
    ``cannot_split`` for fewer than 3 and for 5 players.

    >>> table_sizes(13)
    [4, 3, 3, 3]
    """
    return heat_sizes(players)


def plan(qualifiers: int, advance: int | Sequence[int] = 2) -> Plan:
    """Return the play-off for so many qualifiers (rulebook §6).

    ``advance`` is how many advance from each table: one number, or one per round, where the last
    one holds for all later rounds (``sm``: 2, then 1). A round of 3 or 4 players is the final. A
    lucky loser turns a round of 5 into 6. If two tables are supposed to send one player each, they
    send two, so that the final has four (§9).

    Raises :class:`ChicagoError` ``bad_value`` for a negative or absurdly large number of
    qualifiers, and for an ``advance`` outside 1 to 3 or one that would eliminate nobody at a table.

    >>> plan(12, advance=(2, 1)).rounds, plan(12, advance=(2, 1)).advance
    (((4, 4, 4), (3, 3), (4,)), (2, 2))
    """
    steps = (advance,) if isinstance(advance, int) else tuple(advance)
    if not 0 <= qualifiers <= MAX_QUALIFIERS:
        raise ChicagoError("bad_value", field="qualifiers", value=qualifiers)
    if not steps or any(not 1 <= step < TABLE_MAX for step in steps):
        raise ChicagoError("bad_value", field="advance", value=",".join(map(str, steps)))
    if qualifiers < TABLE_MIN:
        return Plan(qualifiers, (), "more_heats", ())
    rounds: list[tuple[int, ...]] = []
    added: list[int] = []
    sent: list[int] = []
    left = qualifiers
    while True:
        extra = 1 if left == 5 else 0
        left += extra
        added.append(extra)
        sizes = table_sizes(left)
        rounds.append(tuple(sizes))
        if len(sizes) == 1:
            break
        step = sent_on(len(sizes), steps[min(len(rounds), len(steps)) - 1])
        sent.append(step)
        if step >= sizes[-1]:  # everybody at a table would advance
            raise ChicagoError("bad_value", field="advance", value=",".join(map(str, steps)))
        left = step * len(sizes)
    needs = "lucky_loser" if any(added) else None
    return Plan(qualifiers, tuple(rounds), needs, tuple(added), tuple(sent))


def sent_on(tables: int, advance: int) -> int:
    """Return how many advance from each table; two tables never send only one each.

    One each would make a final of two (§9).

    >>> sent_on(2, 1), sent_on(3, 1)
    (2, 1)
    """
    return 2 if tables == 2 and advance == 1 else advance


def drawn_groups(seed: str, round_number: int, players: Sequence[str]) -> list[list[str]]:
    """Return a round's tables by seeded draw (``engine.draws.draw``, label ``round N``).

    Raises ``cannot_split`` for fewer than 3 and for 5 players.

    >>> [len(group) for group in drawn_groups("s", 1, list("abcdefg"))]
    [4, 3]
    """
    return split_heats(seed, players, table_sizes(len(players)), label=f"round {round_number}")


def snake_groups(ranked: Sequence[str]) -> list[list[str]]:
    """Return a round's tables in snake order of a ranking, best first.

    Each table gets one of the best, then the order runs back from the last table to the first, and
    so on; full tables are skipped. Raises ``cannot_split`` for fewer than 3 and for 5 players.

    >>> snake_groups(["1", "2", "3", "4", "5", "6", "7"])
    [['1', '4', '5', '7'], ['2', '3', '6']]
    """
    sizes = table_sizes(len(ranked))
    groups: list[list[str]] = [[] for _ in sizes]
    there = range(len(sizes))
    path: list[int] = []
    for turn in range(TABLE_MAX):
        path += [t for t in (there if turn % 2 == 0 else reversed(there)) if sizes[t] > turn]
    for table, player in zip(path, ranked, strict=True):
        groups[table].append(player)
    return groups
