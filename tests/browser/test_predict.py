"""The device predicts the table's state, with everything that still waits to be sent."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from engine.bots.simulation import simulate_game
from engine.rules.variants import parse_rules
from engine.sheet.sheet import replay

pytestmark = pytest.mark.pages

ADDRESS = "http://predict.test/"
NAMES = ["Anna", "Bo", "Cia", "Dag"]

#: The state after a game that waits as a whole, and how often its first entry was looked at: with
#: nothing after it, and with all the others.
PREDICT = """async ([rules, seats, entries]) => {
    const { predict } = await import("/predict.js");
    let looks = 0;
    const [first] = entries;
    const looked = new Proxy(first, { get: (...about) => (looks += 1, Reflect.get(...about)) });
    const sheet = { game: 1, seats, dealer: 0, version: 0, entries: [], games: [], gone: {} };
    const taps = [looked, ...entries.slice(1)].map((entry, version) =>
        ({ act: "entry", at: 0, body: { game: 1, version, entry } }));
    const found = [];
    for (const some of [taps.slice(0, 1), taps]) {
        looks = 0;
        const { version, mode, state: { scores } } = predict(rules, sheet, some, true);
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
    alone, followed = page.evaluate(PREDICT, [rules.as_json(), NAMES, entries])
    assert (followed["version"], followed["mode"]) == (len(entries), "end")
    assert followed["scores"] == list(replay(rules, len(NAMES), entries).state.scores)
    assert alone["looks"] == followed["looks"]
