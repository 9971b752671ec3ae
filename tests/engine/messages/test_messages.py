"""Every rule, problem and value has a text in every language, from one source."""

from __future__ import annotations

import itertools
import re
import string
from dataclasses import fields
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.cards import parse_card
from engine.cards.categories import Category
from engine.errors import ERROR_CODES, WARNING_CODES, ChicagoError, Problem
from engine.messages import (
    changes_text,
    describe,
    entry_text,
    exact_text,
    join,
    languages,
    place_text,
    points_text,
    rank_text,
    say,
    signed,
    texts_in,
    value_text,
    win_text,
    zeroed_text,
)
from engine.messages.languages import Language
from engine.ranking import heat as ranking
from engine.rules.presets import PRESETS
from engine.rules.ruleset import FIELD_NAMES
from engine.rules.variants import VARIANTS, clash_of, parse_rules
from engine.sheet.entries import ACTIONS, Chicago, Hand, LastTrick
from engine.sheet.facts import ScoreChanged, StatusChanged
from engine.sheet.legality import candidates
from engine.sheet.sheet import why_not
from engine.sheet.state import CHICAGO_HAND, FINAL_HAND, OVER, TRICKS
from engine.table.errors import ActionProblem
from engine.table.state import Stage
from engine.totals.totals import WINS as TOTALS_WINS
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
from tests.engine.table.codes import action_codes

NAMES = ["Anna", "Bo", "Cia", "Dag"]


ENGLISH = texts_in("en")
#: Codes that must have a text, by the name of the texts.
CODES = {
    "problems": {*ERROR_CODES, *WARNING_CODES},
    "action_problems": action_codes(),
    "awaited": {stage.value for stage in Stage},
    "categories": {category.key for category in Category},
    "a_category": {category.key for category in Category},
    "entries": {f"ruling.{action}" for action in ACTIONS},
    "steps": {*ranking.STEPS, "disqualified"},
    "step_names": set(ranking.STEPS),
    "wins": {*TOTALS_WINS, "ended"},
    "win_names": {*TOTALS_WINS, "ended"},
    "stages": {"exchange.1", "exchange.2", TRICKS, FINAL_HAND, CHICAGO_HAND, OVER},
    "rulings": set(ACTIONS),
    "statuses": {"in", "out", "disqualified"},
    "unusual": set(WARNING_CODES),
    "preset_names": set(PRESETS),
    "preset_texts": set(PRESETS),
    "variant_texts": set(VARIANTS),
    "field_texts": set(FIELD_NAMES),
}
#: Data of a language that differ from one to another by more than words.
OWN = {"letters", "currencies"}
#: Parameters of every kind; a sentence uses those of its code.
PARAMS = {
    "seat": 0,
    "holder": 1,
    "breaker": 1,
    "turn": 1,
    "winners": [1],
    "win": "target",
    "category": "pair",
    "held": "flush",
    "phase": 1,
    "given": 2,
    "exchanges": 3,
    "score": 9,
    "minimum": 15,
    "limit": 45,
    "target": 52,
    "asterisks": 2,
    "ruled": 5,
    "heat": "sm",
    "kind": "revoke",
    "field": "seat",
    "value": "x",
    "name": "x",
    "version": 1,
    "number": 5,
    "spec": "x",
    "first": "W",
    "second": "X",
    "players": 5,
    "stage": 2,
    "player": "17",
    "told": "1: 17",
    "found": "1: 4",
    "item": "x",
    "rules": "svensk",
    "do": "play",
    "awaited": "play",
    "right": "s",
    "card": parse_card("Ah"),
    "count": 52,
    "left": 3,
}


def placeholders(text):
    texts = [text] if isinstance(text, str) else getattr(text, "values", lambda: text)()
    names = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    return {name.removesuffix("_a").lower() for name in names}


def plain(key):
    """Return a text's key without the plural form; languages differ in those that they have."""
    return re.sub(r"\.(zero|one|two|few|many|other)$", "", key)


@pytest.mark.parametrize("name", CODES)
def test_every_code_has_a_text(name):
    assert CODES[name] <= getattr(ENGLISH, name).keys()


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", [field.name for field in fields(Language)])
def test_every_language_has_every_text_with_its_placeholders(name, lang):
    texts, english = getattr(texts_in(lang), name), getattr(ENGLISH, name)
    assert type(texts) is type(english)
    if name in OWN or callable(texts):
        return
    if isinstance(english, dict):
        assert [*dict.fromkeys(map(plain, texts))] == [*dict.fromkeys(map(plain, english))]
        for key, text in texts.items():
            same = english.get(key, english.get(f"{plain(key)}.other"))
            assert placeholders(text) == placeholders(same), key
    else:
        assert placeholders(english) == placeholders(texts)
        assert isinstance(english, str) or len(texts) == len(english)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("kind", [Problem, ActionProblem])
def test_every_sentence_uses_its_parameters(kind, lang):
    texts = texts_in(lang)
    catalogue = texts.action_problems if kind is ActionProblem else texts.problems
    for key, text in catalogue.items():
        code, _, detail = key.partition(".")
        if code == "now":
            continue
        sentence = say(kind(code, params={**PARAMS, "why": detail}), lang, NAMES)
        assert sentence.count("?") == text.count("?"), key
        assert sentence[-1] in ".?", key
        assert "{" not in sentence, key


@pytest.mark.parametrize(
    ("points", "english", "swedish", "exact"),
    [
        (Fraction(35, 3), "11.66", "11,66", "11 2/3"),
        (Fraction(27, 2), "13.5", "13,5", ""),
        (Fraction(20), "20", "20", ""),
        (Fraction(-1, 3), "−0.33", "−0,33", "−1/3"),
        (Fraction(0), "0", "0", ""),
    ],
)
def test_game_points_are_truncated_with_the_exact_value_beside(points, english, swedish, exact):
    assert points_text(points) == english
    assert points_text(points, "sv") == swedish
    assert exact_text(points) == exact


@given(st.fractions(-100, 300, max_denominator=12))
def test_game_points_shown_are_never_more_than_the_exact_ones(value):
    shown = Fraction(points_text(value).replace("−", "-"))
    assert abs(shown) <= abs(value) < abs(shown) + Fraction(1, 100)
    assert (exact_text(value) == "") == (shown == value)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("win", ENGLISH.wins)
def test_how_a_game_was_won(win, lang):
    win, _, shared = win.partition(".")
    text = win_text(win, lang, deal=7, score=53, suit="♥", shared=bool(shared))
    assert ("♥" in text) == ("flush" in win)
    assert ("53" in text) == (win == "target")
    assert ("7" in text) == (win != "ended")


def test_how_a_score_was_zeroed():
    assert zeroed_text(54, "no_chicago", 3) == "set to zero at 54 without a Chicago, deal 3"
    assert zeroed_text(-1, "reset", 3, "sv") == "nollad på −1 av fyrtal, giv 3"


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("step", ENGLISH.steps)
def test_why_one_player_ranks_above_another(step, lang):
    text = rank_text(step, "Bo", Fraction(47), Fraction(35, 3), lang)
    assert "Bo" in text
    assert ("47" in text) == ("11.66" in text or "11,66" in text)


def test_what_an_entry_did_to_the_scores():
    facts = [
        *(ScoreChanged(0, 46, 54, "hand"), ScoreChanged(0, 54, 0, "no_chicago")),
        *(ScoreChanged(2, 20, 5, "chicago_lost"), StatusChanged(0, "out")),
    ]
    assert changes_text(facts) == {0: "set to zero at 54", 2: "−15"}
    assert changes_text(facts, "sv") == {0: "nollad på 54", 2: "−15"}


def test_signs_places_and_lists():
    assert [signed(value) for value in (5, -15, 0)] == ["+5", "−15", "0"]
    assert [place_text(1, 1), place_text(2, 3)] == ["1", "2–3"]
    assert join(["Anna", "Bo", "Cia"]) == "Anna, Bo and Cia"
    assert join(["Anna", "Bo"], "sv") == "Anna och Bo"
    assert [join([]), join(["Anna"])] == ["", "Anna"]


def test_fields_are_listed_in_order():
    assert tuple(ENGLISH.field_texts) == FIELD_NAMES


@pytest.mark.parametrize("lang", languages())
def test_every_value_of_every_rule_set_has_a_text(lang):
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
                known = texts_in(lang).value_texts
                assert f"{field.name}={value}" in known or str(value) in known


def test_no_value_text_is_unused():
    used = set()
    for lang in languages():
        for preset, name in itertools.product(PRESETS, ["", *VARIANTS]):
            if clash_of(preset, {name}) is not None:
                continue
            spec = f"{preset}+{name}".strip("+")
            rules = parse_rules(spec)
            used |= {value_text(field, getattr(rules, field), lang) for field in FIELD_NAMES}
    for lang in languages():
        assert set(texts_in(lang).value_texts.values()) <= used


def refusal_text(state, entry, lang="en"):
    problem = why_not(state, entry)
    assert problem is not None
    return say(problem, lang, NAMES)


def test_sentences_for_people():
    nine = to_tricks(at("festival", 9, 0, 0))
    assert refusal_text(nine, won(0)) == (
        "Anna is on 9 and may not declare a Chicago: that takes at least 15. "
        "Without a Chicago, the last trick is next."
    )
    assert refusal_text(nine, won(0), "sv") == (
        "Anna står på 9 och får inte bjuda chicago: det krävs minst 15. "
        "Annars är det sista stickets tur."
    )
    start = begin("festival")
    assert refusal_text(start, hand(2, 0, PAIR)) == (
        "This belongs to the second exchange, but the sheet is at the first exchange. "
        "Next is the best hand after the first exchange, or that nobody scores."
    )
    assert refusal_text(start, trick(1), "sv") == (
        "Sista sticket kommer efter sista köpet. "
        "Nu väntas bästa hand efter första köpet, eller att ingen får poäng."
    )
    assert refusal_text(to_tricks(start), hand(3, 1, TWO_PAIR)) == (
        "Before the tricks, only a hand that ends the deal or the game is shown; two pair is "
        "written after them. Next is a Chicago, or who took the last trick."
    )
    out = after(at("festival", 51, 0, 0), hand(1, 0, PAIR))
    assert refusal_text(out, hand(2, 0, PAIR)) == (
        "Anna is out of this game. Choose somebody else."
    )
    over = after(begin("festival"), hand(1, 1, "straight_flush"))
    assert refusal_text(over, none(1)) == (
        "The game is over: Bo won. Nothing more can be written on this sheet."
    )
    dead = after(to_tricks(begin("festival")), revoke(2))
    assert refusal_text(dead, trick(2)) == (
        "Cia did not follow suit: the hand is dead and cannot take the last trick. "
        "Choose who took it."
    )
    bound = after(begin("festival"), hand(1, 3, QUADS))
    assert refusal_text(bound, hand(2, 3, QUADS, reset=True)).startswith("Dag has taken points")
    assert refusal_text(to_tricks(at("festival", 20, 0, 0)), lost(0, 0)) == (
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


@pytest.mark.parametrize("lang", languages())
def test_a_redeal_of_an_empty_deal_is_refused_in_one_sentence(lang):
    refused = why_not(begin("festival"), rule("redeal"))
    assert say(refused, lang) == texts_in(lang).problems["wrong_phase.redeal"]


def test_without_names_seats_are_numbered():
    problem = Problem("self_break", params={"seat": 2})
    assert say(problem).startswith("Seat 3 declared the Chicago and cannot be the one")
    assert say(problem, "sv").startswith("Plats 3 ")
    assert say(problem, "de") == say(problem, "en")


def test_a_name_may_look_like_a_template():
    problem = Problem("self_break", params={"seat": 0})
    assert say(problem, names=["{seat} %s"]).startswith("{seat} %s declared")


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("spec", ["festival", "wikipedia+B4"])
def test_every_entry_has_a_sentence(spec, lang):
    names = [*NAMES[:3], "{Dag}"]
    entries = candidates(parse_rules(spec), 4)
    texts = [entry_text(entry.as_json(), lang, names) for entry in entries]
    assert all(texts)
    assert any(text.startswith("{Dag}: ") for text in texts)


@pytest.mark.parametrize(
    ("entry", "english", "swedish"),
    [
        (hand(1, 0, "flush"), "Anna: flush", "Anna: färg"),
        (hand(1, 0, QUADS, reset=True), None, "Anna: fyrtal, nollar de andra"),
        (Hand(1, 0, Category.ROYAL_FLUSH, suit="H"), "Anna: royal flush ♥", None),
        (LastTrick(0, deuce=True), "Anna: last trick with a deuce", None),
        (LastTrick(0, deuce=True), None, "Anna: sista sticket med en tvåa"),
        (Chicago(0, won=False, breaker=1), "Anna: Chicago broken by Bo", None),
        (Chicago(0, won=False, breaker=1, blind=True), None, "Anna: blind chicago bruten av Bo"),
        (Chicago(0, won=False, blind=True), "Anna: Blind Chicago lost", None),
        (points(1, -5), "Director: Bo −5 (test)", "Tävlingsledaren: Bo −5 (test)"),
        ({"kind": "illegal_discard"}, "Illegal exchange", "Köpte trots köpstopp"),
        (rule("end_game", None), "The game was ended (test)", "Partiet avbröts (test)"),
    ],
)
def test_entries_in_score_sheet_notation(entry, english, swedish):
    document = entry if isinstance(entry, dict) else entry.as_json()
    assert english in (None, entry_text(document, "en", NAMES))
    assert swedish in (None, entry_text(document, "sv", NAMES))


def test_an_unknown_code_still_says_something():
    assert say(Problem("brand_new", params={"n": 3})) == "Brand new (n: 3)."
    assert say(ChicagoError("brand_new")) == "Brand new."


def test_not_discardless_says_why():
    from tests.engine.sheet.factory import discard

    assert refusal_text(at("festival", 44, 0, 0), discard(0)).startswith(
        "Anna is on 44 and may exchange"
    )
    assert "always" in refusal_text(begin("festival+Voff"), discard(0))
    assert code(quiet_deal(at("festival", 44, 0, 0), 1), discard(0)) == "not_discardless"
    assert points(0, 1).as_json()["reason"] == "test"


def test_card_table_actions_have_sentences_of_their_own():
    turn = ActionProblem("not_your_turn", params={"seat": 0, "turn": 1})
    assert say(turn, names=NAMES) == "It is Bo's turn, not Anna's."
    right = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}
    entry = ActionProblem("contradicts_cards", entry=0, params={"right": right})
    assert say(entry, "sv-SE", NAMES) == ("Protokollet säger inte vad korten ger: ”Anna: par”.")
    rule = ActionProblem("missing_field", entry=0, params={"kind": "hand", "field": "category"})
    assert say(rule) == '"hand" needs the field "category".'
    due = ActionProblem("false_announcement", params={"seat": 0, "right": "pair"})
    assert say(due, "sv") == "Plats 1 måste säga vad handen är värd: par."
    assert say(ActionProblem("false_announcement", params={"seat": 0, "right": "s"})).endswith("♠.")
