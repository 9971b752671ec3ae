"""The table's pages for screen readers, and by axe, in light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from scoring.models import Table
from scoring.writing import revoke_link
from tests.browser.auditor import drawn, is_accessible, sits, takes_taps
from tests.browser.states import (
    NO,
    STATES,
    WON,
    YES,
    between_two_games,
    in_an_exchange,
    to_be_signed_off,
)
from tests.browser.test_auditor import LONG, phone, seat
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    running,
    trick,
    write,
)
from tournaments.models import Registration
from tournaments.registration.queries.player_links import token_of

__all__ = ["phone"]

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]


def test_every_control_has_a_name(phone):
    page = phone(auditor_link(make_table(LONG)))
    tree = page.locator("#main").aria_snapshot()
    assert 'radio "Bartholomäus Szczęśniak-Łukasiewicz' in tree
    assert not re.search(r"- (button|radio|link|combobox)\s*$", tree, re.M)


MIDDLE = (
    *(hand(1, 0, "flush"), hand(2, 0, "full_house"), trick(0), hand(3, 0, "two_pair")),
    *(none(1), none(2), {"kind": "chicago", "seat": 0, "won": True}),
    *(hand(1, 0, "flush"), hand(2, 0, "full_house"), trick(0), hand(3, 1)),
    {"kind": "ruling", "action": "sit_out_game", "seat": 3, "reason": "x"},
)
VIEWS = {
    "auditor": ("auditor", MIDDLE, 3),
    "auditor, tricks": ("auditor", (*MIDDLE, none(1), none(2)), 3),
    "reader": ("reader", MIDDLE, 3),
    "reader, end of the heat": ("reader", (hand(1, 1, "straight_flush"),), 1),
}


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("role", "entries", "games"), VIEWS.values(), ids=VIEWS)
def test_pages_are_accessible(phone, role, entries, games, scheme):
    table = make_table(LONG, games=games)
    for entry in entries:
        play(running(table), entry)
    page = phone(auditor_link(table, role), color_scheme=scheme)
    for details in page.locator("details:not(.call)").all():
        details.evaluate("element => { element.open = true; }")
    if page.locator("label.cell").count():
        # A ruling covers the page's head until it has been read.
        if page.locator(".rulings").count():
            assert Axe().run(page).violations_count == 0
            page.locator(".rulings button").click()
            expect(page.locator(".rulings, .held")).to_have_count(0)
        seat(page, 0).click()
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_each_state_of_the_page_is_accessible(phone, state) -> None:
    page = phone(state())
    takes_taps(page)
    unfold(page)
    is_accessible(page)
    page.set_viewport_size({"width": 740, "height": 360})
    is_accessible(page)
    page.set_viewport_size({"width": 360, "height": 640})
    # Questions that only a tap opens.
    for before in {tap.before for tap in STATES[state] if tap.control in (YES, WON)}:
        for control in before:
            shown = page.locator(control)
            # An unfolded panel stays so.
            if "summary" not in control:
                shown.click()
                expect(page.locator(".held")).to_have_count(0)
        is_accessible(page)
        if page.locator("dialog[open]").count():
            page.locator(NO).click()
            expect(page.locator(".held")).to_have_count(0)


def unfold(page) -> None:
    """Open everything that is folded; of menus, which exclude each other, the last one."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    expect(page.locator(".held")).to_have_count(0)


def test_the_page_without_network_is_accessible(phone) -> None:
    table = make_table()
    play(running(table), hand(1, 0, "flush"), none(2))
    page = phone(auditor_link(table))
    drawn(page)
    expect(page.locator("#plain")).to_be_hidden()
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    page.locator(".what-trick button").first.click()
    expect(page.locator("#pending li")).to_have_count(1)
    page.locator("#pending summary").click()
    # A line cannot be corrected now, and says so.
    page.locator("[data-correct]:visible").first.click()
    expect(page.locator("#offline.untold")).to_be_visible()
    is_accessible(page)
    seat(page, 0).click()
    page.locator(".question .kind-straight_flush").first.click()
    page.locator(YES).click()
    expect(page.locator(".result-winner")).not_to_be_empty()
    is_accessible(page)
    page.locator("[data-next-game]").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    is_accessible(page)


def test_the_choice_between_two_sides_is_accessible(phone) -> None:
    table = make_table(LONG)
    page = phone(auditor_link(table))
    drawn(page)
    page.context.set_offline(True)
    seat(page, 0).click()
    page.locator(".question .kind-flush").first.click()
    expect(page.locator("#pending li")).to_have_count(1)
    sheet = running(table)
    play(sheet, hand(1, 3, "straight"), none(2))
    write(sheet, trick(1), device="another")
    page.context.set_offline(False)
    take = page.locator("#merge form[data-do=take] button")
    expect(take).to_be_visible()
    is_accessible(page)
    take.click()
    expect(page.locator("[data-choice=mine]")).to_be_visible()
    is_accessible(page)
    page.set_viewport_size({"width": 740, "height": 360})
    is_accessible(page)


def test_the_page_on_a_phone_that_stores_nothing_is_accessible(phone) -> None:
    table = make_table()
    page = phone(auditor_link(table))
    page.add_init_script("IDBFactory.prototype.open = () => null.refused")
    page.reload()
    expect(page.locator("#plain")).to_be_visible()
    is_accessible(page)
    drawn(page)
    page.context.set_offline(True)
    seat(page, 0).click()
    page.locator(".question .kind-flush").first.click()
    expect(page.locator("#pending li")).to_have_count(1)
    page.locator("#pending summary").click()
    is_accessible(page)


@pytest.mark.parametrize("state", [in_an_exchange, between_two_games, to_be_signed_off])
def test_what_the_others_at_the_table_see_is_accessible(phone, state) -> None:
    state()
    table = Table.objects.get()
    addresses = [auditor_link(table, "reader")]
    if player := Registration.objects.order_by("pk").last():
        addresses.append(f"/p/{token_of(player)}/")
    for address in addresses:
        page = phone(address, locale="sv-SE")
        unfold(page)
        is_accessible(page)


def test_a_signed_table_and_a_closed_link_are_accessible(phone) -> None:
    page = phone(to_be_signed_off())
    page.locator(".sign-off button").click()
    expect(page.locator(".sign-off")).to_have_count(0)
    unfold(page)
    is_accessible(page)
    revoke_link(link_id=Table.objects.get().links.get().pk, by="test")
    page.reload()
    expect(page.locator(".gone")).to_be_visible()
    is_accessible(page)


def test_a_practice_table_is_accessible(phone) -> None:
    page = phone("/play/")
    page.locator("form[action$='practice/'] button, button[formaction$='practice/']").first.click()
    page.wait_for_url("**/s/**")
    is_accessible(page)
    sits(page)
    is_accessible(page)


def test_the_other_pages_are_accessible(phone):
    table = make_table(LONG)
    page = phone(auditor_link(table))
    page.locator("form[action$='share/'] button").click()
    page.wait_for_url("**/share/")
    is_accessible(page)
    page.goto("/s/nothing/")
    is_accessible(page)
