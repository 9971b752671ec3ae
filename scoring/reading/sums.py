"""The picture of a heat: each player's game points, game by game, as one bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .protocol import RankingRow

#: The longest bar, in the drawing's own units; the page scales it.
WIDTH = 1000


@dataclass(frozen=True, slots=True)
class Piece:
    """What one game gave: its number, and where it lies in the bar."""

    game: int
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A player's bar; ``points`` are their sum, before a penalty."""

    name: str
    pieces: tuple[Piece, ...]
    points: Fraction


def bars_of(ranking: Sequence[RankingRow]) -> tuple[Bar, ...]:
    """Return a bar for each player, best first; () before a second game is finished."""
    most = max((sum(filter(None, row.points_per_game)) for row in ranking), default=0)
    played = max(
        (sum(each is not None for each in row.points_per_game) for row in ranking), default=0
    )
    if played < 2 or not most:
        return ()
    bars = []
    for row in ranking:
        pieces, at = [], Fraction()
        for number, points in enumerate(row.points_per_game, start=1):
            if points:
                end = at + points
                left, right = round(WIDTH * at / most), round(WIDTH * end / most)
                pieces.append(Piece(number, left, right - left))
                at = end
        bars.append(Bar(row.name, tuple(pieces), row.game_points))
    return tuple(bars)
