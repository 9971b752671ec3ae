"""A server restored from a backup is offered the entries that the Auditor's phone still has."""

import sqlite3
import uuid
from contextlib import closing

import pytest
from django.db import connection
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import Declaration, SheetEntry
from scoring.web import picture
from scoring.writing import clear_call, object_to_deal, set_away
from tests.browser.auditor import Thumb, is_accessible
from tests.browser.test_offline import becomes, phone, saved
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    sheet_of,
    trick,
)
from tests.tournaments.factories import make_event, make_heats
from tournaments.models import Heat

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

COUNT_WRITTEN = """() => new Promise((resolve) => {
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
def test_a_restored_server_gets_the_phones_acknowledged_entries(phone):
    """Back up, play on, crash, restore: the phone sends the missing entries."""
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
        # This entry ends the game, and the next one begins.
        thumb.write(entry_from_json(hand(1, 3, "straight_flush")), sure=True)
        page.locator(".btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
        thumb.write(entry_from_json(hand(1, 0, "two_pair")))
        before, address = rows(), page.url
        assert page.evaluate(COUNT_WRITTEN) == 6
        page.goto("about:blank")
        backup.backup(connection.connection)
    assert len(rows()) == 3
    page.goto(address)
    expect(page.locator("#live")).to_have_attribute("data-game", "1")
    expect(page.locator("#recovery")).to_contain_text("5")
    page.locator("#recovery .btn-primary").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator("#recovery")).to_be_hidden()
    assert rows() == before
    # The table goes on.
    thumb.write(entry_from_json(hand(2, 1, "pair")))
    assert sheet_of(table, 2).state["scores"] == [2, 1, 0, 0]


@pytest.mark.sqlite
def test_a_restored_server_gets_corrected_lines_and_the_director_is_shown_rulings(phone):
    """The phone sends lines corrected at the table; of rulings it has only the text."""
    table = make_table()
    play(running(table), ruling("points", 1, points=20))
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        thumb.write(entry_from_json(hand(1, 0, "flush")))
        page.locator(".score-sheet a[href$='/games/1/2/']").click()
        page.locator("label:has(input[name=entry][value*='\"straight\"'])").first.click()
        page.locator("button.btn-next").click()
        expect(page.locator("tr.changed")).not_to_have_count(0)
        page.locator("button.btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-version", "3")
        thumb.write(entry_from_json(hand(2, 1, "pair")))
        page.locator("button[name=announce][value='1']").click()
        saved(page)
        play(running(table), ruling("points", 2, points=-5))
        expect(page.locator(".rulings .ruling")).to_have_count(1)
        becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 6")
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    # A restarted server has rendered no page yet.
    picture._MADE.clear()
    page.goto(address)
    expect(page.locator("#recovery")).to_contain_text("4")
    expect(page.locator("#recovery li")).to_have_count(1)
    is_accessible(page)
    page.locator("#recovery .btn-primary").click()
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    saved(page)
    assert rows() == before[:-1]
    assert Declaration.objects.get().seat == 1
    table.refresh_from_db()
    assert table.call_since is not None
    # The director reads the ruling there, also after reopening the page, and enters it.
    page.reload()
    expect(page.locator("#recovery li")).to_have_count(1)
    page.locator("#recovery button").click()
    expect(page.locator("#recovery")).to_be_hidden()
    page.reload()
    becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 5")
    expect(page.locator("#recovery")).to_be_hidden()


@pytest.mark.sqlite
def test_a_restored_server_gets_folds_and_the_sign_off(phone):
    """That Dag was called away is lost, too; the phone shows it to the director."""
    table = make_table(games=1)
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        set_away(table_id=table.pk, player_ids=["Dag"], by="floor")
        expect(page.locator("#live")).to_have_attribute("data-version", "1")
        for entry in (none(1), none(2), trick(1)):
            thumb.write(entry_from_json(entry))
        page.locator(".nobody-slot [name=what]").click()
        # The last hand, and the next deal's fold.
        expect(page.locator("#live")).to_have_attribute("data-version", "6")
        saved(page)
        page.locator("label.cell").nth(0).click()
        page.locator(".answers [value*='straight_flush']").first.click()
        page.locator("#confirm [data-answer=yes]").click()
        page.locator(".sign-off button").click()
        expect(page.locator(".sign-off")).to_have_count(0)
        # Five entries and the sign-off; the first fold is the director's.
        becomes(page, f"async () => (await ({COUNT_WRITTEN})()) >= 7")
        before, address = [row[2] for row in rows()], page.url
        state = sheet_of(table).state
        page.goto("about:blank")
        backup.backup(connection.connection)
    assert rows() == []
    picture._MADE.clear()
    page.goto(address)
    expect(page.locator("#recovery")).to_contain_text("6")
    page.locator("#recovery .btn-primary").click()
    expect(page.locator("#live")).to_have_attribute("data-mode", "end")
    expect(page.locator(".sign-off")).to_have_count(0)
    assert [row[2] for row in rows()] == before
    assert sheet_of(table).state == state
    table.refresh_from_db()
    assert table.signed_at is not None


@pytest.mark.sqlite
def test_a_restored_server_gets_what_the_phone_before_a_takeover_wrote(phone):
    table = make_table(games=2)
    address = auditor_link(table)
    first = phone(address)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        thumb = Thumb(first)
        for entry in (none(1), hand(2, 0, "flush")):
            thumb.write(entry_from_json(entry))
        thumb.take_back()
        thumb.write(entry_from_json(hand(2, 3, "straight_flush")), sure=True)
        first.locator(".btn-next").click()
        expect(first.locator("#live")).to_have_attribute("data-game", "2")
        thumb.write(entry_from_json(hand(1, 0, "two_pair")))
        first.context.close()
        second = phone(address)
        assert second.evaluate(COUNT_WRITTEN) == 0
        second.locator(".lease button").click()
        expect(second.locator(".lease, .held")).to_have_count(0)
        becomes(second, f"async () => (await ({COUNT_WRITTEN})()) === 5")
        Thumb(second).write(entry_from_json(hand(2, 1, "pair")))
        before = rows()
        second.goto("about:blank")
        backup.backup(connection.connection)
    picture._MADE.clear()
    second.goto(address)
    expect(second.locator("#recovery")).to_contain_text("6")
    second.locator("#recovery .btn-primary").click()
    expect(second.locator("#live")).to_have_attribute("data-game", "2")
    expect(second.locator("#recovery")).to_be_hidden()
    assert rows() == before
    assert sheet_of(table, 2).state["scores"] == [2, 1, 0, 0]


@pytest.mark.sqlite
def test_the_director_is_shown_a_lost_call_and_objection(phone):
    table = make_table()
    play(running(table), hand(1, 0, "flush"))
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        page.locator("details.call summary").click()
        page.locator("details.call button").first.click()
        expect(page.locator(".call.waits")).to_be_visible()
        objection = {"game": 1, "deal": 1, "player_id": "Bo", "text": "", "by": "test"}
        object_to_deal(table_id=table.pk, client_id=uuid.uuid4(), **objection)
        expect(page.locator("#told .objection")).to_have_count(1)
        thumb.write(entry_from_json(hand(2, 1, "pair")))
        becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 3")
        address = page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    picture._MADE.clear()
    page.goto(address)
    lost = page.locator("#recovery li")
    expect(lost).to_have_count(2)
    page.locator("#recovery .btn-primary").click()
    expect(page.locator(".call.waits")).to_be_visible()
    assert SheetEntry.objects.count() == 2
    table.refresh_from_db()
    assert "Bo" in table.call_text
    # A call that the director has cleared is not lost.
    page.locator("#recovery button").click()
    saved(page)
    clear_call(table_id=table.pk)
    page.reload()
    expect(page.locator("#device > template").first).to_be_attached()
    saved(page)
    expect(page.locator("#recovery")).to_be_hidden()


@pytest.mark.sqlite
def test_an_open_page_sends_missing_entries_before_waiting_ones(phone):
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
    expect(page.locator("#recovery")).to_contain_text("2")
    page.locator("#recovery .btn-primary").click()
    saved(page)
    assert rows()[:2] == before
    assert [row[2]["kind"] for row in rows()] == ["none", "hand", "last_trick"]


def test_acknowledged_entries_are_kept_until_the_heat_is_closed(phone):
    heat = make_heats(make_event(slug="fest", games_per_heat=1), 4).heats[0]
    page = phone(auditor_link(heat.table))
    Thumb(page).write(entry_from_json(hand(1, 0, "straight_flush")), sure=True)
    assert page.evaluate(COUNT_WRITTEN) == 1
    page.locator("form[action$='/sign/'] button").first.click()
    expect(page.locator(".result-winner, .over, .signed").first).to_be_visible()
    becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 0")
    assert Heat.objects.get().status == "finished"
