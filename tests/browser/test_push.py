"""Being told, in a real browser: the page subscribes, its service worker shows what arrives.

Headless Chromium reaches no push service, so the subscription it would get is given to it; from the
page's form to the message as the service worker decrypts it all else is real.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.tournaments.factories import make_event, make_heats
from tests.tournaments.notices.push_service import push_service
from tournaments.core.queue import run_due
from tournaments.models import PushSubscription
from tournaments.notices.commands.push import PUSH
from tournaments.notices.tasks import KINDS
from tournaments.registration.queries.player_links import token_of

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]
[PUSHES] = [kind for kind in KINDS if kind.name == PUSH]

#: What the browser's push service would give it.
SUBSCRIBED = """({ endpoint, p256dh, auth }) => {
  const bytes = (text) => Uint8Array.from(
    atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0)).buffer;
  const keys = { p256dh: bytes(p256dh), auth: bytes(auth) };
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async () => ({ endpoint, getKey: (name) => keys[name] });
}"""
#: It has no notifications either: what its service worker asks it to show is kept.
SHOWS = """() => {
  self.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag }) => {
    self.shown.push({ title, body, tag });
  };
}"""


def deliver(page: Page, message: dict[str, str]) -> None:
    """Hand a message to the page's service worker, as the browser does when one arrives."""
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    for _try in range(50):
        if found:
            break
        page.wait_for_timeout(100)
    origin = "/".join(page.url.split("/")[:3])
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1], "data": json.dumps(message)},
    )
    devtools.detach()


def test_a_phone_is_told_by_its_service_worker(
    open_page: Open, live_server: Any, settings: Any
) -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    entry = heat.entries.select_related("registration").first()
    assert entry is not None
    player = entry.registration
    address = reverse("tournaments:player_page", args=[token_of(player)])
    with push_service() as service:
        settings.PUSH_CONTACT = "mailto:desk@example.org"
        settings.PUSH_TEST_SERVICE = service.origin
        phone = service.browser("phone")
        page = open_page(live_server.url).page
        page.context.grant_permissions(["notifications"], origin=live_server.url)
        page.goto(address)
        page.evaluate(SUBSCRIBED, phone.fields)
        page.locator("#tell-me summary").click()
        page.locator("form[data-push] button").click()
        expect(page.locator("[data-devices='1']")).to_be_attached()
        assert PushSubscription.objects.get().registration == player

        page.locator("#tell-me summary").click()
        page.locator("form[action$='/push/try/'] button").first.click()
        expect(page.get_by_text("A trial is on its way")).to_be_visible()
        assert run_due(PUSHES) == 1
        [trial] = service.read(phone)
        [worker] = page.context.service_workers
        worker.evaluate(SHOWS)
        newer = trial | {"body": "Table 7"}
        for message in (trial, newer):
            deliver(page, message)
        for _try in range(50):
            if len(shown := worker.evaluate("() => self.shown")) == 2:
                break
            page.wait_for_timeout(100)
        # With the same tag, so that the newer one takes the place of the first.
        assert shown == [trial, newer]
