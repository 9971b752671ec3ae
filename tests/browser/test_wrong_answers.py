"""Who answers in the server's place, or does not know the table, takes nothing from the sheet."""

import re

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import Link
from tests.browser.auditor import Thumb, saved
from tests.browser.bad_network import BadNetwork
from tests.browser.test_offline import OfflineThumb, installed, phone, scores, waits
from tests.scoring.factories import auditor_link, hand, make_table, sheet_of, trick

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

PAGE = b"<!DOCTYPE html><title>Welcome</title><p>Accept the conditions of this network."
PORTALS = {
    "200": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s"
    % (len(PAGE), PAGE),
    "302": b"HTTP/1.1 302 Found\r\nLocation: http://portal.invalid/\r\nContent-Length: 0\r\n\r\n",
}


class Portal(BadNetwork):
    """A network that answers everything itself while it is ``closed``."""

    closed = b""

    async def _happens(self, request: bytes) -> bytes:
        return self.closed or await super()._happens(request)


@pytest.mark.parametrize("kind", PORTALS)
def test_a_portals_page_does_not_replace_the_sheet(phone, live_server, kind):
    table = make_table()
    with Portal(live_server.url, 1) as network:
        network.calm()
        page = phone(f"{network.address}{auditor_link(table)}")
        installed(page)
        OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
        saved(page)
        network.closed = PORTALS[kind]
        OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
        waits(page, 1)
        for _twice in range(2):
            page.reload()
            waits(page, 1)
            expect(page.locator("#live .score-now").nth(1)).to_have_text("1")
        OfflineThumb(page).write(entry_from_json(trick(2)))
        assert scores(page) == [5, 1, 5, 0]
        network.closed = b""
        saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]


def test_taps_wait_at_a_server_that_does_not_know_the_table_until_the_right_one_is_back(phone):
    table = make_table()
    page = phone(auditor_link(table))
    installed(page)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    digest = Link.objects.get().digest
    Link.objects.update(digest="0" * 64)
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    waits(page, 1)
    expect(page.locator("#pending")).to_contain_text(re.compile(r"\w+ "))
    page.reload()
    waits(page, 1)
    OfflineThumb(page).write(entry_from_json(trick(2)))
    waits(page, 2)
    assert scores(page) == [5, 1, 5, 0]
    Link.objects.update(digest=digest)
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]


def test_a_phone_that_has_taken_over_opens_again_without_network_with_its_answers(phone):
    table = make_table()
    address = auditor_link(table)
    Thumb(phone(address)).write(entry_from_json(hand(1, 0, "flush")))
    page = phone(address)
    installed(page)
    page.locator(".lease button").click()
    thumb = Thumb(page)
    thumb.write(entry_from_json(hand(2, 1, "pair")))
    page.context.set_offline(True)
    page.reload()
    OfflineThumb(page).write(entry_from_json(trick(2)))
    waits(page, 1)
    assert scores(page) == [5, 1, 5, 0]
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]
