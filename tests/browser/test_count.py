"""The device's scoring equals the engine's: state by state, fact by fact, refusal by refusal."""

import json
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import get_args, get_type_hints

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from engine.errors import ERROR_CODES
from engine.rules.presets import FESTIVAL, PRESETS
from engine.rules.ruleset import FIELD_NAMES, RuleSet
from engine.rules.variants import VARIANTS, canonical
from engine.sheet.facts import ZEROING, Cause
from tests.browser.sheets import STRUCTURAL, Sheet, conformance, fitting, generated

pytestmark = pytest.mark.pages

ADDRESS = "http://count.test/"

# Writes every sheet again; returns how many attempts agreed, and the first that did not.
COMPARE = """async ([structural, sheets]) => {
    const count = await import("/count.js");
    const differ = [];
    let attempts = 0;
    for (const { rules, seats, dealer, attempts: made } of JSON.parse(sheets)) {
        if (!count.knows(rules)) differ.push({ rules, unknown: count.unknown(rules) });
        let state = count.start(rules, seats, dealer);
        for (const [index, [entry, expected]] of made.entries()) {
            const before = JSON.stringify(count.asJson(state));
            let got;
            if (entry === null && expected.legal) {
                const { tried } = expected;
                got = { legal: tried.filter((each) => !count.whyNot(state, each)), tried };
            } else {
                const why = count.whyNot(state, entry);
                const warnings = why ? [] : count.warnings(state, entry);
                const next = count.step(state, entry);
                if (why && structural.includes(why.code)) got = { code: why.code };
                else if (why) got = why;
                else {
                    const losses = count.losses(next.facts);
                    const near = count.nearTarget(next.state);
                    const exchange = count.exchangeDue(next.state);
                    const turns = count.turns(next.state);
                    const needs = count.needs(next.state);
                    const { facts, state } = next;
                    const known = { losses, near, exchange, turns, needs };
                    got = { warnings, facts, ...known, state: count.asJson(state) };
                }
                if (next.problem?.code !== why?.code) differ.push({ rules, index, entry, why });
                state = next.state;
            }
            const after = JSON.stringify(count.asJson(state));
            if (entry === null && after !== before) differ.push({ rules, index, changed: before });
            attempts += 1;
            if (JSON.stringify(got) === JSON.stringify(expected)) continue;
            const written = made.slice(0, index).filter(([, found]) => found.state);
            const entries = written.map(([one]) => one);
            differ.push({ rules: rules.rules, seats, dealer, entries, entry, expected, got });
            break;
        }
        if (differ.length) break;
    }
    return { attempts, differ };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """A blank page on an address that serves the scripts and nothing else."""
    context = chromium.new_context()
    context.route(
        f"{ADDRESS}**",
        lambda route: (
            route.fulfill(
                path=settings.STATIC_ROOT / "scoring" / route.request.url.removeprefix(ADDRESS)
            )
            if route.request.url.endswith(".js")
            else route.fulfill(body="<!doctype html>", content_type="text/html")
        ),
    )
    page = context.new_page()
    page.goto(ADDRESS)
    yield page
    context.close()


def compare(page: Page, sheets: Iterable[Sheet]) -> tuple[int, int]:
    """Compare the browser's scoring with these sheets; return how many, and how many attempts."""
    number = attempts = 0
    left = iter(sheets)
    while some := [sheet.document() for sheet in islice(left, 500)]:
        found = page.evaluate(COMPARE, [STRUCTURAL, json.dumps(some)])
        assert found["differ"] == []
        number += len(some)
        attempts += found["attempts"]
    return number, attempts


def test_every_sheet_of_the_conformance_cases(page: Page) -> None:
    number, attempts = compare(page, conformance())
    assert number > 1_000
    assert attempts > 10_000


def test_two_thousand_generated_games(page: Page) -> None:
    number, attempts = compare(page, map(generated, range(2_000)))
    assert number == 2_000
    assert attempts > 90_000


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_twenty_thousand_more_generated_games(page: Page) -> None:
    number, _ = compare(page, map(generated, range(2_000, 22_000)))
    assert number == 20_000


def test_generated_games_cover_every_rule() -> None:
    """Only what is tried is proven: every code, warning, cause and way to win occurs."""
    codes, causes, wins, warned, seats, specs = set(), set(), set(), set(), set(), set()
    for number in range(2_000):
        sheet = generated(number)
        seats.add(sheet.state.seats)
        specs.add(sheet.rules.spec)
        for entry, outcome in sheet.attempts:
            if entry is None:
                continue
            codes.add(outcome.get("code"))
            warned.update(found["params"].get("why") for found in outcome.get("warnings", ()))
            for fact in outcome.get("facts", ()):
                causes.add(fact.get("cause"))
                wins.add(fact.get("win"))
    assert codes - {None} == {*ERROR_CODES} - {"unknown_rules", "bad_seats"}
    assert causes - {None} == {*get_args(Cause)}
    assert wins - {None} == {
        *("target", "straight_flush", "royal_flush", "blind_chicago", "last_standing", "ended")
    }
    assert warned >= {"own", "other"}
    assert seats == {2, 3, 4, 5, 6}
    assert specs >= {*PRESETS, *map(canonical, fitting())}
    assert {name for spec in fitting() for name in spec.split("+")[1:]} == {*VARIANTS}


def test_the_same_causes_set_a_score_to_zero(page: Page) -> None:
    causes = page.evaluate("""async () => (await import("/count.js")).ZEROING""")
    assert sorted(causes) == sorted(ZEROING)


UNKNOWN = """async (documents) => {
    const { unknown, knows } = await import("/count.js");
    return documents.map((each) => [unknown(each), knows(each)]);
}"""


def test_it_knows_every_field_with_every_value_of_the_engine(page: Page) -> None:
    document = FESTIVAL.as_json()
    hints = get_type_hints(RuleSet)
    values = [
        (name, value.value)
        for name in FIELD_NAMES
        for kind in (hints[name], *get_args(hints[name]))
        if isinstance(kind, type) and issubclass(kind, Enum)
        for value in kind
    ]
    assert len(values) > 30
    values += [("discardless", None), ("chicago_minimum", None), ("exchanges", 2)]
    changed = [{**document, "fields": {**document["fields"], name: v}} for name, v in values]
    for (name, value), (unknown, _knows) in zip(
        values, page.evaluate(UNKNOWN, changed), strict=True
    ):
        assert unknown == [], (name, value)


def test_by_a_newer_servers_rules_it_says_what_it_does_not_know(page: Page) -> None:
    document = FESTIVAL.as_json()
    own = document["fields"]
    later = [{**own, "joker": True}, *({**own, name: "later"} for name in FIELD_NAMES)]
    later += [{field: own[field] for field in own if field != name} for name in FIELD_NAMES]
    found = page.evaluate(UNKNOWN, [{**document, "fields": each} for each in later])
    assert found == [[[name], False] for name in ("joker", *FIELD_NAMES, *FIELD_NAMES)]
    assert page.evaluate(UNKNOWN, [{}, document]) == [[list(own), False], [[], True]]
