"""Pages learn of changes at once, and do not poll while the stream is connected."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, Open, Site
from tests.browser.test_auditor import phone
from tests.config.server import free_port
from tests.scoring.factories import auditor_link, make_table
from tests.tournaments.factories import make_event, make_heats
from tournaments.floor.commands.clocks import set_clock

pytestmark = pytest.mark.pages

__all__ = ["phone"]

#: Longer than the polling interval without a stream (4 s), far shorter than with one (30 s).
POLLS = 9_000
MOMENT = 15_000


def streaming(page: Page) -> None:
    expect(page.locator("body.is-streaming")).to_be_attached(timeout=MOMENT)


def test_a_heat_and_its_readers_learn_of_a_call_at_once(demo_data: Path, open_page: Open) -> None:
    with Site(demo_data, LIVE_PORT=str(free_port())) as site:
        auditor = open_page(site.address).page
        auditor.goto(site.path("Scoring link"))
        streaming(auditor)
        second = open_page(site.address).page
        second.goto(site.path("Scoring link"))
        streaming(second)
        event = open_page(site.address, size=DESKTOP).page
        event.goto("/e/demo/")
        streaming(event)
        asked: list[str] = []
        event.on("request", lambda request: asked.append(request.url))
        event.evaluate(
            "window.parts = 0; document.addEventListener('stream-part', () => window.parts++, true)"
        )
        # No requests once the one triggered by opening the stream is done.
        for _window in range(4):
            asked.clear()
            event.wait_for_timeout(POLLS)
            if not asked:
                break
        assert asked == []

        auditor.locator("details.call summary").click()
        auditor.locator("details.call button").first.click()
        # The change comes by the stream: the page has nothing to request.
        for _moment in range(MOMENT // 100):
            if event.evaluate("window.parts"):
                break
            event.wait_for_timeout(100)
        assert event.evaluate("window.parts")
        assert asked == []
        expect(second.locator("#live .called, #live [data-called]").first).to_be_visible(
            timeout=MOMENT
        )
        # Before the server stops: a page whose stream breaks logs an error on the console.
        for page in (auditor, second, event):
            page.close()


@pytest.mark.django_db(transaction=True)
def test_a_stream_that_ended_is_tried_again_after_a_minute(phone, settings) -> None:
    settings.LIVE_URL = "/live/"
    page: Page = phone(auditor_link(make_table()))
    page.clock.install()
    with page.expect_response("**/live/?topic=*"):
        page.reload()
    page.wait_for_timeout(500)
    with page.expect_request("**/live/?topic=*"):
        page.clock.fast_forward(60_000)


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_starts_later_runs_by_the_servers_time(phone) -> None:
    heat = make_heats(make_event(minutes_per_heat=60), 4).heats[0]
    page: Page = phone(auditor_link(heat.table))
    page.clock.install(time=datetime.now(UTC) - timedelta(days=1))
    page.reload()
    expect(page.locator("[data-ends]")).to_have_count(0)
    set_clock(heat=heat, what="start", by=None)
    page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
    expect(page.locator("[data-ends]")).to_have_count(1)
    page.clock.run_for(2000)
    expect(page.locator(".clock-left")).to_have_text(re.compile(r"^(1:00:00|59:5\d)$"))
