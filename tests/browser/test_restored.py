"""A server restored from a backup gets the entries that the Auditor's phone still has."""

import json
import re
import sqlite3
import uuid
from contextlib import closing

import pytest
from django.db import connection
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.enums import RowKind
from scoring.models import Declaration, SheetEntry
from scoring.reading.records import game_records
from scoring.writing import (
    clear_call,
    confirm_seats,
    correct_entry,
    object_to_deal,
    revoke_link,
    set_away,
    void_sheet,
)
from tests.browser.auditor import Thumb, drawn, is_accessible, only, saved
from tests.browser.test_offline import OfflineThumb, becomes, phone, waits
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
from tests.tournaments.factories import make_event, make_heats, make_user
from tournaments.documents.reading import import_event
from tournaments.documents.writing import event_document

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

COUNT_LINES = """() => new Promise((resolve) => {
    indexedDB.open("chicago sheets").onsuccess = ({ target: { result: database } }) => {
        const store = database.transaction("tables").objectStore("tables");
        store.getAll().onsuccess = ({ target: { result } }) => {
            database.close();
            resolve(result.flatMap(({ lines }) => Object.values(lines).flat()).length);
        };
    };
})"""


def holds(page, number: int | None = None) -> None:
    """Wait until the phone holds this many lines; without a number, all that the server has."""
    saved(page)
    wanted = SheetEntry.objects.count() if number is None else number
    becomes(page, f"async () => (await ({COUNT_LINES})()) === {wanted}")


def gives(page, number: int) -> None:
    """Wait until the page says that the server has got this many lines again."""
    expect(page.locator("#pending")).to_contain_text(f" {number} ")
    saved(page)


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
        holds(page)
        page.goto("about:blank")
        backup.backup(connection.connection)
    assert len(rows()) == 3
    page.goto(address)
    expect(page.locator("#live")).to_have_attribute("data-game", "1")
    gives(page, 5)
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
        page.locator(".score-sheet a[href$='games/1/2/']").click()
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
        holds(page)
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    gives(page, 4)
    expect(page.locator("#recovery li")).to_have_count(1)
    is_accessible(page)
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    saved(page)
    assert rows() == before[:-1]
    assert Declaration.objects.get().seat == 1
    table.refresh_from_db()
    assert table.call_since is not None
    # The director reads the ruling there and at the desk, and enters it.
    assert str(-5).replace("-", "−") in table.call_text
    page.locator("#recovery button").click()
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
        holds(page)
        before, address = [row[2] for row in rows()], page.url
        state = sheet_of(table).state
        page.goto("about:blank")
        backup.backup(connection.connection)
    assert rows() == []
    page.goto(address)
    gives(page, 5)
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
        holds(second)
        second.locator(".lease button").click()
        expect(second.locator(".lease, .held")).to_have_count(0)
        holds(second)
        Thumb(second).write(entry_from_json(hand(2, 1, "pair")))
        before = rows()
        second.goto("about:blank")
        backup.backup(connection.connection)
    second.goto(address)
    gives(second, 6)
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
        holds(page)
        address = page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    expect(page.locator("#recovery li")).to_have_count(1)
    expect(page.locator(".call.waits")).to_be_visible()
    saved(page)
    assert SheetEntry.objects.count() == 2
    table.refresh_from_db()
    assert "Bo" in table.call_text
    page.locator("#recovery button").click()
    expect(page.locator("#recovery")).to_be_hidden()
    # A call that the director has cleared is not lost.
    clear_call(table_id=table.pk)
    page.reload()
    drawn(page)
    saved(page)
    expect(page.locator("#recovery")).to_be_hidden()


@pytest.mark.sqlite
def test_the_director_is_shown_that_a_game_was_declared_void(phone):
    """Also while the next game is played."""
    table = make_table(games=2)
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        void_sheet(sheet_id=sheet_of(table).pk, reason="wrong pack")
        page.locator(".btn-next:visible").first.click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
        thumb.write(entry_from_json(hand(1, 0, "flush")))
        holds(page)
        address = page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    lost = page.locator("#recovery li")
    expect(lost).to_have_count(1)
    expect(lost).to_have_text(re.compile(r"^\d\d:\d\d .*wrong pack"))
    expect(page.locator(".call.waits")).to_be_visible()
    table.refresh_from_db()
    assert "wrong pack" in table.call_text


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
    page.locator(".what-trick button").nth(1).click()
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    waits(page, 1)
    page.unroute("**/*")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    saved(page)
    assert rows()[:2] == before
    assert [row[2]["kind"] for row in rows()] == ["none", "hand", "last_trick"]


def effective(table, number: int) -> list[dict]:
    return game_records([table])[table.pk][number - 1][1]["entries"]


def back_to_game_1(page, thumb) -> None:
    """Go back from the second game, let the first end otherwise, and begin the second again."""
    live = page.locator("#live")
    page.locator("button.undo").click()
    expect(live).to_have_attribute("data-game", "1")
    saved(page)
    thumb.take_back()
    thumb.write(entry_from_json(hand(1, 1, "pair")))
    thumb.write(entry_from_json(hand(2, 2, "straight_flush")), sure=True)
    page.locator(".btn-next:visible").first.click()
    expect(live).to_have_attribute("data-game", "2")
    thumb.write(entry_from_json(hand(1, 0, "two_pair")))


@pytest.mark.sqlite
def test_a_restored_server_goes_back_to_a_finished_game_as_the_table_did(phone):
    table = make_table(games=2)
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    thumb.write(entry_from_json(hand(1, 3, "straight_flush")), sure=True)
    page.locator(".btn-next:visible").first.click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    saved(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        back_to_game_1(page, thumb)
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    gives(page, 4)
    expect(page.locator("#recovery")).to_be_hidden()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    assert rows() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("finished", [False, True])
def test_what_was_taken_back_after_the_document_is_taken_back_on_the_new_server(phone, finished):
    """Two lines of the running game; or the end of a game from which the next had begun."""
    with closing(sqlite3.connect(":memory:")) as empty:
        connection.ensure_connection()
        connection.connection.backup(empty)
        heat = make_heats(make_event(slug="fest", games_per_heat=2), 4).heats[0]
        page = phone(auditor_link(heat.table))
        thumb = Thumb(page)
        if finished:
            thumb.write(entry_from_json(hand(1, 3, "straight_flush")), sure=True)
            page.locator(".btn-next:visible").first.click()
            expect(page.locator("#live")).to_have_attribute("data-game", "2")
            saved(page)
        else:
            for entry in (hand(1, 0, "pair"), hand(2, 1, "flush"), trick(2)):
                thumb.write(entry_from_json(entry))
        document = json.loads(json.dumps(event_document(heat.event)))
        if finished:
            back_to_game_1(page, thumb)
        else:
            thumb.take_back()
            thumb.take_back()
            thumb.write(entry_from_json(hand(2, 1, "two_pair")))
        games = [1, 2] if finished else [1]
        before = [effective(heat.table, number) for number in games]
        page.goto("about:blank")
        empty.backup(connection.connection)
    table = import_event(document, owner=make_user(is_superuser=True)).heats.get().table
    page.goto(auditor_link(table))
    gives(page, 4 if finished else 3)
    expect(page.locator("#recovery")).to_be_hidden()
    assert [effective(table, number) for number in games] == before


@pytest.mark.sqlite
def test_a_new_server_with_the_events_document_gets_what_followed_it(phone):
    """Documents carry no links: the phone finds the heat again behind its new one."""
    with closing(sqlite3.connect(":memory:")) as empty:
        connection.ensure_connection()
        connection.connection.backup(empty)
        heat = make_heats(make_event(slug="fest", games_per_heat=2), 4).heats[0]
        page = phone(auditor_link(heat.table))
        thumb = Thumb(page)
        thumb.write(entry_from_json(hand(1, 0, "pair")))
        thumb.write(entry_from_json(hand(2, 1, "flush")))
        thumb.take_back()
        thumb.write(entry_from_json(hand(2, 1, "two_pair")))
        document = json.loads(json.dumps(event_document(heat.event)))
        thumb.write(entry_from_json(trick(2)))
        thumb.write(entry_from_json(hand(3, 3, "pair")))
        thumb.take_back()
        thumb.write(entry_from_json(hand(3, 2, "pair")))
        thumb.write(entry_from_json(hand(1, 3, "straight_flush")), sure=True)
        page.locator(".btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
        thumb.write(entry_from_json(hand(1, 0, "two_pair")))
        page.route("**/sync/", only(lambda route: route.abort(), "entry"))
        page.locator(".nobody-slot button").click()
        expect(page.locator("#live")).to_have_attribute("data-version", "2")
        held = page.evaluate(COUNT_LINES)
        before = [effective(heat.table, 1), [*effective(heat.table, 2), none(2)]]
        old = page.url
        page.goto("about:blank")
        empty.backup(connection.connection)
    page.unroute("**/sync/")
    # Its address is unknown there: the sheet stays in sight and nothing is erased.
    page.goto(old)
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    assert page.evaluate(COUNT_LINES) == held
    table = import_event(document, owner=make_user(is_superuser=True)).heats.get().table
    assert len(effective(table, 1)) == 2
    page.goto(auditor_link(table))
    gives(page, 7)
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator("#recovery")).to_be_hidden()
    assert [effective(table, 1), effective(table, 2)] == before
    page.reload()
    drawn(page)
    saved(page)
    expect(page.locator("#recovery")).to_be_hidden()


def test_a_closed_links_copy_is_not_offered_under_another_one(phone):
    heat = make_heats(make_event(slug="fest"), 4).heats[0]
    page = phone(auditor_link(heat.table))
    Thumb(page).write(entry_from_json(hand(1, 0, "pair")))
    holds(page)
    page.goto("about:blank")
    revoke_link(link_id=heat.table.links.get().pk, by="director")
    page.goto(auditor_link(heat.table))
    drawn(page)
    saved(page)
    expect(page.locator("#pending")).to_be_hidden()
    assert SheetEntry.objects.count() == 1


def test_the_lines_of_a_heat_with_a_closed_link_are_not_those_of_the_next_one(phone):
    """The same players meet again, at a new address."""
    first, second = (make_table(heat_number=number, seed=str(number)) for number in (1, 2))
    page = phone(auditor_link(first))
    Thumb(page).write(entry_from_json(hand(1, 0, "pair")))
    holds(page)
    page.goto("about:blank")
    revoke_link(link_id=first.links.get().pk, by="director")
    page.goto(auditor_link(second))
    drawn(page)
    saved(page)
    page.wait_for_timeout(1000)
    saved(page)
    assert SheetEntry.objects.filter(sheet__table=second).count() == 0


@pytest.mark.sqlite
def test_a_restored_server_gets_what_was_chosen_after_a_conflict(phone):
    """Two lines waited here while another phone corrected an earlier one: both sides are kept."""
    table = make_table(games=1)
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        for entry in (hand(1, 0, "flush"), none(2)):
            thumb.write(entry_from_json(entry))
        page.route("**/sync/", lambda route: route.abort())
        for entry in (trick(0), hand(3, 0)):
            OfflineThumb(page).write(entry_from_json(entry))
        sheet = sheet_of(table)
        correct_entry(
            kind=RowKind.AMEND,
            sheet_id=sheet.pk,
            client_id=uuid.uuid4(),
            seen_version=2,
            sequence=1,
            entry=hand(1, 0, "straight"),
            author=table.links.get(),
            device=sheet.lease_device,
            reason="mended",
        )
        page.unroute("**/sync/")
        page.locator("[data-choice=both]").click()
        saved(page)
        expect(page.locator("#live")).to_have_attribute("data-version", "5")
        thumb.write(entry_from_json(hand(1, 2, "flush")))
        holds(page)
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    gives(page, 6)
    assert rows() == before


@pytest.mark.sqlite
def test_a_restored_server_gets_seats_changed_at_the_table(phone):
    table = make_table(games=1, seated=False)
    page = phone(auditor_link(table))
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        order = [*reversed(sheet_of(table).seats)]
        by = table.links.get()
        confirm_seats(table_id=table.pk, seen_version=0, by=by, order=order)
        expect(page.locator(".seats-asked")).to_have_count(0)
        Thumb(page).write(entry_from_json(hand(1, 0, "pair")))
        holds(page)
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    gives(page, 2)
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    expect(page.locator("#recovery")).to_be_hidden()
    assert rows() == before
    assert sheet_of(table).seats == order


@pytest.mark.sqlite
def test_a_restored_server_gets_seats_exchanged_after_its_only_line_was_taken_back(phone):
    table = make_table(games=1)
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    thumb.write(entry_from_json(hand(1, 3, "pair")))
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        thumb.take_back()
        order = [*reversed(sheet_of(table).seats)]
        by = table.links.get()
        confirm_seats(table_id=table.pk, seen_version=2, by=by, order=order)
        expect(page.locator("label.cell").first).to_contain_text(order[0])
        thumb.write(entry_from_json(hand(1, 0, "flush")))
        holds(page)
        before, address = rows(), page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    gives(page, 3)
    expect(page.locator("#recovery")).to_be_hidden()
    assert rows() == before
    assert sheet_of(table).seats == order
