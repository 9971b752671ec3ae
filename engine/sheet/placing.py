"""Placing a finished game and sharing out its game points (rulebook §4, §8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..rules.ruleset import OutPoints, RuleSet
from ..rules.variants import rules_of
from .state import DISQUALIFIED, IN, OUT

Places = tuple[tuple[int, ...], ...]

_ZERO = Fraction(0)


def place_game(
    rules: RuleSet | str,
    scores: Sequence[int],
    status: Sequence[str],
    winners: Sequence[int] = (),
    *,
    share_rest: bool = False,
) -> tuple[Places, tuple[Fraction, ...] | None]:
    """Return the places of a finished game, best first, and the game points of each seat.

    The points are ``None`` if the rule set has none for so many players.

    Winners come first (without any, the game was ended and the scores decide), then the seats still
    in by score, then those that went out, then the disqualified. ``share_rest`` is for a royal
    flush that set everybody else to zero: all others share the remaining points.

    >>> from engine.rules.presets import FESTIVAL
    >>> places, points = place_game(FESTIVAL, [55, 20, 31, 20], ["in"] * 4, [0])
    >>> places, [str(value) for value in points]
    (((0,), (2,), (1, 3)), ['20', '10', '15', '10'])
    """
    rules = rules_of(rules)
    everybody = range(len(scores))
    groups: list[list[int]] = [list(winners)] if winners else []
    rest = [seat for seat in everybody if seat not in winners]
    still_in = [seat for seat in rest if status[seat] == IN]
    outs = [seat for seat in rest if status[seat] == OUT]
    if share_rest and rules.out_points is OutPoints.LAST_PLACE:
        groups.append(sorted(still_in + outs))
    else:
        if share_rest:
            groups.append(still_in)
        else:
            for score in sorted({scores[seat] for seat in still_in}, reverse=True):
                groups.append([seat for seat in still_in if scores[seat] == score])
        groups.append(outs)
    groups.append([seat for seat in rest if status[seat] == DISQUALIFIED])
    places = tuple(tuple(group) for group in groups if group)
    return places, _shares(rules, places, status, winners)


def _shares(
    rules: RuleSet, places: Places, status: Sequence[str], winners: Sequence[int]
) -> tuple[Fraction, ...] | None:
    by_place = rules.place_points(len(status))
    if not by_place:
        return None
    points = [_ZERO] * len(status)
    place = 0
    for group in places:
        worth = by_place[place : place + len(group)]
        place += len(group)
        first = group[0]
        if first not in winners:
            if status[first] == DISQUALIFIED:
                continue
            if status[first] == OUT and rules.out_points is OutPoints.ZERO:
                continue
        share = worth[0] if len(group) == 1 else sum(worth, _ZERO) / len(group)
        for seat in group:
            points[seat] = share
    return tuple(points)
