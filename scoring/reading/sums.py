"""A heat as it is drawn: each player's game points, game by game, as one bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .protocol import RankingRow


@dataclass(frozen=True, slots=True)
class Bar:
    """A player's bar: game points by game, None for a game without.

    ``points`` are their sum, before a penalty; ``most`` is the longest bar's.
    """

    name: str
    pieces: tuple[Fraction | None, ...]
    points: Fraction
    most: Fraction


def bars_of(ranking: Sequence[RankingRow]) -> tuple[Bar, ...]:
    """Return a bar for each player, best first; () before a second game is finished."""
    most = max((sum(filter(None, row.points_per_game), Fraction()) for row in ranking), default=0)
    played = max(
        (sum(each is not None for each in row.points_per_game) for row in ranking), default=0
    )
    if played < 2 or not most:
        return ()
    return tuple(
        Bar(row.name, tuple(row.points_per_game), row.game_points, Fraction(most))
        for row in ranking
    )
