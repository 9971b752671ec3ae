"""The outlook of an unfinished heat: who has clinched, is out, needs what (rulebook §5).

Exact for what game points alone decide (game-record.md, “Heat files”): over every way in which
the remaining games can place the players without ties. A game already begun counts as wholly
open. Two facts make it fast however many games are left, without losing exactness:

* A player is caught up soonest by a given group of rivals if in every remaining game the player
  comes last and the rivals take the best places: exchanging two places can only help them. So
  whether the player *can* still be caught is a question about sharing out the best places.
* In the same way a player gets to a given group of rivals soonest by winning every remaining
  game while the rivals share the worst places.

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

MOST_GAMES: Final = 100
"""More remaining games than this are refused (``bad_value``); no heat is that long."""


@dataclass(frozen=True, slots=True)
class HeatSoFar:
    """A heat between two games.

    ``points``: game points so far of each player (2 to 4 of them, seats do not matter).
    ``games_left``: games still to play, one that has begun included. ``advance``: how many go
    on. ``place_points``: game points of the places, best first; shorter tables use its beginning.
    ``disqualified``: they keep taking places but cannot advance.
    """

    points: Mapping[str, Fraction]
    games_left: int
    advance: int = 1
    place_points: Sequence[Fraction] = FESTIVAL_POINTS
    disqualified: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Unless:
    """A condition: ``player`` ends the next game on ``place`` or better."""

    player: str
    place: int

    def as_json(self) -> UnlessDocument:
        """The condition as ``outlook`` prints it."""
        return {"player": self.player, "place": self.place}


@dataclass(frozen=True, slots=True)
class PlaceOutcome:
    """What a place in the next game means for a player.

    ``then`` is the best that can follow from the place: ``"clinched"``, ``"open"`` (later games
    decide), ``"tie"`` (after the last game: level on game points, the tie chain decides) or
    ``"eliminated"``. ``unless`` lists the conditions any one of which spoils that; empty if
    nothing does. Where no list of single conditions says it, ``orders`` holds all finishing
    orders of the other players, best first, that spoil it (and ``unless`` is empty).
    ``otherwise`` is what follows at worst once it is spoiled, ``None`` if nothing spoils it.
    """

    place: int
    then: str
    unless: tuple[Unless, ...] = ()
    orders: tuple[tuple[str, ...], ...] = ()
    otherwise: str | None = None

    def as_json(self) -> PlaceOutcomeDocument:
        """The outcome as ``outlook`` prints it."""
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

    ``next_game`` holds one outcome per place in the next game; it is empty if the player has
    clinched, is eliminated, or no game is left. ``tied`` tells the last case: level on game
    points, nothing left to play.
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
        """The worst place in the next game that can keep the player in, if there is a next."""
        alive = [o.place for o in self.next_game if o.then != "eliminated"]
        return max(alive, default=None)

    def as_json(self) -> OutlookDocument:
        """The object that ``outlook`` prints for the player."""
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
    """The outlook of every player, in the order of ``heat.points``.

    Raises :class:`ChicagoError` ``bad_value`` for a number of players outside 2 to 4, a table
    of points too short for them, or ``games_left`` or ``advance`` out of range.

    >>> heat = HeatSoFar({"A": Fraction(35), "B": Fraction(35), "C": Fraction(24)}, 1)
    >>> a = outlook(heat)[0]
    >>> [(o.place, o.then, [c.player for c in o.unless]) for o in a.next_game]
    [(1, 'clinched', []), (2, 'clinched', ['B']), (3, 'eliminated', [])]
    """
    _check(heat)
    return [_player_outlook(heat, player) for player in heat.points]


def status(heat: HeatSoFar, player: str) -> str:
    """``clinched``, ``eliminated``, ``open``, or ``tie`` (nothing left to play, level).

    >>> status(HeatSoFar({"A": Fraction(20), "B": Fraction(20)}, 0), "A")
    'tie'
    """
    _check(heat)
    return _status(_Scaled.of(heat), player)


def _check(heat: HeatSoFar) -> None:
    count = len(heat.points)
    if not 2 <= count <= 4:
        raise ChicagoError("bad_value", field="players", value=count)
    if not 0 <= heat.games_left <= MOST_GAMES:
        raise ChicagoError("bad_value", field="games_left", value=heat.games_left)
    if heat.advance < 0:
        raise ChicagoError("bad_value", field="advance", value=heat.advance)
    if len(heat.place_points) < count:
        raise ChicagoError("bad_value", field="place_points", value=len(heat.place_points))


@dataclass(frozen=True, slots=True)
class _Scaled:
    """The heat with whole numbers (everything times a common denominator)."""

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
        """The heat after one more game that ends in this order."""
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
    """Can ``advance`` rivals all end level with the player or above?"""
    mine = heat.points[player] + heat.games_left * heat.place_points[-1]
    for group in combinations(rivals, heat.advance):
        lacking = [mine - heat.points[rival] for rival in group]
        best = heat.place_points[: len(group)]
        if _shares(best, heat.games_left, lacking):
            return True
    return False


def _can_arrive(heat: _Scaled, player: str, rivals: list[str]) -> bool:
    """Can the player end with fewer than ``advance`` rivals above?"""
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
    """Can so many games share out ``values`` so that everybody gets at least the given sum?

    In each game every one of the players (as many as values, 1 to 3) gets another value.
    Player by player it is counted how often each value was got; the last player gets the rest.
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
    """Every way for one player to get ``games`` values, and what of each is left then."""
    for first in range(min(games, left[0]) + 1):
        for second in range(min(games - first, left[1]) + 1):
            third = games - first - second
            if third <= left[2]:
                mine = first * values[0] + second * values[1] + third * values[2]
                yield mine, (left[0] - first, left[1] - second, left[2] - third)


def _two_share(values: Sequence[int], left: Sequence[int], low: int, high: int) -> bool:
    """Can the second of three get between ``low`` and ``high`` out of what the first left?"""
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

    unless = _single_conditions(others, frozenset(follows), bad, placed)
    orders = () if unless else tuple(sorted(bad))
    return PlaceOutcome(place, best, unless, orders, worst)


def _single_conditions(
    others: list[str],
    every: frozenset[tuple[str, ...]],
    bad: frozenset[tuple[str, ...]],
    placed: Callable[[str, tuple[str, ...]], int],
) -> tuple[Unless, ...]:
    """Conditions “X on place p or better” that together spoil exactly the bad orders, if any."""
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
            found.append(Unless(name, reach))
            covered |= hit
    if covered != bad:
        return ()
    # Leave out what the other conditions say already, the last named first.
    for condition in reversed(found[:]):
        rest = [other for other in found if other != condition]
        if rest and covered == {
            order for order in every if any(placed(o.player, order) <= o.place for o in rest)
        }:
            found = rest
    return tuple(found)
