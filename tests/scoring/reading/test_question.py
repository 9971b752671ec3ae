"""The buttons of the Auditor's page: the points shown on them are the engine's."""

import json
import re
from dataclasses import replace

import pytest
from django.utils import translation

from engine.cards.categories import Category
from engine.rules.ruleset import QuadsReset
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, Hand, LastTrick, NoHand, Ruling, entry_from_json
from engine.sheet.sheet import legal_entries, start, step, tricks_of
from scoring.reading.question import every_panel, question_of

NAMES = ["Anna", "Bo", "Cia"]


def points_on(spec, key, *, tricks=True):
    """Return the texts on a panel's buttons, by the entry that each writes."""
    rules = parse_rules(spec)
    state = tricks_of(rules, 3) if tricks else start(rules, 3)
    with translation.override("en"):
        panels = every_panel(state, NAMES)
    panel = next(panel for panel in panels if panel.key == key)
    return [
        (json.loads(button.value).get("breaker"), button.points)
        if key == "chicago"
        else button.points
        for button in panel.buttons
    ]


@pytest.mark.parametrize(
    ("spec", "points"),
    [("festival", ["+5", "+10"]), ("svensk", ["+5"]), ("festival+O", ["+2", "+5"])],
)
def test_the_last_trick_with_a_deuce_has_its_own_button_if_worth_more(spec, points):
    assert points_on(spec, "trick") == points


def test_the_buttons_for_breaking_a_blind_chicago():
    assert points_on("wikipedia", "blind", tricks=False) == ["+30", "+60", *["−20"] * 4]


@pytest.mark.parametrize(("spec", "bonus"), [("svensk+P", " / +8"), ("svensk", "")])
def test_the_breakers_bonus_is_beside_the_declarers_loss(spec, bonus):
    assert points_on(spec + "+R", "chicago") == [
        (None, "+15"),
        *((seat, f"−15{bonus}") for seat in range(3)),
        (None, "−15"),
    ]


def test_the_page_asks_who_is_reset():
    with translation.override("en"):
        question = question_of(start(parse_rules("basic+reset-one"), 3), NAMES)
    what = [json.loads(button.value) for button in question.main.buttons]
    assert [each["reset_seat"] for each in what if each.get("reset")] == [0, 1, 2]
    asked = [b for b, w in zip(question.main.buttons, what, strict=True) if w.get("reset")]
    assert [list(button.reasons) for button in asked] == [["0"], ["1"], ["2"]]
    assert [button.points.split()[0] for button in asked] == NAMES


@pytest.mark.parametrize(
    ("spec", "quads", "flush"),
    [
        ("festival", ["+8", "0"], "wins"),
        ("svensk+D", ["+8 0"], "wins"),  # With or without the flag, it resets.
        ("festival+D+K", ["+8 0"], "wins"),
        ("pagat+quads52+reset", ["52", "52 0"], "+8"),
        ("pagat+sf52", ["+7"], "to 52"),
        ("svensk+C", ["+8"], "wins"),
        ("svensk+R", ["+8", "0"], "+52"),  # From far below zero that does not win.
        ("pagat+sf10", ["+7"], "+10"),
    ],
)
def test_four_of_a_kind_and_straight_flushes(spec, quads, flush):
    nobody, *points = points_on(spec, "hands", tricks=False)
    assert nobody == ""
    assert points[:6] == ["+1", "+2", "+3", "+4", "+5", "+6"]
    shown = points[6 : 6 + len(quads)]
    assert [" ".join(re.findall(r"\+?\d+", each)) for each in shown] == quads
    assert points[6 + len(quads)] == flush


def moments(rules):
    """Yield a table at every kind of moment in a deal; Anna may declare a Chicago."""
    state = step(start(rules, 3), Ruling("points", 0, 20, "moved here"))
    yield state
    for phase in range(1, rules.exchanges):
        state = step(state, NoHand(phase))
        yield state
    if rules.shows_resets and not rules.reset_ends_deal:
        yield step(state, Hand(rules.exchanges, 1, Category.FOUR_OF_A_KIND, True))
    yield step(state, LastTrick(1))
    yield step(state, Chicago(0, won=True))


def offered(state):
    """Yield every entry that some button writes for some seat."""
    with translation.override("en"):
        panels = every_panel(state, NAMES)
    for button in (button for panel in panels for button in panel.buttons if not button.reason):
        for seat in range(state.seats) if button.who else [None]:
            if str(seat) in button.reasons or button.what["kind"] == "ruling":
                continue
            what = button.what if seat is None else {**button.what, "seat": seat}
            yield entry_from_json(what)


@pytest.mark.parametrize(
    "spec",
    [
        *("festival", "pagat+breaker8", "svensk+P", "wikipedia", "basic+no-open"),
        *("svensk+D", "svensk+K", "svensk+D+K", "svensk+Q+D+K", "festival+D+K", "svensk+J"),
        *("basic+quads52+reset-one", "pagat+quads52+reset", "pagat+sf52", "pagat+royal-wins"),
        *("pagat+final-hand-never", "pagat+declarer-leads", "svensk+K+quads-end"),
    ],
)
def test_the_page_offers_what_the_engine_allows(spec):
    """Except if it makes no difference: an unpaid deuce, or points that D takes away anyway."""
    rules = parse_rules(spec)
    for state in moments(rules):
        if state.finished:
            continue
        legal = set(legal_entries(state))
        unsaid = legal - set(offered(state))
        assert set(offered(state)) <= legal
        for entry in unsaid:
            if isinstance(entry, LastTrick):
                assert entry.deuce
                assert rules.last_trick_deuce == rules.last_trick
            else:
                assert rules.quads_reset is QuadsReset.BOTH
                assert Hand(entry.phase, entry.seat, entry.category, True) in legal


def test_the_question_for_a_chicago_names_its_loss():
    state = replace(tricks_of(parse_rules("festival"), 3), scores=(20, 45, 0))
    question = question_of(state, NAMES, declared=0)
    assert question is not None
    [broken] = [panel for panel in question.panels if panel.key == "broken"]
    assert "20" in broken.title
    assert "5" in broken.title
    # Bo would reach 52 without a Chicago, which is asked about.
    told = {button.what.get("breaker"): button.told for button in broken.buttons}
    assert told == {1: False, 2: True, None: True}


def test_the_shot_clock_is_named_only_where_there_is_one():
    state = start(parse_rules("svensk"), 3)
    titles = [
        next(
            panel.title
            for panel in question_of(state, NAMES, shot_clock=shot_clock).panels
            if panel.key == "fold"
        )
        for shot_clock in (True, False)
    ]
    assert "clock" in titles[0]
    assert "clock" not in titles[1]
