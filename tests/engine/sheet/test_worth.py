"""What an entry is worth according to the engine: the numbers on buttons and printed protocols."""

import pytest

from engine.cards.categories import SCORING
from engine.rules.ruleset import FlushEffect
from engine.rules.variants import parse_rules
from engine.sheet.entries import IllegalDiscard
from engine.sheet.sheet import Worth, start, tricks_of, worth

from ..rule_sets import specs
from .factory import QUADS, ROYAL, STRAIGHT_FLUSH, after, at, blind, hand, lost, none, trick, won

SPECS = specs()


def gains(state, entry):
    """Return the points that an entry gives and takes."""
    return worth(state, entry).gains


@pytest.mark.parametrize("spec", SPECS)
def test_a_hand_that_only_scores_is_worth_its_points(spec):
    rules = parse_rules(spec)
    for category in SCORING:
        if rules.flush_effect(category, "H") is FlushEffect.POINTS and not (
            category is QUADS and rules.quads_lift
        ):
            entry = hand(1, 1, category, suit="H")
            assert gains(start(rules, 3), entry) == {"hand": rules.points_for(category)}


@pytest.mark.parametrize(
    ("spec", "plain", "deuce"),
    [("festival", 5, 10), ("svensk", 5, 5), ("svensk+N", 5, 10), ("festival+O", 2, 5)],
)
def test_the_last_trick(spec, plain, deuce):
    state = tricks_of(parse_rules(spec), 4)
    assert gains(state, trick(3)) == {"last_trick": plain}
    assert gains(state, trick(3, deuce=True)) == {"last_trick": deuce}


@pytest.mark.parametrize(
    ("spec", "bonus"),
    [("festival", {"breaker": 10}), ("svensk", {}), ("svensk+P", {"breaker": 8})],
)
def test_a_chicago(spec, bonus):
    state = tricks_of(parse_rules(spec), 4)
    assert gains(state, won(0)) == {"chicago_won": 15}
    assert gains(state, lost(0)) == {"chicago_lost": -15}
    assert gains(state, lost(0, 2)) == {"chicago_lost": -15, **bonus}


def test_a_blind_chicago():
    state = start(parse_rules("wikipedia"), 4)
    assert gains(state, blind(0, True)) == {"chicago_won": 30}
    assert gains(state, blind(0, True, deuce=True)) == {"chicago_won": 60}
    assert gains(state, blind(0, False)) == {"chicago_lost": -20}


def test_who_is_set_to_zero_is_told_apart_from_points():
    reset = hand(1, 0, QUADS, reset=True)
    assert worth(start("festival", 3), reset) == Worth({}, zeroed=(1, 2))
    assert worth(start("svensk+D", 3), reset) == Worth({"hand": 8}, zeroed=(1, 2))
    royal = worth(start("svensk", 3), hand(1, 0, ROYAL))
    assert (royal.wins, royal.zeroed, royal.gains) == (True, (1, 2), {"hand": 52})


def test_a_lift_says_how_far():
    assert worth(start("pagat+sf52", 3), hand(1, 0, STRAIGHT_FLUSH)) == Worth({}, lifts_to=52)


@pytest.mark.parametrize(
    ("spec", "wins"), [("festival", True), ("svensk", True), ("svensk+R", False)]
)
def test_a_hand_wins_only_if_it_does_from_any_score(spec, wins):
    assert worth(start(spec, 3), hand(1, 0, STRAIGHT_FLUSH)).wins is wins


def test_a_fine_is_no_loss_of_points_on_a_button():
    assert worth(start("festival", 3), IllegalDiscard(0)) == Worth({})


def test_the_scores_on_the_sheet_do_not_matter():
    state = after(at("svensk", 3, 51, -9, 0), none(1), none(2))
    assert gains(state, won(0)) == {"chicago_won": 15}
    assert gains(state, hand(3, 1, STRAIGHT_FLUSH)) == {"hand": 52}


def test_an_entry_illegal_here_is_worth_nothing():
    assert gains(start(parse_rules("festival"), 3), trick(0)) == {}
