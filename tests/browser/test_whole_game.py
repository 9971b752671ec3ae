"""A whole game without network: scored, finished and sent once."""

import pytest
from playwright.sync_api import Page, expect

from engine.bots.simulation import simulate_game
from engine.sheet.entries import Hand, Ruling, entry_from_json
from scoring.models import Sheet, SheetEntry, Table
from tests.browser.auditor import saved
from tests.browser.test_offline import OfflineThumb, installed, phone, scores, waits
from tests.scoring.factories import auditor_link, make_table

pytestmark = [pytest.mark.pages, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def whole_game(seed: int):
    """Return a game of four players without rulings or entries that need confirmation."""
    names = ["Anna", "Bo", "Cia", "Dag"]
    for number in range(seed, seed + 100):
        record = simulate_game("festival", names, number)
        entries = [entry_from_json(entry) for entry in record["entries"]]
        plain = not any(
            isinstance(entry, Ruling) or (isinstance(entry, Hand) and entry.category >= 7)
            for entry in entries
        )
        if plain and 30 < len(entries) < 60:
            return record, entries
    raise AssertionError("no such game")


def play_a_game_without_network(page: Page, table: Table, *, reopens: bool = False) -> None:
    """Play a whole game and the beginning of the next one offline; both are sent in the end.

    With ``reopens`` the page is reloaded in between, and its tab closed and opened again.
    """
    _record, entries = whole_game(1)
    thumb = OfflineThumb(page)
    address, context = page.url, page.context
    context.set_offline(True)
    for number, entry in enumerate(entries):
        # With the Chicagos that were declared.
        waiting = page.locator("#pending li").count()
        if reopens and number == len(entries) // 3:
            page.reload()
            waits(page, waiting)
        elif reopens and number == len(entries) * 2 // 3:
            page.close()
            page = context.new_page()
            page.goto(address)
            waits(page, waiting)
            thumb = OfflineThumb(page)
        thumb.write(entry, sure=page.locator("#confirm[open]").count() > 0)
    expect(page.locator(".result-winner")).not_to_be_empty()
    shown = scores(page)
    # Meanwhile the next game goes on.
    page.locator("[data-next-game]").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    thumb.write(Hand(1, 2, entries[0].category if isinstance(entries[0], Hand) else 1))
    assert SheetEntry.objects.count() == 0
    context.set_offline(False)
    # Fifty-three entries, one after the other.
    expect(page.locator("#pending")).to_be_hidden(timeout=60_000)
    saved(page)
    first, second = Sheet.objects.filter(table=table, number__lte=2).order_by("number")
    rows = list(SheetEntry.objects.filter(sheet=first).order_by("sequence"))
    assert [row.entry for row in rows] == [entry.as_json() for entry in entries]
    assert first.state["finished"]
    assert first.state["scores"] == shown
    assert second.version == 1


@pytest.mark.parametrize(("reopens", "locale"), [(False, "en-GB"), (True, "sv-SE")])
def test_a_whole_game_offline_is_scored_finished_and_sent_once(phone, reopens, locale):
    table = make_table()
    page = phone(auditor_link(table), locale=locale)
    installed(page)
    play_a_game_without_network(page, table, reopens=reopens)
