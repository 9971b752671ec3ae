"""The device's scoring equals the engine's: state by state, fact by fact, refusal by refusal."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from engine.rules.variants import parse_rules
from engine.sheet.facts import ZEROING
from engine.sheet.legality import candidates
from scoring.reading.rules import resolve
from tests.browser.sheets import CLAIMED, OWN, STRUCTURAL, Sheet, conformance, generated

pytestmark = pytest.mark.pages

ADDRESS = "http://count.test/"
RULES = {spec: parse_rules(spec).as_json() for spec in CLAIMED} | {
    name: resolve(spec, own).as_json() for name, (spec, own) in OWN.items()
}

#: By rule set and number of seats: what a game could ever contain.
CANDIDATES = {
    name: {seats: [entry.as_json() for entry in candidates(rules, seats)] for seats in (2, 3, 4)}
    for name in RULES
    for rules in [resolve(*OWN.get(name, (name, {})))]
}

# Writes every sheet again; returns how many attempts agreed, and the first that did not.
COMPARE = """async ([rules, candidates, structural, sheets]) => {
    const count = await import("/count.js");
    const differ = [];
    let attempts = 0;
    for (const { rules: name, seats, dealer, attempts: made } of JSON.parse(sheets)) {
        let state = count.start(rules[name], seats, dealer);
        for (const [index, [entry, expected]] of made.entries()) {
            const before = JSON.stringify(count.asJson(state));
            let got;
            if (Array.isArray(expected)) {
                got = candidates[name][seats].filter((each) => !count.whyNot(state, each));
            } else {
                const why = count.whyNot(state, entry);
                const warnings = why ? [] : count.warnings(state, entry);
                const next = count.step(state, entry);
                if (why && structural.includes(why.code)) got = { code: why.code };
                else if (why) got = why;
                else {
                    const losses = count.losses(next.facts);
                    const near = count.nearTarget(next.state);
                    const { facts } = next;
                    got = { warnings, facts, losses, near, state: count.asJson(next.state) };
                }
                const same = JSON.stringify(count.asJson(state)) === before;
                if (!same) differ.push({ name, index, entry, changed: before });
                if (next.problem?.code !== why?.code) differ.push({ name, index, entry, why });
                state = next.state;
            }
            attempts += 1;
            if (JSON.stringify(got) === JSON.stringify(expected)) continue;
            const written = made.slice(0, index).filter(([, found]) => found.state);
            const entries = written.map(([one]) => one);
            differ.push({ name, seats, dealer, entries, entry, expected, got });
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
            route.fulfill(path=settings.STATIC_ROOT / "scoring" / route.request.url.rsplit("/")[-1])
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
        found = page.evaluate(COMPARE, [RULES, CANDIDATES, STRUCTURAL, json.dumps(some)])
        assert found["differ"] == []
        number += len(some)
        attempts += found["attempts"]
    return number, attempts


def test_every_sheet_of_the_conformance_cases(page: Page) -> None:
    number, attempts = compare(page, conformance())
    assert number > 150
    assert attempts > 1_000


def test_games_with_an_events_own_game_points(page: Page) -> None:
    number, attempts = compare(page, (generated(number, list(OWN)) for number in range(300)))
    assert (number, attempts > 9_000) == (300, True)


def test_two_thousand_generated_games(page: Page) -> None:
    number, attempts = compare(page, map(generated, range(2_000)))
    assert number == 2_000
    assert attempts > 80_000


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_twenty_thousand_more_generated_games(page: Page) -> None:
    number, _ = compare(page, map(generated, range(2_000, 22_000)))
    assert number == 20_000


def test_generated_games_cover_every_rule() -> None:
    """Only what is tried is proven: every code, warning, cause and way to win occurs."""
    codes, causes, wins, warned = set(), set(), set(), set()
    for number in range(300):
        for entry, outcome in generated(number).attempts:
            if entry is None or isinstance(outcome, list):
                continue
            codes.add(outcome.get("code"))
            warned.update(found["params"].get("why") for found in outcome.get("warnings", ()))
            for fact in outcome.get("facts", ()):
                causes.add(fact.get("cause"))
                wins.add(fact.get("win"))
    assert codes >= {
        *("malformed", "unknown_kind", "unknown_field", "missing_field", "bad_value"),
        *("game_finished", "wrong_phase", "unexpected_kind", "seat_out", "chicago_below_minimum"),
        *("reset_not_allowed", "reset_bound", "dead_hand", "not_discardless", "self_break"),
        "missing_reason",
    }
    assert causes >= {
        *("hand", "last_trick", "chicago_won", "chicago_lost", "breaker", "reset", "royal_flush"),
        *("no_chicago", "illegal_discard", "revoke", "ruling", "sit_out_game", "redeal"),
    }
    assert wins >= {"target", "straight_flush", "royal_flush", "last_standing", "ended"}
    assert warned >= {"own", "other"}


def test_the_same_causes_set_a_score_to_zero(page: Page) -> None:
    causes = page.evaluate("""async () => (await import("/count.js")).ZEROING""")
    assert sorted(causes) == sorted(ZEROING)


def test_it_claims_exactly_the_rule_sets_that_are_proven(page: Page) -> None:
    others = ("svensk", "pagat", "festival+O", "sm+D", "basic")
    documents = {**RULES, **{spec: parse_rules(spec).as_json() for spec in others}}
    claimed = page.evaluate(
        """async (rules) => {
            const { claims } = await import("/count.js");
            return Object.keys(rules).filter((name) => claims(rules[name]));
        }""",
        documents,
    )
    assert claimed == list(CLAIMED)


def test_it_claims_nothing_if_the_server_has_other_rules_or_another_script(page: Page) -> None:
    digest = RULES["festival"]["digest"]
    told = page.evaluate(
        """async ([rules, digest]) => {
            const { claims } = await import("/count.js");
            return [
                claims(rules, "1", { digest, script: "1" }),
                claims(rules, "1", { digest, script: "2" }),
                claims(rules, "1", { digest: "0".repeat(64), script: "1" }),
                claims(undefined),
                claims({ digest: "constructor" }),
            ];
        }""",
        [RULES["festival"], digest],
    )
    assert told == [True, False, False, False, False]
