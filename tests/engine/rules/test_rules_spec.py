"""Names of rule sets (rulebook §2, §8): canonical form, clashes, digest."""

import hashlib
import itertools
import json
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots.events import simulate_festival, simulate_heat
from engine.bots.simulation import play_game
from engine.bots.tournament import tournament
from engine.cards.cards import SuitOrder
from engine.cards.categories import Category
from engine.cli.evaluate import evaluate_all
from engine.errors import ChicagoError
from engine.messages import checksum_text, describe, reminder_lines
from engine.rules.presets import PRESETS
from engine.rules.ruleset import (
    FIELD_NAMES,
    Breaker,
    Ending,
    FinalHand,
    FlushEffect,
    Lead,
    Limit,
    Need,
    OutPoints,
    QuadsReset,
    Redeal,
    rules_from_json,
)
from engine.rules.variants import VARIANTS, canonical, clash_of, parse_rules
from engine.sheet.placing import place_game
from engine.sheet.sheet import replay, start, tricks_of
from engine.table.table import start_table
from engine.totals.totals import can_be_won

LETTERS = [letter for letter in string.ascii_uppercase if letter not in "BV"]
EXTRAS = [
    "reset",
    "quads-end",
    "sf10",
    "sf-wins",
    "limit42",
    "need-chicago-3",
    "breaker8",
    "win-again",
    "three-exchanges",
    "redeal-ten",
    "no-open",
    "final-hand-never",
    "quads52",
    "reset-one",
    "sf52",
    "royal-wins",
    "declarer-leads",
]


def test_every_variant_of_the_rulebook_has_a_name():
    limits = [f"V{limit}" for limit in range(40, 49)]
    expected = {*LETTERS, "B2", "B3", "B4", "P10", "Voff", *limits, *EXTRAS}
    assert set(VARIANTS) == expected | {"outs-zero"}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_its_own_canonical_name(name):
    assert canonical(name) == name
    assert parse_rules(name) == PRESETS[name].rules


def test_canonical_form_and_order_independence():
    assert canonical("svensk+N+C") == "svensk+C+N"
    assert str(parse_rules("svensk+V42+N+C")) == "svensk+C+N+V42"
    names = ["B3", "J", "N", "O", "W", "sf10", "need-chicago-3"]
    reference = parse_rules("+".join(["pagat", *names]))
    for order in itertools.islice(itertools.permutations(names), 0, 5040, 97):
        rules = parse_rules("+".join(["pagat", *order]))
        assert rules == reference
        assert rules.spec == reference.spec
        assert rules.digest() == reference.digest()


@given(
    preset=st.sampled_from(list(PRESETS)),
    names=st.lists(st.sampled_from(list(VARIANTS)), unique=True, max_size=8),
    seed=st.integers(0, 999),
)
def test_any_combination_is_a_rule_set_or_names_its_clash(preset, names, seed):
    spec = "+".join([preset, *names])
    clash = clash_of(preset, set(names))
    if clash is None:
        rules = parse_rules(spec)
        assert str(rules) == canonical(spec) == canonical(canonical(spec))
        shuffled = names[:]
        random.Random(seed).shuffle(shuffled)
        again = parse_rules("+".join([preset, *shuffled]))
        assert (again, again.spec, again.digest()) == (rules, rules.spec, rules.digest())
        assert rules_from_json(rules.as_json()) == rules
    else:
        with pytest.raises(ChicagoError) as caught:
            parse_rules(spec)
        assert caught.value.code == "unknown_rules"
        assert set(clash) == {caught.value.params["first"], caught.value.params["second"]}


@pytest.mark.parametrize("spec", [None, 1, [], {}, b"festival", ["festival"]])
def test_names_are_strings(spec):
    with pytest.raises(ChicagoError) as caught:
        parse_rules(spec)
    assert caught.value.code == "unknown_rules"


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ("pagat+A", {"suit_order": SuitOrder.ALWAYS}),
        ("svensk+C", {"quads_reset": QuadsReset.NEVER}),
        ("svensk+D", {"quads_reset": QuadsReset.BOTH}),
        ("svensk+E", {"redeal": Redeal.BELOW_TEN}),
        ("svensk+E+redeal-ten", {"redeal": Redeal.UP_TO_TEN}),
        ("svensk+F", {"exchanges": 2}),
        ("basic+three-exchanges", {"exchanges": 3}),
        ("svensk+G", {"open_card": True, "open_card_on_request": True}),
        ("festival+G", {"open_card": True, "open_card_on_request": False}),
        ("svensk+H", {"exchange_max": 4}),
        ("svensk+I", {"alone_of_category": True}),
        ("svensk+J", {"quads_bound": True}),
        ("svensk+K", {"reset_ends_deal": False}),
        ("svensk+L", {"broken_aside": True}),
        ("svensk+M", {"chicago_lead": Lead.FOREHAND}),
        ("svensk+N", {"last_trick": 5, "last_trick_deuce": 10}),
        ("svensk+O", {"last_trick": 2, "last_trick_deuce": 2}),
        ("svensk+N+O", {"last_trick": 2, "last_trick_deuce": 5}),
        ("festival+O", {"last_trick": 2, "last_trick_deuce": 5}),
        ("svensk+P", {"breaker_points": 8}),
        ("pagat+breaker8", {"breaker_points": 8, "breaker": Breaker.TAKER}),
        ("basic+no-open", {"open_card": False, "open_card_on_request": False}),
        ("pagat+final-hand-never", {"final_hand_in_chicago": FinalHand.NEVER}),
        ("pagat+quads52", {"quads_lift": True, "quads_reset": QuadsReset.NEVER}),
        ("pagat+reset-one", {"quads_reset": QuadsReset.ONE}),
        ("basic+sf52", {"straight_flush": FlushEffect.LIFT, "royal_flush": FlushEffect.LIFT}),
        ("pagat+royal-wins", {"royal_flush": FlushEffect.WINS, "royal_resets": False}),
        ("festival+royal-wins", {"royal_flush": FlushEffect.BECOMES}),
        ("svensk+royal-wins", {"royal_flush": FlushEffect.PLUS}),
        ("pagat+declarer-leads", {"chicago_lead": Lead.DECLARER}),
        ("svensk+P10", {"breaker_points": 10}),
        ("svensk+Q", {"final_hand_in_chicago": FinalHand.ALWAYS}),
        ("svensk+R", {"floor": False, "chicago_minimum": None}),
        ("svensk+S", {"chicago_once": True}),
        ("svensk+T", {"chicago_free_order": True}),
        ("svensk+U", {"target": 51}),
        ("svensk+V40", {"discardless": 40}),
        ("svensk+Voff", {"discardless": None}),
        ("wikipedia+Voff", {"discardless": None, "six_card_stand": False}),
        ("pagat+limit42", {"discardless": 42, "discardless_from": Limit.NEXT_DEAL}),
        ("festival+V48", {"discardless": 48, "discardless_from": Limit.AT_ONCE}),
        ("svensk+W", {"need": Need.WON}),
        ("svensk+X", {"need": Need.NOTHING}),
        ("svensk+Y", {"trick_to_win": True}),
        ("svensk+Z", {"ending": Ending.EARLY, "discardless_from": Limit.EARLY}),
        ("festival+Z", {"ending": Ending.AT_ONCE, "discardless_from": Limit.AT_ONCE}),
        ("pagat+reset", {"quads_reset": QuadsReset.CHOICE, "quads_bound": False}),
        ("pagat+D+reset", {"quads_reset": QuadsReset.BOTH}),
        ("pagat+quads-end", {"quads_end_deal": True}),
        ("pagat+sf10", {"hand_points": (0, 1, 2, 3, 4, 5, 6, 7, 10, 52)}),
        ("basic+sf10", {"hand_points": (0, 1, 2, 3, 4, 5, 6, 7, 10, 10)}),
        (
            "pagat+sf-wins",
            {
                "straight_flush": FlushEffect.PLUS,
                "royal_flush": FlushEffect.PLUS,
                "royal_resets": False,
            },
        ),
        ("pagat+need-chicago-3", {"need_won_with_three": True, "need": Need.NOTHING}),
        ("basic+win-again", {"win_again": True}),
        ("festival+outs-zero", {"out_points": OutPoints.ZERO}),
        (
            "svensk+B2",
            {
                "hand_points": (0, 1, 2, 3, 4, 5, 6, 7, 8, 52),
                "straight_flush": FlushEffect.POINTS,
                "royal_flush": FlushEffect.PLUS,
                "royal_resets": False,
                "quads_reset": QuadsReset.CHOICE,
            },
        ),
        ("svensk+B3", {"hand_points": (0, 1, 2, 3, 4, 5, 6, 8, 11, 52)}),
        (
            "svensk+B4",
            {"hand_points": (0, 1, 2, 3, 4, 5, 6, 8, 11, 20), "royal_hearts_only": True},
        ),
        ("basic+B3+sf10", {"hand_points": (0, 1, 2, 3, 4, 5, 6, 8, 10, 52)}),
        ("svensk+B2+C", {"quads_reset": QuadsReset.NEVER}),
    ],
)
def test_what_a_variant_changes(spec, fields):
    rules = parse_rules(spec)
    assert {name: getattr(rules, name) for name in fields} == fields


def test_a_variant_changes_nothing_on_other_presets():
    before = {name: preset.rules.digest() for name, preset in PRESETS.items()}
    for name in VARIANTS:
        if clash_of("svensk", {name}) is None:
            parse_rules(f"svensk+{name}")
    assert {name: preset.rules.digest() for name, preset in PRESETS.items()} == before


@pytest.mark.parametrize(
    "ask",
    [
        lambda rules: start(rules, 3),
        lambda rules: replay(rules, 3, []),
        lambda rules: tricks_of(rules, 3),
        lambda rules: place_game(rules, [52, 0], ["in", "in"], [0]),
        lambda rules: can_be_won(rules, 3, "target"),
        lambda rules: describe(rules),
        lambda rules: reminder_lines(rules, 3),
        lambda rules: checksum_text(rules, 3, 1),
        lambda rules: evaluate_all(["7c 5d 4h 3s 2c", "7d 5h 4s 3c 2d"], rules),
        lambda rules: start_table(rules, 3),
        lambda rules: play_game(rules, ["Anna", "Bo"], 1, max_deals=1).game_record(),
        lambda rules: simulate_heat(rules, ["Anna", "Bo", "Cia"], 1, games=1, max_deals=1),
        lambda rules: simulate_festival(rules, ["Anna", "Bo", "Cia"], 1, games=1, max_deals=1),
        lambda rules: tournament(["novice"] * 2, 1, 1, rules=rules, max_deals=1),
    ],
)
def test_every_function_that_takes_a_rule_set_takes_its_name(ask):
    assert ask("svensk+N") == ask(parse_rules("svensk+N"))
    with pytest.raises(ChicagoError) as error:
        ask("whist")
    assert error.value.code == "unknown_rules"


def test_digest_is_over_every_field():
    assert len({preset.rules.digest() for preset in PRESETS.values()}) == 6
    document = parse_rules("svensk+C").as_json()
    assert list(document["fields"]) == list(FIELD_NAMES)
    text = json.dumps(document["fields"], sort_keys=True, separators=(",", ":"))
    assert document["digest"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_stored_rule_set_has_every_field_and_no_other():
    document = parse_rules("svensk+D").as_json()
    assert rules_from_json(document) == parse_rules("svensk+D")
    for name in FIELD_NAMES:
        fields = {key: value for key, value in document["fields"].items() if key != name}
        with pytest.raises(ChicagoError):
            rules_from_json(document | {"fields": fields})


def test_an_impossible_rule_set_is_refused_with_its_two_fields():
    document = parse_rules("svensk").as_json()
    document["fields"] = {**document["fields"], "win_again": True, "ending": "at_once"}
    with pytest.raises(ChicagoError) as caught:
        rules_from_json(document)
    assert caught.value.code == "unknown_rules"
    assert {caught.value.params["first"], caught.value.params["second"]} == {"win_again", "ending"}


@pytest.mark.parametrize(
    "change",
    [
        {"fields": None},
        {"fields": {}},
        {"fields": {"target": 52}},
        {"target": "52"},
        {"target": True},
        {"ending": "sometimes"},
        {"hand_points": [1, 2]},
        {"hand_points": "1234567890"},
        {"unheard_of": 1},
        {"discardless": "45"},
    ],
)
def test_nonsensical_stored_rules_are_refused(change):
    document = parse_rules("svensk").as_json()
    if "fields" in change:
        document.update(change)
    else:
        document["fields"] = {**document["fields"], **change}
    with pytest.raises(ChicagoError) as caught:
        rules_from_json(document)
    assert caught.value.code == "unknown_rules"


def test_rule_sets_are_immutable_comparable_and_hashable():
    festival = PRESETS["festival"].rules
    with pytest.raises(AttributeError):
        festival.target = 50
    assert len({preset.rules for preset in PRESETS.values()}) == len(PRESETS)


def test_a_flushs_suit_matters_only_where_the_rules_say_so():
    assert PRESETS["svensk"].rules.flush_effect(Category.ROYAL_FLUSH, "C") is FlushEffect.PLUS
