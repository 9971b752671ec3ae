"""The phone counts on from the server's lines, with everything that still waits to be sent."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from engine.bots.simulation import simulate_game
from engine.rules.variants import parse_rules
from engine.sheet.sheet import replay

pytestmark = pytest.mark.pages

ADDRESS = "http://log.test/"
NAMES = ["Anna", "Bo", "Cia", "Dag"]

#: The table after a game that waits as a whole, and how often its first entry was looked at: with
#: nothing after it, and with all the others.
VIEW = """async ([rules, seats, entries]) => {
    const { viewOf } = await import("/log.js");
    let looks = 0;
    const [first] = entries;
    const looked = new Proxy(first, { get: (...about) => (looks += 1, Reflect.get(...about)) });
    const game = { game: 1, status: "running", seats, drawn: seats, dealer: 0, seating: "" };
    const document = { games: [game], now: 1, away: [], gone: {}, planned: 1 };
    const taps = [looked, ...entries.slice(1)].map((entry, id) =>
        ({ act: "entry", at: 0, id: String(id), game: 1, entry }));
    const found = [];
    for (const some of [taps.slice(0, 1), taps]) {
        looks = 0;
        const { version, mode, state: { scores } } = viewOf({ document, rules, lines: {} }, some);
        found.push({ version, mode, scores, looks });
    }
    return found;
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """A blank page on an address that serves the scripts and nothing else."""
    context = chromium.new_context()
    scripts = settings.STATIC_ROOT / "scoring"
    context.route(
        f"{ADDRESS}**",
        lambda route: (
            route.fulfill(path=scripts / route.request.url.removeprefix(ADDRESS))
            if route.request.url.endswith(".js")
            else route.fulfill(body="<!doctype html>", content_type="text/html")
        ),
    )
    page = context.new_page()
    page.goto(ADDRESS)
    yield page
    context.close()


def test_each_waiting_entry_is_counted_once_however_many_follow(page: Page) -> None:
    rules = parse_rules("festival")
    entries = simulate_game("festival", NAMES, 9)["entries"]
    alone, followed = page.evaluate(VIEW, [rules.as_json(), NAMES, entries])
    assert (followed["version"], followed["mode"]) == (len(entries), "end")
    assert followed["scores"] == list(replay(rules, len(NAMES), entries).state.scores)
    assert alone["looks"] == followed["looks"]


VOID = """async ([rules, seats, entries]) => {
    const { viewOf } = await import("/log.js");
    const game = { game: 1, status: "void", seats, drawn: seats, dealer: 0, seating: "" };
    const document = { games: [game], now: 1, away: [], gone: {}, planned: 1 };
    const lines = entries.map((entry, at) =>
        ({ id: String(at), row: at + 1, kind: "entry", at: "", entry, own: true }));
    const { mode, entries: shown, state } = viewOf({ document, rules, lines: { 1: lines } }, []);
    return [mode, shown.length, state.finished];
}"""


def test_a_table_without_a_game_that_counts_is_at_its_end(page: Page) -> None:
    entries = simulate_game("festival", NAMES, 9)["entries"]
    about = [parse_rules("festival").as_json(), NAMES, entries]
    assert page.evaluate(VOID, about) == ["end", 0, False]
