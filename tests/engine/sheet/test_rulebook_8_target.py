"""Rulebook §8: target, discardless, placing, rare combinations."""

import pytest

from engine.rules.ruleset import rules_from_json
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago
from engine.sheet.sheet import legal_entries, start
from tests.engine.sheet.factory import (
    FLUSH,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    after,
    at,
    begin,
    blind,
    code,
    executed,
    hand,
    lost,
    none,
    play,
    points,
    quiet_deal,
    revoke,
    rule,
    to_tricks,
    trick,
    won,
)

# ------------------------------------------------------------------ target


def test_8_a_winning_flush_leaves_the_others_scores_alone():
    state = after(at("svensk", 3, 60, 53), hand(1, 0, STRAIGHT_FLUSH))
    assert state.scores == (55, 60, 53)


def test_8_y_the_winner_took_the_last_trick_or_won_a_chicago_in_this_deal():
    state = at("pagat+Y", 60, 60, 0)
    assert not quiet_deal(state, 2).finished
    assert quiet_deal(state, 0).winners == (0,)
    declared = after(to_tricks(state), won(1), none(3))
    assert declared.winners == (1,)
    assert not after(to_tricks(state), lost(0, 1)).finished
    later = quiet_deal(quiet_deal(state, 2), 1)
    assert later.winners == (1,)


def test_8_y_the_last_trick_of_an_earlier_deal_does_not_count():
    state = quiet_deal(at("pagat+Y", 40, 20, 0), 0)
    state = after(to_tricks(after(state, points(0, 20))), lost(1))
    assert (state.finished, state.scores[0], state.deal) == (False, 65, 2)


def test_8_y_a_better_score_without_the_trick_does_not_win():
    state = quiet_deal(at("pagat+Y", 70, 50, 0), 1)
    assert (state.winners, state.scores) == ((1,), (70, 55, 0))


def test_8_y_a_player_without_a_chicago_is_still_zeroed_and_flushes_win():
    state = quiet_deal(at("svensk+Y", 60, 0, 0), 1)
    assert state.scores == (0, 5, 0)
    assert after(begin("svensk+Y"), hand(1, 0, STRAIGHT_FLUSH)).finished


def test_8_y_where_the_game_ends_at_once():
    state = executed(at("festival+Y", 50, 0, 0), 0)
    state = after(state, hand(1, 0, FLUSH))
    assert (state.finished, state.scores[0], state.status[0]) == (False, 55, "in")
    state = after(to_tricks(state), trick(0))
    assert (state.finished, state.winners) == (True, (0,))


@pytest.mark.parametrize("spec", ["svensk+S", "festival+S"])
def test_8_s_counts_declared_chicagos(spec):
    state = executed(at(spec, 30, 20, 0), 0)
    state = to_tricks(state)
    assert code(state, won(0)) == "chicago_limit"
    assert code(state, won(1)) is None


def test_8_s_with_w_is_allowed():
    assert begin("svensk+S+W").rules.chicago_once


@pytest.mark.parametrize("spec", ["pagat+W", "basic+W", "wikipedia+W"])
def test_8_w_on_presets_without_zeroing_zeroes_and_plays_on(spec):
    state = quiet_deal(at(spec, 60, 0, 0), 1)
    assert (state.scores, state.status) == ((0, 5, 0), ("in", "in", "in"))


def test_8_w_an_executed_chicago_is_not_enough():
    state = quiet_deal(executed(at("svensk+W", 60, 0, 0), 0), 1)
    assert state.scores == (5 - 5, 5, 0)
    state = after(executed(at("festival+W", 51, 0, 0), 0), hand(1, 0, PAIR))
    assert state.status[0] == "out"


def test_8_x_no_chicago_needed():
    assert after(at("festival+X", 51, 0, 0), hand(1, 0, PAIR)).winners == (0,)
    assert quiet_deal(at("svensk+X", 60, 0, 0), 1).winners == (0,)


# ------------------------------------------------------------- discardless


def test_8_out_and_disqualified_seats_are_never_discardless():
    state = after(at("festival", 46, 46, 0, 0), rule("disqualify", 0))
    assert state.discardless == (False, True, False, False)
    state = after(quiet_deal(at("svensk", 46, 46, 0, 0), 2), rule("disqualify", 0))
    assert state.discardless == (False, True, False, False)


def test_8_when_a_game_is_finished_every_flag_is_false():
    state = after(quiet_deal(at("svensk", 46, 0, 0), 2), hand(1, 1, STRAIGHT_FLUSH))
    assert (state.finished, state.discardless) == (True, (False, False, False))


def test_8_a_blind_win_ends_being_discardless_too():
    state = after(quiet_deal(at("wikipedia", 46, 0, 0), 2), blind(1, True, deuce=True))
    assert (state.finished, state.discardless) == (True, (False, False, False))


def test_8_one_of_several_falls_below_the_limit():
    state = quiet_deal(at("svensk", 46, 46, 46), 2)
    assert state.discardless == (True, True, True)
    assert after(state, points(0, -5)).discardless == (False, True, True)


def test_8_after_the_end_deal_and_dealer_are_those_of_the_last_deal():
    state = quiet_deal(quiet_deal(begin("festival", 3), 0), 0)
    state = after(state, none(1), hand(2, 1, STRAIGHT_FLUSH))
    assert (state.phase, state.deal, state.dealer) == (None, 2, 2)
    assert state.stage == "over"


# ----------------------------------------------------------------- placing


@pytest.mark.parametrize("spec", ["svensk+B2", "svensk+B3", "svensk+B4"])
def test_8_a_royal_flush_that_does_not_reset_places_the_others_by_score(spec):
    state = after(at(spec, 3, 9, 5, 9), hand(1, 0, ROYAL, suit="H"))
    assert (state.win, state.scores) == ("royal_flush", (55, 9, 5, 9))
    assert state.places == ((0,), (1, 3), (2,))


@pytest.mark.parametrize("suit", ["S", "D", "C"])
def test_8_b4_other_royal_flushes_are_worth_20(suit):
    state = play("svensk+B4", hand(1, 0, ROYAL, suit=suit))
    assert (state.finished, state.scores[0]) == (False, 20)
    assert code(state, hand(2, 0, ROYAL)) == "missing_suit"


def test_8_b_scales():
    assert play("svensk+B2", hand(1, 0, QUADS), hand(2, 1, STRAIGHT_FLUSH)).scores == (7, 8, 0, 0)
    assert play("svensk+B3", hand(1, 0, QUADS), hand(2, 1, STRAIGHT_FLUSH)).scores == (8, 11, 0, 0)
    assert code(begin("svensk+B2"), hand(1, 0, QUADS, reset=True)) is None
    assert code(begin("pagat+B2"), hand(1, 0, QUADS, reset=True)) is None


def test_8_two_seats_get_20_and_15():
    state = after(begin("festival", 2), hand(1, 1, STRAIGHT_FLUSH))
    assert [str(value) for value in state.game_points] == ["15", "20"]
    state = after(begin("sm", 2), hand(1, 1, STRAIGHT_FLUSH))
    assert [str(value) for value in state.game_points] == ["12", "20"]


def test_8_outs_share_their_places_behind_those_still_in():
    state = after(
        at("festival", 0, 51, 51, 0),
        hand(1, 1, PAIR),
        hand(2, 2, PAIR),
        hand(3, 3, STRAIGHT_FLUSH),
    )
    assert state.places == ((3,), (0,), (1, 2))
    assert [str(value) for value in state.game_points] == ["15", "10", "10", "20"]


def test_8_after_a_royal_flush_outs_share_too():
    state = after(at("festival", 0, 51, 7, 0), hand(1, 1, PAIR), hand(2, 3, ROYAL))
    assert state.places == ((3,), (0, 1, 2))
    assert [str(value) for value in state.game_points] == ["35/3", "35/3", "35/3", "20"]


def test_8_outs_zero_gives_outs_no_game_points():
    state = after(
        at("festival+outs-zero", 0, 51, 7, 0), hand(1, 1, PAIR), hand(2, 3, STRAIGHT_FLUSH)
    )
    assert [str(value) for value in state.game_points] == ["12", "0", "15", "20"]
    state = after(at("festival+outs-zero", 0, 51, 7, 0), hand(1, 1, PAIR), hand(2, 3, ROYAL))
    assert [str(value) for value in state.game_points] == ["27/2", "0", "27/2", "20"]


# ------------------------------------------------------- rare combinations


@pytest.mark.parametrize("spec", ["pagat+need-chicago-3", "svensk+need-chicago-3"])
def test_8_need_chicago_3_zeroes_at_once_and_plays_on(spec):
    state = after(at(spec, 51, 0, 0), hand(1, 0, PAIR))
    assert (state.scores[0], state.status[0], state.phase) == (0, "in", 2)
    state = after(at(spec, 51, 0, 0), points(0, 1))
    assert state.scores[0] == 0
    state = after(executed(at(spec, 51, 0, 0), 0), hand(1, 0, PAIR))
    assert state.scores[0] == 0
    state = after(to_tricks(at(spec, 40, 0, 0)), won(0))
    assert state.scores[0] == 55


@pytest.mark.parametrize("spec", ["festival+need-chicago-3", "sm+need-chicago-3"])
def test_8_need_chicago_3_puts_out_where_the_preset_does(spec):
    state = after(executed(at(spec, 51, 0, 0), 0), hand(1, 0, PAIR))
    assert (state.scores[0], state.status[0]) == (0, "out")


@pytest.mark.parametrize("seats", [2, 4])
def test_8_need_chicago_3_is_for_three_seats(seats):
    scores = [60] + [0] * (seats - 1)
    state = quiet_deal(at("pagat+need-chicago-3", *scores), 1)
    assert state.winners == (0,)


def test_8_k_with_d_after_the_tricks():
    state = after(at("svensk+D+K", 1, 2, 3), hand(1, 0, QUADS))
    assert (state.scores, state.phase) == ((9, 0, 0), 2)
    state = after(to_tricks(state), hand(3, 0, QUADS))
    assert (state.scores, state.phase, state.deal) == ((17, 0, 0), 3, 0)
    state = after(state, trick(1), hand(3, 0, QUADS, reset=True))
    assert (state.scores, state.deal) == ((25, 0, 0), 1)


def test_8_k_with_quads_end_after_a_reset_the_deal_goes_on_after_points_it_ends():
    state = after(at("svensk+K+quads-end", 1, 2, 3), hand(1, 0, QUADS, reset=True))
    assert (state.scores, state.phase, state.deal) == ((1, 0, 0), 2, 0)
    assert after(state, hand(2, 0, QUADS)).deal == 1
    assert after(to_tricks(state), hand(3, 0, QUADS)).deal == 1


def test_8_win_again_arms_and_wins_in_a_later_deal():
    state = quiet_deal(at("basic+win-again", 50, 50, 0), 0)
    assert (state.finished, state.armed) == (False, (True, False, False))
    assert not quiet_deal(state, 1).finished
    assert quiet_deal(state, 0).winners == (0,)
    declared = after(to_tricks(state), won(0), none(2))
    assert (declared.win, declared.winners) == ("target", (0,))


def test_8_win_again_not_in_the_same_deal_and_not_below_the_target():
    state = quiet_deal(quiet_deal(at("basic+win-again", 50, 50, 0), 0), 1)
    assert state.armed == (True, True, False)
    state = after(to_tricks(state), lost(0))
    assert state.armed == (False, True, False)


def test_8_win_again_falling_below_disarms_even_if_the_deal_closes_at_it_again():
    state = quiet_deal(at("basic+win-again", 50, 0, 0), 0)
    state = after(state, points(0, -5), points(0, 5))
    state = quiet_deal(state, 0)
    assert (state.finished, state.armed) == (False, (True, False, False))
    assert quiet_deal(state, 0).winners == (0,)


def test_8_win_again_exactly_at_the_target():
    state = quiet_deal(at("basic+win-again", 47, 0, 0), 0)
    assert (state.scores[0], state.armed) == (52, (True, False, False))
    state = after(state, none(1))
    assert state.armed[0]
    assert after(state, trick(0), none(2)).winners == (0,)


def test_8_win_again_flushes_win_regardless():
    assert play("basic+sf-wins+win-again", hand(1, 0, STRAIGHT_FLUSH)).finished


def test_8_z_target_zeroing_and_limit_after_an_exchange():
    state = after(at("pagat+Z", 51, 0, 0), hand(1, 0, PAIR))
    assert (state.win, state.winners) == ("target", (0,))
    state = after(at("svensk+Z", 51, 0, 0), hand(1, 0, PAIR))
    assert (state.finished, state.scores[0], state.phase) == (False, 0, 2)
    state = after(at("svensk+Z", 44, 0, 0), hand(1, 0, PAIR))
    assert state.discardless[0]


def test_8_z_from_the_tricks_on_as_usual():
    state = after(to_tricks(at("pagat+Z", 50, 0, 0)), trick(0))
    assert not state.finished
    assert after(state, none(3)).winners == (0,)
    state = after(to_tricks(at("svensk+Z", 40, 0, 0)), trick(0))
    assert not state.discardless[0]
    assert after(state, none(3)).discardless[0]


def test_8_z_a_rulings_points_are_checked_after_the_next_exchange():
    state = after(begin("pagat+Z", 3), points(0, 60))
    assert (state.finished, state.discardless[0]) == (False, False)
    assert not after(state, none(1)).finished
    assert after(state, none(1), hand(2, 1, PAIR)).winners == (0,)
    state = after(begin("pagat+Z", 3), points(0, 46), none(1))
    assert not state.discardless[0]
    assert after(state, hand(2, 1, PAIR)).discardless[0]


def test_8_z_with_y_nobody_wins_before_the_tricks():
    state = after(at("pagat+Y+Z", 60, 0, 0), none(1))
    assert not state.finished


@pytest.mark.parametrize("category", [STRAIGHT_FLUSH, ROYAL])
@pytest.mark.parametrize("spec", ["pagat+sf-wins", "basic+sf-wins", "wikipedia+sf-wins"])
def test_8_sf_wins_is_plus_52_and_the_game_for_the_royal_too(spec, category):
    state = after(at(spec, 3, 9, 0), hand(1, 0, category))
    assert (state.win, state.scores) == (category.key, (55, 9, 0))


def test_8_u_51_is_enough():
    assert quiet_deal(at("svensk+U+X", 51, 0, 0), 1).winners == (0,)
    assert executed(at("festival+U", 40, 0, 0), 0).finished is False


def test_8_o_last_trick():
    assert after(to_tricks(begin("svensk+O")), trick(0, True)).scores[0] == 2
    assert after(to_tricks(begin("svensk+N+O")), trick(0, True)).scores[0] == 5
    assert after(to_tricks(begin("svensk+N+O")), trick(0)).scores[0] == 2


def test_8_r_a_chicago_from_any_score():
    state = after(to_tricks(begin("svensk+R")), lost(0, 1))
    assert state.scores == (-15, 0, 0, 0)
    assert code(to_tricks(state), won(0)) is None


@pytest.mark.parametrize(("spec", "bonus"), [("svensk+P", 8), ("svensk+P10", 10), ("festival", 10)])
def test_8_p_the_breakers_bonus(spec, bonus):
    state = after(to_tricks(at(spec, 15, 0, 0)), lost(0, 1))
    assert state.scores == (0, bonus, 0)


@pytest.mark.parametrize("name", ["A", "E", "G", "H", "I", "L", "M", "T", "redeal-ten"])
def test_8_variants_that_change_nothing_on_the_sheet(name):
    entries = [
        hand(1, 0, STRAIGHT),
        hand(2, 1, QUADS),
        trick(2),
        hand(3, 0, FLUSH),
        none(1),
        points(3, 20),
        none(2),
        Chicago(3, False, 1),
        hand(1, 1, QUADS, reset=True),
    ]
    assert play(f"svensk+{name}", *entries).as_json() == play("svensk", *entries).as_json()


# ---------------------------------------------------- further decisions


def test_8_last_standing_also_where_a_closing_deal_puts_somebody_out():
    document = parse_rules("festival").as_json()
    document["fields"] = {**document["fields"], "ending": "after_deal"}
    state = after(start(rules_from_json(document), 2), points(0, 60), points(1, 7))
    assert not state.finished
    state = quiet_deal(state, 1)
    assert (state.win, state.winners, state.scores) == ("last_standing", (1,), (0, 12))
    assert (state.deal, state.status) == (0, ("out", "in"))


def test_9_if_every_hand_is_dead_the_deal_closes():
    state = after(to_tricks(begin("festival", 3)), revoke(0), revoke(1))
    assert state.deal == 0
    assert after(state, revoke(2)).deal == 1
    assert after(state, rule("sit_out_deal", 2)).deal == 1


def test_9_a_dead_hand_may_still_lose_the_chicago_it_had_declared():
    state = after(to_tricks(at("festival", 15, 0, 0)), revoke(0), revoke(1), revoke(2))
    assert (state.deal, [entry.kind for entry in legal_entries(state)]) == (0, ["chicago"])
    assert after(state, lost(0)).deal == 1
