"""Facts report what an entry did; applied in turn from the beginning they give every state."""

from __future__ import annotations

import itertools
import json
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.sheet.facts import ScoreChanged
from engine.sheet.record import read_record
from engine.sheet.scoreboard import Scoreboard, fold
from engine.sheet.sheet import Replay, replay
from engine.sheet.state import State

from ..conformance.runner import load, record, run
from ..rule_sets import specs
from .factory import (
    FLUSH,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    at,
    begin,
    blind,
    discard,
    hand,
    lost,
    none,
    play,
    points,
    revoke,
    rule,
    step,
    to_tricks,
    trick,
    won,
)
from .test_sheet_properties import games, pairs, random_game

CASES = [
    case
    for path in sorted((Path(__file__).parents[1] / "conformance").glob("*.cases"))
    for case in load(path)
]


def told(state: State) -> list[tuple[object, ...]]:
    """Return the facts of a state's last entry, as values of their documents."""
    return [tuple(fact.as_json().values()) for fact in state.facts]


def check_folds(played: Replay) -> None:
    """Check that applying the facts from the beginning gives every state."""
    board = Scoreboard.of(played.start)
    for state in played.states:
        scores = list(board.scores)
        for fact in state.facts:
            if isinstance(fact, ScoreChanged):
                assert fact.before == scores[fact.seat] != fact.after
                scores[fact.seat] = fact.after
        board = fold(state.facts, board)
        assert board == Scoreboard.of(state)


def test_the_facts_of_every_conformance_case_give_its_states():
    assert len(CASES) > 500
    for case in CASES:
        check_folds(read_record(case.document()).replay())


@settings(max_examples=120, deadline=None)
@given(games)
def test_the_facts_of_generated_games_give_their_states(game):
    first, entries, _ = game
    check_folds(replay(first.rules, first.seats, entries, first.dealer))


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_the_facts_of_every_preset_variant_and_pair_of_variants_give_the_states(every):
    for number, spec in enumerate(itertools.chain(specs(), pairs()[::every])):
        first, entries, _ = random_game(spec, 2 + number % 3, number, most=120)
        check_folds(replay(first.rules, first.seats, entries, first.dealer))


# ------------------------------------------------------------- each fact


def test_a_hand_and_the_last_trick():
    assert told(play("festival", hand(1, 2, FLUSH))) == [("score", 2, 0, 5, "hand")]
    assert told(play("festival", none(1))) == []
    tricks = to_tricks(begin("festival"))
    assert told(step(tricks, trick(1))) == [("score", 1, 0, 5, "last_trick")]
    assert told(step(tricks, trick(1, deuce=True))) == [("score", 1, 0, 10, "last_trick")]


def test_a_chicago_won_circles_the_name_once():
    state = step(to_tricks(at("festival", 15, 0, 0, 0)), won(0))
    assert told(state) == [
        ("executed", 0, True),
        ("asterisk", 0, True),
        ("score", 0, 15, 30, "chicago_won"),
        ("deal", 1, 1),
    ]
    assert told(step(to_tricks(state), won(0)))[0] == ("asterisk", 0, True)


def test_a_broken_chicago_reports_its_cost_and_the_breakers_bonus():
    state = to_tricks(at("festival", 15, 3, 0, 0))
    assert told(step(state, lost(0, 1))) == [
        ("executed", 0, True),
        ("score", 0, 15, 0, "chicago_lost"),
        ("score", 1, 3, 13, "breaker"),
        ("deal", 1, 1),
    ]


def test_without_a_bonus_the_breaker_is_not_reported():
    state = step(to_tricks(at("svensk", 15, 3)), lost(0, 1))
    assert [fact[:2] for fact in told(state)] == [("executed", 0), ("score", 0), ("deal", 1)]


def test_a_blind_chicago_lost():
    state = step(begin("wikipedia"), blind(0, False))
    assert told(state)[1] == ("score", 0, 0, -20, "chicago_lost")


def test_a_reset_reports_only_seats_that_had_points():
    assert told(play("festival", points(1, 7), hand(1, 2, QUADS, reset=True))) == [
        ("score", 1, 7, 0, "reset"),
        ("deal", 1, 1),
    ]


def test_a_straight_flush_is_a_hand_that_makes_52():
    facts = told(play("festival", points(1, 7), hand(1, 1, STRAIGHT_FLUSH)))
    assert facts[0] == ("score", 1, 7, 52, "hand")
    assert [fact[0] for fact in facts] == ["score", "game"]


def test_a_royal_flush_ends_the_game_and_zeroes_the_others():
    assert told(play("festival", points(1, 7), hand(1, 0, ROYAL))) == [
        ("score", 0, 0, 52, "hand"),
        ("score", 1, 7, 0, "royal_flush"),
        ("game", "royal_flush", [0], [[0], [1, 2, 3]], ["20", "35/3", "35/3", "35/3"]),
    ]


def test_points_past_the_target_without_a_chicago_precede_the_zeroing():
    state = play("festival", points(0, 44), none(1), none(2), trick(0, deuce=True))
    assert told(state) == [
        ("score", 0, 44, 54, "last_trick"),
        ("score", 0, 54, 0, "no_chicago"),
        ("status", 0, "out"),
    ]


def test_after_the_deal_the_zeroing_comes_with_the_entry_that_closes_it():
    state = play("svensk", points(0, 50), none(1), none(2), trick(0))
    assert told(state) == [("score", 0, 50, 55, "last_trick")]
    assert told(step(state, hand(3, 1, FLUSH))) == [
        ("score", 1, 0, 5, "hand"),
        ("score", 0, 55, 0, "no_chicago"),
        ("deal", 1, 1),
    ]


def test_discardless_follows_the_score():
    state = play("festival", points(0, 45))
    assert told(state) == [("score", 0, 0, 45, "ruling"), ("discardless", 0, True)]
    state = step(step(state, none(1)), discard(0))
    assert told(state) == [("score", 0, 45, 0, "illegal_discard"), ("discardless", 0, False)]


def test_a_revoke_removes_the_deals_points():
    state = play("festival", points(0, 3), hand(1, 0, FLUSH), none(2), revoke(0))
    assert told(state) == [("score", 0, 8, 3, "revoke")]


def test_rulings():
    assert told(play("festival", points(0, -5))) == []
    assert told(play("festival", points(0, 9), rule("sit_out_game", 0))) == [
        ("score", 0, 9, 0, "sit_out_game"),
        ("status", 0, "out"),
    ]
    assert told(play("festival", points(0, 9), rule("disqualify", 0))) == [
        ("status", 0, "disqualified")
    ]
    assert told(play("festival", points(0, 9), rule("end_game"), seats=2)) == [
        ("game", "ended", [0], [[0], [1]], ["20", "15"])
    ]


def test_the_last_one_standing_wins_and_nobody_is_discardless_any_more():
    state = play("festival", points(1, 46), rule("disqualify", 0), seats=2)
    assert told(state) == [
        ("status", 0, "disqualified"),
        ("game", "last_standing", [1], [[1], [0]], ["0", "20"]),
        ("discardless", 1, False),
    ]


def test_states_are_equal_whatever_their_facts():
    by_two, at_once = (
        play("festival", *entries) for entries in ((points(0, 2), points(0, 3)), (points(0, 5),))
    )
    assert by_two.facts != at_once.facts
    assert by_two == at_once
    assert hash(by_two) == hash(at_once)


def test_a_state_made_by_an_entry_is_immutable():
    state = play("festival", points(0, 5))
    assert type(state) is State
    with pytest.raises(FrozenInstanceError):
        state.scores = (0, 0, 0, 0)


# ---------------------------------------------------------- replay --facts


def test_replay_prints_what_each_accepted_entry_did():
    document = record("festival", "1a:fl 2- Ta2 3-")
    silent = run("replay", "-", stdin=json.dumps(document))
    ran = run("replay", "--facts", "-", stdin=json.dumps(document))
    steps = ran.doc["steps"]
    assert (ran.code, ran.err) == (0, "")
    assert [item["entry"] for item in steps] == [0, 1, 2, 3]
    assert steps[2]["facts"] == [
        {"fact": "score", "seat": 0, "from": 5, "to": 15, "cause": "last_trick"}
    ]
    assert steps[3]["facts"] == [{"fact": "deal", "deal": 1, "dealer": 1}]
    assert silent.doc == {key: value for key, value in ran.doc.items() if key != "steps"}


def test_replay_of_an_illegal_entry_prints_the_facts_before_it():
    texts = "\n".join(json.dumps(record("festival", sheet)) for sheet in ("1a:fl 1-", "1-"))
    ran = run("replay", "--lines", "--facts", "-", stdin=texts)
    assert ran.code == 1
    assert [[item["entry"] for item in line["steps"]] for line in ran.lines] == [[0], [0]]


def test_replay_of_cards_prints_facts_too():
    document = record("festival", "") | {"format": "chicago-card-record", "actions": []}
    ran = run("replay", "-", "--facts", stdin=json.dumps(document))
    assert ran.doc["steps"] == []


def test_facts_given_twice_is_a_wrong_command_line():
    assert run("replay", "--facts", "--facts", "-").code == 2
