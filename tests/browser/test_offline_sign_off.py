"""The end of a heat without network: signing off, and what the others accept later."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.errors import ScoringError
from scoring.reading.protocol import protocol_of
from scoring.reading.words import points_text
from scoring.writing import object_to_deal, open_next_sheet
from tests.browser.auditor import saved
from tests.browser.test_offline import OfflineThumb, phone, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    penalise,
    play,
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
    asked = page.locator("#sign-off-why").inner_text()
    page.locator(".sign-off button").click()
    waits(page, 1)
    expect(page.locator("#sign-off-why")).not_to_have_text(asked)
    page.context.set_offline(False)
    saved(page)
    expect(page.locator("form[data-do=sign]")).to_have_count(0)
    table.refresh_from_db()
    assert table.signed_at is not None


def test_a_last_game_that_ends_offline_is_signed_off_there(phone):
    table = make_table(games=1)
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(quick_win(1)), sure=True)
    waits(page, 1)
    asked = page.locator("#sign-off-why").inner_text()
    page.locator(".sign-off button").click()
    waits(page, 2)
    expect(page.locator("#sign-off-why")).not_to_have_text(asked)
    # Neither twice, nor with a line taken back afterwards.
    expect(
        page.locator(".sign-off button, [data-take-back]").locator("visible=true")
    ).to_have_count(0)
    page.context.set_offline(False)
    saved(page)
    expect(page.locator("form[data-do=sign]")).to_have_count(0)
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


def test_a_heat_that_ends_offline_shows_its_whole_result(phone):
    """The sums of all its games, one finished before and two without network, and a penalty."""
    table = make_table(games=3)
    write(running(table), quick_win(1))
    penalise(table, "Bo", 7)
    page = phone(auditor_link(table))
    page.locator(".rulings button").click()
    expect(page.locator(".rulings, .held")).to_have_count(0)
    page.context.set_offline(True)
    for winner in (2, 1):
        page.locator(".opens-game, [data-next-game]").locator("visible=true").click()
        page.wait_for_timeout(700)
        OfflineThumb(page).write(entry_from_json(quick_win(winner)), sure=True)
    page.wait_for_timeout(700)
    # How the last game was won, and why each is ahead of the next, are the server's sentences.
    reasons = ".result-number, .result-how, .ranking-detail"
    told = page.locator(reasons).all_inner_texts()
    shown = page.locator(".ranking li").all_inner_texts()
    going = page.locator(".ranking .advances:has(.ranking-name > .tag)")
    expect(going).to_have_count(1)
    page.context.set_offline(False)
    saved(page)
    page.reload()
    after = page.locator(".ranking li")
    expect(after).to_have_count(4)
    expect(going).to_have_count(1)
    assert told == page.locator(reasons).all_inner_texts()

    def numbers(text: str) -> list[str]:
        """Place, name, all points, each game's, and the sheets'."""
        return re.findall(r"[A-Z][a-z]+|[\d.]+=?", text)[:7]

    assert [numbers(text) for text in shown] == [numbers(text) for text in after.all_inner_texts()]
    assert [numbers(text)[:3] for text in shown] == [
        [f"{row.place}{'=' if row.shared else ''}", row.name, points_text(row.game_points)]
        for row in protocol_of(table.pk).ranking
    ]


@pytest.mark.parametrize("said", ["call", "objection"])
def test_an_open_call_or_objection_keeps_the_sign_off_grey_offline(phone, said):
    table = make_table(games=1)
    play(running(table), hand(1, 0))
    page = phone(auditor_link(table))
    if said == "objection":
        objection = {"game": 1, "deal": 1, "player_id": "Bo", "text": "", "by": "test"}
        object_to_deal(table_id=table.pk, client_id=uuid.uuid4(), **objection)
        expect(page.locator("#told .objection")).to_have_count(1)
    page.context.set_offline(True)
    if said == "call":
        page.locator("details.call summary").click()
        page.locator("details.call button").first.click()
        waits(page, 1)
        button = page.locator(".call > .waits")
        expect(button.locator(".call-word")).to_have_text(button.get_attribute("data-waits"))
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "straight_flush")), sure=True)
    sign_off = page.locator(".sign-off button")
    expect(sign_off).to_be_disabled()
    expect(page.locator("#sign-off-why")).to_have_text(ScoringError(f"{said}_open").message())


def test_a_tie_that_a_flip_flop_decides_keeps_the_sign_off_grey_offline(phone):
    table = make_table(games=2)
    write(running(table), quick_win(0))
    open_next_sheet(table_id=table.pk, by="test")
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(quick_win(1)), sure=True)
    expect(page.locator(".sign-off button")).to_be_disabled()
    flip_flop = ScoringError("needs_flip_flop").message()
    expect(page.locator("#sign-off-why")).to_have_text(flip_flop)
    page.context.set_offline(False)
    saved(page)
    page.reload()
    expect(page.locator(".flip-row, form[data-do=flip]").first).to_be_attached()


def test_a_game_gone_back_to_without_network_counts_once_in_the_heats_result(phone):
    table = make_table(games=2)
    write(running(table), quick_win(1))
    open_next_sheet(table_id=table.pk, by="test")
    page = phone(auditor_link(table))
    live = page.locator("#live")
    thumb = OfflineThumb(page)
    page.context.set_offline(True)
    page.locator("button.undo").click()
    expect(live).to_have_attribute("data-game", "1")
    page.wait_for_timeout(700)
    page.locator("[data-take-back]").click()
    expect(live).to_have_attribute("data-mode", "play")
    page.wait_for_timeout(700)
    thumb.write(entry_from_json(quick_win(2)), sure=True)
    page.locator("[data-next-game]").click()
    expect(live).to_have_attribute("data-game", "2")
    page.wait_for_timeout(700)
    thumb.write(entry_from_json(quick_win(2)), sure=True)
    # The first one's name is followed by a word for that.
    parts = page.locator(".ranking-name, .ranking-points").all_inner_texts()
    shown = [part.split()[0] for part in parts]
    page.context.set_offline(False)
    saved(page)
    ranking = protocol_of(table.pk).ranking
    assert shown == [text for row in ranking for text in (row.name, points_text(row.game_points))]
