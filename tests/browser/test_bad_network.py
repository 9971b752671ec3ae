"""Games played through a network that drops, delays, duplicates and reorders requests.

Two of them with the other tests of pages, and two hundred with the slow ones: ``FIRST_GAME=50
GAMES=50`` plays the second fifty of those.
"""

import json
import os
import random
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page, TimeoutError, expect

from engine.bots.simulation import simulate_game
from engine.sheet.entries import entry_from_json
from scoring.models import Sheet, SheetEntry
from tests.browser.auditor import drawn
from tests.browser.bad_network import FAULTS, BadNetwork
from tests.scoring.factories import FOUR, auditor_link, make_table

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

GAMES = int(os.environ.get("GAMES", "200"))
#: The first game's seed, so that a long run can be split.
FIRST = int(os.environ.get("FIRST_GAME", "0"))
#: Games at one table, all played on the same page.
AT_TABLE = 5
#: How often an entry is taken back, and how often the page is reloaded.
TAKES_BACK, REOPENS = 0.04, 0.02

#: Taps one entry on the page, by its own buttons; returns "" when it is shown, else what is wrong.
TAP = """async ([entry, version]) => {
    const live = () => document.getElementById('live');
    const pause = () => new Promise((go) => setTimeout(go, 15));
    const until = async (is, turns = 2000) => {
        for (let turn = 0; turn < turns; turn += 1) {
            if (is()) return true;
            await pause();
        }
        return false;
    };
    const shown = (more) => Number(live().dataset.version) === version + more;
    const step = () => document.querySelector('.question')?.dataset.step;
    const free = () => document.querySelector('#entry:not(.busy)');
    const {seat, ...what} = entry;
    if (!(await until(() => shown(0) && free()))) return `waits at ${live().dataset.version}`;
    if (entry.kind === 'chicago' && step() !== 'chicago') {
        const said = await until(() => {
            if (step() === 'chicago') return true;
            document.querySelector(`[name=announce][value="${seat}"]`)?.click();
            return step() === 'chicago';
        });
        if (!said) return 'declares nothing';
    }
    for (let turn = 0; turn < 2000; turn += 1) {
        if (shown(1) || live().dataset.mode !== 'play') return '';
        if (free()) {
            const buttons = [...document.querySelectorAll('#entry button[name=what]')];
            const at_once = buttons.find((button) => button.value === JSON.stringify(entry));
            if (at_once) {
                at_once.click();
            } else {
                const button = buttons.find(({value}) => value === JSON.stringify(what));
                if (!button) return `no button for ${JSON.stringify(entry)}`;
                // Tiles light only where an answer waits for its player.
                const fold = button.closest('details');
                if (fold) fold.open = true;
                const place = document.querySelector(`input[name=seat][value="${seat}"]`);
                if (!place.checked) place.click();
                button.click();
            }
            document.querySelector('#confirm[open] [data-answer=yes]')?.click();
        }
        await pause();
    }
    return 'is not written';
}"""
#: The page's state, to find out why it does not go on.
STANDS = """() => ({
    ...document.getElementById('live').dataset,
    saving: document.getElementById('saving')?.dataset.state,
    step: document.querySelector('.question')?.dataset.step,
    form: document.getElementById('entry')?.className,
    hint: document.getElementById('hint')?.textContent,
    pending: document.getElementById('pending')?.textContent,
    merge: document.getElementById('merge')?.textContent,
    recovery: document.getElementById('recovery')?.textContent,
    asked: document.querySelector('dialog[open]')?.textContent,
})"""
#: How many taps wait on the device.
WAITING = """() => new Promise((resolve) => {
    indexedDB.open('chicago sheets').onsuccess = ({target: {result: database}}) => {
        const store = database.transaction('taps').objectStore('taps');
        store.count().onsuccess = ({target: {result}}) => {
            database.close();
            resolve(result);
        };
    };
})"""


def game(seed: int) -> list[dict]:
    """Return a game of bots that an Auditor can write, without rulings."""
    for number in range(seed * 1000, seed * 1000 + 1000):
        entries = simulate_game("festival", list(FOUR), number)["entries"]
        if all(entry["kind"] != "ruling" for entry in entries):
            return [entry_from_json(entry).as_json() for entry in entries]
    raise AssertionError("no such game")


def opened(page: Page, opens: Callable[[], object], address: str) -> None:
    """Open the page as somebody would: again if the browser shows its error page."""
    for attempt in range(10):
        try:
            page.goto(address) if attempt else opens()
        except Error:
            assert attempt < 9
            page.wait_for_timeout(500)
        else:
            break
    drawn(page, 60_000)


def version_of(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-version") or -1)


def plays(page: Page, number: int, entries: list[dict], chance: random.Random) -> None:
    """Tap a whole game, taking entries back and reloading the page in between."""
    for index, entry in enumerate(entries):
        last = index + 1 == len(entries)
        for turn in range(1 if last or chance.random() > TAKES_BACK else 2):
            if turn:
                before = version_of(page)
                page.locator("#entry:not(.busy)").wait_for(timeout=60_000)
                page.evaluate("document.querySelector('#entry .undo').click()")
                changes = "(v) => Number(document.getElementById('live').dataset.version) !== v"
                try:
                    page.wait_for_function(changes, arg=before)
                except TimeoutError as late:
                    raise AssertionError((number, index, before, page.evaluate(STANDS))) from late
            wrong = page.evaluate(TAP, [entry, version_of(page)])
            assert wrong == "", (number, index, entry, wrong, page.evaluate(STANDS))
        if chance.random() < REOPENS and not last:
            before = version_of(page)
            # A tap is shown some milliseconds before it is on disk; nobody reloads that fast.
            page.evaluate(WAITING)
            opened(page, page.reload, page.url)
            # The page first shows the server's state, then adds what waits here.
            shows = "(v) => Number(document.getElementById('live').dataset.version) === v"
            try:
                page.wait_for_function(shows, arg=before)
            except TimeoutError as late:
                raise AssertionError((number, index, before, page.evaluate(STANDS))) from late


def all_sent(page: Page) -> None:
    """Wait until nothing waits: however long it takes, as long as it goes on."""
    left, deadline = -1, 0.0
    while waits := page.evaluate(WAITING):
        if waits != left:
            left, deadline = waits, time.monotonic() + 60
        assert time.monotonic() < deadline, (waits, page.evaluate(STANDS))
        page.wait_for_timeout(100)
    expect(page.locator("#saving")).to_have_attribute("data-state", "saved")


#: The first game of each table, and how many it plays.
TABLES = [
    (10_000, 2),
    *(
        pytest.param(first, min(AT_TABLE, FIRST + GAMES - first), marks=pytest.mark.slow)
        for first in range(FIRST, FIRST + GAMES, AT_TABLE)
    ),
]


@pytest.mark.parametrize(("first", "planned"), TABLES)
def test_each_entry_is_stored_once_and_in_order(chromium, live_server, first, planned):
    games = [game(first + number) for number in range(planned)]
    table = make_table(games=planned)
    address = auditor_link(table)
    chance = random.Random(first)
    with BadNetwork(live_server.url, seed=first) as network:
        context = chromium.new_context(base_url=network.address, locale="en-GB")
        page = context.new_page()
        opened(page, lambda: page.goto(address), address)
        for number, entries in enumerate(games, 1):
            expect(page.locator("#live")).to_have_attribute("data-game", str(number))
            plays(page, number, entries, chance)
            expect(page.locator("#live")).not_to_have_attribute("data-mode", "play", timeout=60_000)
            if number < planned:
                page.evaluate("""() => document.querySelector(
                    "[data-next-game]").click()""")
        network.calm()
        page.evaluate("window.dispatchEvent(new Event('online'))")
        all_sent(page)
        context.close()
    for number, entries in enumerate(games, 1):
        sheet = Sheet.objects.get(table=table, number=number)
        rows = list(SheetEntry.objects.filter(sheet=sheet).order_by("sequence"))
        gone = {row.target_id for row in rows if row.kind == "void"}
        left = [row.entry for row in rows if row.kind == "entry" and row.pk not in gone]
        assert left == entries, f"game {first + number - 1}"
        assert {row.kind for row in rows} <= {"entry", "void"}
        assert len(rows) == len(entries) + 2 * len(gone)
        assert sheet.status == "finished"
    wanted = {f"POST {fault}" for fault in FAULTS}
    assert planned < AT_TABLE or set(network.told) >= wanted, json.dumps(network.told)
