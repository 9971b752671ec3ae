"""Entries that waited on a phone while another one wrote: both sides are shown, and one chooses."""

import re

import pytest
from playwright.sync_api import Page, expect

from engine.sheet.entries import entry_from_json
from scoring.models import SheetEntry
from scoring.reading.check import verify_sheet
from tests.browser.auditor import Thumb, only, saved
from tests.browser.test_offline import OfflineThumb, phone, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    running,
    sheet_of,
    trick,
)

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def test_both_sides_of_a_conflict_are_shown_and_the_loser_stays_as_voided_rows(phone):
    table = make_table()
    page = phone(auditor_link(table))
    thumb = OfflineThumb(page)
    page.route("**/sync/", lambda route: route.abort())
    for entry in (hand(1, 0, "flush"), hand(2, 1, "pair")):
        thumb.write(entry_from_json(entry))
    play(running(table), hand(1, 3, "straight"))
    page.unroute("**/sync/")
    mine, theirs = page.locator("#merge td").nth(0), page.locator("#merge td").nth(1)
    expect(mine).to_contain_text("Anna")
    expect(mine).to_contain_text("Bo")
    expect(theirs).to_contain_text("Dag")
    expect(mine.locator(".tabular").first).to_have_text(re.compile(r"\d\d:\d\d"))
    # Both is not offered: mine belongs to another phase than theirs.
    assert page.locator("[data-choice=both]").count() == 0
    page.locator("[data-choice=mine]").click()
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]
    kinds = [row.kind for row in SheetEntry.objects.order_by("sequence")]
    assert kinds == ["entry", "void", "entry", "entry"]


def test_no_line_is_corrected_until_a_conflict_is_decided(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.route("**/sync/", lambda route: route.abort())
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    play(running(table), hand(1, 3, "straight"))
    page.unroute("**/sync/")
    expect(page.locator("[data-choice=mine]")).to_be_visible()
    line = page.locator(".deal-line [data-correct]")
    line.scroll_into_view_if_needed()
    line.click()
    # At once, and not after waiting for what will not be sent.
    expect(page.locator("#merge h2")).to_be_focused(timeout=3000)
    expect(page.locator("#merge h2")).to_be_in_viewport()
    expect(page.locator("#offline.untold")).to_have_count(0)


def test_a_choice_between_two_sides_that_was_not_sent_is_carried_out_later(phone):
    table = make_table()
    page = phone(auditor_link(table), locale="sv-SE")
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    play(running(table), hand(1, 3, "straight"))
    page.context.set_offline(False)
    mine = page.locator("[data-choice=mine]")
    expect(mine).to_be_visible()
    # The page below may show another game.
    expect(page.locator("#merge h2 + p")).to_have_text("Parti 1")
    page.context.set_offline(True)
    mine.click()
    waits(page, 1)
    page.context.set_offline(False)
    saved(page)
    expect(page.locator("#pending")).to_be_hidden()
    assert sheet_of(table).state["scores"] == [5, 0, 0, 0]


def test_a_choice_carried_out_though_its_answer_was_lost_stands(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    play(running(table), hand(1, 3, "straight"))
    page.context.set_offline(False)
    mine = page.locator("[data-choice=mine]")
    expect(mine).to_be_visible()
    answers = []

    def lose_the_answer(route):
        answers.append(route.fetch().status)
        route.abort()

    page.route("**/sync/", only(lose_the_answer, "entry"), times=1)
    mine.click()
    saved(page)
    assert answers == [200]
    expect(page.locator("#merge")).to_be_hidden()
    expect(page.locator("#live .score-now")).to_have_text(["5", "0", "0", "0"])
    assert sheet_of(table).state["scores"] == [5, 0, 0, 0]
    OfflineThumb(page).write(entry_from_json(none(2)))
    saved(page)
    expect(page.locator("#pending")).to_be_hidden()


def deals(page: Page, side: int) -> dict[str, list[str]]:
    """Return whose lines one side shows (0: this phone's), by the number of the deal."""
    found = {}
    for row in page.locator(".merge-table tbody tr").all():
        lines = row.locator("td").nth(side).locator(".merge-line").all_inner_texts()
        found[row.locator("th").inner_text()] = [line.split(":")[0].strip() for line in lines]
    return found


@pytest.mark.parametrize("choice", ["mine", "theirs"])
def test_a_phone_that_has_lost_the_scoring_meanwhile_chooses_once_it_has_taken_it_back(
    phone, choice
):
    """Both wrote the rest of the first deal and the beginning of the next one."""
    table = make_table()
    address = auditor_link(table)
    first, second = phone(address, locale="sv-SE"), phone(address)
    Thumb(first).write(entry_from_json(hand(1, 0, "flush")))
    saved(first)
    first.context.set_offline(True)
    mine = [hand(2, 1), trick(1), hand(3, 1, "straight"), hand(1, 0, "two_pair")]
    OfflineThumb(first).play([entry_from_json(entry) for entry in mine])
    waits(first, 4)
    second.locator(".lease button").click()
    expect(second.locator(".lease, .held")).to_have_count(0)
    theirs = [hand(2, 3), trick(3), hand(3, 3, "straight"), hand(1, 2), hand(2, 2, "flush")]
    Thumb(second).play([entry_from_json(entry) for entry in theirs])
    first.context.set_offline(False)
    take = first.locator("#merge form[data-do=take] button")
    expect(take).to_be_visible()
    assert first.locator("[data-choice]").count() == 0
    assert deals(first, 0) == {"1": ["Bo", "Bo", "Bo"], "2": ["Anna"]}
    assert deals(first, 1) == {"1": ["Dag", "Dag", "Dag"], "2": ["Cia", "Cia"]}
    take.click()
    expect(second.locator(".lease")).to_be_visible()
    first.locator(f"[data-choice={choice}]").click()
    expect(first.locator("#merge")).to_be_hidden()
    saved(first)
    scores = [7, 10, 0, 0] if choice == "mine" else [5, 0, 6, 10]
    expect(second.locator("#live .score-now")).to_have_text([str(each) for each in scores])
    assert sheet_of(table).state["scores"] == scores
    rows = list(SheetEntry.objects.select_related("target"))
    assert [row.entry for row in rows if row.entry in mine] == mine
    assert [row.entry for row in rows if row.entry in theirs] == theirs
    gone = sorted((row.target for row in rows if row.target), key=lambda row: row.sequence)
    assert [row.entry for row in gone] == (theirs if choice == "mine" else mine)
    assert verify_sheet(sheet_id=sheet_of(table).pk)[1]
