"""The Auditor's page where the network hangs, or the server or the device refuses."""

import re
import time

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import SheetEntry
from tests.browser.auditor import drawn, only
from tests.browser.bad_network import BadNetwork
from tests.browser.test_offline import OfflineThumb, installed, phone, saved, scores, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    quick_win,
    running,
    sheet_of,
    trick,
)

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

#: The page waits a tenth of its time for a server.
HASTY = """(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / 10);
})()"""


def test_a_network_that_hangs_is_none(phone, live_server):
    """A page that opens without a network also opens on one that never answers."""
    table = make_table()
    with BadNetwork(live_server.url, 1) as network:
        network.calm()
        page = phone(f"{network.address}{auditor_link(table)}")
        installed(page)
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
        saved(page)
        network.silent = True
        page.reload(timeout=30_000)
        drawn(page, 30_000)
        thumb = OfflineThumb(page)
        for entry in (hand(2, 1, "pair"), {"kind": "last_trick", "seat": 2}):
            thumb.write(entry_from_json(entry))
        expect(page.locator("#pending li")).to_have_count(2, timeout=30_000)
        assert SheetEntry.objects.count() == 1
        network.silent = False
        expect(page.locator("#pending")).to_be_hidden(timeout=30_000)
        saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]


class LosesForTheWorker(BadNetwork):
    """A network on which what the service worker asks for gets lost a few times."""

    def _fault(self, request: bytes) -> str:
        asked = request.split(b" ", 2)[1]
        if not (asked.endswith(b"/device/") and b"worker.js" in request):
            return ""
        self.told["asked"] += 1
        return "never arrives" if self.told["asked"] < 3 else ""


def test_what_a_page_needs_to_open_offline_is_asked_for_until_it_is_stored(phone, live_server):
    table = make_table()
    with LosesForTheWorker(live_server.url, 1) as network:
        page = phone(f"{network.address}{auditor_link(table)}")
        expect(page.locator("#plain")).to_be_visible()
        deadline = time.monotonic() + 60
        while network.told["asked"] < 3:
            assert time.monotonic() < deadline
            page.wait_for_timeout(200)
        installed(page)
        expect(page.locator("#plain")).to_be_hidden()
        page.context.set_offline(True)
        page.reload()
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
        waits(page, 1)
        assert scores(page) == [5, 0, 0, 0]


def test_a_call_that_is_never_answered_is_kept_and_sent(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.evaluate(HASTY)
    page.route("**/sync/", only(lambda route: None, "call"))
    page.locator("details.call summary").click()
    page.locator("details.call button").first.click()
    waits(page, 1)
    page.unroute("**/sync/")
    saved(page)
    table.refresh_from_db()
    assert table.call_since is not None


#: What becomes of a request.
FAULTS = {"none": lambda route: None, "trouble": lambda route: route.fulfill(status=500)}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_counting_needs_is_asked_for_until_it_comes(phone, fault):
    page = phone(auditor_link(make_table()), service_workers="block")
    page.add_init_script(HASTY)
    page.route("**/device/", FAULTS[fault])
    with page.expect_request("**/device/"):
        page.reload()
    page.wait_for_event("request", lambda request: request.url.endswith("/device/"))
    page.unroute("**/device/")
    drawn(page)
    page.context.set_offline(True)
    OfflineThumb(page).play([entry_from_json(each) for each in (hand(1, 0), none(2), trick(1))])
    assert scores(page) == [1, 5, 0, 0]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_tables_state_is_asked_for_until_it_comes(phone, fault):
    """The answer's changes do not fit the page, and the whole part does not arrive either."""
    table = make_table()
    page = phone(auditor_link(table))
    page.evaluate(HASTY)

    def unfit(route):
        route.fulfill(response=route.fetch(), json={"ok": True, "problems": []})

    def whole(request):
        return request.url.endswith("/live/") and "if-none-match" not in request.headers

    page.route("**/sync/", only(unfit, "entry"))
    page.route("**/sync/", only(FAULTS[fault]))
    with page.expect_event("request", whole):
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    page.wait_for_timeout(2000)
    page.unroute("**/sync/")
    page.unroute("**/sync/")
    page.wait_for_event("request", whole)
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]


@pytest.mark.parametrize("stored", [False, True])
def test_an_answer_older_than_what_the_page_shows_is_not_shown(phone, stored):
    """The part was requested before the entry: by the poll, or by a page from storage."""
    table = make_table()
    address = auditor_link(table)
    page = phone(address, service_workers="block")
    old = page.request.get(address).text()
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    held = []

    def late(route):
        headers = {k: v for k, v in route.request.headers.items() if k != "if-none-match"}
        held.append((route, route.fetch(headers=headers)))

    page.route("**/sync/", only(late, times=1))
    with page.expect_request("**/live/"):
        if stored:
            page.route(
                f"**{address}", lambda route: route.fulfill(body=old, content_type="text/html")
            )
            page.reload()
        else:
            page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    saved(page)
    page.evaluate("""window.versions = [];
        const live = () => document.getElementById('live');
        new MutationObserver(() => window.versions.push(live().dataset.version))
            .observe(document.getElementById('scoring'), { childList: true, subtree: true });""")
    [(route, response)] = held
    with page.expect_request_finished(lambda request: request == route.request):
        route.fulfill(response=response)
    page.wait_for_timeout(300)
    assert "1" not in page.evaluate("window.versions")
    expect(page.locator("#live")).to_have_attribute("data-version", "2")


def test_an_entry_whose_answer_was_lost_is_shown_once(phone):
    """The server's page already has the entry that still waits on the device."""
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")

    def lost(route):
        route.fetch()
        route.abort()

    page.route("**/sync/", only(lost, "entry"))
    with page.expect_event("requestfailed"):
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    page.unroute("**/sync/")
    page.route("**/sync/", only(lambda route: None, "entry"))
    page.reload()
    drawn(page)
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    assert scores(page) == [5, 1, 0, 0]
    page.unroute("**/sync/")
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]


def test_an_answer_that_is_under_way_when_the_page_begins_to_count_still_fits(phone):
    """It says what has changed since the answer before, which the page still has."""
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")
    page.route("**/sync/", only(lambda route: route.abort(), "entry"))
    thumb = OfflineThumb(page)
    for entry in (hand(1, 0, "flush"), hand(2, 1, "pair"), trick(2)):
        thumb.write(entry_from_json(entry))
    waits(page, 3)
    address = page.url
    page.goto("about:blank")
    page.unroute("**/sync/")
    held = {}

    def holds(route):
        if "device" in route.request.url:
            held["device"] = route
        elif "entry" not in held:
            held["entry"] = None
            route.continue_()
        elif held["entry"] is None:
            held["entry"] = route, route.fetch()
        else:
            route.abort()

    page.route(re.compile(".*/(entry|device)/"), holds)
    page.goto(address)
    while not held.get("entry"):
        page.wait_for_timeout(20)
    held["device"].continue_()
    drawn(page)
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    page.route("**/sync/", only(lambda route: route.abort()))
    route, response = held["entry"]
    route.fulfill(response=response)
    waits(page, 1)
    OfflineThumb(page).write(entry_from_json(none(3)))
    waits(page, 2)
    assert scores(page) == [5, 1, 5, 0]
    page.unroute(re.compile(".*/(entry|device)/"))
    page.unroute("**/sync/")
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]


def test_a_next_game_whose_answer_was_lost_is_opened_once(phone):
    table = make_table(games=3)
    play(running(table), quick_win())
    page = phone(auditor_link(table), service_workers="block")

    def lost(route):
        route.fetch()
        route.abort()

    page.route("**/sync/", only(lost, "next"))
    with page.expect_event("requestfailed"):
        page.locator("[data-next-game], .btn-next").click()
    page.unroute("**/sync/")
    page.route("**/sync/", only(lambda route: None, "next"))
    page.reload()
    drawn(page)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    page.unroute("**/sync/")
    saved(page)
    assert [sheet_of(table, number).status for number in (2, 3)] == ["running", "waiting"]


def test_where_nothing_can_be_stored_entries_are_sent_at_once(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.evaluate(
        """() => { IDBObjectStore.prototype.put = () => {
            throw new DOMException("full", "QuotaExceededError");
        }; }"""
    )
    for version, entry in enumerate((hand(1, 0, "flush"), hand(2, 1, "pair")), 1):
        OfflineThumb(page).write(entry_from_json(entry))
        saved(page)
        assert sheet_of(table).version == version


#: The next access to the device's storage fails, as after a phone has slept.
LOSES = """(() => {
    const transaction = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function () {
        IDBDatabase.prototype.transaction = transaction;
        throw new DOMException("The connection is closing.", "InvalidStateError");
    };
})()"""


def test_a_lost_connection_to_the_devices_storage_is_opened_again(phone):
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")
    page.route("**/sync/", only(lambda route: route.abort(), "entry"))
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    page.evaluate(LOSES)
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    waits(page, 2)
    page.add_init_script(LOSES)
    page.reload()
    waits(page, 2)
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    assert scores(page) == [5, 1, 0, 0]


def test_an_entry_that_cannot_be_drawn_is_stored_and_sent_all_the_same(phone):
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")
    page.route("**/sync/", only(lambda route: route.abort(), "entry"))
    page.evaluate("document.getElementById('device-play').remove()")
    with page.expect_event("pageerror"):
        page.locator(".nobody-slot button").click()
    page.unroute("**/sync/")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    # The server's page is shown instead.
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    expect(page.locator(".field.now")).to_have_attribute("data-field", "2")
    saved(page)
    assert [row.entry for row in SheetEntry.objects.all()] == [none(1)]


#: A queue of its own in the page, with one tap waiting since earlier; and its database closed.
QUEUES = """async (closes) => {
    const loaded = performance.getEntriesByType("resource");
    const load = (module) => import(loaded.find(({ name }) => name.includes(`/${module}.`)).name);
    const { Queue } = await load("queue");
    const { keepTap } = await load("store");
    const calls = Object.fromEntries(["token", "expired", "seen", "changed", "answered", "refused"]
        .map((name) => [name, () => ""]));
    await keepTap({ key: "other", id: "earlier", at: 1 });
    const queue = new Queue({ key: "other", ...calls });
    queue.send = () => {};
    const loading = queue.load();
    const before = queue.loaded;
    queue.add({ id: "meanwhile" });
    await loading;
    return [before, queue.loaded, queue.waiting.map(({ id }) => id)];
}"""


def test_a_tap_while_waiting_ones_are_loaded_comes_after_them(phone):
    page = phone(auditor_link(make_table()))
    assert page.evaluate(QUEUES) == [False, True, ["earlier", "meanwhile"]]


def test_correcting_and_sharing_wait_for_a_server(phone):
    table = make_table()
    play(sheet_of(table), hand(1, 1))
    page = phone(auditor_link(table), service_workers="block")
    page.locator("form[action$='share/'] button").click()
    page.wait_for_url("**/share/")

    def stays(*controls):
        address = page.url
        page.route("**/*", lambda route: route.abort())
        for control in controls:
            # Each says so itself: what still asks for the server would lead away once it is back.
            page.evaluate("document.body.classList.remove('is-offline')")
            page.locator(control).click()
            expect(page.locator(".stale")).to_be_visible()
            assert page.url == address
        page.unroute("**/*")

    stays(".btn-next", "[name=language]")
    page.locator(".btn-next").click()
    page.locator("[data-correct]").first.click()
    page.locator("label:has(input[name=entry][value*='\"straight\"'])").first.click()
    stays(".btn-next", ".btn-quiet:not([name])")
    page.locator(".btn-next").click()
    expect(page.locator("form:has(.changed)")).to_be_visible()
    stays("form:has(.changed) .btn-next")


def test_what_waits_neither_covers_nor_moves_an_answer(phone):
    page = phone(auditor_link(make_table()))
    thumb = OfflineThumb(page)
    where = """[...document.querySelectorAll(
        ".nobody-slot button, .answers button, .call > summary, .undo-slot")].map((part) => {
            const {x, y, width, height} = part.getBoundingClientRect();
            const top = document.elementFromPoint(x + width / 2, y + 10);
            return [y, part.contains(top)];
        })"""
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    page.evaluate("document.querySelector('.nobody-slot').scrollIntoView(false)")
    expect(page.locator(".held")).to_have_count(0)
    before = page.evaluate(where)
    assert all(there for _y, there in before)
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    assert page.evaluate(where) == before
    thumb.write(entry_from_json(hand(2, 1, "pair")))
    waits(page, 1)
    # Playwright scrolls the page to tap what is held.
    expect(page.locator(".held")).to_have_count(0)
    page.locator("[data-take-back]").click()
    thumb.saved(1)
    page.route("**/sync/", only(lambda route: route.abort(), "call"))
    expect(page.locator(".held")).to_have_count(0)
    page.locator("details.call summary").click()
    expect(page.locator(".held")).to_have_count(0)
    page.locator("details.call button").first.click()
    waits(page, 1)
    expect(page.locator(".held")).to_have_count(0)
    assert page.evaluate(where) == before
