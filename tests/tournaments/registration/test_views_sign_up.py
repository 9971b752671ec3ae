"""The public sign-up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.factories import make_event, make_players
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.models import Event, Person
from tournaments.models.enums import EventStatus
from tournaments.registration.views.sign_up import MOST_PER_ADDRESS

pytestmark = pytest.mark.usefixtures("fresh_cache")

FORM = {"legal_name": "Anna Ek", "visibility": "public", "email": "anna@example.org"}


@pytest.fixture
def open_event(db: None) -> Event:
    return make_event(slug="fest", sign_up_opens_at=timezone.now() - timedelta(hours=1))


def test_signing_up_leads_to_the_own_page(open_event: Event, client: Client) -> None:
    assert "Show my name" in text_of(client.get(url(open_event, "sign_up")))
    answer = client.post(url(open_event, "sign_up"), FORM, follow=True)
    page = text_of(answer)
    assert answer.redirect_chain[0][0].startswith("/p/")
    assert "You are signed up as number 1." in page
    assert "Keep this link" in page
    person = Person.objects.get()
    assert (person.legal_name, person.email) == ("Anna Ek", "anna@example.org")


def test_full_event_has_a_waiting_list(db: None, client: Client) -> None:
    event = make_event(capacity=3, sign_up_opens_at=timezone.now())
    make_players(event, 4, here=False)
    assert "behind 1 other" in text_of(client.get(url(event, "sign_up")))
    page = text_of(client.post(url(event, "sign_up"), FORM, follow=True))
    assert "You are on the waiting list" in page
    assert "Number 2 on the waiting list" in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"legal_name": ""}, "required"),
        ({"legal_name": "123"}, "Give your name"),
        ({"legal_name": "a\x00b"}, "Null characters"),
        ({"legal_name": "A" * 200}, "at most 120"),
        ({"legal_name": "Anna \u202ekE"}, "U+202E"),
        ({"visibility": "nickname"}, "Give the nickname"),
        ({"visibility": "famous"}, "valid choice"),
        ({"email": "x"}, "valid email"),
        ({"website": "http://spam.example"}, "for programs"),
    ],
)
def test_bad_forms_keep_what_was_typed(
    open_event: Event, client: Client, change: dict[str, str], said: str
) -> None:
    answer = client.post(url(open_event, "sign_up"), FORM | {"club": "Typed"} | change)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert 'value="Typed"' in text_of(answer)
    assert not Person.objects.exists()


@pytest.mark.parametrize(
    ("opens", "closes", "said"),
    [(None, None, "no public sign-up"), (1, 2, "opens on"), (-2, -1, "is closed")],
)
def test_outside_its_time(
    db: None, client: Client, opens: int | None, closes: int | None, said: str
) -> None:
    now = timezone.now()
    event = make_event(
        sign_up_opens_at=now + timedelta(hours=opens) if opens else None,
        sign_up_closes_at=now + timedelta(hours=closes) if closes else None,
    )
    assert said in text_of(client.get(url(event, "sign_up")))
    answer = client.post(url(event, "sign_up"), FORM)
    assert answer.status_code == 409
    assert not event.registrations.exists()


def test_twice_is_told(open_event: Event, client: Client) -> None:
    client.post(url(open_event, "sign_up"), FORM)
    answer = client.post(url(open_event, "sign_up"), FORM)
    assert answer.status_code == 409
    assert "gives you your link again" in text_of(answer)


def test_too_many_from_one_address(open_event: Event, client: Client) -> None:
    for _ in range(MOST_PER_ADDRESS):
        client.post(url(open_event, "sign_up"), {})
    answer = client.post(url(open_event, "sign_up"), FORM)
    assert answer.status_code == 429
    assert "Try again in ten minutes" in text_of(answer)
    other = Client(REMOTE_ADDR="192.0.2.9").post(url(open_event, "sign_up"), FORM)
    assert other.status_code == 303


def test_draft_is_not_there(db: None, client: Client) -> None:
    event = make_event(status=EventStatus.DRAFT, sign_up_opens_at=timezone.now())
    assert client.get(url(event, "sign_up")).status_code == 404
