"""What the Auditor's page shows offline is so: nothing that is gone, or that only others can do."""

import re

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import SheetEntry
from tests.browser.auditor import only, saved
from tests.browser.test_offline import OfflineThumb, becomes, installed, phone, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    sheet_of,
    write,
)

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def calls(page) -> None:
    """Call the director, which waits like an entry."""
    page.locator("details.call summary").click()
    page.locator("details.call button").first.click()


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_the_only_entry_that_waits_is_taken_back_on_a_page_opened_offline(phone, rules):
    """The server's page at that point is not stored, so the device draws it."""
    table = make_table(rules=rules)
    page = phone(auditor_link(table))
    installed(page)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    page.context.set_offline(True)
    page.reload()
    live = page.locator("#live")
    expect(live).to_have_attribute("data-version", "1")
    OfflineThumb(page).write(entry_from_json(hand(2, 1)))
    waits(page, 1)
    page.locator("[data-take-back]").click()
    expect(live).to_have_attribute("data-version", "1")
    saved(page)
    OfflineThumb(page).write(entry_from_json(none(2)))
    page.context.set_offline(False)
    saved(page)
    assert [row.entry for row in SheetEntry.objects.all()] == [hand(1, 0, "flush"), none(2)]


COUNT_WAITING = """() => new Promise((resolve) => {
    indexedDB.open("chicago sheets").onsuccess = ({ target: { result: database } }) => {
        database.transaction("taps").objectStore("taps").count().onsuccess = (event) => {
            database.close();
            resolve(event.target.result);
        };
    };
})"""

#: Takes the last entry back as soon as one before it is stored as acknowledged.
TAKES_BACK_THEN = """() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...what) {
        if (this.name === "tables") {
            IDBObjectStore.prototype.put = put;
            document.querySelector("#entry .undo").click();
        }
        return put.apply(this, what);
    };
}"""


def test_an_entry_taken_back_just_when_the_one_before_it_was_acknowledged_is_gone(phone):
    table = make_table()
    page = phone(auditor_link(table), service_workers="block")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/sync/", only(hold, "entry"), times=1)
    with page.expect_request("**/sync/"):
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    OfflineThumb(page).write(entry_from_json(hand(2, 1)))
    becomes(page, f"async () => (await ({COUNT_WAITING})()) === 2")
    page.evaluate(TAKES_BACK_THEN)
    held[0].continue_()
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    saved(page)
    assert sheet_of(table).version == 1


def test_the_same_again_is_offered_offline_too(phone):
    """For the deal's last hand, whether it waits or not; not for an earlier deal's."""
    table = make_table(rules="svensk")
    play(running(table), hand(1, 0, "flush"))
    page = phone(auditor_link(table))
    again = page.locator(".what-again button")
    values = "(buttons) => buttons.map(({ value }) => JSON.parse(value))"
    page.context.set_offline(True)
    thumb = OfflineThumb(page)
    calls(page)
    waits(page, 1)
    assert again.evaluate_all(values) == [hand(2, 0, "flush")]
    thumb.write(entry_from_json(hand(2, 1, "two_pair")))
    expect(again).to_have_count(0)
    thumb.write(entry_from_json({"kind": "last_trick", "seat": 2}))
    assert again.evaluate_all(values) == [hand(3, 1, "two_pair"), hand(3, 1, "full_house")]
    thumb.write(entry_from_json(none(3)))
    expect(again).to_have_count(0)
    expect(page.locator(".field-name").locator("visible=true")).to_have_count(0)


def test_what_waits_is_said_though_a_button_needs_the_network(phone):
    page = phone(auditor_link(make_table()))
    page.context.set_offline(True)
    calls(page)
    waits(page, 1)
    page.locator(".seats-exchanged summary").click()
    page.locator(".seats-exchanged .btn-next").click()
    expect(page.locator("#offline.untold")).to_be_visible()
    # At once, and not only when the queue tries again.
    assert page.locator("#pending").is_visible()


def test_a_phone_that_does_not_keep_the_score_says_so_offline_too(phone):
    table = make_table()
    write(running(table), hand(1, 0), device="another")
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    calls(page)
    waits(page, 1)
    expect(page.locator(".lease button")).to_be_visible()
    expect(page.locator("#entry")).to_have_count(0)
    page.context.set_offline(False)
    saved(page)
    page.locator(".lease button").click()
    expect(page.locator("#entry")).to_have_count(1)


def test_what_the_director_ended_is_not_taken_back_offline(phone):
    table = make_table()
    play(running(table), hand(1, 0, "flush"), ruling("end_game"))
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    page.locator(".rulings button").click()
    waits(page, 1)
    calls(page)
    waits(page, 2)
    expect(page.locator("[data-next-game]")).to_be_visible()
    expect(page.locator("[data-take-back]")).to_be_hidden()


@pytest.mark.parametrize("of", ["sharing", "a correction"])
def test_the_way_back_to_the_sheet_is_open_offline(phone, of):
    """Other pages of the table lead nowhere without a network, but the sheet is on the device."""
    table = make_table()
    play(running(table), hand(1, 0, "flush"))
    page = phone(auditor_link(table))
    installed(page)
    sheet = page.url
    page.locator(
        "form[action$='share/'] button" if of == "sharing" else ".deal-line [data-correct]"
    ).click()
    back = page.locator(f"a.btn[href='{sheet.removeprefix(page.url.split('/s/')[0])}']")
    expect(back).to_be_visible()
    page.context.set_offline(True)
    page.locator("[name=language]").click()
    expect(page.locator(".stale")).to_be_visible()
    assert page.url != sheet
    back.click()
    page.wait_for_url(sheet)
    OfflineThumb(page).write(entry_from_json(none(2)))
    waits(page, 1)


def test_whoever_is_near_the_target_is_warned_beside_what_the_last_entry_cost(phone):
    table = make_table()
    play(running(table), ruling("points", 0, points=20), ruling("points", 1, points=47))
    play(running(table), none(1), none(2))
    page = phone(auditor_link(table))
    news = page.locator(".news")
    expect(news).to_contain_text("Bo")
    before = news.inner_text()
    page.locator(".rulings button").click()
    expect(page.locator(".rulings, .held")).to_have_count(0)
    page.locator("button[name=announce][value='0']").click()
    expect(page.locator(".question")).to_have_attribute("data-step", "chicago")
    saved(page)
    page.context.set_offline(True)
    page.locator(".what-broken button").last.click()
    waits(page, 1)
    told = re.compile(f"^Anna.+ {re.escape(before)}$")
    expect(news).to_have_text(told)
    page.context.set_offline(False)
    saved(page)
    page.reload()
    expect(news).to_have_text(told)
