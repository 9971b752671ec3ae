"""Every rule, problem and value has its words in English and Swedish, from one source."""

from __future__ import annotations

import string

import pytest

from engine.errors import ERROR_CODES, WARNING_CODES, ChicagoError, Problem
from engine.messages.fields import FIELD_TEXTS, VALUE_TEXTS, describe, value_text
from engine.messages.problems import FIELD_HINTS, PROBLEMS
from engine.messages.rules import PRESET_TEXTS, VARIANT_TEXTS
from engine.messages.sentences import LANGUAGES, entry_text, problem_text
from engine.messages.words import (
    ACTIONS,
    CATEGORIES,
    ENTRIES,
    KINDS,
    ORDINALS,
    SUBJECTS,
    WINS,
    WORDS,
)
from engine.rules.presets import PRESETS
from engine.rules.ruleset import FIELD_NAMES
from engine.rules.variants import VARIANTS, clash_of, parse_rules
from engine.sheet.sheet import all_candidates, why_not
from tests.engine.sheet.factory import (
    PAIR,
    QUADS,
    TWO_PAIR,
    after,
    at,
    begin,
    code,
    hand,
    lost,
    none,
    points,
    quiet_deal,
    revoke,
    rule,
    to_tricks,
    trick,
    won,
)

NAMES = ["Anna", "Bo", "Cia", "Dag"]


@pytest.mark.parametrize(
    "catalogue",
    [
        PROBLEMS,
        FIELD_HINTS,
        PRESET_TEXTS,
        VARIANT_TEXTS,
        FIELD_TEXTS,
        VALUE_TEXTS,
        CATEGORIES,
        KINDS,
        ENTRIES,
        SUBJECTS,
        ACTIONS,
        WINS,
        WORDS,
    ],
)
def test_both_languages_have_the_same_keys(catalogue):
    assert tuple(catalogue) == LANGUAGES
    assert catalogue["en"].keys() == catalogue["sv"].keys()


def test_both_languages_fill_in_the_same_things():
    def filled(text):
        return {
            name.removesuffix("_capital").removesuffix("_a")
            for _, name, _, _ in string.Formatter().parse(text)
            if name
        }

    for key, text in PROBLEMS["en"].items():
        assert filled(text) == filled(PROBLEMS["sv"][key]), key
    assert len(ORDINALS["en"]) == len(ORDINALS["sv"])


def test_every_code_has_a_sentence():
    assert set(ERROR_CODES + WARNING_CODES) <= PROBLEMS["en"].keys()


def test_presets_variants_and_fields_are_all_there():
    for lang in LANGUAGES:
        assert PRESET_TEXTS[lang].keys() == PRESETS.keys()
        assert VARIANT_TEXTS[lang].keys() == VARIANTS.keys()
        assert tuple(FIELD_TEXTS[lang]) == FIELD_NAMES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_value_of_every_rule_set_has_words(lang):
    specs = [
        f"{preset}+{name}"
        for preset in PRESETS
        for name in VARIANTS
        if not clash_of(preset, {name})
    ]
    for spec in [*PRESETS, *specs]:
        for field in describe(parse_rules(spec), lang):
            value = getattr(parse_rules(spec), field.name)
            assert field.label
            assert field.meaning.endswith(".")
            if type(value) not in (int, tuple):
                known = VALUE_TEXTS[lang]
                assert f"{field.name}={value}" in known or str(value) in known


def test_value_words_without_a_use_are_not_kept():
    used = set()
    for lang in LANGUAGES:
        for spec in [*PRESETS, *(f"svensk+{name}" for name in VARIANTS)]:
            rules = parse_rules(spec)
            used |= {value_text(name, getattr(rules, name), lang) for name in FIELD_NAMES}
    assert set(VALUE_TEXTS["en"].values()) | set(VALUE_TEXTS["sv"].values()) <= used


def said(state, entry, lang="en"):
    problem = why_not(state, entry)
    assert problem is not None
    return problem.message(lang, NAMES)


def test_sentences_for_people():
    nine = to_tricks(at("festival", 9, 0, 0))
    assert said(nine, won(0)) == (
        "Anna is at 9 and may not declare a Chicago: that takes at least 15. "
        "Without a Chicago the last trick is next."
    )
    assert said(nine, won(0), "sv") == (
        "Anna står på 9 och får inte bjuda chicago: det krävs minst 15. "
        "Annars är det sista stickets tur."
    )
    start = begin("festival")
    assert said(start, hand(2, 0, PAIR)) == (
        "This belongs to the second exchange, and the sheet is at the first exchange. "
        "Now the best hand after the first exchange is due, or that nobody scores."
    )
    assert said(start, trick(1), "sv") == (
        "Sista sticket kommer efter sista köpet. "
        "Nu väntas bästa hand efter första köpet, eller att ingen får poäng."
    )
    assert said(to_tricks(start), hand(3, 1, TWO_PAIR)) == (
        "Before the tricks only a hand that ends the deal or the game is shown; two pair is "
        "written after them. Now a Chicago or who took the last trick is due."
    )
    out = after(at("festival", 51, 0, 0), hand(1, 0, PAIR))
    assert said(out, hand(2, 0, PAIR)) == (
        "Anna is out of this game and cannot score any more. Choose somebody else."
    )
    over = after(begin("festival"), hand(1, 1, "straight_flush"))
    assert said(over, none(1)) == (
        "The game is over, Bo won with a straight flush. Nothing more can be written on this sheet."
    )
    dead = after(to_tricks(begin("festival")), revoke(2))
    assert said(dead, trick(2)) == (
        "Cia did not follow suit: the hand is dead and cannot take the last trick. "
        "Choose who took it."
    )
    bound = after(begin("festival"), hand(1, 3, QUADS))
    assert said(bound, hand(2, 3, QUADS, reset=True)).startswith("Dag has taken points")
    assert said(to_tricks(at("festival", 20, 0, 0)), lost(0, 0)) == (
        "Anna declared the Chicago and cannot be the one who broke it. "
        "Choose who overtook first, or nobody."
    )


def test_details_of_a_code_have_sentences_of_their_own():
    def details(state, *entries):
        return [why_not(state, entry).params["why"] for entry in entries]

    start = begin("festival")
    first = (trick(0), won(0), revoke(0))
    assert details(start, *first) == ["before_tricks"] * 3
    assert details(after(to_tricks(start), trick(1)), *first) == ["hand_due"] * 3
    out = after(start, rule("sit_out_deal", 0), rule("sit_out_game", 1), rule("disqualify", 2))
    assert details(out, *(hand(1, seat, PAIR) for seat in range(3))) == [
        "sitting_out",
        "out",
        "disqualified",
    ]
    reset = hand(3, 0, QUADS, reset=True)
    assert details(after(to_tricks(start), trick(1)), reset) == ["final_hand"]
    assert details(after(to_tricks(begin("pagat")), trick(1)), reset) == ["never"]
    assert details(after(to_tricks(at("svensk+Q", 20, 0)), won(0)), reset) == ["chicago_hand"]


def test_without_names_seats_are_numbered():
    problem = Problem("self_break", params={"seat": 2})
    assert problem.message().startswith("Seat 3 declared the Chicago and cannot be the one")
    assert problem.message("sv").startswith("Plats 3 ")
    assert problem.message("de") == problem.message("en")


def test_a_name_may_look_like_a_template():
    problem = Problem("self_break", params={"seat": 0})
    assert problem.message(names=["{seat} %s"]).startswith("{seat} %s declared")


def test_every_entry_can_be_said():
    names = [*NAMES[:3], "{Dag}"]
    for spec in ("festival", "wikipedia+B4"):
        for lang in LANGUAGES:
            texts = [
                entry_text(entry.as_json(), lang, names)
                for entry in all_candidates(parse_rules(spec), 4)
            ]
            assert all(texts)
            assert any(text.startswith("{Dag}: ") for text in texts)
    assert entry_text(points(1, -5).as_json(), names=NAMES) == "Bo: \u22125 by ruling (test)"
    for action in ("sit_out_deal", "sit_out_game", "disqualify", "end_game"):
        ruling = rule(action, None if action == "end_game" else 2).as_json()
        assert entry_text(ruling, "sv", NAMES).endswith(" (test)")
        assert entry_text(ruling, "en", NAMES) != entry_text(ruling, "sv", NAMES)


def test_an_unknown_code_still_says_something():
    assert problem_text("brand_new", {"n": 3}) == "Brand new (n: 3)."
    assert str(ChicagoError("brand_new")) == "Brand new."


def test_not_discardless_says_why():
    from tests.engine.sheet.factory import discard

    assert said(at("festival", 44, 0, 0), discard(0)).startswith("Anna is at 44 and may exchange")
    assert "always" in said(begin("festival+Voff"), discard(0))
    assert code(quiet_deal(at("festival", 44, 0, 0), 1), discard(0)) == "not_discardless"
    assert points(0, 1).as_json()["reason"] == "test"
