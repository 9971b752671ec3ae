"""Ranking a heat: who is first, why, and who advances (rulebook §5 and §8, “Heats”).

:func:`rank` works on plain values, so that the web application, the command line and a checker of
exported events share it:

>>> from fractions import Fraction
>>> ranking = rank([
...     PlayerResult("Anna", Fraction(47), 131, 1),
...     PlayerResult("Bo", Fraction(47), 118, 2),
...     PlayerResult("Cia", Fraction(52), 120, 0),
... ])
>>> [(row.player, row.place, row.decided_by) for row in ranking.rows]
[('Cia', 1, 'game_points'), ('Anna', 2, 'score_points'), ('Bo', 3, None)]
>>> ranking.advances
('Cia',)

``python -m engine heat HEAT.json`` reads a heat file (:mod:`engine.ranking.heat_record`) and prints
its ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

from ..documents import RankingDocument, RankRowDocument
from ..errors import ChicagoError

GAME_POINTS: Final = "game_points"
SCORE_POINTS: Final = "score_points"
ASTERISKS: Final = "asterisks"
GAMES_WON: Final = "games_won"
FLIP_FLOP: Final = "flip_flop"
DISQUALIFIED: Final = "disqualified"

DEFAULT_CHAIN: Final = (GAME_POINTS, SCORE_POINTS, ASTERISKS, FLIP_FLOP)
"""Rulebook §5: game points, then sheet score, then Chicagos won, then Franke's Flip Flop."""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's results from the finished games of a heat.

    ``game_points``: exact sum of placement points. ``penalty``: game points deducted before
    ranking. ``score_points``: sum of the sheet scores. ``asterisks``: Chicagos won.
    ``disqualified``: in at least one finished game. ``games_won``: alone or shared.
    """

    player: str
    game_points: Fraction
    score_points: int
    asterisks: int
    disqualified: bool = False
    games_won: int = 0
    penalty: Fraction = Fraction()

    @property
    def counted(self) -> Fraction:
        """The game points that count: those won minus the penalty, possibly below 0."""
        return self.game_points - self.penalty


@dataclass(frozen=True, slots=True)
class RankRow:
    """One player's rank.

    ``game_points`` is the sum that counts, after the ``penalty``.

    ``place`` counts from 1; players who cannot be separated share one. ``decided_by`` names the
    step that put the player above the next one: a step of the chain, ``disqualified``, or ``None``
    for the last player and for an undecided tie. ``own_value`` and ``next_value`` are the two
    players' numbers in that step, if it compares numbers.
    """

    player: str
    place: int
    game_points: Fraction
    score_points: int
    asterisks: int
    decided_by: str | None
    disqualified: bool = False
    own_value: Fraction | int | None = None
    next_value: Fraction | int | None = None
    penalty: Fraction = Fraction()

    def as_json(self) -> RankRowDocument:
        """Return the row as ``heat`` prints it (docs/formats/heat.md)."""
        return {
            "player": self.player,
            "place": self.place,
            "game_points": str(self.game_points),
            "penalty": str(self.penalty),
            "score_points": self.score_points,
            "asterisks": self.asterisks,
            "decided_by": self.decided_by,
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """A heat's ranking, best first.

    ``advances`` names those who certainly advance. ``needs_flip_flop`` lists the tied groups
    (players in the order given) that still need a flip-flop to decide who advances.
    """

    rows: tuple[RankRow, ...]
    advances: tuple[str, ...]
    needs_flip_flop: tuple[tuple[str, ...], ...]

    def as_json(self) -> RankingDocument:
        """Return the ranking as ``heat`` prints it."""
        return {
            "ranking": [row.as_json() for row in self.rows],
            "advances": list(self.advances),
            "needs_flip_flop": [list(group) for group in self.needs_flip_flop],
        }


_VALUES: Final[dict[str, Callable[[PlayerResult], Fraction | int]]] = {
    GAME_POINTS: lambda result: result.counted,
    SCORE_POINTS: lambda result: result.score_points,
    ASTERISKS: lambda result: result.asterisks,
    GAMES_WON: lambda result: result.games_won,
}

STEPS: Final = (*_VALUES, FLIP_FLOP)
"""The possible steps of a chain, in the usual order."""


def player_results(
    players: Sequence[str], games: Iterable[tuple[Sequence[str], Mapping[str, Any]]]
) -> list[PlayerResult]:
    """Sum up each player's results from finished games, given as seats and ``state`` documents.

    Games of five and six may have no game points.
    """
    found = [(dict(zip(seats, range(len(seats)), strict=True)), state) for seats, state in games]
    return [
        PlayerResult(
            player=player,
            game_points=sum(
                (
                    Fraction(state["game_points"][seat[player]])
                    for seat, state in found
                    if state["game_points"]
                ),
                Fraction(),
            ),
            score_points=sum(state["scores"][seat[player]] for seat, state in found),
            asterisks=sum(state["asterisks"][seat[player]] for seat, state in found),
            disqualified=any(
                state["status"][seat[player]] == DISQUALIFIED for seat, state in found
            ),
            games_won=sum(seat[player] in state["winners"] for seat, state in found),
        )
        for player in players
    ]


def check_chain(chain: Sequence[str]) -> tuple[str, ...]:
    """Return the chain as a tuple: known steps, none twice, a flip-flop only at the end.

    Raises :class:`ChicagoError` ``bad_chain`` for any other chain.

    >>> check_chain(["game_points", "flip_flop"])
    ('game_points', 'flip_flop')
    """
    steps = tuple(chain)
    known = all(step in STEPS for step in steps)
    if not steps or not known or len(set(steps)) != len(steps) or FLIP_FLOP in steps[:-1]:
        raise ChicagoError("bad_chain", chain=[str(step) for step in steps])
    return steps


def rank(
    results: Sequence[PlayerResult],
    chain: Sequence[str] = DEFAULT_CHAIN,
    advance: int = 1,
    flip_flops: Sequence[Sequence[str]] = (),
) -> Ranking:
    """Rank the players of a heat by the chain (rulebook §5).

    ``flip_flops`` are recorded orders, each of one whole group that is tied on every step before
    the flip-flop. A flip-flop is used even if it does not affect who advances (rulebook §8).
    Disqualified players come last, ranked among themselves by the chain, and never advance. A
    flip-flop is required only where a tie spans the line between advancing and not.

    Raises :class:`ChicagoError`: ``repeated_item`` (a player twice), ``bad_chain``,
    ``bad_value`` (``advance`` below 0), ``bad_flip_flop`` (not a whole tied group, a group twice,
    or a chain without flip-flop).

    >>> results = [PlayerResult(name, Fraction(47), 140, 1) for name in ("Anna", "Bo")]
    >>> results.append(PlayerResult("Cia", Fraction(36), 90, 0))
    >>> tied = rank(results)
    >>> [row.place for row in tied.rows], tied.advances, tied.needs_flip_flop
    ([1, 1, 3], (), (('Anna', 'Bo'),))
    >>> rank(results, flip_flops=[["Bo", "Anna"]]).advances
    ('Bo',)
    """
    steps = check_chain(chain)
    if advance < 0:
        raise ChicagoError("bad_value", field="advance", value=advance)
    seen: set[str] = set()
    for result in results:
        if result.player in seen:
            raise ChicagoError("repeated_item", item=result.player)
        seen.add(result.player)
    groups = _tied_groups(results, steps)
    ordered, needed = _apply_flip_flops(groups, steps, advance, flip_flops)
    rows = _rows(ordered, steps)
    return Ranking(rows, _advancing(rows, advance), needed)


_Key = tuple[bool, tuple[Fraction | int, ...]]


def _key(result: PlayerResult, steps: Iterable[str]) -> _Key:
    """Return a sort key: disqualified players last, higher values first."""
    return result.disqualified, tuple(-_VALUES[s](result) for s in steps if s != FLIP_FLOP)


def _tied_groups(
    results: Sequence[PlayerResult], steps: tuple[str, ...]
) -> list[list[PlayerResult]]:
    """Group the players who are equal in every counted step, best group first."""

    def key(result: PlayerResult) -> _Key:
        return _key(result, steps)

    return [list(group) for _, group in groupby(sorted(results, key=key), key=key)]


def _apply_flip_flops(
    groups: list[list[PlayerResult]],
    steps: tuple[str, ...],
    advance: int,
    flip_flops: Sequence[Sequence[str]],
) -> tuple[list[list[PlayerResult]], tuple[tuple[str, ...], ...]]:
    """Split flip-flopped groups into single players; also return groups that still need one."""
    orders: dict[frozenset[str], list[str]] = {}
    for order in flip_flops:
        members = frozenset(order)
        whole = any(
            len(group) > 1 and members == {result.player for result in group} for group in groups
        )
        if steps[-1] != FLIP_FLOP or not whole or len(members) != len(order) or members in orders:
            raise ChicagoError("bad_flip_flop", order=list(order))
        orders[members] = list(order)
    ordered: list[list[PlayerResult]] = []
    needed: list[tuple[str, ...]] = []
    above = 0
    for group in groups:
        by_name = {result.player: result for result in group}
        flipped = orders.get(frozenset(by_name))
        if flipped is not None:
            ordered += [[by_name[name]] for name in flipped]
        else:
            ordered.append(group)
            straddles = above < advance < above + len(group)
            if straddles and steps[-1] == FLIP_FLOP and not group[0].disqualified:
                needed.append(tuple(by_name))
        above += len(group)
    return ordered, tuple(needed)


def _rows(ordered: list[list[PlayerResult]], steps: tuple[str, ...]) -> tuple[RankRow, ...]:
    rows: list[RankRow] = []
    for at, group in enumerate(ordered):
        place = len(rows) + 1
        for nth, result in enumerate(group):
            decided_by, values = None, {}
            if nth == len(group) - 1 and at + 1 < len(ordered):
                below = ordered[at + 1][0]
                decided_by = _deciding_step(result, below, steps)
                if value := _VALUES.get(decided_by):
                    values = {"own_value": value(result), "next_value": value(below)}
            rows.append(
                RankRow(
                    result.player,
                    place,
                    result.counted,
                    result.score_points,
                    result.asterisks,
                    decided_by,
                    result.disqualified,
                    penalty=result.penalty,
                    **values,
                )
            )
    return tuple(rows)


def _deciding_step(above: PlayerResult, below: PlayerResult, steps: tuple[str, ...]) -> str:
    """Return the first step that separates the two; if no counted step does, a flip-flop did."""
    if above.disqualified != below.disqualified:
        return DISQUALIFIED
    for step in steps:
        if step != FLIP_FLOP and _VALUES[step](above) != _VALUES[step](below):
            return step
    return FLIP_FLOP


def _advancing(rows: tuple[RankRow, ...], advance: int) -> tuple[str, ...]:
    """Return the players whose whole place lies within the number who advance."""
    going = [row for row in rows if not row.disqualified]
    sharing = {row.place: sum(other.place == row.place for other in going) for row in going}
    return tuple(row.player for row in going if row.place + sharing[row.place] - 1 <= advance)
