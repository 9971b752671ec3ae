"""A lost link is sent again, and nobody learns by it who plays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail as box
from django.test import Client
from django.utils import timezone

from tests.tournaments.factories import make_event
from tests.tournaments.jobs import run
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.mail import MAX_LINKS
from tournaments.mail.commands import set_mail
from tournaments.models import Event, Registration
from tournaments.registration.commands.people import register_person, withdraw
from tournaments.registration.queries.player_links import token_of

SITE = "https://chicago.example.org"


@pytest.fixture
def mailing(db: None) -> Event:
    event = make_event(sign_up_opens_at=timezone.now() - timedelta(hours=1))
    set_mail(event=event, on=True, site=SITE, by=None)
    return Event.objects.get(pk=event.pk)


def registered(event: Event, name: str, email: str = "familjen@example.org") -> Registration:
    return register_person(event=event, by=None, legal_name=name, email=email)


def ask(client: Client, event: Event, address: str) -> str:
    """Return what is answered, without the address itself."""
    page = client.post(url(event, "lost_link"), {"email": address}, follow=True)
    assert page.status_code == 200
    return "".join(map(str, page.context["messages"])).replace(address, "…")


def test_each_player_of_the_address_gets_the_link_as_it_was(mailing: Event, client: Client) -> None:
    family = [registered(mailing, name) for name in ("Anna", "Bo")]
    registered(mailing, "Cia", "cia@example.org")
    ask(client, mailing, "Familjen@Example.org")
    run("mail")
    assert sorted(letter.subject.partition("(")[2] for letter in box.outbox) == ["Anna)", "Bo)"]
    tokens = [token_of(Registration.objects.get(pk=player.pk)) for player in family]
    assert all(token in letter.body for token, letter in zip(tokens, box.outbox, strict=True))
    assert client.get(f"/p/{tokens[0]}/").status_code == 200


def test_the_answer_is_the_same_for_a_stranger_and_the_fourth_time(
    mailing: Event, client: Client
) -> None:
    registered(mailing, "Anna")
    answers = {ask(client, mailing, "nobody@example.org")}
    for _again in range(MAX_LINKS + 1):
        answers.add(ask(client, mailing, "familjen@example.org"))
        run("mail")
    assert len(answers) == 1
    assert len(box.outbox) == MAX_LINKS == 3
    mailing.jobs.update(made_at=timezone.now() - timedelta(days=2))
    ask(client, mailing, "familjen@example.org")
    run("mail")
    assert len(box.outbox) == MAX_LINKS + 1


def test_who_has_withdrawn_can_still_see_the_own_page(mailing: Event, client: Client) -> None:
    anna = registered(mailing, "Anna")
    withdraw(registration=anna, by=None)
    run("mail")
    box.outbox.clear()
    ask(client, mailing, "familjen@example.org")
    run("mail")
    assert token_of(Registration.objects.get(pk=anna.pk)) in box.outbox[0].body


def test_an_event_without_mail_says_so(mailing: Event, client: Client) -> None:
    set_mail(event=mailing, on=False, site=SITE, by=None)
    assert b"<form method" not in client.get(url(mailing, "lost_link")).content.partition(b"<h1")[2]
    page = client.post(url(mailing, "lost_link"), {"email": "anna@example.org"})
    assert page.status_code == 409


def test_what_is_no_address_is_kept_and_refused(mailing: Event, client: Client) -> None:
    page = client.post(url(mailing, "lost_link"), {"email": "anna@"})
    assert page.status_code == 422
    assert page.context["form"]["email"].value() == "anna@"
