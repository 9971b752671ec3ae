"""The bars of a heat's game points."""

from fractions import Fraction

from scoring.pictures.chart import BAR
from scoring.pictures.shapes import Box
from scoring.pictures.sums import sum_picture
from scoring.reading.protocol import RankingRow
from scoring.reading.sums import bars_of


def row(name: str, *points: int | None) -> RankingRow:
    exact = tuple(None if each is None else Fraction(each) for each in points)
    return RankingRow(1, name, name, sum(filter(None, exact), Fraction()), exact)


def test_pieces_follow_each_other_and_the_longest_bar_is_full() -> None:
    best, last = bars_of([row("Anna", 20, 15, 20), row("Bo", 8, 0, 12)])
    pieces = [shape for shape in sum_picture(best).shapes if isinstance(shape, Box)]
    assert [piece.kind for piece in pieces] == ["bar-1", "bar-2", "bar-3"]
    assert sum(piece.width for piece in pieces) == BAR
    assert [piece.x for piece in pieces][1:] == [piece.x + piece.width for piece in pieces][:-1]
    shapes = [shape for shape in sum_picture(last).shapes if isinstance(shape, Box)]
    assert [shape.kind for shape in shapes] == ["bar-1", "bar-3"]
    assert last.points == 20


def test_one_game_needs_no_bars() -> None:
    assert bars_of([row("Anna", 20, None), row("Bo", 15, None)]) == ()
    assert bars_of([]) == ()
