"""Rulebook §3 and §8: rare hands and standing hands."""

from engine.rules.variants import parse_rules
from engine.sheet.sheet import replay, warnings
from tests.engine.sheet.factory import (
    FLUSH,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    after,
    at,
    begin,
    discard,
    hand,
    none,
    points,
    quiet_deal,
    replayed,
    revoke,
    rule,
    to_tricks,
    trick,
)


def codes(state, entry):
    return [problem.code for problem in warnings(state, entry)]


def standing(*scores):
    """Festival: seat 0 is discardless and scores two pair in phase 1."""
    return after(at("festival", *scores), hand(1, 0, TWO_PAIR))


def test_3_straight_and_royal_flushes_are_rare():
    assert codes(begin("festival"), hand(1, 0, STRAIGHT_FLUSH)) == ["rare_hand"]
    assert codes(begin("pagat"), hand(1, 0, ROYAL)) == ["rare_hand"]
    assert codes(begin("festival"), hand(1, 0, QUADS)) == []


def test_3_an_illegal_hand_causes_no_warning():
    assert codes(begin("festival"), hand(2, 0, ROYAL)) == []


def test_3_the_seat_itself_scores_another_category():
    state = standing(46, 0, 0)
    assert codes(state, hand(2, 0, TRIPS)) == ["standing_hand"]
    assert codes(state, hand(2, 0, PAIR)) == ["standing_hand"]
    assert codes(state, hand(2, 0, TWO_PAIR)) == []


def test_3_somebody_else_scores_a_weaker_category():
    state = standing(46, 0, 0)
    assert codes(state, hand(2, 1, PAIR)) == ["standing_hand"]
    assert codes(state, hand(2, 1, TWO_PAIR)) == []
    assert codes(state, hand(2, 1, TRIPS)) == []
    assert codes(state, none(2)) == []


def test_3_also_if_its_own_points_made_the_seat_discardless():
    state = standing(44, 0, 0)
    assert state.discardless[0]
    assert codes(state, hand(2, 1, PAIR)) == ["standing_hand"]


def test_3_not_where_the_limit_takes_effect_from_the_next_deal():
    state = after(at("svensk", 44, 0, 0), hand(1, 0, TWO_PAIR))
    assert codes(state, hand(2, 1, PAIR)) == []
    state = after(quiet_deal(at("svensk", 46, 0, 0), 1), hand(1, 0, TWO_PAIR))
    assert codes(state, hand(2, 1, PAIR)) == ["standing_hand"]


def test_3_z_makes_the_seat_discardless_at_once():
    state = after(at("svensk+Z", 44, 0, 0), hand(1, 0, TWO_PAIR))
    assert codes(state, hand(2, 1, PAIR)) == ["standing_hand"]


def test_3_the_warning_names_who_holds_what():
    state = standing(46, 0, 0)
    (own,) = warnings(state, hand(2, 0, TRIPS))
    assert own.params["why"] == "own"
    (other,) = warnings(state, hand(2, 1, PAIR))
    assert (other.params["holder"], other.params["held"]) == (0, "two_pair")


def test_3_a_seat_that_could_exchange_holds_nothing():
    assert codes(standing(40, 0, 0), hand(2, 1, PAIR)) == []


def test_3_it_lasts_through_the_deal_and_not_beyond():
    state = after(standing(46, 0, 0), none(2), trick(1))
    assert codes(state, hand(3, 1, PAIR)) == ["standing_hand"]
    state = after(state, none(3))
    assert codes(state, hand(1, 1, PAIR)) == []


def test_3_an_illegal_discard_ends_it():
    state = after(standing(46, 0, 0), discard(0))
    for category in (PAIR, TWO_PAIR, TRIPS):
        assert codes(state, hand(2, 1, category)) == []
        assert codes(state, hand(2, 0, category)) == []


def test_3_another_seats_illegal_discard_does_not_end_it():
    state = after(standing(46, 46, 0), discard(1))
    assert codes(state, hand(2, 1, PAIR)) == ["standing_hand"]


def test_3_the_last_scored_category_counts():
    state = after(standing(46, 0, 0), hand(2, 0, TRIPS), trick(1))
    assert codes(state, hand(3, 0, TRIPS)) == []
    assert codes(state, hand(3, 1, TWO_PAIR)) == ["standing_hand"]
    assert codes(state, hand(3, 0, TWO_PAIR)) == ["standing_hand"]


def test_3_one_warning_per_entry():
    state = after(at("festival", 46, 46, 0), hand(1, 0, TRIPS), hand(2, 1, FLUSH), trick(2))
    found = warnings(state, hand(3, 0, PAIR))
    assert [problem.code for problem in found] == ["standing_hand"]
    assert found[0].params["holder"] == 0
    found = warnings(state, hand(3, 2, PAIR))
    assert [problem.params["holder"] for problem in found] == [1]


def test_8_rulings_between_phases_count_as_before_the_exchange():
    lowered = after(standing(46, 0, 0), points(0, -10))
    assert codes(lowered, hand(2, 1, PAIR)) == []
    raised = after(standing(40, 0, 0), points(0, 5))
    assert codes(raised, hand(2, 1, PAIR)) == ["standing_hand"]


def test_9_a_ruling_after_an_illegal_discard_counts_as_before_the_exchange():
    state = after(standing(46, 46, 0), discard(1))
    assert codes(state, hand(2, 2, PAIR)) == ["standing_hand"]
    assert codes(after(state, points(0, -10)), hand(2, 2, PAIR)) == []


def test_8_a_ruling_after_the_exchange_does_not_affect_it():
    state = after(standing(46, 0, 0), none(2), revoke(2), points(0, -10), trick(1))
    assert codes(state, hand(3, 1, PAIR)) == ["standing_hand"]


def test_8_a_ruling_before_the_last_exchange():
    state = after(standing(46, 0, 0), none(2), points(0, -10), trick(1))
    assert codes(state, hand(3, 1, PAIR)) == []


def test_8_out_seats_are_ignored():
    for action in ("sit_out_game", "disqualify", "sit_out_deal"):
        state = after(standing(46, 0, 0, 0), rule(action, 0))
        assert codes(state, hand(2, 1, PAIR)) == []


def test_8_a_reset_under_k_counts_as_a_scored_four_of_a_kind():
    state = after(at("festival+K", 46, 0, 0), hand(1, 0, QUADS, reset=True))
    assert codes(state, hand(2, 1, FLUSH)) == ["standing_hand"]
    assert codes(state, hand(2, 0, FLUSH)) == ["standing_hand"]
    assert codes(state, hand(2, 0, QUADS, reset=True)) == []


def test_8_a_reset_under_k_takes_the_others_standing_hands():
    state = after(
        at("festival+K", 46, 46, 0), hand(1, 0, TWO_PAIR), hand(2, 1, QUADS, reset=True), trick(2)
    )
    assert codes(state, hand(3, 1, QUADS)) == []
    assert codes(state, hand(3, 0, PAIR)) == ["standing_hand"]
    assert warnings(state, hand(3, 0, PAIR))[0].params["holder"] == 1


def test_8_rare_and_contradicting_gives_two_warnings():
    state = standing(46, 0, 0)
    assert codes(state, hand(2, 0, STRAIGHT_FLUSH)) == ["rare_hand", "standing_hand"]


def test_8_warnings_do_not_stop_a_replay_and_carry_their_index():
    result = replayed("pagat", hand(1, 0, ROYAL), hand(2, 1, STRAIGHT_FLUSH), seats=3)
    assert result.valid
    assert [(problem.code, problem.entry) for problem in result.problems] == [
        ("rare_hand", 0),
        ("rare_hand", 1),
    ]
    assert [len(step.warnings) for step in result.steps] == [1, 1]


def test_8_warnings_come_before_the_error():
    result = replayed("pagat", hand(1, 0, ROYAL), trick(0), seats=3)
    assert [(problem.code, problem.severity) for problem in result.problems] == [
        ("rare_hand", "warning"),
        ("unexpected_kind", "error"),
    ]
    assert result.error is not None
    assert result.error.entry == 1
    assert [problem.code for problem in result.warnings] == ["rare_hand"]


def test_8_a_refused_entry_gives_no_warning():
    result = replay(parse_rules("festival"), 3, [hand(2, 0, ROYAL)])
    assert [problem.code for problem in result.problems] == ["wrong_phase"]


def test_8_standing_hand_in_the_last_phase_before_the_tricks():
    state = to_tricks(standing(46, 0, 0))
    assert codes(state, hand(3, 0, QUADS, reset=True)) == ["standing_hand"]
    assert codes(state, hand(3, 1, QUADS, reset=True)) == []
