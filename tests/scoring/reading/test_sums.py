"""The bars of a heat's game points."""

from fractions import Fraction

from scoring.reading.protocol import RankingRow
from scoring.reading.sums import WIDTH, bars_of


def row(name: str, *points: int | None) -> RankingRow:
    exact = tuple(None if each is None else Fraction(each) for each in points)
    return RankingRow(1, name, name, sum(filter(None, exact), Fraction()), exact)


def test_pieces_follow_each_other_and_the_longest_bar_is_full() -> None:
    best, last = bars_of([row("Anna", 20, 15, 20), row("Bo", 8, 0, 12)])
    assert [piece.game for piece in best.pieces] == [1, 2, 3]
    assert sum(piece.width for piece in best.pieces) == WIDTH
    assert [piece.x for piece in best.pieces][1:] == [
        piece.x + piece.width for piece in best.pieces
    ][:-1]
    assert [piece.game for piece in last.pieces] == [1, 3]
    assert last.points == 20


def test_one_game_needs_no_bars() -> None:
    assert bars_of([row("Anna", 20, None), row("Bo", 15, None)]) == ()
    assert bars_of([]) == ()
