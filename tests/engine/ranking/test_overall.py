"""Rulebook §6: lucky losers, and the ranking of everybody who played."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.overall import (
    Result,
    best_first,
    best_of_each,
    equal_groups,
    lucky_losers,
    overall,
)

FOUR = (20, 15, 12, 8)
THREE = (20, 15, 12)


def result(
    player: str,
    points: int | Fraction,
    score: int = 100,
    asterisks: int = 0,
    table: tuple[int, ...] = FOUR,
    games: int = 3,
) -> Result:
    return Result(player, Fraction(points), score, asterisks, games, table)


def test_paragraph_6_totals_of_three_and_four_are_compared_by_share() -> None:
    average_of_three = result("A", Fraction(47), table=THREE)
    average_of_four = result("B", Fraction(165, 4))
    assert average_of_three.share == average_of_four.share == 1
    assert [r.player for r in best_first([result("A", 44, table=THREE), result("B", 43)])] == [
        "B",
        "A",
    ]


def test_paragraph_6_equal_shares_go_on_to_sheet_points_and_asterisks_per_game() -> None:
    rows = [
        result("A", 40, 100, 0),
        result("B", 40, 101, 0),
        result("C", 40, 100, 1),
        result("D", Fraction(40, 3), 34, 0, games=1),
    ]
    assert [r.player for r in best_first(rows)] == ["D", "B", "C", "A"]


def test_paragraph_6_the_lucky_loser_is_the_best_of_those_not_yet_in() -> None:
    rows = [result("A", 60), result("B", 45), result("C", 48), result("B", 50), result("D", 20)]
    assert [r.player for r in lucky_losers(rows, {"A"}, 2, "s")] == ["B", "C"]
    assert lucky_losers(rows, {"A", "B", "C", "D"}, 1, "s") == []


def test_paragraph_6_equal_lucky_losers_are_drawn_by_the_seed() -> None:
    rows = [result(name, 40) for name in "ABCDEFGH"]
    firsts = {lucky_losers(rows, (), 1, str(seed))[0].player for seed in range(40)}
    assert len(firsts) > 1
    assert lucky_losers(rows, (), 3, "x") == lucky_losers(rows[::-1], (), 3, "x")


def test_paragraph_6_equal_results_share_the_place() -> None:
    groups = equal_groups([result("A", 40), result("B", 40), result("C", 50)])
    assert [sorted(group) for group in groups] == [["C"], ["A", "B"]]
    assert [place for place, _ in overall([groups])] == [1, 2, 2]


@given(st.lists(st.tuples(st.sampled_from("ABCDE"), st.integers(0, 60), st.integers(0, 9))))
def test_paragraph_6_everybody_is_ranked_once(rows: list[tuple[str, int, int]]) -> None:
    results = [result(player, points, score) for player, points, score in rows]
    ranking = overall([equal_groups(results), equal_groups(results)])
    assert sorted(player for _, player in ranking) == sorted({player for player, _, _ in rows})
    assert len(best_of_each(results)) == len(ranking)
    places = [place for place, _ in ranking]
    assert places == sorted(places)
