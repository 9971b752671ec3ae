"""The Auditor's page over plain http, as in a hall without a certificate."""

import pytest
from playwright.sync_api import expect

from scoring.models import SheetEntry
from tests.browser.auditor import drawn
from tests.browser.conftest import ARGUMENTS, find_chromium
from tests.browser.test_offline import (
    OfflineThumb,
    saved,
    scores,
    three_deals,
    waits,
)
from tests.browser.test_whole_game import play_a_game_without_network
from tests.scoring.factories import auditor_link, make_table

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hall(playwright, live_server, settings):
    """A browser that reaches the program by a name that is not localhost."""
    path = find_chromium()
    if path is None:
        pytest.skip("No Chromium on this machine: install it to run the browser tests")
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "hall.test"]
    rules = "--host-resolver-rules=MAP hall.test 127.0.0.1"
    browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, rules])
    context = browser.new_context(
        base_url=f"http://hall.test:{live_server.thread.port}",
        viewport={"width": 360, "height": 640},
        has_touch=True,
        locale="en-GB",
    )
    yield context
    browser.close()


def test_over_plain_http_the_open_page_goes_on(hall):
    table = make_table()
    page = hall.new_page()
    page.goto(auditor_link(table))
    assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    assert page.evaluate("typeof crypto.randomUUID") == "undefined"
    drawn(page)
    entries, after = three_deals()
    hall.set_offline(True)
    OfflineThumb(page).play(entries)
    waits(page, len(entries))
    # It says that it has to stay open.
    expect(page.locator("#plain")).to_be_visible()
    expect(page.locator("#pending")).to_contain_text(page.locator("#plain").inner_text())
    assert scores(page) == after
    hall.set_offline(False)
    expect(page.locator("#pending")).to_be_hidden(timeout=30_000)
    saved(page)
    rows = SheetEntry.objects.order_by("sequence")
    assert [row.entry for row in rows] == [entry.as_json() for entry in entries]


@pytest.mark.slow
def test_over_plain_http_a_whole_game_goes_on(hall):
    table = make_table()
    page = hall.new_page()
    page.goto(auditor_link(table))
    drawn(page)
    play_a_game_without_network(page, table)
