"""A whole forgotten deal is put in on a phone, with its questions and its preview."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.auditor import is_accessible
from tests.browser.conftest import Open
from tests.scoring.factories import auditor_link, hand, make_table, none, play, sheet_of, trick

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

NAMES = ["Anna-Karin Wachtmeister", "Bo", "Cia", "Maximiliana Ahl"]


@pytest.mark.parametrize("language", ["sv", "en"])
def test_a_forgotten_deal_is_put_in_with_a_thumb(
    live_server, open_page: Open, language: str, request: pytest.FixtureRequest
) -> None:
    table = make_table(NAMES, rules="svensk")
    play(sheet_of(table), hand(1, 1), none(2), trick(3), hand(3, 0, "two_pair"))
    play(sheet_of(table), hand(1, 0), none(2))
    page = open_page(live_server.url, size=(360, 740), language=language).page
    page.goto(auditor_link(table))
    page.goto(page.locator("a[data-correct]").first.evaluate("(link) => link.href"))
    folder = request.config.rootpath / "build" / "forgotten"

    def fits(number: int) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        is_accessible(page)
        page.screenshot(path=folder / f"{language} {number}.png", full_page=True)

    fits(0)
    page.locator("a[href$='/forgotten/']").click()
    expect(page.locator("input[name=asked]")).to_be_attached()
    deal = [hand(1, 2, "flush"), none(2), trick(2), hand(3, 3)]
    for number, entry in enumerate(deal, 1):
        fits(number)
        value = json.dumps(entry, sort_keys=True, separators=(",", ":"))
        page.locator(f"input[name=entry][value='{value}']").locator("xpath=..").click()
        page.locator("form .btn-next").click()
        expect(page.locator(".so-far li")).to_have_count(number)
    fits(5)
    expect(page.locator(".change-table tr.changed")).to_have_count(2)
    page.go_back()
    expect(page.locator(".so-far li")).to_have_count(3)
    page.go_forward()
    page.locator("form .btn-next").click()
    expect(page.locator("#live")).to_have_attribute("data-version", "10")
    assert sheet_of(table).state["scores"] == [3, 1, 10, 6]
    assert sheet_of(table).state["dealer"] == 2
