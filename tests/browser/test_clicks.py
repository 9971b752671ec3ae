"""How many taps the common jobs take: as many as the table in the director's guide says."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.cards.categories import Category
from engine.sheet.entries import Hand
from tests.browser.auditor import Thumb
from tests.browser.conftest import Open, Site, sign_in
from tests.browser.test_heat import NAMES, first_director
from tests.config.server import ROOT

pytestmark = pytest.mark.pages

PASSWORD = "kungens-kurva-4711"

#: Run beside the site, on its data: one heat is over, one is running, three wait, one is not here.
MAKE = """
from django.contrib.auth.models import User
from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tournaments.registration.commands.people import register_person

user = User.objects.create_user("tove", password={password!r})
event = make_event(by=user, name="Höstcupen", slug="host", buy_in=20000)
finished_heat(event)
make_heats(event, 4)
make_players(event, 3)
register_person(event=event, by=user, legal_name="Zara Zorn")
"""


def told() -> dict[str, int]:
    """Return the taps by job from the guide."""
    guide = (ROOT / "docs/director.md").read_text(encoding="utf-8")
    rows = re.findall(r"^ *\| ([^|]+?) \| [^|]+ \| (\d+) \|$", guide, re.MULTILINE)
    return {job: int(taps) for job, taps in rows}


class Taps:
    def __init__(self) -> None:
        self.count = 0

    def tap(self, what: Locator) -> None:
        self.count += 1
        what.first.click()

    def type(self, field: Locator, text: str) -> None:
        """Tap into a field and type."""
        self.count += 1
        field.first.fill(text)


def button(page: Page, address: str) -> Locator:
    """Return the visible button that posts to an address with this ending."""
    return page.locator(
        f"form[action$='{address}'] button:not([formaction]):visible,"
        f" button[formaction$='{address}']:visible"
    )


def tab(page: Page, address: str) -> Locator:
    """Return the tab that leads to an address with this ending."""
    return page.locator(f".tabs a[href$='{address}']")


def test_the_common_jobs_take_as_many_taps_as_the_guide_says(
    empty_site: Site, open_page: Open
) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", MAKE.format(password=PASSWORD)],
        cwd=ROOT,
        env=empty_site.environment,
        check=True,
        timeout=180,
        stdout=subprocess.DEVNULL,
    )
    page = open_page(empty_site.address).page
    sign_in(page, "tove", PASSWORD)
    counted = {}

    page.goto("/e/host/desk/check-in/")
    taps = Taps()
    taps.tap(button(page, "/check-in/"))
    expect(page.locator("#notices .notice-success")).to_be_visible()
    counted["check a player in"] = taps.count
    # After one player the next name can be typed at once.
    expect(page.locator("#door-q")).to_be_focused()

    page.goto("/e/host/desk/")
    taps = Taps()
    taps.tap(button(page, "/enter/"))
    expect(page.locator("#notices .notice-success")).to_be_visible()
    counted["let a player enter again"] = taps.count

    page.goto("/e/host/desk/")
    taps = Taps()
    # The confirmation is one tap more.
    page.once("dialog", lambda dialog: (setattr(taps, "count", taps.count + 1), dialog.accept()))
    taps.tap(button(page, "/desk/draw/"))
    expect(page.locator("#now .heat-card")).not_to_have_count(1)
    counted["draw all who wait"] = taps.count

    page.goto("/e/host/desk/")
    taps = Taps()
    taps.tap(tab(page, "/desk/floor/"))
    expect(page.locator("#floor .deal-card, #floor article").first).to_be_visible()
    counted["find the slow table"] = taps.count
    taps = Taps()
    page.goto("/e/host/desk/")
    taps.tap(tab(page, "/desk/floor/"))
    expect(page.locator("#floor article footer strong.tabular").first).to_have_text(
        re.compile(r"^\d{4}$")
    )
    counted["show a table's code"] = taps.count

    page.goto("/e/host/desk/heats/1/")
    taps = Taps()
    taps.tap(page.locator("a[href$='/heats/1/games/1/']"))
    taps.tap(page.locator("a[href*='/heats/1/games/1/']:visible", has_text="Correct"))
    taps.tap(page.locator("label.choice:has(input[name=entry]:not(:checked)):visible"))
    taps.type(page.locator("[name=reason]"), "Misheard")
    taps.tap(page.locator("form[action*='/preview/'] button.btn-primary"))
    taps.tap(page.locator("form[action$='/do/'] button.btn-primary"))
    expect(page.locator(".notice-success").first).to_be_visible()
    counted["correct a score"] = taps.count

    page.goto("/e/host/desk/cash/")
    taps = Taps()
    taps.tap(page.locator(".cash-list a.btn-primary"))
    taps.tap(page.locator("button[name=payment_method]"))
    expect(page.locator(".notice-success").first).to_be_visible()
    counted["take a payment"] = taps.count

    assert counted == {job: told().get(job) for job in counted}


def test_a_club_evening_in_under_thirty_taps(empty_site: Site, open_page: Open) -> None:
    page = open_page(empty_site.address).page
    first_director(page, empty_site)
    taps = Taps()
    taps.tap(page.locator("a[href='/events/new/']"))
    taps.tap(page.locator("a[href='?format=club']"))
    taps.type(page.locator("input[name=name]"), "Klubbkväll")
    taps.tap(page.locator("main form.event-form button.btn-primary"))
    page.wait_for_url("**/e/klubbkvall/desk/")
    taps.tap(button(page, "/desk/status/"))
    for number, name in enumerate(NAMES, 1):
        # The field is ready for the next name once one is registered.
        taps.type(page.locator("input[name=legal_name]"), name)
        taps.tap(button(page, "/desk/register/"))
        expect(page.locator("#player-rows tbody tr")).to_have_count(number)
    page.once("dialog", lambda dialog: (setattr(taps, "count", taps.count + 1), dialog.accept()))
    taps.tap(button(page, "/desk/draw/"))
    taps.tap(page.locator("#now .heat-card a"))
    taps.tap(button(page, "/link/"))
    link = page.locator(".link-text a").get_attribute("href") or ""

    phone = open_page(empty_site.address).page
    phone.goto(link)
    taps.count += 1
    thumb = Thumb(phone)
    for number in range(1, 4):
        expect(phone.locator("#live")).to_have_attribute("data-game", str(number))
        # The same player wins all games, wherever seated, so no tie has to be decided.
        winner = phone.locator(f"input[name=seat][data-name='{NAMES[0]}']").get_attribute("value")
        # A rare hand has to be confirmed.
        thumb.write(Hand(1, int(winner or 0), Category.STRAIGHT_FLUSH), sure=True)
        if number < 3:
            phone.locator(".btn-next").click()
    taps.tap(phone.locator("form[data-do=sign] button"))
    expect(phone.locator("form[data-do=sign]")).to_have_count(0)

    page.goto("/e/klubbkvall/")
    expect(page.locator("a[href$='/champion/']")).to_be_visible()
    expect(tab(page, "/play-offs/")).to_have_count(0)
    assert taps.count < 30
    assert taps.count == told()["a whole club evening, scoring apart"]
