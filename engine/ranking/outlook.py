"""The outlook of an unfinished heat: who has clinched, who is out, who needs what (rulebook §5).

It is exact for what game points alone decide (docs/formats/heat.md): it covers every way
the remaining games can end without ties. A game already begun counts as completely open. Two facts
keep it fast, and exact, for any number of games:

* A given group of rivals catches a player most easily if in every remaining game the player comes
  last and the rivals take the best places, because swapping two places can only help them. So
  whether the player *can* still be caught is a question of sharing out the best places.
* Likewise, a player most easily reaches a given group of rivals by winning every remaining game
  while the rivals share the worst places.

>>> from fractions import Fraction
>>> heat = HeatSoFar({"Anna": Fraction(40), "Bo": Fraction(27), "Cia": Fraction(20)}, 1)
>>> [(o.player, o.clinched, o.eliminated) for o in outlook(heat)]
[('Anna', True, False), ('Bo', False, True), ('Cia', False, True)]

``engine.messages.outlook`` turns the answer into sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Final

from ..documents import NeedsDocument, OutlookDocument, PlaceOutcomeDocument, UnlessDocument
from ..errors import ChicagoError

FESTIVAL_POINTS: Final = (Fraction(20), Fraction(15), Fraction(12), Fraction(8))
"""Game points of places 1 to 4 (rulebook §2)."""

MAX_GAMES: Final = 100
"""More remaining games than this are refused (``bad_value``); no heat is that long."""


@dataclass(frozen=True, slots=True)
class HeatSoFar:
    """A heat between two games.

    ``points``: each player's game points so far (2 to 4 players; seats do not matter).
    ``games_left``: games still to finish, including one that has begun. ``advance``: how many
    advance. ``place_points``: game points by place, best first; shorter tables use its beginning.
    ``disqualified``: players who still take places but cannot advance.
    """

    points: Mapping[str, Fraction]
    games_left: int
    advance: int = 1
    place_points: Sequence[Fraction] = FESTIVAL_POINTS
    disqualified: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Unless:
    """A condition: ``player`` finishes the next game in ``place`` or better.

    ``level``: the player would then at worst be level instead of out. Only whole sentences say so,
    neither ``outlook`` nor ``short``, and conditions are compared without it.
    """

    player: str
    place: int
    level: bool = field(default=False, compare=False)

    def as_json(self) -> UnlessDocument:
        """Return the condition as ``outlook`` prints it."""
        return {"player": self.player, "place": self.place}


@dataclass(frozen=True, slots=True)
class PlaceOutcome:
    """What a place in the next game means for a player.

    ``then`` is the best that the place can lead to: ``"clinched"``, ``"open"`` (later games
    decide), ``"tie"`` (after the last game: level on game points, so the tie chain decides) or
    ``"eliminated"``. ``unless`` lists conditions, any one of which spoils that; it is empty if
    nothing does. If no list of single conditions describes the exceptions, ``unless`` is empty and
    ``orders`` holds every finishing order of the other players, best first, that spoils it.
    ``otherwise`` is the worst that can follow once it is spoiled, ``None`` if nothing spoils it.
    """

    place: int
    then: str
    unless: tuple[Unless, ...] = ()
    orders: tuple[tuple[str, ...], ...] = ()
    otherwise: str | None = None

    def as_json(self) -> PlaceOutcomeDocument:
        """Return the outcome as ``outlook`` prints it."""
        return {
            "place": self.place,
            "then": self.then,
            "unless": [condition.as_json() for condition in self.unless],
            "orders": [list(order) for order in self.orders],
            "otherwise": self.otherwise,
        }


@dataclass(frozen=True, slots=True)
class PlayerOutlook:
    """The outlook of one player.

    ``next_game`` holds one outcome per place in the next game. It is empty if the player has
    clinched, is eliminated, or no game is left. ``tied`` marks the last case: level on game points
    with no game left.
    """

    player: str
    clinched: bool
    eliminated: bool
    games_left: int
    next_game: tuple[PlaceOutcome, ...] = ()
    tied: bool = False

    @property
    def enough(self) -> int | None:
        """The worst place in the next game that clinches whatever the others do, if any."""
        sure = [o.place for o in self.next_game if o.then == "clinched" and o.otherwise is None]
        return max(sure, default=None)

    @property
    def needed(self) -> int | None:
        """The worst place in the next game that can keep the player in, if there is a next game."""
        alive = [o.place for o in self.next_game if o.then != "eliminated"]
        return max(alive, default=None)

    def as_json(self) -> OutlookDocument:
        """Return the player's object as ``outlook`` prints it."""
        needs: NeedsDocument | None = None
        if self.next_game:
            needs = {
                "games_left": self.games_left,
                "enough": self.enough,
                "needed": self.needed,
                "next_game": [outcome.as_json() for outcome in self.next_game],
            }
        elif self.tied:
            needs = {"games_left": 0, "tie": True}
        return {
            "player": self.player,
            "clinched": self.clinched,
            "eliminated": self.eliminated,
            "needs": needs,
        }


CLINCHED: Final = "clinched"
OPEN: Final = "open"
TIE: Final = "tie"
ELIMINATED: Final = "eliminated"
_WORTH: Final = {CLINCHED: 3, OPEN: 2, TIE: 2, ELIMINATED: 0}


def outlook(heat: HeatSoFar) -> list[PlayerOutlook]:
    """Return the outlook of every player, in the order of ``heat.points``.

    Raises :class:`ChicagoError` ``bad_value`` for fewer than 2 or more than 4 players, too few
    ``place_points`` for them, or ``games_left`` or ``advance`` out of range.

    >>> heat = HeatSoFar({"A": Fraction(35), "B": Fraction(35), "C": Fraction(24)}, 1)
    >>> a = outlook(heat)[0]
    >>> [(o.place, o.then, [c.player for c in o.unless]) for o in a.next_game]
    [(1, 'clinched', []), (2, 'clinched', ['B']), (3, 'eliminated', [])]
    """
    _check(heat)
    return [_player_outlook(heat, player) for player in heat.points]


def status(heat: HeatSoFar, player: str) -> str:
    """Return ``clinched``, ``eliminated``, ``open``, or ``tie`` (level, and no game left).

    >>> status(HeatSoFar({"A": Fraction(20), "B": Fraction(20)}, 0), "A")
    'tie'
    """
    _check(heat)
    return _status(_Scaled.of(heat), player)


def _check(heat: HeatSoFar) -> None:
    count = len(heat.points)
    if not 2 <= count <= 4:
        raise ChicagoError("bad_value", field="players", value=count)
    if not 0 <= heat.games_left <= MAX_GAMES:
        raise ChicagoError("bad_value", field="games_left", value=heat.games_left)
    if heat.advance < 0:
        raise ChicagoError("bad_value", field="advance", value=heat.advance)
    if len(heat.place_points) < count:
        raise ChicagoError("bad_value", field="place_points", value=len(heat.place_points))


@dataclass(frozen=True, slots=True)
class _Scaled:
    """The heat in whole numbers: all points times a common denominator."""

    points: dict[str, int]
    games_left: int
    advance: int
    place_points: tuple[int, ...]
    disqualified: frozenset[str]

    @classmethod
    def of(cls, heat: HeatSoFar) -> _Scaled:
        scale = 1
        for value in (*heat.points.values(), *heat.place_points):
            scale *= Fraction(value * scale).denominator
        place_points = sorted(int(v * scale) for v in heat.place_points[: len(heat.points)])
        return cls(
            {name: int(value * scale) for name, value in heat.points.items()},
            heat.games_left,
            heat.advance,
            tuple(reversed(place_points)),
            heat.disqualified,
        )

    def after(self, order: Sequence[str]) -> _Scaled:
        """Return the heat after one more game that ends in this order."""
        points = {
            name: value + self.place_points[order.index(name)]
            for name, value in self.points.items()
        }
        return _Scaled(
            points, self.games_left - 1, self.advance, self.place_points, self.disqualified
        )


def _status(heat: _Scaled, player: str) -> str:
    if player in heat.disqualified:
        return ELIMINATED
    rivals = [name for name in heat.points if name != player and name not in heat.disqualified]
    if heat.advance <= 0:
        return ELIMINATED
    if not _can_be_caught(heat, player, rivals):
        return CLINCHED
    if not _can_arrive(heat, player, rivals):
        return ELIMINATED
    return OPEN if heat.games_left else TIE


def _can_be_caught(heat: _Scaled, player: str, rivals: list[str]) -> bool:
    """Return whether ``advance`` rivals can all finish level with the player or above."""
    mine = heat.points[player] + heat.games_left * heat.place_points[-1]
    for group in combinations(rivals, heat.advance):
        lacking = [mine - heat.points[rival] for rival in group]
        best = heat.place_points[: len(group)]
        if _shares(best, heat.games_left, lacking):
            return True
    return False


def _can_arrive(heat: _Scaled, player: str, rivals: list[str]) -> bool:
    """Return whether the player can finish with fewer than ``advance`` rivals above."""
    must_stay_below = len(rivals) - (heat.advance - 1)
    if must_stay_below <= 0:
        return True
    mine = heat.points[player] + heat.games_left * heat.place_points[0]
    for group in combinations(rivals, must_stay_below):
        # "At most x" for the worst places is "at least -x" for their negatives.
        lacking = [heat.points[rival] - mine for rival in group]
        worst = tuple(-value for value in heat.place_points[-len(group) :])
        if _shares(worst, heat.games_left, lacking):
            return True
    return False


def _shares(values: Sequence[int], games: int, least: Sequence[int]) -> bool:
    """Return whether so many games can share out ``values`` so that everybody gets ``least``.

    In each game each player (1 to 3, one per value) gets a different value. The search counts,
    player by player, how often each value was received; the last player gets the rest.
    """
    total = games * sum(values)
    if len(values) == 1:
        return total >= least[0]
    if len(values) == 2:
        low, high = least[0], total - least[1]
        return any(
            low <= times * values[0] + (games - times) * values[1] <= high
            for times in range(games + 1)
        )
    return any(
        _two_share(values, left, least[1], total - mine - least[2])
        for mine, left in _sums(values, (games, games, games), games)
        if mine >= least[0]
    )


def _sums(
    values: Sequence[int], left: Sequence[int], games: int
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Yield each sum that one player can get from ``games`` values, and the counts left of each."""
    for first in range(min(games, left[0]) + 1):
        for second in range(min(games - first, left[1]) + 1):
            third = games - first - second
            if third <= left[2]:
                mine = first * values[0] + second * values[1] + third * values[2]
                yield mine, (left[0] - first, left[1] - second, left[2] - third)


def _two_share(values: Sequence[int], left: Sequence[int], low: int, high: int) -> bool:
    """Return whether the second of three players can get between ``low`` and ``high``."""
    games = sum(left) // 2
    return low <= high and any(low <= mine <= high for mine, _ in _sums(values, left, games))


def _player_outlook(so_far: HeatSoFar, player: str) -> PlayerOutlook:
    heat = _Scaled.of(so_far)
    now = _status(heat, player)
    if now in (CLINCHED, ELIMINATED):
        return PlayerOutlook(player, now == CLINCHED, now == ELIMINATED, heat.games_left)
    if now == TIE:
        return PlayerOutlook(player, False, False, 0, tied=True)
    others = [name for name in heat.points if name != player]
    outcomes = tuple(
        _place_outcome(heat, player, others, place) for place in range(1, len(heat.points) + 1)
    )
    return PlayerOutlook(player, False, False, heat.games_left, outcomes)


def _place_outcome(heat: _Scaled, player: str, others: list[str], place: int) -> PlaceOutcome:
    follows: dict[tuple[str, ...], str] = {}
    for order in permutations(others):
        whole = (*order[: place - 1], player, *order[place - 1 :])
        follows[order] = _status(heat.after(whole), player)
    best = max(follows.values(), key=lambda then: _WORTH[then])
    worst = min(follows.values(), key=lambda then: _WORTH[then])
    bad = frozenset(order for order, then in follows.items() if then != best)
    if not bad:
        return PlaceOutcome(place, best)

    def placed(name: str, order: tuple[str, ...]) -> int:
        at = order.index(name) + 1
        return at if at < place else at + 1

    lost = frozenset(order for order in bad if follows[order] != TIE)
    unless = _single_conditions(others, frozenset(follows), bad, lost, placed)
    orders = () if unless else tuple(sorted(bad))
    return PlaceOutcome(place, best, unless, orders, worst)


def _single_conditions(
    others: list[str],
    every: frozenset[tuple[str, ...]],
    bad: frozenset[tuple[str, ...]],
    lost: frozenset[tuple[str, ...]],
    placed: Callable[[str, tuple[str, ...]], int],
) -> tuple[Unless, ...]:
    """Return conditions “X in place p or better” that cover exactly the bad orders, if any.

    ``lost`` are those bad orders that are more than a tie.
    """
    found: list[Unless] = []
    covered: set[tuple[str, ...]] = set()
    for name in others:
        places = sorted({placed(name, order) for order in every})
        reach = 0
        for limit in places[:-1]:
            if all(order in bad for order in every if placed(name, order) <= limit):
                reach = limit
        hit = {order for order in every if placed(name, order) <= reach}
        if hit:
            found.append(Unless(name, reach, level=hit.isdisjoint(lost)))
            covered |= hit
    if covered != bad:
        return ()
    # Leave out conditions that the others already cover, starting with the last.
    for condition in reversed(found[:]):
        rest = [other for other in found if other != condition]
        if rest and covered == {
            order for order in every if any(placed(o.player, order) <= o.place for o in rest)
        }:
            found = rest
    return tuple(found)
