"""Four phones at a table: all follow, object and accept, on their own pages and with a PIN."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.auditor import sits
from tests.browser.conftest import Open, Site
from tests.config.server import free_port

pytestmark = pytest.mark.pages

ROOT = Path(__file__).resolve().parents[2]
#: A heat of one game, written except for its last entry; the first player is the Auditor.
MADE = """
from scoring.models import Sheet
from scoring.writing import create_link
from scoring.reading.links import show_token
from tests.tournaments.factories import make_event, make_heats, make_member, write
from tournaments.models.enums import Role
from tournaments.registration.queries.player_links import token_of

event = make_event(slug="fest", acceptance="all", games_per_heat=1)
director = make_member(event, Role.DIRECTOR, "tove")
director.set_password("kungens-kurva-4711")
director.save()
heat = make_heats(event, 4).heats[0]
entries = heat.entries.select_related("registration__event").order_by("pk")
players = [entry.registration for entry in entries]
heat.table.auditor = players[0].player_id
heat.table.save(update_fields=["auditor"])
sheet = Sheet.objects.get(table=heat.table)
write(sheet, {"kind": "hand", "phase": 1, "seat": 1, "category": "full_house"})
link = create_link(table_id=heat.table_id, role="auditor", by="test")
print("links", f"/s/{show_token(link=link)}/", *(f"/p/{token_of(player)}/" for player in players))
"""


@pytest.fixture
def table(empty_data: Path):
    """The running program, the Auditor's address, and the players' own addresses."""
    site = Site(empty_data, DEMO="0", LIVE_PORT=str(free_port()))
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", MADE],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    line = next(line for line in made.stdout.splitlines() if line.startswith("links "))
    _word, auditor, *players = line.split()
    with site:
        yield site, auditor, players


def win(page: Page) -> None:
    """Write the entry that ends the game at once."""
    sits(page)
    page.locator("label.cell").first.click()
    page.locator(".what-straight_flush, button[value*='straight_flush']").first.click()
    page.locator("#confirm [data-answer=yes]").click()


def test_everybody_follows_objects_and_accepts(table, open_page: Open) -> None:
    site, link, players = table
    first = open_page(site.address)
    auditor = first.page
    auditor.goto(link)
    # One chooses a PIN, for when that phone is not at hand.
    pin = open_page(site.address).page
    pin.goto(players[3])
    pin.locator("#own-pin summary").click()
    pin.fill("#own-pin-digits", "2580")
    pin.locator("#own-pin button").click()
    pin.wait_for_load_state()

    phones = [open_page(site.address, language="sv").page for _player in players[1:3]]
    for phone, path in zip(phones, players[1:3], strict=True):
        phone.goto(path)

    # What is half typed stays when something else is sent, or when it is refused itself.
    phones[0].locator("#own-object-1 summary").click()
    phones[0].fill("#own-why-1", "It was a flush")
    phones[0].locator("#own-name summary").click()
    phones[0].locator("#own-name button").click()
    phones[0].wait_for_load_state()
    phones[0].fill("#own-deal-1", "9")
    phones[0].locator("#own-object-1 button").click()
    phones[0].locator(".notice-error").wait_for()
    expect(phones[0].locator("#own-why-1")).to_have_value("It was a flush")
    # The objection is shown at the table; play goes on.
    phones[0].locator("[data-deal='1'] th a").click()
    expect(phones[0].locator("#own-deal-1")).to_have_value("1")
    phones[0].locator("#own-object-1 button").click()
    expect(auditor.locator("#live .objection")).to_contain_text("It was a flush")
    expect(phones[0].locator("#own-why-1")).to_have_value("")
    win(auditor)
    expect(auditor.locator("#live")).to_have_attribute("data-mode", "end")

    # The director answers.
    director = open_page(site.address).page
    director.goto("/accounts/login/")
    director.fill("input[name=login]", "tove")
    director.fill("input[name=password]", "kungens-kurva-4711")
    director.keyboard.press("Enter")
    director.wait_for_url(lambda url: "login" not in url)
    director.goto("/e/fest/desk/heats/1/")
    director.locator(".objection-answer input[name=reason]").fill("The cards were shown.")
    director.locator(".objection-answer button").click()
    expect(auditor.locator("#live .objection")).to_have_count(0)
    # All are told so, until they have read it.
    for page in (auditor, *phones):
        expect(page.locator(".rulings")).to_contain_text("The cards were shown.")
        page.locator(".rulings button").click()
        expect(page.locator(".rulings")).to_be_hidden()

    # All accept: two on their own pages, one with the PIN on the Auditor's phone.
    sign = auditor.locator(".sign-off button")
    expect(sign).to_be_disabled()
    for phone in phones:
        phone.locator("form[action$='/accept/'] button").click()
        phone.wait_for_load_state()
    expect(auditor.locator(".accepted .word")).to_have_count(2)
    expect(auditor.locator("form.accept-row")).to_have_count(1)
    first.expected = [r"^403 POST .*/accept/$", r"status of 403"]
    pin_field = auditor.locator("form.accept-row input.pin")
    accept = auditor.locator("form.accept-row button")
    refusal = auditor.locator("#pending")
    pin_field.fill("0001")
    accept.click()
    expect(refusal).to_be_visible()
    # It stays when the page changes, until a tap on it or the next try.
    phones[0].locator("#own-object-1 summary").click()
    phones[0].fill("#own-deal-1", "1")
    phones[0].locator("#own-object-1 button").click()
    expect(auditor.locator("#live .objection")).to_have_count(1)
    expect(refusal).to_be_visible()
    refusal.click()
    expect(refusal).to_be_hidden()
    phones[0].locator("form[action$='/take-back/'] button").click()
    auditor.locator(".rulings button").click()
    pin_field.fill("2580")
    accept.click()
    expect(auditor.locator(".accepted .word")).to_have_count(3)
    expect(sign).to_be_enabled()
    sign.click()
    expect(auditor.locator(".sign-off")).to_have_count(0)
    auditor.goto("/e/fest/heats/1/")
    expect(auditor.locator(".accepted .word")).to_have_count(4)
    expect(auditor.locator(".race svg")).to_have_count(1)


def test_a_players_tap_without_network_leaves_the_page_as_it_is(table, open_page: Open) -> None:
    site, _link, players = table
    watched = open_page(site.address)
    watched.expected = ["ERR_INTERNET_DISCONNECTED", "htmx:(afterRequest|sendError)"]
    page = watched.page
    page.goto(players[1])
    page.locator("#own-object-1 summary").click()
    page.fill("#own-deal-1", "1")
    page.fill("#own-why-1", "A flush")
    page.context.set_offline(True)
    page.locator("#own-object-1 button").click()
    expect(page.locator(".stale").first).to_be_visible()
    expect(page.locator("#own-why-1")).to_have_value("A flush")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#own-why-1")).to_have_value("A flush")
    page.locator("#own-object-1 button").click()
    expect(page.locator(".objection q")).to_have_text("A flush")


def test_a_tap_counts_though_the_page_changes_while_the_server_is_looked_for(
    table, open_page: Open
) -> None:
    site, link, players = table
    auditor = open_page(site.address).page
    auditor.goto(link)
    win(auditor)
    expect(auditor.locator("#live")).to_have_attribute("data-mode", "end")
    one, other = (open_page(site.address).page for _player in players[1:3])
    one.goto(players[1])
    other.goto(players[2])
    looked: list[Route] = []
    one.route("**/healthz", lambda route: looked.append(route))
    with one.expect_request("**/healthz"):
        one.locator("form[action$='/accept/'] button").click()
    other.locator("form[action$='/accept/'] button").click()
    expect(one.locator(".accepted .word")).to_have_count(1)
    looked[0].continue_()
    expect(one.locator(".accepted .word")).to_have_count(2)
    expect(one.locator("form[action$='/accept/']")).to_have_count(0)


def test_a_link_on_a_players_page_opens_in_another_tab(table, open_page: Open) -> None:
    site, _link, players = table
    page = open_page(site.address).page
    page.goto(players[1])
    address = page.url
    with page.context.expect_page() as opened:
        page.locator("[data-reaches] a[href*='/heats/']:visible").first.click(
            modifiers=["ControlOrMeta"]
        )
    opened.value.wait_for_url("**/heats/**")
    assert page.url == address
