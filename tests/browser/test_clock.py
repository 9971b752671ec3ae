"""The clock of a heat: started on the floor, running on everybody's page."""

import re

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.conftest import Open, Site

pytestmark = pytest.mark.browser

RUNS = re.compile(r"^\d+:\d\d$")


def test_clock_runs_everywhere_from_when_the_director_says_so(
    festival_site: Site, open_page: Open, keys: dict[str, StorageState | None]
) -> None:
    desk = open_page(festival_site.address, state=keys["Director"]).page
    event = festival_site.path("Event")
    desk.goto(f"{event}desk/settings/")
    desk.locator("#id_minutes_per_heat").fill("90")
    desk.locator("form.event-form button.btn-primary").click()
    reader = open_page(festival_site.address).page
    reader.goto(event)
    expect(reader.locator(".clock.is-ready").first).to_be_visible()

    desk.goto(f"{event}desk/floor/")
    desk.locator("button[name=what][value=start]").click()
    for page in (desk, reader):
        left = page.locator(".clock.is-running .clock-left").first
        expect(left).to_have_text(RUNS, timeout=15_000)
        before = left.inner_text()
        expect(left).not_to_have_text(before, timeout=5_000)

    desk.locator("button[name=what][value=pause]").click()
    still = reader.locator(".clock.is-paused .clock-left").first
    expect(still).to_have_text(RUNS, timeout=15_000)
