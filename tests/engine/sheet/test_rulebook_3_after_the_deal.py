"""Rulebook §3: rule sets that check the target when the deal closes."""

import pytest

from tests.engine.sheet.factory import (
    FLUSH,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    after,
    at,
    begin,
    code,
    executed,
    hand,
    kinds,
    lost,
    none,
    play,
    points,
    quiet_deal,
    rule,
    to_tricks,
    trick,
    won,
)

AFTER = ["svensk", "pagat", "basic", "wikipedia"]


@pytest.mark.parametrize("spec", AFTER)
def test_3_the_target_waits_for_the_end_of_the_deal(spec):
    state = after(executed(at(spec, 51, 0, 0), 0), hand(1, 0, FLUSH))
    assert not state.finished
    state = after(to_tricks(state), trick(1))
    assert not state.finished
    state = after(state, none(state.phase))
    assert (state.finished, state.winners, state.win) == (True, (0,), "target")
    assert (state.deal, state.phase) == (1, None)


def test_3_the_highest_score_at_the_target_wins():
    state = at("pagat", 50, 51, 0, 0)
    state = after(to_tricks(state), trick(1), hand(3, 0, FLUSH))
    assert (state.winners, state.scores) == ((1,), (55, 56, 0, 0))
    assert state.places == ((1,), (0,), (2, 3))


def test_3_equal_highest_scores_share_the_win():
    state = at("pagat", 51, 51, 7, 0)
    state = after(state, hand(1, 0, FLUSH), none(2), trick(1), none(3))
    assert (state.winners, state.win) == ((0, 1), "target")
    assert state.places == ((0, 1), (2,), (3,))
    assert [str(value) for value in state.game_points] == ["35/2", "35/2", "12", "8"]


def test_3_svensk_zeroes_players_without_a_chicago_before_choosing_the_winner():
    state = executed(at("svensk", 20, 60, 52), 2)
    state = quiet_deal(state)
    assert (state.winners, state.scores) == ((2,), (25, 0, 52))
    assert state.status == ("in", "in", "in")


def test_3_svensk_zeroed_players_play_on():
    state = quiet_deal(at("svensk", 0, 60, 0), taker=2)
    assert (state.finished, state.scores, state.status[1]) == (False, (0, 0, 5), "in")
    assert code(state, hand(1, 1, PAIR)) is None


def test_3_svensk_a_chicago_in_the_same_deal_counts():
    state = after(to_tricks(at("svensk", 60, 0, 0)), won(0))
    assert (state.finished, state.winners) == (True, (0,))


@pytest.mark.parametrize(("spec", "limit"), [("svensk", 45), ("pagat", 46), ("wikipedia", 42)])
def test_3_discardless_from_the_next_deal(spec, limit):
    state = at(spec, limit, limit - 1, 0)
    assert state.discardless == (False, False, False)
    state = quiet_deal(state, taker=2)
    assert state.discardless == (True, False, False)
    state = after(state, points(1, 1))
    assert state.discardless == (True, False, False)
    state = after(state, points(0, -1))
    assert state.discardless == (False, False, False)
    state = after(state, points(0, 1))
    assert state.discardless == (False, False, False)


def test_3_basic_has_no_discardless():
    state = quiet_deal(at("basic", 51, 0, 0), taker=2)
    assert state.discardless == (False, False, False)


def test_3_svensk_straight_flush_adds_52_and_wins_at_once():
    state = after(at("svensk", 20, 60, 0), hand(1, 0, STRAIGHT_FLUSH))
    assert (state.finished, state.win, state.scores) == (True, "straight_flush", (72, 60, 0))
    assert state.places == ((0,), (1,), (2,))


def test_3_svensk_royal_flush_adds_52_and_zeroes_the_others():
    state = after(at("svensk", 20, 60, 3), hand(1, 0, ROYAL))
    assert (state.win, state.scores) == ("royal_flush", (72, 0, 0))
    assert [str(value) for value in state.game_points] == ["20", "27/2", "27/2"]


def test_3_pagat_straight_flush_8_and_royal_52_are_points():
    state = play("pagat", hand(1, 0, STRAIGHT_FLUSH), hand(2, 1, ROYAL), seats=3)
    assert (state.finished, state.scores) == (False, (8, 52, 0))
    state = after(state, trick(2), none(3))
    assert (state.winners, state.win) == ((1,), "target")


def test_3_svensk_quads_may_reset_until_the_tricks_also_after_points():
    state = play("svensk", hand(1, 0, QUADS), hand(2, 0, QUADS), seats=3)
    assert state.scores[0] == 16
    state = after(state, points(1, 9), hand(3, 0, QUADS, reset=True))
    assert (state.scores, state.deal) == ((16, 0, 0), 1)


def test_3_pagat_quads_score_7_and_do_not_reset():
    state = begin("pagat")
    assert code(state, hand(1, 0, QUADS, reset=True)) == "reset_not_allowed"
    assert after(state, hand(1, 0, QUADS)).scores[0] == 7


@pytest.mark.parametrize("spec", ["pagat", "basic", "wikipedia"])
def test_3_the_final_hand_follows_a_won_chicago_only(spec):
    state = to_tricks(at(spec, 20, 0, 0))
    after_win = after(state, won(0))
    assert (after_win.deal, after_win.stage, kinds(after_win)) == (
        0,
        "chicago_hand",
        {"hand", "none"},
    )
    phase = after_win.phase
    assert after(after_win, hand(phase, 1, PAIR)).scores == (35, 1, 0)
    assert after(after_win, none(phase)).deal == 1
    assert after(state, lost(0, 1)).deal == 1


def test_3_svensk_chicago_has_no_final_hand_and_no_bonus():
    state = to_tricks(at("svensk", 20, 0, 0))
    assert after(state, won(0)).deal == 1
    assert after(state, lost(0, 1)).scores == (5, 0, 0)


def test_3_negative_scores_where_they_are_allowed():
    state = after(to_tricks(begin("basic", 3)), lost(0, 1))
    assert state.scores == (-15, 0, 0)


@pytest.mark.parametrize("spec", AFTER)
def test_3_last_trick_with_a_deuce_is_worth_5(spec):
    state = after(to_tricks(begin(spec)), trick(0, True))
    assert state.scores[0] == 5


def test_3_rulings_meet_the_target_check_when_the_deal_closes():
    state = after(begin("pagat", 3), points(0, 60))
    assert not state.finished
    assert after(quiet_deal(state, 1)).winners == (0,)


def test_3_last_standing_is_at_once():
    state = after(begin("svensk", 2), rule("disqualify", 0))
    assert (state.finished, state.win, state.winners) == (True, "last_standing", (1,))
