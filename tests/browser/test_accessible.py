"""The table's pages for screen readers, and by axe, in light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.auditor import is_accessible
from tests.browser.test_auditor import LONG, phone, seat
from tests.scoring.factories import auditor_link, hand, make_table, none, play, running, trick

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
    "auditor, end of a game": ("auditor", (*MIDDLE, hand(1, 1, "royal_flush")), 3),
    "auditor, tie": (
        "auditor",
        (
            *(hand(1, 0, "flush"), hand(2, 1, "flush")),
            {"kind": "ruling", "action": "end_game", "reason": "x"},
        ),
        1,
    ),
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


def test_the_other_pages_are_accessible(phone):
    table = make_table(LONG)
    page = phone(auditor_link(table))
    page.locator("form[action$='/share/'] button").click()
    page.wait_for_url("**/share/")
    is_accessible(page)
    page.goto("/s/nothing/")
    is_accessible(page)
