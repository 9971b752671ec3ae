"""A server that came back from a backup is offered what the Auditor's phone had acknowledged."""

import sqlite3
from contextlib import closing

import pytest
from django.db import connection
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import Announcement, SheetEntry
from scoring.web import picture
from tests.browser.auditor import Thumb
from tests.browser.test_offline import becomes, patience, phone, saved
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    sheet_of,
)
from tests.tournaments.factories import make_event, make_heats
from tournaments.models import Heat

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["patience", "phone"]

COUNT_KEPT = """() => new Promise((resolve) => {
    indexedDB.open("chicago").onsuccess = ({ target: { result: database } }) => {
        database.transaction("written").objectStore("written").count().onsuccess = (event) => {
            database.close();
            resolve(event.target.result);
        };
    };
})"""


def rows() -> list[tuple]:
    return list(SheetEntry.objects.order_by("pk").values_list("client_id", "kind", "entry"))


@pytest.mark.sqlite
def test_a_restored_server_gets_what_the_phone_had_acknowledged(phone):
    """Backup, play on, the machine dies, restore: the phone gives back what is lacking."""
    table = make_table(games=2)
    play(running(table), none(1), none(2))
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    thumb.write(entry_from_json({"kind": "last_trick", "seat": 2}))
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        for entry in (hand(3, 0, "flush"), hand(1, 1, "pair")):
            thumb.write(entry_from_json(entry))
        thumb.take_back()
        # With this one the game ends, and the next begins.
        thumb.write(entry_from_json(hand(1, 3, "straight_flush")), sure=True)
        page.locator(".btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
        thumb.write(entry_from_json(hand(1, 0, "two_pair")))
        before, address = rows(), page.url
        assert page.evaluate(COUNT_KEPT) == 6
        page.goto("about:blank")
        backup.backup(connection.connection)
    assert len(rows()) == 3
    page.goto(address)
    expect(page.locator("#live")).to_have_attribute("data-game", "1")
    expect(page.locator("#kept")).to_contain_text("5")
    page.locator("#kept .btn-primary").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator("#kept")).to_be_hidden()
    assert rows() == before
    # The table goes on.
    thumb.write(entry_from_json(hand(2, 1, "pair")))
    assert sheet_of(table, 2).state["scores"] == [2, 1, 0, 0]


@pytest.mark.sqlite
def test_a_restored_server_gets_mended_lines_and_the_director_is_told_of_rulings(phone):
    """A phone gives back a line mended at the table; of what the director ruled it keeps words."""
    table = make_table()
    play(running(table), ruling("points", 1, points=20))
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        thumb.write(entry_from_json(hand(1, 0, "flush")))
        page.locator(".sheet-paper a[href$='/games/1/2/']").click()
        page.locator("input[name=entry][value*='\"straight\"']").first.check(force=True)
        page.locator("button.btn-next").click()
        expect(page.locator("tr.changed")).not_to_have_count(0)
        page.locator("button.btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-version", "3")
        thumb.write(entry_from_json(hand(2, 1, "pair")))
        page.locator("button[name=announce][value='1']").click()
        saved(page)
        play(running(table), ruling("points", 2, points=-5))
        expect(page.locator(".rulings .ruling")).to_have_count(1)
        becomes(page, f"async () => (await ({COUNT_KEPT})()) === 6")
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    # A server that was started anew has made no picture yet.
    picture._MADE.clear()
    page.goto(address)
    expect(page.locator("#kept")).to_contain_text("4")
    expect(page.locator("#kept li")).to_have_count(1)
    page.locator("#kept .btn-primary").click()
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    saved(page)
    assert rows() == before[:-1]
    assert Announcement.objects.get().seat == 1
    table.refresh_from_db()
    assert table.call_since is not None
    # The director reads it there, also when the page has been opened again, and enters it.
    page.reload()
    expect(page.locator("#kept li")).to_have_count(1)
    page.locator("#kept button").click()
    expect(page.locator("#kept")).to_be_hidden()
    page.reload()
    becomes(page, f"async () => (await ({COUNT_KEPT})()) === 5")
    expect(page.locator("#kept")).to_be_hidden()


@pytest.mark.sqlite
def test_an_open_page_gives_back_what_is_lacking_before_what_waits(phone):
    table = make_table()
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        for entry in (none(1), hand(2, 0, "flush")):
            thumb.write(entry_from_json(entry))
        before = rows()
        page.route("**/*", lambda route: route.abort())
        backup.backup(connection.connection)
    picture._MADE.clear()
    page.locator(".what-trick button").nth(1).click()
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    page.unroute("**/*")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#kept")).to_contain_text("2")
    page.locator("#kept .btn-primary").click()
    saved(page)
    assert rows()[:2] == before
    assert [row[2]["kind"] for row in rows()] == ["none", "hand", "last_trick"]


def test_what_was_acknowledged_is_kept_until_the_heat_is_closed(phone):
    heat = make_heats(make_event(slug="fest", games_per_heat=1), 4).heats[0]
    page = phone(auditor_link(heat.table))
    Thumb(page).write(entry_from_json(hand(1, 0, "straight_flush")), sure=True)
    assert page.evaluate(COUNT_KEPT) == 1
    page.locator("form[action$='/sign/'] button").first.click()
    expect(page.locator(".result-winner, .over, .signed").first).to_be_visible()
    becomes(page, f"async () => (await ({COUNT_KEPT})()) === 0")
    assert Heat.objects.get().status == "finished"
