"""Rulebook §2: the presets' fields, one value after the other."""

import pytest

from engine.cards.cards import SuitOrder
from engine.cards.categories import SCORING, Category
from engine.rules.presets import PRESETS
from engine.rules.ruleset import (
    FIELD_NAMES,
    Breaker,
    Ending,
    ExchangeOrder,
    FinalHand,
    FlushEffect,
    Lead,
    Limit,
    Missing,
    Need,
    QuadsReset,
    Reshuffle,
)

NAMES = ("festival", "sm", "svensk", "pagat", "basic", "wikipedia")


def test_there_are_these_six_presets():
    assert tuple(PRESETS) == NAMES


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("players_min", (2, 2, 2, 2, 2, 2)),
        ("players_max", (4, 4, 6, 4, 6, 6)),
        ("heat_players_min", (3, 3, 3, 3, 3, 3)),
        ("heat_players_max", (4, 4, 4, 4, 4, 4)),
        ("exchanges", (3, 3, 3, 3, 2, 2)),
        ("exchange_max", (4, 4, 5, 5, 5, 5)),
        ("open_card", (True, True, False, False, True, True)),
        ("open_card_on_request", (False, False, False, False, True, True)),
        (
            "exchange_order",
            (
                *(ExchangeOrder.TOGETHER,) * 2,
                *(ExchangeOrder.ONE_BY_ONE,) * 2,
                *(ExchangeOrder.TOGETHER,) * 2,
            ),
        ),
        (
            "reshuffle",
            (*(Reshuffle.EARLIER,) * 2, *(Reshuffle.ALL,) * 2, *(Reshuffle.EARLIER,) * 2),
        ),
        (
            "quads_reset",
            (*(QuadsReset.CHOICE,) * 3, *(QuadsReset.NEVER,) * 3),
        ),
        (
            "straight_flush",
            (
                *(FlushEffect.BECOMES,) * 2,
                FlushEffect.PLUS,
                *(FlushEffect.POINTS,) * 3,
            ),
        ),
        (
            "royal_flush",
            (
                *(FlushEffect.BECOMES,) * 2,
                FlushEffect.PLUS,
                *(FlushEffect.POINTS,) * 3,
            ),
        ),
        ("royal_resets", (True, True, True, False, False, False)),
        ("suit_order", (*(SuitOrder.FLUSHES,) * 3, *(SuitOrder.NEVER,) * 3)),
        ("reset_ends_deal", (True,) * 6),
        ("quads_bound", (True, True, False, False, False, False)),
        ("target", (52,) * 6),
        ("ending", (*(Ending.AT_ONCE,) * 2, *(Ending.AFTER_DEAL,) * 4)),
        ("need", (*(Need.EXECUTED,) * 3, *(Need.NOTHING,) * 3)),
        ("missing", (*(Missing.OUT,) * 2, *(Missing.ZERO,) * 4)),
        ("discardless", (45, 45, 45, 46, None, 42)),
        ("discardless_from", (*(Limit.AT_ONCE,) * 2, *(Limit.NEXT_DEAL,) * 4)),
        ("six_card_stand", (False, False, False, False, False, True)),
        ("chicago_minimum", (15, 15, 15, 15, None, None)),
        ("chicago_won", (15,) * 6),
        ("chicago_lost", (15,) * 6),
        ("breaker_points", (10, 10, 0, 0, 0, 0)),
        ("final_hand_in_chicago", (*(FinalHand.NEVER,) * 3, *(FinalHand.IF_WON,) * 3)),
        ("chicago_lead", (*(Lead.DECLARER,) * 3, *(Lead.FOREHAND,) * 3)),
        ("chicago_free_order", (False,) * 6),
        ("chicago_any_time", (False, False, False, False, False, True)),
        ("breaker", (*(Breaker.OVERTAKER,) * 3, *(Breaker.AFTER_DECLARER,) * 3)),
        ("blind_chicago", (False, False, False, False, False, True)),
        ("floor", (True, True, True, True, False, False)),
        ("last_trick", (5,) * 6),
        ("last_trick_deuce", (10, 10, 5, 5, 5, 5)),
        ("offences", (True, True, False, False, False, False)),
        (
            "game_points",
            (
                (20, 15, 12, 8),
                (20, 12, 8, 5),
                *((20, 15, 12, 8),) * 4,
            ),
        ),
    ],
)
def test_field_of_the_presets(field, values):
    assert tuple(getattr(PRESETS[name].rules, field) for name in NAMES) == values


@pytest.mark.parametrize(
    ("name", "worth"),
    [
        ("festival", (1, 2, 3, 4, 5, 6, 8)),
        ("sm", (1, 2, 3, 4, 5, 6, 8)),
        ("svensk", (1, 2, 3, 4, 5, 6, 8)),
        ("pagat", (1, 2, 3, 4, 5, 6, 7, 8, 52)),
        ("basic", (1, 2, 3, 4, 5, 6, 7, 8, 8)),
        ("wikipedia", (1, 2, 3, 4, 5, 6, 7, 8, 20)),
    ],
)
def test_points_of_hands(name, worth):
    rules = PRESETS[name].rules
    plain = [
        rules.points_for(category)
        for category in SCORING
        if rules.flush_effect(category) is FlushEffect.POINTS
    ]
    assert tuple(plain) == worth


def test_sm_differs_from_festival_in_game_points_only():
    festival, sm = PRESETS["festival"].rules, PRESETS["sm"].rules
    different = [name for name in FIELD_NAMES if getattr(festival, name) != getattr(sm, name)]
    assert different == ["game_points"]


def test_blind_chicago_of_wikipedia():
    rules = PRESETS["wikipedia"].rules
    assert (rules.blind_won, rules.blind_lost, rules.blind_deuce) == (30, 20, 60)


def test_rule_sets_are_immutable_comparable_and_hashable():
    festival = PRESETS["festival"].rules
    with pytest.raises(AttributeError):
        festival.target = 50
    assert festival != PRESETS["sm"].rules
    assert len({preset.rules for preset in PRESETS.values()}) == 6


def test_flush_effect_by_suit_matters_only_where_the_rules_say_so():
    assert PRESETS["svensk"].rules.flush_effect(Category.ROYAL_FLUSH, "C") is FlushEffect.PLUS
