"""What an entry is worth according to the engine: the numbers on buttons and printed protocols."""

import pytest

from engine.cards.categories import SCORING
from engine.rules.ruleset import FlushEffect
from engine.rules.variants import parse_rules
from engine.sheet.sheet import start, tricks_of, worth

from ..table.playthrough import specs
from .factory import QUADS, ROYAL, STRAIGHT_FLUSH, after, at, blind, hand, lost, none, trick, won

SPECS = specs()


@pytest.mark.parametrize("spec", SPECS)
def test_a_hand_that_only_scores_is_worth_its_points(spec):
    rules = parse_rules(spec)
    for category in SCORING:
        if rules.flush_effect(category, "H") is FlushEffect.POINTS and not (
            category is QUADS and rules.quads_lift
        ):
            entry = hand(1, 1, category, suit="H")
            assert worth(start(rules, 3), entry) == {"hand": rules.points_for(category)}


@pytest.mark.parametrize(
    ("spec", "plain", "deuce"),
    [("festival", 5, 10), ("svensk", 5, 5), ("svensk+N", 5, 10), ("festival+O", 2, 5)],
)
def test_the_last_trick(spec, plain, deuce):
    state = tricks_of(parse_rules(spec), 4)
    assert worth(state, trick(3)) == {"last_trick": plain}
    assert worth(state, trick(3, deuce=True)) == {"last_trick": deuce}


@pytest.mark.parametrize(
    ("spec", "bonus"),
    [("festival", {"breaker": 10}), ("svensk", {}), ("svensk+P", {"breaker": 8})],
)
def test_a_chicago(spec, bonus):
    state = tricks_of(parse_rules(spec), 4)
    assert worth(state, won(0)) == {"chicago_won": 15}
    assert worth(state, lost(0)) == {"chicago_lost": -15}
    assert worth(state, lost(0, 2)) == {"chicago_lost": -15, **bonus}


def test_a_blind_chicago():
    state = start(parse_rules("wikipedia"), 4)
    assert worth(state, blind(0, True)) == {"chicago_won": 30}
    assert worth(state, blind(0, True, deuce=True)) == {"chicago_won": 60}
    assert worth(state, blind(0, False)) == {"chicago_lost": -20}


def test_losses_of_the_others_are_not_reported():
    assert worth(start(parse_rules("festival"), 3), hand(1, 0, QUADS, reset=True)) == {}
    assert worth(start(parse_rules("svensk+D"), 3), hand(1, 0, QUADS, reset=True)) == {"hand": 8}
    assert worth(start(parse_rules("svensk"), 3), hand(1, 0, ROYAL)) == {"hand": 52}


def test_the_scores_on_the_sheet_do_not_matter():
    state = after(at("svensk", 3, 51, -9, 0), none(1), none(2))
    assert worth(state, won(0)) == {"chicago_won": 15}
    assert worth(state, hand(3, 1, STRAIGHT_FLUSH)) == {"hand": 52}


def test_an_entry_illegal_here_is_worth_nothing():
    assert worth(start(parse_rules("festival"), 3), trick(0)) == {}
