"""The desk updates itself, refuses with a sentence, and keeps what is typed."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.conftest import Open, Site, press
from tests.browser.test_heat import NAMES, first_director, new_event

pytestmark = pytest.mark.pages


def test_two_windows_at_one_desk(empty_site: Site, open_page: Open) -> None:
    first = open_page(empty_site.address)
    page = first.page
    first_director(page, empty_site)
    new_event(page)

    # The director's second window, and somebody without an account.
    other = page.context.new_page()
    other.goto("/e/host/desk/")
    reader = open_page(empty_site.address).page
    reader.goto("/e/host/")
    expect(reader.locator("main [data-registered]")).to_have_attribute("data-registered", "4")

    # Searching does not reload the page; an action updates it in place and keeps the search.
    page.locator("#player-q").fill("asa ob")
    expect(page.locator("#player-rows tbody tr")).to_have_count(1)
    press(page, "/leave/")
    expect(page.locator("#notices .notice")).to_have_count(1)
    expect(page.locator("section[aria-labelledby=waiting-head] li .number")).to_have_count(3)
    expect(page.locator("#player-q")).to_have_value("asa ob")
    press(page, "/enter/")
    expect(page.locator("section[aria-labelledby=waiting-head] li .number")).to_have_count(4)

    # Whoever goes by keyboard stays where they are when the other window changes something.
    link = page.locator("#now a[href$='/desk/seating/']")
    link.focus()
    other.reload()
    press(other, "/leave/")
    expect(page.locator("section[aria-labelledby=waiting-head] li .number")).to_have_count(3)
    expect(link).to_be_focused()
    press(other, "/enter/")
    expect(page.locator("section[aria-labelledby=waiting-head] li .number")).to_have_count(4)

    # The other window draws; this one updates by itself.
    other.once("dialog", lambda dialog: dialog.accept())
    press(other, "/desk/draw/")
    expect(page.locator("#now .heat-card")).to_have_count(1, timeout=12_000)
    expect(link).to_be_focused()
    expect(reader.locator(".heat-card")).to_have_count(1, timeout=12_000)

    # Its row is outdated: the tap is refused with a sentence, and the row is refreshed.
    first.expected = ["409"]
    press(page, "/leave/")
    expect(page.locator("#notices .notice-error")).to_have_attribute("data-code", "not_waiting")
    expect(page.locator("#player-rows a[href$='/desk/heats/1/']")).to_be_visible()

    # A name searched for earlier is filled in again.
    reader.locator("#find").fill("dagny")
    expect(reader.locator("#found a[href$='/heats/1/']")).to_be_visible()
    reader.goto("/e/host/")
    expect(reader.locator("#found")).to_contain_text(NAMES[3])


def test_a_second_tap_at_the_door_checks_nobody_else_in(empty_site: Site, open_page: Open) -> None:
    page = open_page(empty_site.address).page
    first_director(page, empty_site)
    new_event(page)
    for number, name in enumerate(("Ada Ek", "Bea Ek", "Dea Ek"), 5):
        page.locator("input[name=legal_name]").fill(name)
        page.locator("input[name=here]").uncheck()
        press(page, "/desk/register/")
        expect(page.locator("#player-rows tbody tr")).to_have_count(number)
    page.goto("/e/host/desk/check-in/")
    buttons = page.locator(".door-row form[action$='/check-in/'] button")
    expect(buttons).to_have_count(3)
    # The message moves the list by a row, so the first tap is not part of it.
    buttons.first.click()
    expect(buttons).to_have_count(2)
    page.wait_for_timeout(700)
    spot = buttons.first.bounding_box()
    assert spot
    at = (spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    page.mouse.click(*at)
    expect(buttons).to_have_count(1)
    page.mouse.click(*at)
    page.wait_for_timeout(700)
    expect(buttons).to_have_count(1)
    # What somebody else changes later holds nothing up.
    with page.expect_response(lambda answer: "/check-in/" in answer.url):
        page.evaluate("htmx.trigger(document.body, 'stream-changed')")
    page.wait_for_timeout(100)
    page.mouse.click(*at)
    expect(buttons).to_have_count(0)


def test_known_names_are_suggested_while_typing(
    festival_site: Site, open_page: Open, keys: dict[str, StorageState | None]
) -> None:
    page = open_page(festival_site.address, state=keys["Director"]).page
    page.goto(f"{festival_site.path('Event')}desk/register/")
    with page.expect_response("**/register/alike/**") as asked:
        page.locator("input[name=legal_name]").press_sequentially("anna")
    expect(page.locator("#alike li").first).to_be_visible()
    # Addresses end up in logs and histories, so they contain nothing but what was typed.
    assert set(parse_qs(urlsplit(asked.value.url).query)) <= {"legal_name", "here"}
