"""The end of a heat without network: signing off, and what the others accept later."""

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from tests.browser.test_offline import OfflineThumb, phone, saved, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    quick_win,
    running,
    sheet_of,
    write,
)
from tests.tournaments.factories import make_event, make_heats

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def test_the_sign_off_waits_like_an_entry(phone):
    table = make_table(games=1)
    write(running(table), quick_win(1))
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    page.locator(".sign-off button").click()
    waits(page, 1)
    page.context.set_offline(False)
    saved(page)
    expect(page.locator("form[action$='/sign/']")).to_have_count(0)
    table.refresh_from_db()
    assert table.signed_at is not None


def test_a_last_game_that_ends_offline_is_signed_off_there(phone):
    table = make_table(games=1)
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(quick_win(1)), sure=True)
    waits(page, 1)
    page.locator(".sign-off button").click()
    waits(page, 2)
    # Neither twice, nor with a line taken back afterwards.
    expect(
        page.locator(".sign-off button, [data-take-back]").locator("visible=true")
    ).to_have_count(0)
    page.context.set_offline(False)
    saved(page)
    expect(page.locator("form[action$='/sign/']")).to_have_count(0)
    table.refresh_from_db()
    assert table.signed_at is not None


def test_where_others_accept_the_sign_off_waits_for_the_network(phone):
    heat = make_heats(make_event(slug="fest", games_per_heat=1, acceptance="one"), 4).heats[0]
    page = phone(auditor_link(heat.table))
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(quick_win(1)), sure=True)
    expect(page.locator(".sign-off button")).to_be_disabled()
    expect(page.locator("#sign-off-why")).not_to_be_empty()


def test_the_other_players_are_asked_to_accept_once_back_online(phone):
    """The next game does not wait for it."""
    heat = make_heats(make_event(slug="fest", games_per_heat=2, acceptance="all"), 4).heats[0]
    page = phone(auditor_link(heat.table))
    thumb = OfflineThumb(page)
    page.context.set_offline(True)
    seat = page.locator("label.cell").first
    seat.click()
    page.locator(".answers [value*='straight_flush']").first.click()
    page.locator("#confirm [data-answer=yes]").click()
    expect(page.locator(".result-winner")).not_to_be_empty()
    expect(page.locator(".accept")).to_have_count(0)
    page.locator("[data-next-game]").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    page.context.set_offline(False)
    saved(page)
    expect(page.locator(".accept li").first).to_be_visible()
    assert sheet_of(heat.table, 2).version == 1
