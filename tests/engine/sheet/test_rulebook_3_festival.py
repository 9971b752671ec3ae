"""Rulebook §3: entries, order and effects in the festival's rules."""

import pickle
from fractions import Fraction

import pytest

from engine.cards.categories import SCORING
from engine.errors import ChicagoError, EntryError, Problem
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, Hand, IllegalDiscard, LastTrick, NoHand, Revoke, Ruling
from engine.sheet.sheet import (
    can,
    legal_entries,
    legal_rulings,
    replay,
    start,
    step,
    why_not,
)
from tests.engine.sheet.factory import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    after,
    at,
    begin,
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


def test_3_the_worked_round_of_the_source_gives_4_0_8():
    state = play(
        "festival",
        hand(1, 0, TWO_PAIR),
        hand(2, 0, TWO_PAIR),
        trick(2),
        hand(3, 2, TRIPS),
        seats=3,
        dealer=2,
    )
    assert state.scores == (4, 0, 8)
    assert (state.deal, state.dealer, state.phase, state.finished) == (1, 0, 1, False)


def test_3_a_deal_runs_through_its_three_phases():
    state = begin("festival")
    assert (state.phase, state.stage, kinds(state)) == (1, "exchange", {"hand", "none"})
    state = after(state, none(1))
    assert (state.phase, state.stage, kinds(state)) == (2, "exchange", {"hand", "none"})
    state = after(state, hand(2, 1, PAIR))
    assert (state.phase, state.stage) == (3, "tricks")
    assert kinds(state) == {"hand", "last_trick", "revoke"}
    state = after(state, trick(0))
    assert (state.phase, state.stage, kinds(state)) == (3, "final_hand", {"hand", "none"})
    state = after(state, none(3))
    assert (state.phase, state.stage, state.deal, state.dealer) == (1, "exchange", 1, 1)


def test_3_two_exchanges_have_two_phases():
    state = play("basic", none(1))
    assert (state.phase, state.stage) == (2, "tricks")
    assert after(state, trick(1), hand(2, 0, PAIR)).deal == 1


@pytest.mark.parametrize("category", SCORING[:7])
@pytest.mark.parametrize("phase", [1, 2, 3])
def test_3_hand_adds_its_points(phase, category):
    state = begin("festival")
    while state.phase < phase:
        state = after(state, none(state.phase))
    if phase == 3:
        state = after(state, trick(1))
    before = state.scores
    state = after(state, hand(phase, 2, category))
    worth = (1, 2, 3, 4, 5, 6, 8)[category - 1]
    assert state.scores == (before[0], before[1], worth, 0)


def test_3_quads_with_reset_score_nothing_zero_the_others_and_end_the_deal():
    state = at("festival", 30, 20, 10, 5)
    state = after(state, hand(1, 1, QUADS, reset=True))
    assert state.scores == (0, 20, 0, 0)
    assert (state.deal, state.phase, state.dealer) == (1, 1, 1)


def test_3_quads_without_reset_bind_the_seat_for_this_deal():
    state = play("festival", hand(1, 1, QUADS))
    assert state.scores[1] == 8
    assert code(state, hand(2, 1, QUADS, reset=True)) == "reset_bound"
    assert code(state, hand(2, 2, QUADS, reset=True)) is None
    state = after(state, hand(2, 1, QUADS))
    assert code(state, hand(3, 1, QUADS, reset=True)) == "reset_bound"
    state = after(state, trick(0), none(3))
    assert code(state, hand(1, 1, QUADS, reset=True)) is None


def test_3_reset_false_is_quads_for_points():
    state = play("festival", hand(1, 1, QUADS, reset=False))
    assert state.scores[1] == 8
    assert code(state, hand(2, 1, QUADS, reset=True)) == "reset_bound"


def test_3_reset_before_the_tricks():
    state = to_tricks(at("festival", 3, 4, 5, 6))
    state = after(state, hand(3, 3, QUADS, reset=True))
    assert (state.scores, state.deal) == ((0, 0, 0, 6), 1)


def test_3_a_straight_flush_makes_52_and_wins_without_a_chicago():
    state = after(at("festival", 30, 20, 40, 5), hand(1, 3, STRAIGHT_FLUSH))
    assert state.finished
    assert (state.scores, state.winners, state.win) == ((30, 20, 40, 52), (3,), "straight_flush")
    assert state.places == ((3,), (2,), (0,), (1,))
    assert (state.phase, state.deal, state.dealer) == (None, 0, 0)


@pytest.mark.parametrize("phase", [1, 2, 3])
def test_3_a_royal_flush_also_sets_every_other_score_to_zero(phase):
    state = at("festival", 30, 20, 40, 5)
    while state.phase < phase:
        state = after(state, none(state.phase))
    state = after(state, hand(phase, 0, ROYAL))
    assert (state.scores, state.winners, state.win) == ((52, 0, 0, 0), (0,), "royal_flush")
    assert state.game_points == (Fraction(20), Fraction(35, 3), Fraction(35, 3), Fraction(35, 3))


def test_3_a_chicago_won_is_executed_an_asterisk_and_15():
    state = after(to_tricks(at("festival", 15, 0, 0, 0)), won(0))
    assert (state.scores[0], state.executed[0], state.asterisks[0]) == (30, True, 1)
    assert (state.deal, state.stage) == (1, "exchange")


def test_3_a_broken_chicago_costs_15_and_gives_the_breaker_10():
    state = after(to_tricks(at("festival", 20, 3, 0, 0)), lost(0, 1))
    assert (state.scores, state.executed, state.asterisks) == (
        (5, 13, 0, 0),
        (True, False, False, False),
        (0, 0, 0, 0),
    )
    assert state.deal == 1


def test_3_a_chicago_without_a_breaker_gives_nobody_the_bonus():
    state = after(to_tricks(at("festival", 15, 3, 0, 0)), lost(0))
    assert state.scores == (0, 3, 0, 0)


@pytest.mark.parametrize(("score", "expected"), [(14, "chicago_below_minimum"), (15, None)])
def test_3_a_declarer_needs_15_at_that_moment(score, expected):
    state = to_tricks(at("festival", score, 0, 0, 0))
    assert code(state, won(0)) == expected
    assert code(state, lost(0, 1)) == expected


def test_3_points_of_the_same_deal_count_towards_the_15():
    state = after(at("festival", 14, 0, 0, 0), hand(1, 0, PAIR), none(2))
    assert code(state, won(0)) is None


@pytest.mark.parametrize(("deuce", "worth"), [(False, 5), (True, 10)])
def test_3_the_last_trick(deuce, worth):
    state = after(to_tricks(begin("festival")), trick(2, deuce))
    assert state.scores == (0, 0, worth, 0)


def test_3_a_revoke_takes_this_deals_hand_points_off():
    state = after(at("festival", 10, 0, 0, 0), hand(1, 0, FLUSH), hand(2, 0, FULL_HOUSE))
    assert state.scores[0] == 21
    state = after(state, revoke(0))
    assert (state.scores[0], state.dead) == (10, (True, False, False, False))
    assert code(state, trick(0)) == "dead_hand"
    state = after(state, trick(1), hand(3, 0, FULL_HOUSE))
    assert state.scores == (16, 5, 0, 0)
    assert state.dead == (False,) * 4


def test_3_a_revoke_stops_at_zero():
    state = play("festival", hand(1, 0, FLUSH), points(0, -3), none(2), revoke(0))
    assert state.scores[0] == 0


def test_3_an_illegal_discard_sets_a_discardless_seat_to_zero():
    state = at("festival", 45, 44, 0, 0)
    assert state.discardless == (True, False, False, False)
    assert code(state, discard(1)) == "not_discardless"
    state = after(state, discard(0))
    assert (state.scores[0], state.discardless[0], state.phase) == (0, False, 1)
    assert code(state, discard(0)) == "not_discardless"
    assert code(after(state, hand(1, 0, PAIR)), hand(2, 0, PAIR)) is None


@pytest.mark.parametrize("phase", [1, 2, 3])
def test_3_an_illegal_discard_follows_an_exchange(phase):
    state = at("festival", 45, 0, 0, 0)
    while state.phase < phase:
        state = after(state, none(state.phase))
    assert code(state, discard(0)) is None
    if phase == 3:
        assert code(after(state, trick(1)), discard(0)) == "unexpected_kind"


def test_3_the_target_with_an_executed_chicago_wins_at_once():
    state = executed(at("festival", 51, 20, 0, 0), 0)
    state = after(state, hand(1, 0, PAIR))
    assert (state.finished, state.winners, state.win) == (True, (0,), "target")
    assert state.discardless == (False,) * 4


def test_3_the_target_without_a_chicago_is_zero_and_out():
    state = after(at("festival", 51, 20, 0, 0), hand(1, 0, PAIR))
    assert (state.scores[0], state.status[0], state.finished) == (0, "out", False)
    assert state.phase == 2
    assert code(state, hand(2, 0, PAIR)) == "seat_out"
    assert code(state, hand(2, 1, PAIR)) is None


def test_3_a_won_chicago_can_win_the_game():
    state = after(to_tricks(at("festival", 40, 20, 0, 0)), won(0))
    assert (state.finished, state.win, state.scores[0], state.asterisks[0]) == (
        True,
        "target",
        55,
        1,
    )


def test_3_the_breaker_can_win_or_go_out():
    ready = executed(at("festival", 20, 45, 0, 0), 1)
    state = after(to_tricks(ready), lost(0, 1))
    assert (state.winners, state.scores) == ((1,), (5, 55, 0, 0))
    state = after(to_tricks(at("festival", 20, 45, 0, 0)), lost(0, 1))
    assert (state.status[1], state.scores[1], state.finished) == ("out", 0, False)


def test_3_the_last_trick_can_win_before_the_hand():
    state = after(to_tricks(executed(at("festival", 50, 20, 0, 0), 0)), trick(0))
    assert (state.finished, state.phase, state.winners) == (True, None, (0,))


def test_3_going_out_in_the_tricks_leaves_the_final_hand_to_the_others():
    state = after(to_tricks(at("festival", 50, 20, 0, 0)), trick(0))
    assert (state.status[0], state.stage) == ("out", "final_hand")
    assert code(state, hand(3, 0, PAIR)) == "seat_out"
    assert after(state, hand(3, 1, PAIR)).scores == (0, 21, 0, 0)


def test_3_the_last_one_standing_wins():
    state = after(at("festival", 51, 3), hand(1, 0, PAIR))
    assert (state.finished, state.winners, state.win) == (True, (1,), "last_standing")
    assert state.scores == (0, 3)
    assert state.places == ((1,), (0,))


def test_3_discardless_at_45_at_once_and_lifted_below():
    state = at("festival", 44, 0, 0, 0)
    assert not state.discardless[0]
    state = after(state, hand(1, 0, PAIR))
    assert state.discardless[0]
    state = after(state, points(0, -1))
    assert not state.discardless[0]


def test_3_executed_and_asterisks_survive_a_reset():
    state = after(to_tricks(at("festival", 15, 0, 0, 0)), won(0))
    state = after(state, hand(1, 1, QUADS, reset=True))
    assert (state.scores, state.executed[0], state.asterisks[0]) == ((0, 0, 0, 0), True, 1)


def test_3_the_deal_passes_over_seats_that_are_out():
    state = after(at("festival", 0, 51, 0, 0), hand(1, 1, PAIR))
    state = after(state, none(2), trick(0), none(3))
    assert state.dealer == 2
    assert state.forehand == 3
    state = quiet_deal(quiet_deal(state))
    assert state.dealer == 0
    assert state.forehand == 2


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (hand(2, 0, PAIR), "wrong_phase"),
        (none(3), "wrong_phase"),
        (trick(0), "unexpected_kind"),
        (won(0), "unexpected_kind"),
        (lost(0, 1), "unexpected_kind"),
        (revoke(0), "unexpected_kind"),
        (discard(0), "not_discardless"),
        (hand(4, 0, PAIR), "bad_value"),
        (hand(0, 0, PAIR), "bad_value"),
        (hand(1, 4, PAIR), "bad_value"),
        (hand(1, -1, PAIR), "bad_value"),
        (Hand(1, 0, 1), "bad_value"),
        (Hand(1, 0, PAIR.NOTHING), "bad_value"),
        (Hand(1, 0, PAIR, True), "bad_value"),
        (Hand(1, 0, PAIR, None, "X"), "bad_value"),
        (Hand(True, 0, PAIR), "bad_value"),
        (Hand(1, "0", PAIR), "bad_value"),
        (NoHand(None), "bad_value"),
        (LastTrick(9), "bad_value"),
        (LastTrick(0, 1), "bad_value"),
        (Revoke(-1), "bad_value"),
        (IllegalDiscard(7), "bad_value"),
        (Chicago(0, True, 1), "bad_value"),
        (Chicago(0, False, 4), "bad_value"),
        (Chicago(0, "yes"), "bad_value"),
        (Chicago(0, True, None, True), "bad_value"),
        (Chicago(0, True, None, False, True), "bad_value"),
        (Ruling("dance", 0), "bad_value"),
        (Ruling("end_game", 0, None, "x"), "bad_value"),
        (Ruling("disqualify", 0, 3, "x"), "bad_value"),
        (Ruling("points", 0, None, "x"), "missing_field"),
        (Ruling("points", None, 1, "x"), "missing_field"),
        (Ruling("points", 0, 10**9 + 1, "x"), "bad_value"),
        (Ruling("points", 0, -(10**9) - 1, "x"), "bad_value"),
        (Ruling("points", 0, 10**9, "x"), None),
        (Ruling("points", 0, -(10**9), "x"), None),
        (Ruling("points", 0, 1, None), "bad_value"),
        (Ruling("points", 0, 1, "  "), "missing_reason"),
    ],
)
def test_3_a_refused_entry_changes_nothing_and_has_a_code(entry, expected):
    state = begin("festival")
    assert code(state, entry) == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (none(3), "unexpected_kind"),
        (hand(3, 0, PAIR), "unexpected_kind"),
        (hand(3, 0, QUADS), "unexpected_kind"),
        (hand(3, 0, QUADS, reset=True), None),
        (hand(3, 0, STRAIGHT_FLUSH), None),
        (hand(3, 0, ROYAL), None),
        (hand(2, 0, ROYAL), "wrong_phase"),
        (trick(0), None),
        (revoke(0), None),
        (won(0), "chicago_below_minimum"),
    ],
)
def test_3_the_final_phase_before_the_tricks(entry, expected):
    assert code(to_tricks(begin("festival")), entry) == expected


def test_3_nobody_breaks_their_own_chicago():
    state = to_tricks(at("festival", 20, 0, 0, 0))
    assert code(state, lost(0, 0)) == "self_break"


def test_3_after_the_end_nothing_is_written():
    state = play("festival", hand(1, 0, ROYAL))
    assert legal_entries(state) == ()
    assert legal_rulings(state) == ()
    for entry in (none(1), trick(0), won(0), revoke(0), discard(0), hand(1, 0, PAIR)):
        assert code(state, entry) == "game_finished"
    assert code(state, rule("end_game")) == "game_finished"
    assert code(state, Ruling("points", 1, 1, "")) == "game_finished"
    assert code(state, hand(9, 0, PAIR)) == "bad_value"


# ---------------------------------------------------------------- rulings


def test_3_ruling_points_with_floor_and_target_check():
    state = after(begin("festival"), points(0, -5), points(1, 7))
    assert state.scores == (0, 7, 0, 0)
    state = after(state, points(1, 45))
    assert (state.status[1], state.scores[1]) == ("out", 0)
    ready = executed(at("festival", 40, 0, 0), 0)
    assert after(ready, points(0, 12)).win == "target"


def test_3_ruling_anywhere_while_the_game_runs():
    state = begin("festival")
    for entry in (none(1), none(2), trick(0), none(3)):
        assert ("points", 3) in legal_rulings(state)
        state = after(state, points(3, 1), entry)
    assert state.scores == (5, 0, 0, 4)


def test_3_ruling_sit_out_deal():
    state = after(begin("festival"), hand(1, 1, PAIR), rule("sit_out_deal", 1))
    assert (state.status[1], state.scores[1]) == ("in", 1)
    assert code(state, hand(2, 1, PAIR)) == "seat_out"
    state = after(state, none(2))
    assert code(state, trick(1)) == "seat_out"
    assert code(state, revoke(1)) == "seat_out"
    state = after(state, trick(0), none(3))
    assert (state.dealer, state.sitting_out) == (1, (False,) * 4)
    assert code(state, hand(1, 1, PAIR)) is None


def test_3_ruling_sit_out_game():
    state = after(at("festival", 10, 20, 0, 0), rule("sit_out_game", 1))
    assert (state.status[1], state.scores[1]) == ("out", 0)
    assert code(state, hand(1, 1, PAIR)) == "seat_out"


def test_3_ruling_disqualify_is_last_with_nothing():
    state = after(at("festival", 10, 20, 5, 0), rule("disqualify", 1))
    assert (state.status[1], state.scores[1]) == ("disqualified", 20)
    state = after(state, hand(1, 0, STRAIGHT_FLUSH))
    assert state.places == ((0,), (2,), (3,), (1,))
    assert [str(value) for value in state.game_points] == ["20", "0", "15", "12"]


def test_3_ruling_end_game_places_by_score():
    state = after(at("festival", 10, 20, 5, 20), none(1), rule("end_game"))
    assert (state.finished, state.win, state.winners) == (True, "ended", (1, 3))
    assert state.places == ((1, 3), (0,), (2,))
    assert [str(value) for value in state.game_points] == ["12", "35/2", "8", "35/2"]


def test_3_a_ruling_always_has_a_reason():
    assert code(begin("festival"), Ruling("end_game")) == "missing_reason"


def test_3_illegal_entries_change_nothing():
    state = begin("festival")
    before = state.as_json()
    assert code(state, trick(0)) is not None
    assert state.as_json() == before == start(state.rules, 4).as_json()


def test_3_states_problems_and_errors_can_be_pickled():
    state = to_tricks(begin("festival"))
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(EntryError) as caught:
        step(state, none(3))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.problem) == ("unexpected_kind", caught.value.problem)
    assert pickle.loads(pickle.dumps(Problem("malformed"))) == Problem("malformed")
    error = pickle.loads(pickle.dumps(ChicagoError("bad_seats", reason="number", number=9)))
    assert "9" in str(error)


def test_3_step_leaves_the_old_state_alone():
    state = begin("festival")
    following = step(state, hand(1, 0, STRAIGHT))
    assert (state.scores, following.scores) == ((0, 0, 0, 0), (4, 0, 0, 0))
    with pytest.raises(AttributeError):
        state.deal = 5


# ------------------------------------------------------- legality and replay


def test_3_a_refusal_lists_what_is_possible_now():
    state = begin("festival")
    possible = [entry.as_json() for entry in legal_entries(state)]
    problem = why_not(state, LastTrick(0))
    assert [dict(entry) for entry in problem.expected] == possible
    with pytest.raises(EntryError) as refused:
        step(state, LastTrick(0))
    assert refused.value.problem == problem
    assert (can(state, LastTrick(0)), can(state, none(1))) == (False, True)


def test_3_a_replay_starts_with_seat_0_as_dealer_and_keeps_its_origin():
    rules = parse_rules("festival")
    played = replay(rules, 3, [none(1)])
    assert played.start == start(rules, 3, 0)
    assert played.steps[0].before == played.start
    assert replay(rules, 3, [], dealer=2).state.dealer == 2


def test_3_an_empty_sheet_is_empty_in_every_field():
    state = start(parse_rules("festival"), 3, 1)
    no = [False] * 3
    assert state.as_json() == {
        "deal": 0,
        "phase": 1,
        "dealer": 1,
        "finished": False,
        "stage": "exchange",
        "scores": [0] * 3,
        "executed": no,
        "asterisks": [0] * 3,
        "discardless": no,
        "status": ["in"] * 3,
        "winners": [],
        "win": None,
        "places": None,
        "game_points": None,
        "sitting_out": no,
        "dead": no,
        "bound": no,
        "armed": no,
        "standing": [None] * 3,
    }
    assert (state.exchanged, state.trick_winner, state.deal_points) == (False, None, (0, 0, 0))


@pytest.mark.parametrize("seats", [1, 5, True, "3", 3.0])
def test_3_a_game_is_for_two_to_four_seats(seats):
    with pytest.raises(ChicagoError) as refused:
        start(parse_rules("festival"), seats)
    assert refused.value.code == "bad_seats"
    assert refused.value.params == {"reason": "number", "number": seats}


@pytest.mark.parametrize("dealer", [-1, 3, True, "0", "x" * 50])
def test_3_the_first_dealer_is_one_of_the_seats(dealer):
    with pytest.raises(ChicagoError) as refused:
        start(parse_rules("festival"), 3, dealer)
    assert refused.value.code == "bad_value"
    assert refused.value.params == {"field": "dealer", "value": str(dealer)[:40]}


def test_3_a_malformed_entry_lists_what_is_possible_too():
    rules = parse_rules("festival")
    error = replay(rules, 3, [none(1), {"kind": "none"}]).error
    assert (error.code, error.entry, error.params["field"]) == ("missing_field", 1, "phase")
    possible = [entry.as_json() for entry in legal_entries(after(start(rules, 3), none(1)))]
    assert [dict(entry) for entry in error.expected] == possible


def test_3_the_states_after_each_entry_match_the_replay():
    rules = parse_rules("svensk")
    entries = [none(1), none(2), trick(1), none(3)]
    states = [start(rules, 3, 1)]
    for entry in entries:
        states.append(step(states[-1], entry))
    played = replay(rules, 3, [entry.as_json() for entry in entries], 1)
    assert (played.states, played.entries) == (tuple(states[1:]), tuple(entries))
