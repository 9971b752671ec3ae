"""The Auditor's page where the network hangs, or the server or the device refuses."""

import json
import time

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import SheetEntry
from tests.browser.auditor import drawn, only, takes_taps
from tests.browser.bad_network import BadNetwork
from tests.browser.test_auditor import button, seat
from tests.browser.test_offline import (
    CACHED,
    OfflineThumb,
    installed,
    newer_shell,
    phone,
    saved,
    scores,
    waits,
)
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
        path = request.split(b" ", 2)[1]
        # The page itself, which its own navigation does not fetch.
        if path.startswith(b"/static/") or b"Sec-Fetch-Mode: navigate" in request:
            return ""
        if not path.endswith(b"/") or not request.startswith(b"GET"):
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


def test_a_tap_does_not_wait_for_a_question_that_hangs(phone):
    table = make_table()
    page = phone(auditor_link(table))
    # It would hang for ever.
    page.evaluate("AbortSignal.timeout = () => new AbortController().signal")
    questions = []

    page.route("**/sync/", only(questions.append))
    while not questions:
        page.wait_for_timeout(100)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 0, 0, 0]


def test_a_tap_made_while_something_else_is_asked_is_sent_after_it(phone):
    table = make_table()
    page = phone(auditor_link(table))
    asked = []
    page.route("**/sync/", only(asked.append, "seats"))
    page.locator(".seats-exchanged summary").click()
    page.locator(".seats-exchanged .btn-next").click()
    while not asked:
        page.wait_for_timeout(100)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    asked[0].fallback()
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 0, 0, 0]


class LosesThePage(LosesForTheWorker):
    """A network on which the worker gets no page while it ``loses``."""

    loses = False

    def _fault(self, request: bytes) -> str:
        self.told["asked"] = 0 if self.loses else 3
        return super()._fault(request)


def test_the_stored_page_stays_until_a_newer_one_has_come(phone, live_server):
    with LosesThePage(live_server.url, 1) as network:
        page = phone(f"{network.address}{auditor_link(make_table())}")
        installed(page)
        page.evaluate("window.older = true")
        network.loses = True
        page.route("**/sync/", newer_shell)
        expect(page.locator("#pending")).to_be_visible(timeout=15_000)
        page.wait_for_timeout(1000)
        assert page.evaluate(CACHED, page.url)
        assert page.evaluate("window.older")
        network.loses = False
        page.wait_for_function("() => window.older === undefined", timeout=30_000)
        page.unroute_all(behavior="ignoreErrors")


#: What becomes of a request.
FAULTS = {"none": lambda route: None, "trouble": lambda route: route.fulfill(status=500)}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_table_is_asked_for_until_it_comes(phone, fault):
    """A phone that has nothing of it yet."""
    address = auditor_link(make_table())
    page = phone(address, service_workers="block")
    page.goto("/static/site/icon.svg")
    page.evaluate("indexedDB.deleteDatabase('chicago sheets')")
    page.add_init_script(HASTY)
    page.route("**/sync/", FAULTS[fault])
    with page.expect_request("**/sync/"):
        page.goto(address)
    page.wait_for_event("request", lambda request: request.url.endswith("/sync/"))
    page.unroute("**/sync/")
    drawn(page)
    page.context.set_offline(True)
    OfflineThumb(page).play([entry_from_json(each) for each in (hand(1, 0), none(2), trick(1))])
    assert scores(page) == [1, 5, 0, 0]


@pytest.mark.parametrize("fault", FAULTS)
def test_an_answer_is_asked_for_until_it_comes(phone, fault):
    """The first one is not the program's, and the next ones do not arrive."""
    table = make_table()
    page = phone(auditor_link(table))
    page.evaluate(HASTY)

    def unfit(route):
        route.fulfill(response=route.fetch(), json={"ok": True, "problems": []})

    page.route("**/sync/", FAULTS[fault])
    page.route("**/sync/", unfit, times=1)
    with page.expect_response("**/sync/"):
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    page.wait_for_event("request", lambda request: request.url.endswith("/sync/"))
    page.unroute("**/sync/")
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    saved(page)
    assert SheetEntry.objects.count() == 2
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]


def test_an_answer_older_than_what_the_page_shows_is_not_shown(phone):
    """It was asked for before the entry."""
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")
    # The game's first entry changes the document, too: that comes with an answer of its own.
    with page.expect_response(
        lambda response: "/sync/" in response.url and "document" in response.json()
    ):
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    held = []
    page.route("**/sync/", lambda route: held.append((route, route.fetch())), times=1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    page.evaluate("""window.versions = [];
        const live = document.getElementById('live');
        new MutationObserver(() => window.versions.push(live.dataset.version))
            .observe(live, { attributes: true, attributeFilter: ['data-version'] });""")
    [(route, response)] = held
    route.fulfill(response=response)
    saved(page)
    assert "1" not in page.evaluate("window.versions")
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]


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


def test_an_answer_that_comes_while_further_lines_are_written_fits(phone):
    """A reopened page sends what waits, and goes on meanwhile."""
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")
    page.route("**/sync/", only(lambda route: route.abort(), "entry"))
    thumb = OfflineThumb(page)
    for entry in (hand(1, 0, "flush"), hand(2, 1, "pair"), trick(2)):
        thumb.write(entry_from_json(entry))
    waits(page, 3)
    page.unroute("**/sync/")
    held = []
    page.route("**/sync/", lambda route: held.append((route, route.fetch())), times=1)
    with page.expect_request("**/sync/"):
        page.reload()
    drawn(page)
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    OfflineThumb(page).write(entry_from_json(none(3)))
    while not held:
        page.wait_for_timeout(20)
    [(route, response)] = held
    route.fulfill(response=response)
    saved(page)
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    assert scores(page) == [5, 1, 5, 0]
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]
    assert SheetEntry.objects.count() == 4


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
    page.evaluate("document.getElementById('t-play').remove()")
    with page.expect_event("pageerror"):
        page.locator(".nobody-slot button").click()
    page.unroute("**/sync/")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    saved(page)
    page.reload()
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    expect(page.locator(".field.now")).to_have_attribute("data-field", "2")
    saved(page)
    assert [row.entry for row in SheetEntry.objects.all()] == [none(1)]


def test_a_page_takes_no_tap_before_it_has_what_waits(phone):
    page = phone(auditor_link(make_table()), service_workers="block")
    page.route("**/sync/", lambda route: route.abort())
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    waits(page, 1)
    page.add_init_script("""{
        const open = indexedDB.open.bind(indexedDB);
        indexedDB.open = (...about) => {
            const late = {};
            setTimeout(() => {
                const request = open(...about);
                request.onsuccess = () => {
                    late.result = request.result;
                    late.onsuccess();
                };
            }, 800);
            return late;
        };
    }""")
    page.reload()
    expect(page.locator("#live")).to_have_attribute("data-mode", "loading")
    assert page.locator("#entry button[name=what]").count() == 0
    drawn(page)
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    waits(page, 2)
    assert scores(page) == [5, 1, 0, 0]


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


def test_a_question_of_the_server_does_not_lose_the_pages_own(phone):
    """It asks about an entry on its way while the page asks about the next one."""
    page = phone(auditor_link(make_table()))
    saved(page)
    takes_taps(page)
    held = []
    page.route("**/sync/", only(held.append, "entry"))
    seat(page, 0).click()
    button(page, category="pair").first.click()
    expect(page.locator(".held")).to_have_count(0)
    seat(page, 1).click()
    button(page, category="straight_flush").first.click()
    what, text = page.locator("#confirm-what"), page.locator("#confirm-text")
    expect(what).to_contain_text("Bo")
    own = text.inner_text()
    [route] = held
    tap = json.loads(route.request.post_data)["taps"][0]
    problem = {"code": "needs_confirmation", "message": "Is that so?"}
    answer = {"mark": "chicago-table", "took": [], "now": page.evaluate("Date.now()")}
    route.fulfill(json=answer | {"refused": {"tap": tap["id"], "problem": problem}})
    expect(text).to_have_text("Is that so?")
    page.unroute("**/sync/")
    expect(what).to_contain_text("Anna")
    page.locator("#confirm [data-answer=yes]").click()
    expect(what).to_contain_text("Bo")
    expect(text).to_have_text(own)
    page.locator("#confirm [data-answer=yes]").click()
    expect(page.locator("#confirm")).to_be_hidden()
    saved(page)
    entries = SheetEntry.objects.order_by("pk").values_list("entry", flat=True)
    assert [entry["category"] for entry in entries] == ["pair", "straight_flush"]
