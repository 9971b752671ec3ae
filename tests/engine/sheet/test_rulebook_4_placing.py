"""Placing a finished game and its game points (rulebook §4 and §8, “Placing”)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.presets import FESTIVAL, SM
from engine.rules.ruleset import OutPoints, RuleSet
from engine.rules.variants import parse_rules
from engine.sheet.placing import place_game
from engine.sheet.sheet import replay
from tests.engine.ranking.factories import flush_win, plain_deal, royal_win, scores


def finished(entries: list[dict[str, object]], seats: int = 4, rules: str = "festival"):
    played = replay(parse_rules(rules), seats, entries)
    assert played.valid
    assert played.state.finished
    return played.state


def points(rules: RuleSet, totals: list[int], status: str, winners: list[int], **how: bool):
    words = {"i": "in", "o": "out", "d": "disqualified"}
    places, found = place_game(rules, totals, [words[letter] for letter in status], winners, **how)
    return places, [str(value) for value in found]


def ruling(action: str, seat: int) -> dict[str, object]:
    return {"kind": "ruling", "action": action, "seat": seat, "reason": "cheating"}


def test_winner_first_then_by_sheet_score() -> None:
    state = finished(scores([0, 10, 31, 20]) + flush_win(0))
    assert state.places == ((0,), (2,), (3,), (1,))
    assert [str(value) for value in state.game_points] == ["20", "8", "15", "12"]


def test_equal_scores_share_their_places_points() -> None:
    state = finished(scores([0, 10, 31, 10]) + flush_win(0))
    assert state.places == ((0,), (2,), (1, 3))
    assert [str(value) for value in state.game_points] == ["20", "10", "15", "10"]
    state = finished(scores([0, 10, 10, 5]) + flush_win(0))
    assert [str(value) for value in state.game_points] == ["20", "27/2", "27/2", "8"]


def test_going_out_loses_to_staying_in_even_on_0() -> None:
    over = [*scores([0, 50, 0, 10]), *plain_deal(1)]
    state = finished(over + flush_win(0))
    assert state.places == ((0,), (3,), (2,), (1,))


def test_outs_share_their_places() -> None:
    over = [*scores([0, 50, 0, 0]), *plain_deal(1), *scores([0, 0, 50, 0]), *plain_deal(2)]
    state = finished(over + flush_win(0))
    assert state.places == ((0,), (3,), (1, 2))
    assert [str(value) for value in state.game_points] == ["20", "10", "10", "15"]


def test_a_director_may_score_outs_with_0_game_points() -> None:
    rules = replace(FESTIVAL, out_points=OutPoints.ZERO)
    assert points(rules, [52, 0, 9, 0], "ioio", [0])[1] == ["20", "0", "15", "0"]


def test_disqualified_seats_come_last_with_0() -> None:
    state = finished([*scores([0, 40, 0, 5]), ruling("disqualify", 1), *flush_win(0)])
    assert state.places == ((0,), (3,), (2,), (1,))
    assert [str(value) for value in state.game_points] == ["20", "0", "12", "15"]
    assert points(FESTIVAL, [52, 0, 9, 0], "iddo", [0])[1] == ["20", "0", "0", "15"]


def test_festival_11_66_a_royal_flush_leaves_35_thirds_each() -> None:
    state = finished(scores([0, 10, 31, 20]) + royal_win(0))
    assert state.places == ((0,), (1, 2, 3))
    assert [str(value) for value in state.game_points] == ["20", "35/3", "35/3", "35/3"]
    assert sum(state.game_points) == 55
    third = state.game_points[1]
    assert int(third * 100) / 100 == 11.66


def test_a_royal_flush_with_three_leaves_27_halves() -> None:
    state = finished(royal_win(1), seats=3)
    assert [str(value) for value in state.game_points] == ["27/2", "20", "27/2"]


def test_a_royal_flush_shares_with_those_who_had_gone_out() -> None:
    over = [*scores([0, 50, 0, 0]), *plain_deal(1)]
    assert str(finished(over + royal_win(0)).game_points[1]) == "35/3"


def test_a_royal_flush_and_a_disqualified_seat() -> None:
    state = finished([ruling("disqualify", 3), *royal_win(0)])
    assert [str(value) for value in state.game_points] == ["20", "27/2", "27/2", "0"]


def test_a_royal_flush_where_outs_get_nothing() -> None:
    rules = replace(FESTIVAL, out_points=OutPoints.ZERO)
    places, found = points(rules, [52, 0, 0, 0], "iioi", [0], share_rest=True)
    assert places == ((0,), (1, 3), (2,))
    assert found == ["20", "27/2", "0", "27/2"]


def test_the_table_of_a_game() -> None:
    assert [FESTIVAL.place_points(seats) for seats in (2, 3, 4)] == [
        (20, 15),
        (20, 15, 12),
        (20, 15, 12, 8),
    ]


def test_a_royal_flush_that_resets_nobody_places_by_score() -> None:
    state = finished(scores([0, 10, 5, 0]) + royal_win(0), rules="svensk+B2")
    assert state.places == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(("rules", "second"), [(FESTIVAL, "15"), (SM, "12")])
def test_two_seats(rules: RuleSet, second: str) -> None:
    assert points(rules, [52, 9], "ii", [0])[1] == ["20", second]


def test_sm_game_points() -> None:
    assert points(SM, [52, 9, 20, 3], "iiii", [0])[1] == ["20", "8", "12", "5"]


def test_a_game_ended_by_time_is_placed_by_score() -> None:
    ended = {"kind": "ruling", "action": "end_game", "reason": "time"}
    state = finished([*scores([10, 20, 20, 5]), ended])
    assert state.places == ((1, 2), (0,), (3,))
    assert state.winners == (1, 2)
    assert [str(value) for value in state.game_points] == ["12", "35/2", "35/2", "8"]


@given(
    st.integers(2, 4).flatmap(
        lambda seats: st.tuples(
            st.lists(st.integers(0, 51), min_size=seats, max_size=seats),
            st.lists(st.sampled_from("io"), min_size=seats, max_size=seats),
            st.booleans(),
        )
    )
)
def test_the_tables_whole_sum_is_shared_out(game) -> None:
    totals, status, royal = game
    status[0] = "i"
    _, found = points(FESTIVAL, totals, "".join(status), [0], share_rest=royal)
    whole = sum((20, 15, 12, 8)[: len(totals)])
    assert sum(map(Fraction, found)) == whole
    assert found[0] == "20"
