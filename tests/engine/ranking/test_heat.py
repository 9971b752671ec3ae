"""Ranking a heat on plain values (rulebook §5 and §8, “Heats”, “Heats, more”)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ChicagoError
from engine.ranking.heat import DEFAULT_CHAIN, PlayerResult, Ranking, player_results, rank


def result(
    name: str,
    points: object = 0,
    score: int = 0,
    asterisks: int = 0,
    *,
    disqualified: bool = False,
) -> PlayerResult:
    return PlayerResult(name, Fraction(str(points)), score, asterisks, disqualified)


def places(ranking: Ranking) -> list[tuple[str, int, str | None]]:
    return [(row.player, row.place, row.decided_by) for row in ranking.rows]


def refusal(results: Sequence[PlayerResult], **how: object) -> str:
    with pytest.raises(ChicagoError) as error:
        rank(results, **how)
    return error.value.code


LEVEL = [result("A", 47, 120, 1), result("B", 47, 120, 1), result("C", 30, 90), result("D", 41)]


@pytest.mark.parametrize(
    "order",
    [["A"], ["C"], [], ["A", "C"], ["A", "B", "C"], ["A", "A"], ["A", "B", "B"], ["A", "X"]],
)
def test_an_order_of_part_of_a_tied_group_is_an_error(order: list[str]) -> None:
    assert refusal(LEVEL, flip_flops=[order]) == "bad_flip_flop"


def test_two_orders_of_one_group_are_an_error() -> None:
    assert refusal(LEVEL, flip_flops=[["A", "B"], ["B", "A"]]) == "bad_flip_flop"


def test_of_two_tied_groups_only_the_one_on_the_line_is_asked() -> None:
    results = [result("A", 9), result("B", 9), result("C", 5), result("D", 5)]
    assert rank(results, advance=1).needs_flip_flop == (("A", "B"),)
    assert rank(results, advance=2).needs_flip_flop == ()
    assert rank(results, advance=3).needs_flip_flop == (("C", "D"),)
    assert rank(results, advance=3).advances == ("A", "B")


def test_a_tie_on_the_line_below_several_single_places() -> None:
    results = [result("A", 9), result("B", 8), result("C", 5), result("D", 5)]
    assert rank(results, advance=3).needs_flip_flop == (("C", "D"),)
    assert rank(results, advance=3).advances == ("A", "B")
    assert rank(results, advance=2).needs_flip_flop == ()


def test_refusals_name_the_bad_value() -> None:
    for how, params in (
        ({"flip_flops": [["A", "X"]]}, {"order": ["A", "X"]}),
        ({"chain": ("luck", 3)}, {"chain": ["luck", "3"]}),
        ({"advance": -1}, {"field": "advance", "value": -1}),
    ):
        with pytest.raises(ChicagoError) as error:
            rank(LEVEL, **how)
        assert error.value.params == params
    with pytest.raises(ChicagoError) as error:
        rank([*LEVEL, result("C")])
    assert error.value.params == {"item": "C"}


def test_tied_disqualified_players_need_no_flip_flop_but_may_have_one() -> None:
    out = [result(name, 8, disqualified=True) for name in "AB"]
    results = [*out, result("C", 50)]
    assert rank(results, advance=2).needs_flip_flop == ()
    assert rank(results, advance=2).advances == ("C",)
    ranking = rank(results, flip_flops=[["B", "A"]])
    assert places(ranking)[1:] == [("B", 2, "flip_flop"), ("A", 3, None)]


def test_the_chain_is_configurable() -> None:
    results = [result("A", 40, 100, 1), result("B", 41, 90, 1)]
    ranking = rank(results, chain=["score_points", "game_points"])
    assert places(ranking) == [("A", 1, "score_points"), ("B", 2, None)]
    ranking = rank(results, chain=["asterisks"])
    assert places(ranking) == [("A", 1, None), ("B", 1, None)]
    assert ranking.advances == ()
    assert ranking.needs_flip_flop == ()
    assert refusal(results, chain=["asterisks"], flip_flops=[["A", "B"]]) == "bad_flip_flop"


def test_games_won_can_decide_and_a_shared_win_counts_for_each() -> None:
    game = {"scores": [52] * 3, "asterisks": [0] * 3, "status": ["in"] * 3}
    won = {**game, "winners": [1], "game_points": ["15"] * 3}
    shared = {**game, "winners": [0, 2], "game_points": ["15"] * 3}
    results = player_results("ABC", [("ABC", shared), ("BCA", won)])
    assert [each.games_won for each in results] == [1, 0, 2]
    ranking = rank(results, chain=["game_points", "games_won", "flip_flop"])
    assert places(ranking) == [("C", 1, "games_won"), ("A", 2, "games_won"), ("B", 3, None)]
    assert (ranking.rows[0].own_value, ranking.rows[0].next_value) == (2, 1)


@pytest.mark.parametrize(
    "chain",
    [
        *([], ["luck"], ["game_points", "game_points"], ["disqualified"]),
        *(["flip_flop", "game_points"], ["game_points", "flip_flop", "score_points"]),
    ],
)
def test_a_nonsensical_chain_is_refused(chain: list[str]) -> None:
    assert refusal(LEVEL, chain=chain) == "bad_chain"


def test_a_repeated_player_is_refused() -> None:
    assert refusal([result("A"), result("A")]) == "repeated_item"


def test_a_negative_number_to_advance_is_refused() -> None:
    assert refusal(LEVEL, advance=-1) == "bad_value"


def test_fractions_stay_exact() -> None:
    ranking = rank([result("A", "35/3"), result("B", "27/2")])
    assert [row.as_json()["game_points"] for row in ranking.rows] == ["27/2", "35/3"]


def test_an_empty_heat_has_an_empty_ranking() -> None:
    assert rank([]) == Ranking((), (), ())


RESULTS = st.lists(
    st.builds(
        lambda points, score, asterisks, out: (points, score, asterisks, out),
        st.sampled_from([0, 8, 12, "27/2"]),
        st.integers(0, 2),
        st.integers(0, 1),
        st.booleans(),
    ),
    max_size=4,
).map(
    lambda rows: [
        result(n, *row[:3], disqualified=row[3]) for n, row in zip("ABCD", rows, strict=False)
    ]
)


@given(RESULTS, st.integers(0, 4))
def test_the_ranking_orders_by_the_chain_whatever_the_order_given(results, advance) -> None:
    first = rank(results, advance=advance)
    by_name = {r.player: r for r in results}

    def value(name: str) -> tuple[object, ...]:
        r = by_name[name]
        return (not r.disqualified, r.game_points, r.score_points, r.asterisks)

    names = [row.player for row in first.rows]
    assert sorted(names) == sorted(by_name)
    for row, below in pairwise(first.rows):
        assert value(row.player) >= value(below.player)
        assert (row.place == below.place) is (value(row.player) == value(below.player))
        assert (row.decided_by is None) is (row.place == below.place)
    for mixed in permutations(results):
        other = rank(mixed, advance=advance)
        assert {row.player: row.place for row in other.rows} == {
            row.player: row.place for row in first.rows
        }
        assert set(other.advances) == set(first.advances)


@given(RESULTS, st.integers(0, 4))
def test_answered_flip_flops_leave_nothing_to_ask(results, advance) -> None:
    asked = rank(results, advance=advance).needs_flip_flop
    settled = rank(results, advance=advance, flip_flops=asked)
    eligible = sum(not r.disqualified for r in results)
    assert settled.needs_flip_flop == ()
    assert len(settled.advances) == min(advance, eligible)
    assert DEFAULT_CHAIN[-1] == "flip_flop"
