"""Webhooks: signed, in order, at least once, for a day, and never to private addresses."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_heats, make_member
from tests.tournaments.jobs import hurry, run
from tournaments.api.shapes.play import HeatShape
from tournaments.core.errors import Refused
from tournaments.events.commands.events import set_event_status
from tournaments.models import Event, Webhook, WebhookMessage
from tournaments.models.enums import EventStatus, Role, WebhookKind
from tournaments.webhooks.commands import MAX_HOOKS, MAX_WAITING, add_webhook, end_webhook
from tournaments.webhooks.queries import WEBHOOK, secret_of, waiting

pytestmark = pytest.mark.django_db


class Receiver:
    """A small program that is told; ``status`` is what it answers."""

    def __init__(self) -> None:
        self.status = 200
        self.heard: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if receiver.status < 300:
                    receiver.heard.append((dict(self.headers), body))
                self.send_response(receiver.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/told"

    @property
    def kinds(self) -> list[str]:
        return [json.loads(body)["kind"] for _headers, body in self.heard]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.PRIVATE_WEBHOOKS = True
    found = Receiver()
    yield found
    found.server.shutdown()
    found.server.server_close()


def told(event: Event, address: str) -> Webhook:
    by = make_member(event, Role.OWNER)
    return add_webhook(event=event, address=address, site="https://a.example", by=by)


def later(hook: Webhook) -> None:
    """Let the pause after a failure pass."""
    Webhook.objects.filter(pk=hook.pk).update(next_try_at=timezone.now())
    hurry("webhooks")
    run("webhooks")
    run(WEBHOOK)


def test_what_happens_is_told_in_order_and_signed(event: Event, receiver: Receiver) -> None:
    hook = told(event, receiver.address)
    finished_heat(event)
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    run(WEBHOOK)
    assert receiver.kinds == [WebhookKind.DRAWN, WebhookKind.HEAT_CLOSED, WebhookKind.ENDED]
    headers, body = receiver.heard[1]
    seconds, signed = headers["Chicago-Signature"].removeprefix("t=").split(",v1=")
    wanted = hmac.new(secret_of(hook).encode(), f"{seconds}.".encode() + body, hashlib.sha256)
    assert signed == wanted.hexdigest()
    document = json.loads(body)["document"]
    assert document == Client().get(f"/api/v1/events/{event.slug}/heats/1/").json() | {
        "page": f"https://a.example/e/{event.slug}/heats/1/",
        "address": f"https://a.example/api/v1/events/{event.slug}/heats/1/",
    }
    assert set(document) == set(HeatShape().fields)
    assert not waiting(hook).exists()


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_failing_address_is_tried_again_and_holds_up_only_itself(
    event: Event, receiver: Receiver, status: int
) -> None:
    bad = told(event, receiver.address)
    other = Receiver()
    try:
        told(event, other.address)
        receiver.status = status
        finished_heat(event)
        run(WEBHOOK)
        assert (len(receiver.heard), len(other.heard)) == (0, 2)
        first = waiting(bad)[0]
        # A session that follows no redirects says so by an exception.
        said = "TooManyRedirects" if status == 302 else str(status)
        assert (first.attempts, first.answer) == (1, said)
        run("webhooks")
        run(WEBHOOK)
        assert waiting(bad)[0].attempts == 1, "not before its pause has passed"
        receiver.status = 200
        later(bad)
        assert receiver.kinds == [WebhookKind.DRAWN, WebhookKind.HEAT_CLOSED]
        assert len(other.heard) == 2
    finally:
        other.server.shutdown()
        other.server.server_close()


def test_after_a_day_a_message_is_given_up_and_can_be_sent_again(
    event: Event, receiver: Receiver
) -> None:
    hook = told(event, receiver.address)
    receiver.status = 500
    make_heats(event)
    run(WEBHOOK)
    WebhookMessage.objects.update(made_at=timezone.now() - timedelta(hours=25))
    later(hook)
    message = hook.messages.get()
    assert message.was_given_up
    receiver.status = 200
    client = client_of(event, Role.DIRECTOR)
    page = client.get(f"/e/{event.slug}/desk/webhooks/").content.decode()
    assert secret_of(hook) in page
    sent = client.post(f"/e/{event.slug}/desk/webhooks/again/", {"message": message.pk})
    assert sent.status_code == 303
    run(WEBHOOK)
    assert receiver.kinds == [WebhookKind.DRAWN]


def test_waiting_messages_are_bounded(event: Event, receiver: Receiver) -> None:
    hook = told(event, receiver.address)
    rows = [WebhookMessage(hook=hook, kind=WebhookKind.HEAT_CLOSED) for _ in range(MAX_WAITING)]
    WebhookMessage.objects.bulk_create(rows)
    make_heats(event)
    assert waiting(hook).count() == MAX_WAITING
    assert hook.messages.filter(was_given_up=True).count() == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org",
        "ftp://example.org",
        "https://a@example.org",
        "https://",
        "x",
        "https://[",
    ],
)
def test_other_addresses_are_refused(event: Event, address: str) -> None:
    with pytest.raises(Refused) as refused:
        told(event, address)
    assert refused.value.code == "bad_address"


def test_a_private_address_is_never_connected_to(
    event: Event, receiver: Receiver, settings: Any
) -> None:
    settings.PRIVATE_WEBHOOKS = False
    hook = told(event, receiver.address.replace("http://", "https://"))
    make_heats(event)
    run(WEBHOOK)
    assert waiting(hook).get().answer == "ConnectionError"
    assert not receiver.heard


def test_an_ended_address_is_told_nothing(event: Event, receiver: Receiver) -> None:
    hook = told(event, receiver.address)
    end_webhook(hook=hook, by=hook.made_by)
    make_heats(event)
    run(WEBHOOK)
    assert not receiver.heard
    for number in range(MAX_HOOKS):
        told(event, f"https://a{number}.example")
    assert told(event, "https://a0.example").pk
    with pytest.raises(Refused, match="addresses already"):
        told(event, "https://more.example")


def test_the_page_keeps_what_was_typed_wrongly(event: Event) -> None:
    client = client_of(event, Role.DIRECTOR)
    answer = client.post(f"/e/{event.slug}/desk/webhooks/", {"address": "http://typed.example"})
    assert answer.status_code == 409
    assert "http://typed.example" in answer.content.decode()
