"""What places are worth, and the order in a series: exact."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import permutations, product

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.series import PointRules, Result, can_reach, can_win, ranked
from tournaments.models.enums import SeriesTie, SizeBy
from tournaments.series.queries.outside import Typed, number, read_outside

TEN = PointRules(points=tuple(map(Fraction, (25, 18, 15, 12, 10))), rest=Fraction(1))


def test_shared_places_share_exactly() -> None:
    assert TEN.of_place(1) == 25
    assert TEN.of_place(2, shared=3) == Fraction(18 + 15 + 12, 3)
    assert TEN.of_place(4, shared=4) == Fraction(12 + 10 + 1 + 1, 4)
    assert TEN.of_place(90) == 1


@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_points_given_do_not_depend_on_what_is_shared(groups: list[int]) -> None:
    place, given_out = 1, Fraction(0)
    for shared in groups:
        given_out += TEN.of_place(place, shared) * shared
        place += shared
    assert given_out == sum(TEN.of_place(each) for each in range(1, place))


def test_size_and_bonuses() -> None:
    rules = PointRules(
        points=(Fraction(10),),
        size_by=SizeBy.PLAYERS,
        factors=((8, Fraction(1, 2)), (20, Fraction(1)), (40, Fraction(3, 2))),
        bonus_chicago=Fraction(1),
        bonus_heat=Fraction(2),
        bonus_start=Fraction(1, 3),
    )
    worth = [rules.factor(size) for size in (3, 8, 19, 20, 39, 40, 999)]
    assert worth == [Fraction(1, 2)] * 3 + [1, 1, Fraction(3, 2), Fraction(3, 2)]
    result = Result(0, 1, size=40, heats_won=2, chicagos=3)
    assert rules.gives(result) == 15 + 4 + 3 + Fraction(1, 3)
    assert rules.gives(Result(0, 1, size=40, given=Fraction(7))) == 7


def test_only_the_best_count_and_ties_follow_the_chain() -> None:
    rules = PointRules(
        points=tuple(map(Fraction, (10, 6, 4))), best_of=2, ties=(SeriesTie.BEST, SeriesTie.LATEST)
    )
    lines = ranked(
        rules,
        {
            # 10 + 6, and the third result, which is dropped, decides.
            1: [Result(0, 1), Result(1, 2), Result(2, 3)],
            2: [Result(0, 2), Result(1, 1)],
            # Level in everything but the latest event.
            3: [Result(1, 3)],
            4: [Result(2, 3)],
            5: [Result(2, 3)],
        },
    )
    assert [(each.player, each.place, each.shared) for each in lines] == [
        (1, 1, False),
        (2, 2, False),
        (4, 3, True),
        (5, 3, True),
        (3, 5, False),
    ]
    assert lines[0].total == 16
    assert lines[0].dropped == {2}


@given(
    st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=5), min_size=1, max_size=8),
    st.sampled_from([None, 1, 2, 4]),
)
def test_every_standing_is_in_order(places: list[list[int]], best_of: int | None) -> None:
    rules = PointRules(points=TEN.points, rest=Fraction(1, 2), best_of=best_of, ties=("best",))
    results = {
        player: [Result(event, place) for event, place in enumerate(own)]
        for player, own in enumerate(places)
    }
    lines = ranked(rules, results)
    totals = [each.total for each in lines]
    assert totals == sorted(totals, reverse=True)
    for index, line in enumerate(lines):
        counted = [gave for event, gave in line.gave.items() if event not in line.dropped]
        assert line.total == sum(counted)
        assert len(counted) == min(len(line.gave), best_of or len(line.gave))
        assert line.shared == any(other.place == line.place for other in lines if other is not line)
        assert line.place == index + 1 or line.place == lines[index - 1].place
        # Winning what is left never gives less, and nothing left gives what there is.
        assert can_reach(rules, line, 0) == line.total <= can_reach(rules, line, 2)


def test_who_can_still_win_is_exact() -> None:
    rules = PointRules(points=tuple(map(Fraction, (10, 6))), best_of=2)
    [line] = ranked(rules, {1: [Result(0, 2), Result(1, 3)]})
    assert line.total == 6
    assert can_reach(rules, line, 1) == 16
    assert can_reach(rules, line, 3) == 20
    assert rules.is_known
    assert not PointRules(points=(Fraction(1),), bonus_heat=Fraction(1)).is_known


def test_typed_results() -> None:
    typed = "1; Anna  Berg; 25\n\n2\tBo Ek\t17,5\n2;Cilla Ek"
    assert read_outside(typed) == [
        Typed(1, "Anna Berg", "25"),
        Typed(2, "Bo Ek", "35/2"),
        Typed(2, "Cilla Ek", ""),
    ]
    assert number("1/3") == Fraction(1, 3)


@pytest.mark.parametrize(
    "line",
    ["Anna", "0; Anna", "1;", "1; Anna; x", "1; Anna; 3; 4", "²; Anna", "1; A\u202eb", "1; A; 1/0"],
)
def test_wrong_lines_are_named(line: str) -> None:
    with pytest.raises(ValidationError, match="2"):
        read_outside(f"1; Good; 3\n{line}")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValidationError):
        read_outside(text)


def finishes(players: int) -> list[tuple[int, ...]]:
    """Return every order in which some of the players can come in, without shared places."""
    everybody = range(players)
    return [order for count in range(players + 1) for order in permutations(everybody, count)]


@given(
    st.lists(st.sampled_from(finishes(3)), min_size=1, max_size=3),
    st.sampled_from([None, 1, 2]),
    st.permutations(["best", "wins", "latest"]),
    st.integers(0, 3),
    st.integers(1, 2),
)
def test_who_can_win_is_who_wins_in_some_way(
    played: list[tuple[int, ...]], best_of: int | None, ties: list[str], kept: int, left: int
) -> None:
    """Where what is to come is known: of three players, every way in which it can end."""
    rules = PointRules(
        points=tuple(map(Fraction, (3, 2, 1))), best_of=best_of, ties=tuple(ties[:kept])
    )

    def results(events: list[tuple[int, ...]]) -> dict[int, list[Result]]:
        return {
            player: [
                Result(at, order.index(player) + 1)
                for at, order in enumerate(events)
                if player in order
            ]
            for player in range(3)
        }

    lines = ranked(rules, results(played))
    coming = tuple(range(len(played), len(played) + left))
    able = {line.player for line in lines if can_win(rules, line, lines, coming)}
    ends = (ranked(rules, results([*played, *more])) for more in product(finishes(3), repeat=left))
    assert able == {line.player for end in ends for line in end if line.place == 1}


def test_nobody_can_win_what_is_over() -> None:
    lines = ranked(TEN, {1: [Result(0, 1)]})
    assert not can_win(TEN, lines[0], lines, ())


def test_heats_to_come_exclude_nobody_from_a_tie() -> None:
    rules = PointRules(points=(Fraction(5),), ties=("heats",))
    lines = ranked(rules, {1: [Result(0, 1, heats_won=9)], 2: [Result(0, 2)]})
    assert can_win(rules, lines[1], lines, (1,))
