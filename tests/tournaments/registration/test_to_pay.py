"""What the player's own page says after a sign-up: money, days, whom to ask, and the mail."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.factories import make_event
from tests.tournaments.jobs import now_failed, run
from tournaments.events.commands.events import set_timetable
from tournaments.mail.commands import set_mail
from tournaments.models import Day, Event, Registration
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.sign_up import sign_up
from tournaments.registration.queries.player_links import token_of
from tournaments.registration.queries.to_pay import signed_up

START = timezone.now() + timedelta(days=30)


@pytest.fixture
def event(db: None) -> Event:
    made = make_event(
        name="SM",
        sign_up_opens_at=timezone.now() - timedelta(hours=1),
        buy_in=30000,
        fee=5000,
        swish_number="1231231231",
        contact="Carin, carin@example.org",
    )
    days = [Day(name=name, starts_at=START + timedelta(days=n)) for n, name in enumerate("12")]
    set_timetable(event=made, days=days, by=None)
    return Event.objects.get(pk=made.pk)


def said(player: Registration) -> dict[str, str]:
    found = signed_up(Registration.objects.get(pk=player.pk))
    assert found is not None
    return {detail.label: detail.text for detail in found.details} | {"mail": found.mail}


def test_money_days_and_contact_are_said(event: Event) -> None:
    player = sign_up(event=event, legal_name="Anna", email="anna@example.org")
    found = said(player)
    assert found["You owe"].startswith("350")
    assert "1231231231" in found["How to pay"]
    assert f"SM, {player.number} Anna" in found["How to pay"]
    assert {"1", "2", "Contact"} <= set(found)
    assert "No e-mail" in found["mail"]


def test_the_mail_and_its_address_are_said(event: Event) -> None:
    set_mail(event=event, on=True, site="https://chicago.example.org", by=None)
    event.refresh_from_db()
    player = sign_up(event=event, legal_name="Anna", email="anna@example.org")
    assert "on its way to anna@example.org" in said(player)["mail"]
    run("mail")
    assert "was sent to anna@example.org" in said(player)["mail"]
    now_failed(kind="mail")
    assert "could not be sent" in said(player)["mail"]


def test_who_is_here_or_pays_nothing_reads_no_more_of_it(event: Event) -> None:
    player = sign_up(event=event, legal_name="Anna")
    check_in(registration=player, by=None)
    assert signed_up(Registration.objects.get(pk=player.pk)) is None
    free = make_event(sign_up_opens_at=timezone.now() - timedelta(hours=1))
    assert "You owe" not in said(sign_up(event=free, legal_name="Bo"))


def test_the_page_shows_it(event: Event, client: Client) -> None:
    player = sign_up(event=event, legal_name="Anna")
    page = client.get(reverse("tournaments:player_page", args=[token_of(player)]))
    assert b'id="signed-up"' in page.content
