"""Rulebook §8: the run of a deal, Blind Chicago, revoke, rulings, floor and resets."""

import pytest

from engine.rules.ruleset import rules_from_json
from engine.rules.variants import parse_rules
from engine.sheet.entries import Hand
from engine.sheet.sheet import legal_entries, start
from tests.engine.sheet.factory import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    after,
    at,
    begin,
    blind,
    code,
    discard,
    executed,
    hand,
    kinds,
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

# ------------------------------------------------------- the run of a deal


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("festival", {"reset", "straight_flush", "royal_flush"}),
        ("svensk", {"reset", "straight_flush", "royal_flush"}),
        ("pagat", set()),
        ("basic", set()),
        ("wikipedia", set()),
        ("pagat+sf-wins", {"straight_flush", "royal_flush"}),
        ("pagat+reset", {"reset"}),
        ("pagat+quads-end", {"quads"}),
        ("pagat+quads-end+reset", {"quads", "reset"}),
        ("pagat+D", {"quads", "reset"}),
        ("svensk+C", {"straight_flush", "royal_flush"}),
        ("svensk+D", {"quads", "reset", "straight_flush", "royal_flush"}),
        ("svensk+K", {"reset", "straight_flush", "royal_flush"}),
        ("svensk+D+K", {"quads", "reset", "straight_flush", "royal_flush"}),
        ("pagat+reset-one", set()),
        ("pagat+quads52+sf52", set()),
        ("pagat+sf52+royal-wins", {"royal_flush"}),
        ("svensk+B2", {"reset", "royal_flush"}),
        ("svensk+B2+C", {"royal_flush"}),
        ("svensk+B4", {"reset", "royal_flush"}),
        ("svensk+sf10", {"reset", "royal_flush"}),
        ("svensk+quads-end+K", {"quads", "reset", "straight_flush", "royal_flush"}),
    ],
)
def test_8_1_before_the_tricks_only_hands_that_end_game_or_deal(spec, shown):
    state = to_tricks(begin(spec))
    found = {
        ("reset" if entry.reset else "quads") if entry.category is QUADS else entry.category.key
        for entry in legal_entries(state)
        if isinstance(entry, Hand)
    }
    assert found == shown


def test_8_1_other_hands_there_are_unexpected():
    assert code(to_tricks(begin("festival")), hand(3, 0, FULL_HOUSE)) == "unexpected_kind"
    assert code(to_tricks(begin("pagat")), hand(3, 0, ROYAL)) == "unexpected_kind"
    state = to_tricks(begin("svensk+B4"))
    assert code(state, hand(3, 0, ROYAL, suit="S")) == "unexpected_kind"
    assert code(state, hand(3, 0, ROYAL)) == "missing_suit"
    assert code(state, hand(3, 0, ROYAL, suit="H")) is None


def test_8_1_for_a_hand_that_cannot_be_shown_the_phase_does_not_matter():
    for spec in ("pagat", "svensk+C+B2+K", "basic+K"):
        state = to_tricks(begin(spec))
        expected = "wrong_phase" if spec.startswith("svensk") else "unexpected_kind"
        assert code(state, hand(1, 0, PAIR)) == expected
        assert code(state, none(1)) == "unexpected_kind"


def test_8_1_a_rule_set_in_which_only_the_straight_flush_wins():
    document = parse_rules("pagat").as_json()
    document["fields"] = {**document["fields"], "straight_flush": "plus_52"}
    state = to_tricks(start(rules_from_json(document), 3))
    assert code(state, hand(3, 0, STRAIGHT_FLUSH)) is None
    assert code(state, hand(3, 0, ROYAL)) == "unexpected_kind"


def test_8_2_a_winning_flush_after_the_tricks_has_the_same_effect():
    state = after(to_tricks(at("festival", 9, 8, 7, 6)), trick(0), hand(3, 1, ROYAL))
    assert (state.win, state.scores) == ("royal_flush", (0, 52, 0, 0))
    state = after(to_tricks(at("svensk", 9, 8, 7)), trick(0), hand(3, 1, STRAIGHT_FLUSH))
    assert (state.win, state.scores) == ("straight_flush", (14, 60, 7))


def test_8_3_with_k_a_reset_comes_before_the_tricks_or_with_the_final_hand_and_may_be_repeated():
    state = after(at("svensk+K", 9, 8, 7), hand(1, 0, QUADS, reset=True))
    assert (state.scores, state.phase, state.deal) == ((9, 0, 0), 2, 0)
    state = after(state, hand(2, 0, QUADS, reset=True))
    assert code(state, hand(3, 0, QUADS, reset=True)) is None
    state = after(state, trick(1))
    assert state.scores == (9, 5, 0)
    state = after(state, hand(3, 0, QUADS, reset=True))
    assert (state.scores, state.deal) == ((9, 0, 0), 1)


def test_8_3_k_with_binding_points_still_binds():
    state = play("festival+K", hand(1, 0, QUADS, reset=True))
    assert code(state, hand(2, 0, QUADS, reset=True)) is None
    state = after(state, hand(2, 0, QUADS), trick(1))
    assert code(state, hand(3, 0, QUADS, reset=True)) == "reset_bound"
    assert code(state, hand(3, 1, QUADS, reset=True)) is None


@pytest.mark.parametrize("reset", [None, True, False])
def test_8_4_d_scores_and_resets_whatever_the_flag(reset):
    state = after(at("svensk+D", 9, 8, 7), hand(1, 0, QUADS, reset=reset))
    assert (state.scores, state.deal) == ((17, 0, 0), 1)


def test_8_4_d_before_the_tricks():
    state = after(to_tricks(at("svensk+D", 9, 8, 7)), hand(3, 0, QUADS))
    assert (state.scores, state.deal) == ((17, 0, 0), 1)


def test_8_4_d_after_the_tricks():
    state = after(to_tricks(at("svensk+D", 9, 8, 7)), trick(1))
    assert after(state, hand(3, 0, QUADS)).scores == (17, 0, 0)
    assert after(state, hand(3, 0, QUADS, reset=True)).scores == (17, 0, 0)


def test_8_5_c_knows_no_reset():
    state = begin("svensk+C")
    assert code(state, hand(1, 0, QUADS, reset=True)) == "reset_not_allowed"
    assert code(state, hand(1, 0, QUADS, reset=False)) is None
    state = after(to_tricks(state), trick(1))
    assert code(state, hand(3, 0, QUADS, reset=True)) == "reset_not_allowed"


def test_8_6_quads_end_the_deal_before_or_after_the_tricks():
    state = play("pagat+quads-end", hand(1, 0, QUADS), seats=3)
    assert (state.scores, state.deal) == ((7, 0, 0), 1)
    state = after(to_tricks(state), hand(3, 1, QUADS))
    assert (state.scores, state.deal) == ((7, 7, 0), 2)
    state = after(to_tricks(state), trick(2), hand(3, 1, QUADS))
    assert (state.scores, state.deal) == ((7, 14, 5), 3)
    assert code(to_tricks(state), hand(3, 1, QUADS, reset=True)) == "reset_not_allowed"


@pytest.mark.parametrize("spec", ["svensk+Q", "festival+Q", "pagat+Q", "pagat", "basic"])
def test_8_7_after_a_chicago_no_reset(spec):
    state = after(to_tricks(at(spec, 20, 0, 0)), won(0))
    expected = "reset_not_allowed"
    assert code(state, hand(state.phase, 1, QUADS, reset=True)) == expected
    assert code(state, hand(state.phase, 1, QUADS)) is None


@pytest.mark.parametrize("entry", [won(0), lost(0), lost(0, 1)])
def test_8_7_q_the_final_hand_or_none_must_follow(entry):
    state = after(to_tricks(at("svensk+Q", 20, 0, 0)), entry)
    assert kinds(state) == {"hand", "none"}
    assert code(state, trick(1)) == "unexpected_kind"
    assert after(state, hand(3, 2, PAIR)).deal == 1


def test_8_7_q_unless_the_game_is_over():
    state = after(to_tricks(at("festival+Q", 40, 0, 0)), won(0))
    assert (state.finished, state.win) == (True, "target")


def test_8_7_d_and_k_after_a_chicago_are_points_only():
    state = after(to_tricks(at("svensk+D+Q", 20, 9, 0)), won(0), hand(3, 2, QUADS))
    assert state.scores == (35, 9, 8)
    state = after(to_tricks(at("svensk+K+Q", 20, 9, 0)), won(0))
    assert code(state, hand(3, 2, QUADS, reset=True)) == "reset_not_allowed"


def test_8_a_winning_flush_after_a_chicago_under_q():
    state = after(to_tricks(at("svensk+Q", 20, 9, 0)), won(0), hand(3, 2, STRAIGHT_FLUSH))
    assert (state.winners, state.scores) == ((2,), (35, 9, 52))


# ------------------------------------------------------------ Blind Chicago


def test_8_blind_chicago_is_the_first_entry_of_a_deal_and_closes_it():
    state = after(at("wikipedia", -3, 0, 0), blind(0, True))
    assert (state.scores, state.executed[0], state.asterisks[0]) == ((27, 0, 0), True, 1)
    assert (state.deal, state.phase) == (1, 1)


def test_8_blind_chicago_lost():
    state = play("wikipedia", blind(1, False), seats=3)
    assert (state.scores, state.executed[1], state.asterisks[1]) == ((0, -20, 0), True, 0)


def test_8_blind_chicago_breaker_gets_the_rule_sets_bonus():
    state = play("wikipedia+P", blind(1, False, breaker=2), seats=3)
    assert state.scores == (0, -20, 8)


def test_8_blind_chicago_with_a_deuce_wins_the_game_at_once():
    state = after(at("wikipedia", -20, 70, 0), blind(0, True, deuce=True))
    assert (state.finished, state.win, state.winners) == (True, "blind_chicago", (0,))
    assert state.scores == (40, 70, 0)
    assert state.places == ((0,), (1,), (2,))


def test_8_blind_chicago_anywhere_else_is_unexpected():
    state = after(begin("wikipedia+three-exchanges"), none(1))
    assert (state.stage, state.phase) == ("exchange", 2)
    assert code(state, blind(0, True)) == "unexpected_kind"
    state = after(begin("wikipedia"), none(1))
    assert code(state, blind(0, True)) == "unexpected_kind"
    state = after(state, trick(0))
    assert code(state, blind(0, True)) == "unexpected_kind"
    assert code(begin("wikipedia"), won(0)) == "unexpected_kind"


@pytest.mark.parametrize("spec", ["festival", "svensk", "pagat", "basic"])
def test_8_blind_where_there_is_none_is_a_bad_value(spec):
    assert code(begin(spec), blind(0, True)) == "bad_value"


def test_8_blind_chicago_counts_for_s():
    state = play("wikipedia+S", blind(0, True))
    assert code(state, blind(0, True)) == "chicago_limit"
    assert code(state, blind(1, True)) is None
    assert code(to_tricks(state), won(0)) == "chicago_limit"


def test_8_blind_chicago_stays_legal_after_a_ruling_in_phase_1():
    state = after(begin("wikipedia"), points(1, 3))
    assert code(state, blind(0, True)) is None


def test_8_blind_chicago_has_no_final_hand_even_with_q():
    assert play("wikipedia+Q", blind(0, True)).stage == "exchange"


def test_8_blind_chicago_won_meets_the_target_at_the_close():
    state = after(at("wikipedia", 22, 0, 0), blind(0, True))
    assert (state.win, state.winners, state.scores[0]) == ("target", (0,), 52)


# ------------------------------------------------------------------ revoke


@pytest.mark.parametrize("spec", ["svensk", "pagat", "basic", "wikipedia"])
def test_8_only_festival_and_sm_have_revokes_and_illegal_discards(spec):
    state = to_tricks(quiet_deal(at(spec, 50, 0, 0), 2))
    assert code(state, revoke(0)) == "unexpected_kind"
    assert code(state, discard(0)) == "unexpected_kind"


@pytest.mark.parametrize("spec", ["festival", "sm"])
def test_8_after_a_revoke_no_shown_hands_and_no_illegal_discard(spec):
    state = after(to_tricks(at(spec, 46, 0, 0)), revoke(1))
    assert code(state, discard(0)) == "unexpected_kind"
    assert code(state, hand(3, 2, STRAIGHT_FLUSH)) == "unexpected_kind"
    assert code(state, hand(3, 2, QUADS, reset=True)) == "unexpected_kind"
    assert kinds(state) == {"chicago", "last_trick", "revoke"}


def test_8_dead_hands():
    state = after(to_tricks(at("festival", 20, 20, 20)), revoke(1))
    assert code(state, revoke(1)) == "dead_hand"
    assert code(state, trick(1)) == "dead_hand"
    assert code(state, lost(0, 1)) == "dead_hand"
    assert code(state, won(1)) == "dead_hand"
    assert code(state, lost(1)) is None
    assert code(state, lost(1, 0)) is None
    assert code(state, lost(1, 1)) == "dead_hand"


def test_8_a_declarer_who_revokes_had_the_minimum_before_the_tricks():
    state = after(at("festival", 13, 20, 20), hand(1, 0, PAIR), hand(2, 0, PAIR), revoke(0))
    assert state.scores[0] == 13
    assert code(state, won(0)) == "dead_hand"
    state = after(state, lost(0))
    assert state.scores == (0, 20, 20)
    assert state.executed == (True, False, False)


def test_8_a_revoke_does_not_let_a_player_declare_who_could_not_before():
    state = after(at("festival", 12, 20, 20), hand(1, 0, PAIR), hand(2, 0, PAIR), revoke(0))
    assert code(state, lost(0)) == "chicago_below_minimum"
    state = after(at("festival", 10, 20, 20), hand(1, 0, QUADS), points(0, -17), none(2), revoke(0))
    assert state.scores[0] == 0  # The floor: there was one point to take.
    assert code(state, lost(0)) == "chicago_below_minimum"


def test_8_a_dead_hand_may_still_score_the_final_hand():
    state = after(to_tricks(begin("festival")), revoke(1), trick(0), hand(3, 1, FLUSH))
    assert state.scores == (5, 5, 0, 0)


def test_8_a_revoke_costs_only_points_since_the_seat_was_last_set_to_zero():
    state = after(at("festival", 44, 0, 0), hand(1, 0, PAIR), discard(0))
    assert state.scores[0] == 0
    state = after(state, hand(2, 0, TWO_PAIR), revoke(0))
    assert state.scores[0] == 0
    state = after(at("festival+K", 0, 0, 0), hand(1, 0, FLUSH), hand(2, 1, QUADS, reset=True))
    state = after(state, points(0, 9), revoke(0))
    assert state.scores[0] == 9


def test_8_a_revoke_can_end_being_discardless():
    state = after(to_tricks(after(at("festival", 44, 0, 0), hand(1, 0, PAIR))), revoke(0))
    assert (state.scores[0], state.discardless[0]) == (44, False)


def test_8_a_revoke_costs_nothing_of_an_earlier_deal():
    state = after(begin("festival"), hand(1, 0, FLUSH))
    state = after(to_tricks(quiet_deal(state, 1)), revoke(0), revoke(2))
    assert state.scores == (5, 5, 0, 0)


def test_8_an_illegal_discard_by_a_player_not_in_the_deal():
    state = at("festival", 46, 46, 46, 46)
    for action in ("sit_out_deal", "sit_out_game", "disqualify"):
        assert code(after(state, rule(action, 1)), discard(1)) == "seat_out"
        assert code(after(state, rule(action, 1)), discard(2)) is None


def test_8_several_seats_may_revoke_in_one_deal():
    state = after(begin("festival"), hand(1, 0, PAIR), hand(2, 1, TRIPS), revoke(0), revoke(1))
    assert state.scores == (0, 0, 0, 0)
    assert code(state, trick(2)) is None


# ----------------------------------------------------------------- rulings


def test_8_sit_out_deal_leaves_the_dealers_turn_alone():
    state = after(begin("festival"), rule("sit_out_deal", 1))
    assert quiet_deal(state).dealer == 1


def test_8_sit_out_deal_seat_may_be_named_in_rulings():
    state = after(begin("festival"), rule("sit_out_deal", 1))
    for entry in (
        points(1, 3),
        rule("sit_out_deal", 1),
        rule("sit_out_game", 1),
        rule("disqualify", 1),
    ):
        assert code(state, entry) is None


def test_8_sit_out_deal_breaker_and_declarer():
    state = to_tricks(after(at("festival", 20, 20, 0), rule("sit_out_deal", 1)))
    assert code(state, won(1)) == "seat_out"
    assert code(state, lost(0, 1)) == "seat_out"
    assert code(state, lost(0, 2)) is None


def test_9_a_deal_without_players_closes():
    state = after(begin("festival", 2), rule("sit_out_deal", 0))
    assert (state.deal, state.sitting_out) == (0, (True, False))
    state = after(state, rule("sit_out_deal", 1))
    assert (state.deal, state.phase, state.sitting_out) == (1, 1, (False, False))


def test_8_disqualify_keeps_the_score_for_good():
    state = after(at("festival", 10, 20, 30, 0), rule("disqualify", 1))
    state = after(state, hand(1, 0, ROYAL))
    assert state.scores == (52, 20, 0, 0)
    assert state.places == ((0,), (2, 3), (1,))
    assert [str(value) for value in state.game_points] == ["20", "0", "27/2", "27/2"]


def test_8_disqualify_an_out_seat_but_not_twice():
    state = after(begin("festival"), rule("sit_out_game", 1))
    for entry in (points(1, 1), rule("sit_out_deal", 1), rule("sit_out_game", 1)):
        assert code(state, entry) == "seat_out"
    state = after(state, rule("disqualify", 1))
    assert state.status[1] == "disqualified"
    assert code(state, rule("disqualify", 1)) == "seat_out"
    assert code(state, points(1, 1)) == "seat_out"


def test_8_a_disqualified_score_no_longer_counts_for_the_target():
    state = after(executed(at("festival", 40, 0, 0, 0), 0), rule("disqualify", 0))
    assert not state.finished
    assert not quiet_deal(state, 1).finished


def test_8_end_game_makes_no_target_check():
    state = after(at("pagat", 60, 70, 0), rule("end_game"))
    assert (state.win, state.winners) == ("ended", (1,))
    state = after(at("svensk", 60, 7, 0), rule("end_game"))
    assert (state.winners, state.scores) == ((0,), (60, 7, 0))


def test_8_end_game_ends_being_discardless():
    assert after(at("festival", 46, 0, 0), rule("end_game")).discardless == (False,) * 3


def test_8_a_ruling_of_no_points_changes_nothing():
    assert after(at("festival", 46, 0, 0), points(0, 0)).scores == (46, 0, 0)


def test_8_end_game_outs_and_disqualified_come_last():
    state = after(
        at("festival", 0, 9, 0, 20),
        rule("sit_out_game", 1),
        rule("disqualify", 3),
        rule("end_game"),
    )
    assert state.places == ((0, 2), (1,), (3,))
    assert state.winners == (0, 2)


# -------------------------------------------------------- floor and resets


def test_8_a_reset_lifts_negative_scores_to_zero():
    state = after(at("basic+reset", -7, 0, -2), hand(1, 1, QUADS, reset=True))
    assert state.scores == (0, 0, 0)


def test_8_r_a_winning_flush_from_below_zero_with_plus_52_only_ends_the_deal():
    state = after(at("svensk+R", -1, 8, 9), hand(1, 0, STRAIGHT_FLUSH))
    assert (state.finished, state.scores, state.deal) == (False, (51, 8, 9), 1)
    state = after(at("svensk+R", -1, 8, 9), hand(1, 0, ROYAL))
    assert (state.finished, state.scores, state.deal) == (False, (51, 0, 0), 1)
    state = after(at("svensk+R+U", -1, 8, 9), hand(1, 0, STRAIGHT_FLUSH))
    assert (state.finished, state.win) == (True, "straight_flush")
    state = after(at("svensk+R", 0, 8, 9), hand(1, 0, STRAIGHT_FLUSH))
    assert state.finished


def test_8_r_a_winning_flush_from_below_zero_with_becomes_52_wins():
    state = after(at("festival+R", -9, 8, 9), hand(1, 0, STRAIGHT_FLUSH))
    assert (state.finished, state.scores) == (True, (52, 8, 9))


def test_8_r_a_deal_ended_by_such_a_flush_is_checked_for_the_target():
    state = after(executed(at("svensk+R", -1, 53, 9), 1), hand(1, 0, STRAIGHT_FLUSH))
    assert (state.win, state.winners) == ("target", (1,))
