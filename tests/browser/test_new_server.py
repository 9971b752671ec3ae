"""A server that lost a heat, or on which others have ended a game otherwise than this phone had."""

import json
import sqlite3
import time
from contextlib import closing

import pytest
from django.db import connection
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import SheetEntry
from scoring.reading.names import names_of
from scoring.writing import open_next_sheet
from tests.browser.auditor import Thumb, is_accessible, saved
from tests.browser.test_offline import phone
from tests.browser.test_restored import effective
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    play,
    quick_win,
    running,
    sheet_of,
    trick,
)
from tests.tournaments.factories import make_event, make_heats, make_user
from tournaments.documents.reading import import_event
from tournaments.documents.writing import event_document
from tournaments.draws.commands.drafts import draw_heats
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def wait_for(page, done) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        page.wait_for_timeout(100)


def rows_of(table, number: int) -> list[tuple[str, dict | None]]:
    rows = SheetEntry.objects.filter(sheet=sheet_of(table, number)).order_by("sequence")
    return [(row.kind, row.entry) for row in rows]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("planned", "winner", "went_on"),
    [(1, 2, False), (1, 3, False), (2, 2, False), (2, 2, True), (2, 3, True)],
)
def test_a_game_that_has_ended_otherwise_on_a_new_server_is_compared(
    phone, planned, winner, went_on
):
    with closing(sqlite3.connect(":memory:")) as empty:
        connection.ensure_connection()
        connection.connection.backup(empty)
        heat = make_heats(make_event(slug="fest", games_per_heat=planned), 4).heats[0]
        page = phone(auditor_link(heat.table))
        thumb = Thumb(page)
        thumb.write(entry_from_json(hand(1, 0)))
        document = json.loads(json.dumps(event_document(heat.event)))
        thumb.write(entry_from_json(hand(2, 3, "straight_flush")), sure=True)
        if went_on:
            page.locator(".btn-next").click()
            expect(page.locator("#live")).to_have_attribute("data-game", "2")
            thumb.write(entry_from_json(hand(1, 0, "two_pair")))
        else:
            expect(page.locator(".seating" if planned > 1 else ".sign-off")).to_be_visible()
        page.goto("about:blank")
        empty.backup(connection.connection)
    table = import_event(document, owner=make_user(is_superuser=True)).heats.get().table
    # Another phone, which has nothing, has written the rest of the first game.
    play(running(table), quick_win(winner) | {"phase": 2})
    if planned > 1:
        play(open_next_sheet(table_id=table.pk, by="test"), hand(1, 0, "two_pair"))
    page.goto(auditor_link(table))
    sides = page.locator("#merge")
    if winner != 3:
        expect(sides.locator(".merge-line")).to_have_count(2)
        is_accessible(page)
        sides.locator("[data-choice=theirs]").click()
        # What is not taken stays as taken back.
        wait_for(page, lambda: "void" in [kind for kind, _entry in rows_of(table, 1)])
    saved(page)
    expect(sides).to_be_hidden()
    # Where both say the same, nothing is written twice.
    given = [] if winner == 3 else [hand(2, 3, "straight_flush")]
    written = [entry for kind, entry in rows_of(table, 1) if kind == "entry"]
    assert written == [hand(1, 0), quick_win(winner) | {"phase": 2}, *given]
    assert sheet_of(table).state["scores"][winner] == 52
    page.reload()
    saved(page)
    expect(sides).to_be_hidden()
    assert [sheet.version for sheet in table.sheets.order_by("number")] == [
        len(rows_of(table, 1)),
        *([len(rows_of(table, 2))] if planned > 1 else []),
    ]


@pytest.mark.sqlite
def test_what_the_table_goes_on_without_is_not_offered_again(phone):
    """Others have finished the game on the restored server."""
    table = make_table(games=2)
    page = phone(auditor_link(table))
    thumb = Thumb(page)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        thumb.write(entry_from_json(hand(1, 0, "flush")))
        address = page.url
        page.goto("about:blank")
        backup.backup(connection.connection)
    play(running(table), quick_win(1))
    page.goto(address)
    page.locator("#merge [data-choice=theirs]").click()
    saved(page)
    expect(page.locator("#merge")).to_be_hidden()
    assert [kind for kind, _entry in rows_of(table, 1)] == ["entry", "entry", "void"]
    with page.expect_response("**/sync/"):
        page.reload()
    saved(page)
    expect(page.locator("#merge")).to_be_hidden()
    assert len(rows_of(table, 1)) == 3


def seats_named(table, number: int) -> list[str]:
    names = names_of(table)
    return [names[player_id] for player_id in sheet_of(table, number).seats]


@pytest.mark.sqlite
def test_a_heat_lost_with_the_server_is_drawn_again_and_gets_what_the_phone_has(phone):
    """Drawn after the backup: another heat, other seats, and its players registered once more."""
    event = make_event(slug="fest", games_per_heat=2)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.ensure_connection()
        connection.connection.backup(backup)
        heat = make_heats(event, 4).heats[0]
        page = phone(auditor_link(heat.table))
        thumb = Thumb(page)
        thumb.write(entry_from_json(hand(1, 0, "pair")))
        thumb.write(entry_from_json(hand(2, 1, "flush")))
        thumb.take_back()
        thumb.write(entry_from_json(hand(2, 1, "two_pair")))
        thumb.write(entry_from_json(trick(2)))
        thumb.write(entry_from_json(hand(3, 2, "pair")))
        thumb.write(entry_from_json(hand(1, 3, "straight_flush")), sure=True)
        page.locator(".btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
        thumb.write(entry_from_json(hand(1, 0, "two_pair")))
        page.goto("about:blank")
        sat = [seats_named(heat.table, number) for number in (1, 2)]
        before = [effective(heat.table, number) for number in (1, 2)]
        backup.backup(connection.connection)
    for name in ("Eva", "Fia", "Gun", "Hal"):
        check_in(registration=register_person(event=event, by=None, legal_name=name), by=None)
    draw_heats(event=event, by=None)
    table = make_heats(event, 4, seed="again").heats[0].table
    assert seats_named(table, 1) != sat[0]
    page.goto(auditor_link(table))
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    saved(page)
    assert [seats_named(table, number) for number in (1, 2)] == sat
    assert [effective(table, number) for number in (1, 2)] == before
