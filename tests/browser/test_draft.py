"""A draft of a draw: viewed, changed by taps or keys, published; also without scripts."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Open, Site, press, sign_in
from tests.config.server import ROOT

pytestmark = pytest.mark.pages

PASSWORD = "kungens-kurva-4711"
NAMES = ("Anna Ek", "Bo Falk", "Cia Groß", "Dag Hägg", "Eva Ismail", "Fia Jönsson", "Gö Łukasz")


#: Run beside the site, on its data: seven wait, and there is a director.
MAKE = """
from django.contrib.auth.models import User
from tournaments.events.commands.events import create_event
from tournaments.registration.commands.people import register_person
from tournaments.registration.commands.check_in import check_in

user = User.objects.create_user("tove", password={password!r})
event = create_event(name="Höstcupen", slug="host", by=user, status="open")
for name in {names!r}:
    check_in(registration=register_person(event=event, by=user, legal_name=name), by=user)
"""


def event_with_a_queue(site: Site) -> None:
    """Make an event with seven in the queue."""
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", MAKE.format(password=PASSWORD, names=NAMES)],
        cwd=ROOT,
        env=site.environment,
        check=True,
        timeout=120,
        stdout=subprocess.DEVNULL,
    )


def names_at(page: Page, table: int) -> list[str]:
    card = page.locator(".draft-card").nth(table)
    return [text.strip() for text in card.locator(".picks .grow").all_inner_texts()]


def test_two_players_change_places_by_three_taps(
    empty_site: Site, open_page: Open, chromium: Browser
) -> None:
    event_with_a_queue(empty_site)
    page = open_page(empty_site.address).page
    sign_in(page, "tove", PASSWORD)
    page.goto("/e/host/desk/")
    press(page, "/draws/make/")
    page.wait_for_url("**/desk/draws/1/")
    first, second = names_at(page, 0), names_at(page, 1)
    assert (len(first), len(second)) == (4, 3)
    swap = page.locator("#swap-button")
    expect(swap).to_be_hidden()
    page.locator(".picks label", has_text=first[0]).tap()
    page.locator(".picks label", has_text=second[0]).tap()
    for name in (first[0], second[0]):
        expect(page.locator("#swap-text")).to_contain_text(name)
    swap.tap()
    expect(page.locator("#draft-message .notice-success")).to_be_visible()
    assert names_at(page, 0)[0] == second[0]
    assert names_at(page, 1)[0] == first[0]

    # A third choice deselects the first; a single player can move to the smaller table.
    rows = page.locator(".draft-card").nth(0).locator(".picks label")
    for index in range(3):
        rows.nth(index).tap()
    expect(page.locator(".pick:checked")).to_have_count(2)
    rows.nth(1).tap()
    expect(page.locator(".pick:checked")).to_have_count(1)
    moving = names_at(page, 0)[2]
    page.locator(".move-here:visible").tap()
    expect(page.locator(".draft-card").nth(1).locator(".picks li")).to_have_count(4)
    assert moving in names_at(page, 1)

    # The same draft in a browser without scripts.
    context = chromium.new_context(
        base_url=empty_site.address, java_script_enabled=False, locale="en-GB"
    )
    plain = context.new_page()
    sign_in(plain, "tove", PASSWORD)
    plain.goto("/e/host/desk/draws/1/")
    one, other = names_at(plain, 0)[0], names_at(plain, 1)[0]
    plain.get_by_label(one).check(force=True)
    plain.get_by_label(other).check(force=True)
    plain.locator("#swap-button").click()
    first = plain.locator(".draft-card").first.locator(".picks .grow").first
    expect(first).to_have_text(other)
    context.close()

    # The phone shows the conflict, and may not publish what it has not shown.
    press(page, "/publish/")
    expect(page.locator(".notice[data-code=draft_changed]")).to_be_visible()
    assert names_at(page, 0)[0] == other
    press(page, "/publish/")
    page.wait_for_url("**/e/host/desk/")
    page.goto("/e/host/heats/1/")
    page.locator("a[href$='/draws/1/']").click()
    expect(page.locator(".repeat")).to_have_class(re.compile("is-same"))
    expect(page.locator("#changes-head .count")).to_have_text("3")


def test_a_draft_is_changed_by_keyboard(empty_site: Site, open_page: Open) -> None:
    event_with_a_queue(empty_site)
    page = open_page(empty_site.address, size=(1280, 800)).page
    sign_in(page, "tove", PASSWORD)
    page.goto("/e/host/desk/")
    press(page, "/draws/make/")
    page.wait_for_url("**/desk/draws/1/")
    one = page.locator(".draft-card").nth(0).locator(".pick").first
    other = page.locator(".draft-card").nth(1).locator(".pick").first
    chosen = one.get_attribute("id")
    for pick in (one, other):
        pick.focus()
        page.keyboard.press("Space")
    page.locator("#swap-button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#draft-message .notice-success")).to_be_visible()
    expect(page.locator(f"#{chosen}")).to_be_focused()

    # A button without a border shows that it has the keyboard.
    page.locator(".draft-stats .btn-primary").focus()
    for _button in range(2):
        page.keyboard.press("Tab")
        focused = page.locator("button:focus-visible")
        expect(focused).to_have_css("outline-style", "solid")
    expect(focused).to_have_class(re.compile("btn-quiet"))
