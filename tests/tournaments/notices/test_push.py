"""Players' devices are told, by a push service of the tests' own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import requests
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.factories import finished_heat, make_players
from tests.tournaments.notices.push_service import Service, claims_of, push_service
from tournaments.core.errors import Refused
from tournaments.core.public_web import public_session
from tournaments.core.queue import run_due
from tournaments.draws.commands.drafts import draft_heats, publish
from tournaments.models import Event, Job, PushSubscription, Registration
from tournaments.models.enums import Audience, EntryStatus, JobStatus, PushKind
from tournaments.notices.commands.announcements import announce
from tournaments.notices.commands.push import MAX_DEVICES, PUSH, subscribe
from tournaments.notices.queries.push import public_key
from tournaments.notices.tasks import KINDS
from tournaments.registration.commands.player_links import renew_link
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db
[PUSHES] = [kind for kind in KINDS if kind.name == PUSH]


@pytest.fixture
def service(settings: Any) -> Iterator[Service]:
    with push_service() as found:
        settings.PUSH_CONTACT = "mailto:desk@example.org"
        settings.PUSH_TEST_SERVICE = found.origin
        yield found


def told(player: Registration, browser: Any, *kinds: str) -> PushSubscription:
    return subscribe(registration=player, kinds=kinds or PushKind.values, **browser.fields)


def test_a_page_subscribes_tries_and_ends(event: Event, service: Service) -> None:
    [player] = make_players(event, 1)
    phone, token = service.browser("phone"), token_of(player)

    def post(name: str, **fields: Any) -> int:
        return Client().post(reverse(f"tournaments:{name}", args=[token]), fields).status_code

    page = reverse("tournaments:player_page", args=[token])
    assert f'data-key="{public_key()}"' in Client().get(page).text
    assert post("player_page_push", kinds=["drawn"], **phone.fields) == 303
    assert PushSubscription.objects.get().kinds == ["drawn"]
    assert post("player_page_push_try") == 303
    assert run_due(PUSHES) == 1
    assert [each["title"] for each in service.read(phone)] == [event.name]
    assert 'data-devices="1"' in Client().get(page).text
    assert post("player_page_push_end") == 303
    assert not PushSubscription.objects.exists()


def test_a_draw_tells_each_player_their_own_seat_and_nobody_elses(
    event: Event, service: Service
) -> None:
    players = make_players(event, 8)
    phones = [service.browser(str(player.number)) for player in players]
    for player, phone in zip(players, phones, strict=True):
        told(player, phone)
    left_out = service.browser("left-out")
    told(make_players(event, 1, here=False)[0], left_out)
    draft = draft_heats(event=event, by=None)
    run_due(PUSHES)
    assert len(service.read(*phones)) == 8
    service.got.clear()
    publish(draw=draft, by=None)
    event.heats.filter(number=1).update(table_number=7)
    run_due(PUSHES)
    for player, phone in zip(players, phones, strict=True):
        [message] = service.read(phone)
        heat = player.entries.get().heat
        assert str(heat) in message["title"]
        assert ("7" in message["title"]) == (heat.number == 1)
        assert not any(each.person.legal_name in str(message) for each in players)
    assert service.read(left_out) == []
    for _path, headers, body in service.got:
        assert (headers["Urgency"], headers["Content-Encoding"]) == ("high", "aes128gcm")
        assert 0 < int(headers["TTL"]) <= 20 * 60
        assert len(headers["Topic"]) <= 32
        assert len(body) < 3900
        claims = claims_of(headers)
        assert (claims["aud"], claims["sub"]) == (service.origin, "mailto:desk@example.org")
        assert claims["key"] == public_key()


def test_whom_nothing_concerns_any_more_is_told_nothing(event: Event, service: Service) -> None:
    players = make_players(event, 4)
    phone = service.browser("phone")
    told(players[0], phone)
    publish(draw=draft_heats(event=event, by=None), by=None)
    players[0].entries.update(status=EntryStatus.DONE)
    assert run_due(PUSHES) == 2
    assert service.read(phone) == []
    # And what is too late is never handed over.
    announce(event=event, texts={"sv": "Mat"}, by=None)
    Job.objects.filter(kind=PUSH, status=JobStatus.WAITING).update(expires_at=timezone.now())
    run_due(PUSHES)
    assert "Mat" not in str(service.read(phone))


def test_the_end_of_a_heat_and_announcements_reach_those_who_want_them(
    event: Event, service: Service
) -> None:
    heat = finished_heat(event)
    entry = heat.entries.select_related("registration").first()
    phone, other = service.browser("one"), service.browser("two")
    told(entry.registration, phone, PushKind.ANNOUNCED)
    told(make_players(event, 1)[0], other, PushKind.RESULT)
    announce(event=event, texts={"sv": "Mat", "en": "Food"}, by=None)
    announce(event=event, texts={"sv": "Vänta"}, audience=Audience.WAITING, by=None)
    run_due(PUSHES)
    assert [each["body"] for each in service.read(phone)] == ["Food"]
    assert service.read(other) == []


@pytest.mark.parametrize("status", [404, 410])
def test_gone_devices_are_forgotten(event: Event, service: Service, status: int) -> None:
    [player] = make_players(event, 1)
    gone, here = service.browser("gone"), service.browser("here")
    told(player, gone)
    told(player, here)
    service.answers["/push/gone"] = (status, {})
    announce(event=event, texts={"sv": "Mat"}, by=None)
    run_due(PUSHES)
    assert [each.endpoint for each in PushSubscription.objects.all()] == [here.endpoint]


def test_a_service_that_says_later_is_asked_later(event: Event, service: Service) -> None:
    [player] = make_players(event, 1)
    phone = service.browser("busy")
    told(player, phone)
    service.answers["/push/busy"] = (429, {"Retry-After": "120"})
    announce(event=event, texts={"sv": "Mat"}, by=None)
    run_due(PUSHES)
    assert PushSubscription.objects.get().failed_at is not None
    again = Job.objects.get(kind=PUSH, status=JobStatus.WAITING)
    assert timedelta(seconds=110) < again.due_at - timezone.now() <= timedelta(seconds=120)
    del service.answers["/push/busy"]
    Job.objects.filter(pk=again.pk).update(due_at=timezone.now())
    run_due(PUSHES)
    assert len(service.got) == 2
    assert PushSubscription.objects.get().failed_at is None
    # It asks for longer than the message is worth.
    service.answers["/push/busy"] = (429, {"Retry-After": "999999"})
    announce(event=event, texts={"sv": "Mer mat"}, by=None)
    run_due(PUSHES)
    assert not Job.objects.filter(kind=PUSH, status=JobStatus.WAITING).exists()


def test_a_message_that_is_refused_is_not_sent_again(event: Event, service: Service) -> None:
    [player] = make_players(event, 1)
    told(player, service.browser("large"))
    service.answers["/push/large"] = (413, {})
    announce(event=event, texts={"sv": "Mat"}, by=None)
    run_due(PUSHES)
    assert PushSubscription.objects.count() == 1
    assert not Job.objects.filter(kind=PUSH, status=JobStatus.WAITING).exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.example.org/1",
        "https://user@push.example.org/1",
        "https://",
        "ftp://push.example.org/1",
        "https://push.example.org/" + 1000 * "x",
        "https://push.example.org/\n1",
    ],
)
def test_only_https_endpoints_are_taken(event: Event, service: Service, endpoint: str) -> None:
    [player] = make_players(event, 1)
    fields = service.browser("x").fields | {"endpoint": endpoint}
    with pytest.raises(Refused) as refused:
        subscribe(registration=player, kinds=["drawn"], **fields)
    assert refused.value.code == "bad_endpoint"


@pytest.mark.parametrize("wrong", [{"p256dh": "AAAA"}, {"auth": "!"}, {"p256dh": 900 * "A"}])
def test_keys_that_are_none_are_refused(
    event: Event, service: Service, wrong: dict[str, str]
) -> None:
    [player] = make_players(event, 1)
    with pytest.raises(Refused):
        subscribe(registration=player, kinds=["drawn"], **(service.browser("x").fields | wrong))


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:192.168.0.1"]
)
def test_a_name_that_leads_into_the_own_network_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    found = [(family, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: found)
    connected: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *args: connected.append(args))
    with pytest.raises(requests.ConnectionError):
        public_session().post("https://push.example.org/1", data=b"x", timeout=2)
    with pytest.raises(requests.exceptions.InvalidURL):
        public_session().post("http://push.example.org/1", data=b"x", timeout=2)
    assert connected == []


def test_a_redirect_is_not_followed(event: Event, service: Service) -> None:
    service.answers["/push/a"] = (307, {"Location": f"{service.origin}/push/b"})
    with pytest.raises(requests.TooManyRedirects):
        public_session().post(f"{service.origin}/push/a", data=b"x", timeout=2)
    assert [path for path, _headers, _body in service.got] == ["/push/a"]


def test_being_told_ends_with_the_link_and_has_a_bound(event: Event, service: Service) -> None:
    [player] = make_players(event, 1)
    for number in range(MAX_DEVICES + 2):
        told(player, service.browser(str(number)))
    assert player.push_subscriptions.count() == MAX_DEVICES
    renew_link(registration=player, by=None)
    assert not PushSubscription.objects.exists()


def test_without_a_contact_nobody_is_told(event: Event, service: Service, settings: Any) -> None:
    [player] = make_players(event, 1)
    told(player, phone := service.browser("phone"))
    settings.PUSH_CONTACT = ""
    announce(event=event, texts={"sv": "Mat"}, by=None)
    assert not Job.objects.filter(kind=PUSH).exists()
    with pytest.raises(Refused):
        told(player, phone)
    page = Client().get(reverse("tournaments:player_page", args=[token_of(player)])).text
    assert 'data-push="off"' in page


def test_a_planned_start_is_said_shortly_before(event: Event, service: Service) -> None:
    [player, *_others] = make_players(event, 4)
    told(player, phone := service.browser("phone"))
    draft = draft_heats(event=event, by=None)
    draft.starts_at = timezone.now() + timedelta(hours=3)
    draft.save()
    publish(draw=draft, by=None)
    run_due(PUSHES)
    assert not any("begins." in each["body"] for each in service.read(phone))
    reminder = Job.objects.get(kind=PUSH, status=JobStatus.WAITING)
    before = draft.starts_at - reminder.due_at
    assert before == timedelta(minutes=5)
    service.got.clear()
    event.heats.update(starts_at=timezone.now() + timedelta(minutes=5))
    Job.objects.filter(pk=reminder.pk).update(due_at=timezone.now())
    run_due(PUSHES)
    assert [each["body"] for each in service.read(phone)] == ["Your heat begins."]
