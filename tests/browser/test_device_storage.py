"""What a phone stores: shared by its tabs; and what it does when it can store nothing."""

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import SheetEntry
from tests.browser.auditor import only, saved
from tests.browser.test_offline import OfflineThumb, installed, phone, scores, waits
from tests.scoring.factories import auditor_link, hand, make_table, play, running, sheet_of

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

#: The browser says that it has no network until ``alone`` is false.
ALONE = """window.alone = true;
    Object.defineProperty(navigator, 'onLine', { get: () => !window.alone })"""
JOINED = "window.alone = false; window.dispatchEvent(new Event('online'))"


def test_two_tabs_of_one_phone_hold_the_same_entry(phone):
    """If one tab takes it back, the other no longer sends it; once sent, a row takes it back."""
    table = make_table()
    one = phone(auditor_link(table))
    one.context.add_init_script(ALONE)
    one.reload()
    OfflineThumb(one).write(entry_from_json(hand(1, 0, "flush")))
    waits(one, 1)
    other = one.context.new_page()
    other.goto(one.url)
    waits(other, 1)
    one.locator("[data-take-back]").click()
    expect(one.locator("#pending")).to_be_hidden()
    other.evaluate(JOINED)
    saved(other)
    expect(other.locator("#live")).to_have_attribute("data-version", "0")
    assert scores(other) == [0, 0, 0, 0]
    assert SheetEntry.objects.count() == 0
    # Now the other tab sends first, and no answer comes.
    other.evaluate("window.alone = true")
    OfflineThumb(one).write(entry_from_json(hand(1, 1, "straight")))
    waits(one, 1)
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    waits(other, 1)
    assert scores(other) == [0, 4, 0, 0]
    answers = []

    def lose_the_answer(route):
        if not answers:
            answers.append(route.fetch().status)
        route.abort()

    other.route("**/sync/", only(lose_the_answer, "entry"))
    with other.expect_event("requestfailed"):
        other.evaluate(JOINED)
    one.locator("[data-take-back]").click()
    waits(one, 2)
    one.evaluate(JOINED)
    saved(one)
    other.unroute("**/sync/")
    saved(other)
    assert answers == [200]
    assert [row.kind for row in SheetEntry.objects.order_by("sequence")] == ["entry", "void"]
    expect(other.locator("#live")).to_have_attribute("data-version", "2")


@pytest.mark.parametrize("storage", ["hangs", "refuses"])
def test_without_storage_the_open_page_goes_on_and_says_so(phone, storage):
    table = make_table()
    page = phone(auditor_link(table))
    returns = "({})" if storage == "hangs" else "null.refused"
    page.add_init_script(f"IDBFactory.prototype.open = () => {returns}")
    page.reload()
    told = page.locator("#plain").get_attribute("data-unstored")
    expect(page.locator("#plain")).to_have_text(told)
    expect(page.locator("#plain")).to_be_visible()
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    page.context.set_offline(True)
    thumb = OfflineThumb(page)
    thumb.write(entry_from_json(hand(2, 1, "pair")))
    waits(page, 1)
    expect(page.locator("#pending")).to_contain_text(told)
    page.locator("[data-take-back]").click()
    expect(page.locator("#pending")).to_be_hidden()
    thumb.write(entry_from_json(hand(2, 2, "pair")))
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 0, 1, 0]


#: A storage that opens after the page has given it up.
LATE = """const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...about) {
        const made = open.apply(this, about);
        if (sessionStorage.opened) return made;
        const after = {};
        setTimeout(() => {
            sessionStorage.opened = "late";
            after.result = made.result;
            after.onsuccess();
        }, 6000);
        return after;
    }"""


def test_lines_of_a_storage_that_opens_late_are_not_left_there(phone):
    page = phone(auditor_link(make_table()))
    installed(page)
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    waits(page, 1)
    page.add_init_script(LATE)
    page.reload()
    page.wait_for_function("() => sessionStorage.storage === 'late'", timeout=15_000)
    waits(page, 1)
    page.context.set_offline(False)
    saved(page)
    assert SheetEntry.objects.count() == 1


def test_with_full_storage_a_reload_shows_the_servers_lines(phone, live_server):
    table = make_table()
    page = phone(auditor_link(table))
    installed(page)
    network = page.context.new_cdp_session(page)
    full = {"origin": live_server.url, "quotaSize": 1}
    network.send("Storage.overrideQuotaForOrigin", full)
    play(running(table), hand(1, 0, "flush"))
    assert page.reload().from_service_worker
    expect(page.locator("#live")).to_have_attribute("data-version", "1")


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"


@pytest.mark.parametrize("forgets", [False, True])
def test_only_an_iphone_is_told_that_it_may_forget(phone, forgets):
    page = phone(auditor_link(make_table()), **({"user_agent": IPHONE} if forgets else {}))
    expect(page.locator("#iphone")).to_be_visible(visible=forgets)
