"""Play-off plans (rulebook §6, docs/formats/heat.md)."""

from __future__ import annotations

import pytest

from engine.errors import ChicagoError
from engine.ranking import playoff


def plan_json(qualifiers: int) -> dict[str, object]:
    return playoff.plan(qualifiers).as_json()


@pytest.mark.parametrize(
    ("qualifiers", "rounds", "needs"),
    [
        (0, [], "more_heats"),
        (1, [], "more_heats"),
        (2, [], "more_heats"),
        (3, [[3]], None),
        (4, [[4]], None),
        (5, [[3, 3], [4]], "lucky_loser"),
        (6, [[3, 3], [4]], None),
        (8, [[4, 4], [4]], None),
        (9, [[3, 3, 3], [3, 3], [4]], None),
        (11, [[4, 4, 3], [3, 3], [4]], None),
        (16, [[4, 4, 4, 4], [4, 4], [4]], None),
        (17, [[4, 4, 3, 3, 3], [4, 3, 3], [3, 3], [4]], None),
        (25, [[4, 4, 4, 4, 3, 3, 3], [4, 4, 3, 3], [4, 4], [4]], None),
    ],
)
def test_plans(qualifiers: int, rounds: list[list[int]], needs: str | None) -> None:
    assert plan_json(qualifiers) == {
        "qualifiers": qualifiers,
        "rounds": rounds,
        "needs": needs,
        "advance": [2] * max(0, len(rounds) - 1),
    }


def test_only_five_qualifiers_ever_need_a_lucky_loser() -> None:
    for qualifiers in range(3, 5000):
        plan = playoff.plan(qualifiers)
        assert (plan.needs == "lucky_loser") is (qualifiers == 5)
        players = qualifiers + (qualifiers == 5)
        for sizes in plan.rounds:
            assert sum(sizes) == players
            assert set(sizes) <= {3, 4}
            players = 2 * len(sizes)
        assert len(plan.rounds[-1]) == 1
        assert all(len(sizes) > 1 for sizes in plan.rounds[:-1])


def test_9_two_tables_that_should_send_one_each_send_two() -> None:
    assert playoff.plan(8, advance=1).rounds == ((4, 4), (4,))
    twelve = playoff.plan(12, advance=(2, 1))
    assert (twelve.rounds, twelve.advance) == (((4, 4, 4), (3, 3), (4,)), (2, 2))
    assert twelve.needs is None


def test_9_five_in_a_later_round_take_a_lucky_loser() -> None:
    assert playoff.plan(20, advance=1).rounds == ((4, 4, 4, 4, 4), (3, 3), (4,))
    assert playoff.plan(20, advance=1).lucky_losers == (0, 1, 0)
    assert playoff.plan(20, advance=1).advance == (1, 2)
    for qualifiers in range(3, 500):
        plan = playoff.plan(qualifiers, advance=1)
        assert len(plan.rounds[-1]) == 1
        assert all(set(sizes) <= {3, 4} for sizes in plan.rounds)


def test_sm_two_per_table_first_then_one() -> None:
    plan = playoff.plan(24, advance=(2, 1))
    assert plan.rounds == ((4, 4, 4, 4, 4, 4), (4, 4, 4), (3,))
    assert plan.needs is None


@pytest.mark.parametrize("advance", [0, 4, -1, (), (2, 0)])
def test_impossible_numbers_to_advance_are_refused(advance: object) -> None:
    with pytest.raises(ChicagoError) as error:
        playoff.plan(12, advance=advance)
    assert error.value.code == "bad_value"


@pytest.mark.parametrize("qualifiers", [6, 11])
def test_not_everybody_at_a_table_of_three_can_go_on(qualifiers: int) -> None:
    with pytest.raises(ChicagoError) as error:
        playoff.plan(qualifiers, advance=3)
    assert error.value.code == "bad_value"


@pytest.mark.parametrize("qualifiers", [-1, 10**9])
def test_numbers_of_qualifiers_out_of_range_are_refused(qualifiers: int) -> None:
    with pytest.raises(ChicagoError):
        playoff.plan(qualifiers)


def test_snake_order_spreads_the_best_over_the_groups() -> None:
    ranked = [str(number) for number in range(1, 12)]
    assert playoff.snake_groups(ranked) == [
        ["1", "6", "7", "11"],
        ["2", "5", "8", "10"],
        ["3", "4", "9"],
    ]


def test_drawn_groups_are_repeatable_and_complete() -> None:
    players = [f"p{n}" for n in range(11)]
    groups = playoff.drawn_groups("seed", 1, players)
    assert groups == playoff.drawn_groups("seed", 1, list(reversed(players)))
    assert groups != playoff.drawn_groups("seed", 2, players)
    assert sorted(player for group in groups for player in group) == sorted(players)
