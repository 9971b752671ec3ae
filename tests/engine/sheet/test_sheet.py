"""Sheets as the library's callers use them; what the rules say, the conformance tables ask."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ChicagoError, EntryError, Problem
from engine.rules.presets import FESTIVAL
from engine.rules.ruleset import rules_from_json
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, Hand, IllegalDiscard, LastTrick, NoHand, Revoke, Ruling
from engine.sheet.placing import place_game
from engine.sheet.sheet import (
    can,
    legal_entries,
    legal_rulings,
    replay,
    start,
    step,
    warnings,
    why_not,
)
from tests.engine.sheet.factory import (
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
    hand,
    lost,
    none,
    play,
    points,
    replayed,
    revoke,
    rule,
    to_tricks,
    trick,
    won,
)


def test_illegal_entries_change_nothing():
    state = begin("festival")
    before = state.as_json()
    assert code(state, trick(0)) is not None
    assert state.as_json() == before == start(state.rules, 4).as_json()


def test_states_problems_and_errors_can_be_pickled():
    state = to_tricks(begin("festival"))
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(EntryError) as caught:
        step(state, none(3))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.problem) == ("unexpected_kind", caught.value.problem)
    assert pickle.loads(pickle.dumps(Problem("malformed"))) == Problem("malformed")
    error = pickle.loads(pickle.dumps(ChicagoError("bad_seats", reason="number", number=9)))
    assert "9" in str(error)


def test_step_leaves_the_old_state_alone():
    state = begin("festival")
    following = step(state, hand(1, 0, STRAIGHT))
    assert (state.scores, following.scores) == ((0, 0, 0, 0), (4, 0, 0, 0))
    with pytest.raises(AttributeError):
        state.deal = 5


def test_a_refusal_lists_what_is_possible_now():
    state = begin("festival")
    possible = [entry.as_json() for entry in legal_entries(state)]
    problem = why_not(state, LastTrick(0))
    assert [dict(entry) for entry in problem.expected] == possible
    with pytest.raises(EntryError) as refused:
        step(state, LastTrick(0))
    assert refused.value.problem == problem
    assert (can(state, LastTrick(0)), can(state, none(1))) == (False, True)


def test_a_replay_starts_with_seat_0_as_dealer_and_keeps_its_origin():
    rules = parse_rules("festival")
    played = replay(rules, 3, [none(1)])
    assert played.start == start(rules, 3, 0)
    assert played.steps[0].before == played.start
    assert replay(rules, 3, [], dealer=2).state.dealer == 2


def test_an_empty_sheet_is_empty_in_every_field():
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
def test_a_game_is_for_two_to_four_seats(seats):
    with pytest.raises(ChicagoError) as refused:
        start(parse_rules("festival"), seats)
    assert refused.value.code == "bad_seats"
    assert refused.value.params == {"reason": "number", "number": seats}


@pytest.mark.parametrize("dealer", [-1, 3, True, "0", "x" * 50])
def test_the_first_dealer_is_one_of_the_seats(dealer):
    with pytest.raises(ChicagoError) as refused:
        start(parse_rules("festival"), 3, dealer)
    assert refused.value.code == "bad_value"
    assert refused.value.params == {"field": "dealer", "value": str(dealer)[:40]}


def test_a_malformed_entry_lists_what_is_possible_too():
    rules = parse_rules("festival")
    error = replay(rules, 3, [none(1), {"kind": "none"}]).error
    assert (error.code, error.entry, error.params["field"]) == ("missing_field", 1, "phase")
    possible = [entry.as_json() for entry in legal_entries(after(start(rules, 3), none(1)))]
    assert [dict(entry) for entry in error.expected] == possible


def test_the_states_after_each_entry_match_the_replay():
    rules = parse_rules("svensk")
    entries = [none(1), none(2), trick(1), none(3)]
    states = [start(rules, 3, 1)]
    for entry in entries:
        states.append(step(states[-1], entry))
    played = replay(rules, 3, [entry.as_json() for entry in entries], 1)
    assert (played.states, played.entries) == (tuple(states[1:]), tuple(entries))


def test_ruling_anywhere_while_the_game_runs():
    state = begin("festival")
    for entry in (none(1), none(2), trick(0), none(3)):
        assert ("points", 3) in legal_rulings(state)
        state = after(state, points(3, 1), entry)
    assert state.scores == (5, 0, 0, 4)


def test_after_the_end_nothing_is_written():
    state = play("festival", hand(1, 0, ROYAL))
    assert legal_entries(state) == ()
    assert legal_rulings(state) == ()
    for entry in (none(1), trick(0), won(0), revoke(0), discard(0), hand(1, 0, PAIR)):
        assert code(state, entry) == "game_finished"
    assert code(state, rule("end_game")) == "game_finished"
    assert code(state, Ruling("points", 1, 1, "")) == "game_finished"
    assert code(state, hand(9, 0, PAIR)) == "bad_value"


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
def test_before_the_tricks_only_hands_that_end_game_or_deal(spec, shown):
    state = to_tricks(begin(spec))
    found = {
        ("reset" if entry.reset else "quads") if entry.category is QUADS else entry.category.key
        for entry in legal_entries(state)
        if isinstance(entry, Hand)
    }
    assert found == shown


def test_a_rule_set_in_which_only_the_straight_flush_wins():
    document = parse_rules("pagat").as_json()
    document["fields"] = {**document["fields"], "straight_flush": "plus_52"}
    state = to_tricks(start(rules_from_json(document), 3))
    assert code(state, hand(3, 0, STRAIGHT_FLUSH)) is None
    assert code(state, hand(3, 0, ROYAL)) == "unexpected_kind"


def test_the_warning_names_who_holds_what():
    state = after(at("festival", 46, 0, 0), hand(1, 0, TWO_PAIR))
    (own,) = warnings(state, hand(2, 0, TRIPS))
    assert own.params["why"] == "own"
    (other,) = warnings(state, hand(2, 1, PAIR))
    assert (other.params["holder"], other.params["held"]) == (0, "two_pair")


def test_warnings_do_not_stop_a_replay_and_carry_their_index():
    result = replayed("pagat", hand(1, 0, ROYAL), hand(2, 1, STRAIGHT_FLUSH), seats=3)
    assert result.valid
    assert [(problem.code, problem.entry) for problem in result.problems] == [
        ("rare_hand", 0),
        ("rare_hand", 1),
    ]
    assert [len(step.warnings) for step in result.steps] == [1, 1]


def test_warnings_come_before_the_error():
    result = replayed("pagat", hand(1, 0, ROYAL), trick(0), seats=3)
    assert [(problem.code, problem.severity) for problem in result.problems] == [
        ("rare_hand", "warning"),
        ("unexpected_kind", "error"),
    ]
    assert result.error is not None
    assert result.error.entry == 1
    assert [problem.code for problem in result.warnings] == ["rare_hand"]


def test_a_refused_entry_gives_no_warning():
    result = replay(parse_rules("festival"), 3, [hand(2, 0, ROYAL)])
    assert [problem.code for problem in result.problems] == ["wrong_phase"]


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
    words = {"i": "in", "o": "out"}
    statuses = [words[letter] for letter in status]
    _, found = place_game(FESTIVAL, totals, statuses, [0], share_rest=royal)
    whole = sum((20, 15, 12, 8)[: len(totals)])
    assert sum(found) == whole
    assert found[0] == 20


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
def test_an_entry_made_in_python_is_refused_with_a_code(entry, expected):
    state = begin("festival")
    assert code(state, entry) == expected


def test_a_refused_hand_causes_no_warning():
    assert warnings(begin("festival"), hand(2, 0, ROYAL)) == ()
