"""Letters that the desk writes by mail: to whom, their preview, and the queue."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.jobs import run
from tournaments.core.errors import Refused
from tournaments.models import Event, Job, Registration
from tournaments.models.enums import Audience, Role
from tournaments.notices.commands.letters import write_letter

pytestmark = pytest.mark.django_db


@pytest.fixture
def mailing(event: Event) -> Event:
    make_heats(event, 4)
    make_players(event, 2)
    make_players(event, 1, here=False)
    for player in event.registrations.all():
        player.email = f"p{player.number}@example.org"
        player.save()
    Event.objects.update(mails_players=True, mail_site="http://hall.test")
    event.refresh_from_db()
    return event


@pytest.mark.parametrize(
    ("audience", "count"),
    [(Audience.ALL, 7), (Audience.PLAYING, 4), (Audience.WAITING, 2), (Audience.THROUGH, 0)],
)
def test_it_goes_to_whom_it_is_meant_for_once(
    mailing: Event, audience: Audience, count: int
) -> None:
    letter = {"event": mailing, "audience": audience, "subject": "Mat", "text": "Klar."}
    if not count:
        with pytest.raises(Refused):
            write_letter(**letter, by=None)
        return
    assert write_letter(**letter, by=None) == count
    # Sent twice by mistake, it arrives once; another letter is another one.
    write_letter(**letter, by=None)
    assert Job.objects.filter(kind="mail").count() == count
    write_letter(**letter | {"text": "Slut."}, by=None)
    assert Job.objects.filter(kind="mail").count() == 2 * count


def test_a_part_of_the_day_and_those_who_play_in_any(mailing: Event) -> None:
    parts = [
        mailing.timetable.create(name=name, starts_at=timezone.now(), places=20) for name in "AB"
    ]
    rows = list(mailing.registrations.order_by("number"))
    for player in rows[:5]:
        player.part = parts[player.number % 2]
        player.save()
    letter = {"event": mailing, "subject": "Mat", "text": "Klar.", "by": None}
    meant = {player.number for player in rows if player.part != parts[1]}
    assert write_letter(**letter, audience=Audience.ALL, part=parts[0]) == len(meant) < len(rows)
    asked = Job.objects.filter(kind="mail").values_list("registration__number", flat=True)
    assert set(asked) == meant
    director = client_of(mailing, Role.DIRECTOR)
    path = reverse("tournaments:letter", args=[mailing.slug])
    fields = {"audience": "waiting", "part": parts[1].pk, "subject": "Mat", "text": "Slut."}
    assert director.post(path, fields | {"part": "x"}).status_code == 422
    waiting = director.post(path, fields).context["count"]
    assert waiting == len([player for player in rows[4:6] if player.part != parts[0]])


def test_the_page_shows_a_preview_and_then_sends(mailing: Event) -> None:
    director = client_of(mailing, Role.DIRECTOR)
    path = reverse("tournaments:letter", args=[mailing.slug])
    fields: dict[str, Any] = {"audience": "all", "subject": "Bussen", "text": "Går\n\n18.30"}
    page = director.post(path, fields)
    assert page.status_code == 200
    assert page.context["count"] == 7
    first: Registration = mailing.registrations.order_by("number")[0]
    assert first.person.legal_name in page.context["preview"].text
    assert not Job.objects.filter(kind="mail").exists()
    assert director.post(path, fields | {"send": "1"}).status_code == 303
    run("mail")
    assert {message.to[0] for message in mail.outbox} == {
        player.email for player in mailing.registrations.all()
    }
    assert mail.outbox[0].subject == f"{mailing.name}: Bussen ({first.person.legal_name})"
    assert "18.30" in mail.outbox[0].body
    assert "/p/" in mail.outbox[0].body


def test_nothing_typed_is_lost_where_it_cannot_be_sent(mailing: Event) -> None:
    director = client_of(mailing, Role.DIRECTOR)
    path = reverse("tournaments:letter", args=[mailing.slug])
    fields = {"audience": "all", "subject": "Bussen", "text": "Går", "send": "1"}
    assert director.post(path, fields | {"text": ""}).status_code == 422
    Event.objects.update(mails_players=False)
    refused = director.post(path, fields)
    assert refused.status_code == 409
    assert "Bussen" in refused.text
