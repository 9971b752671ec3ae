"""Double clicks, back and reload: a form that makes something makes it once."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_players
from tests.tournaments.html_forms import form_with
from tests.tournaments.registration.test_views_desk import url
from tournaments.models import Booking, Event, Invitation, Person
from tournaments.models.enums import Role

#: Page, where its form goes, a field of that form, what is typed, what is made, what is typed next.
FORMS = [
    ("sign_up", "sign_up", "website", {"legal_name": "Bo"}, Person, {"legal_name": "Eva"}),
    ("player_register", "player_register", "legal_name", {"legal_name": "Bo"}, Person,
     {"legal_name": "Eva"}),
    ("cash", "cash", "amount", {"kind": "fee", "number": "1", "amount": "50"}, Booking,
     {"amount": "60"}),
    ("staff_invite", "staff_invite", "role", {"role": "floor"}, Invitation, {"role": "director"}),
]  # fmt: skip


def filled(client: Client, event: Event, page: str, field: str) -> dict[str, Any]:
    return dict(form_with(client.get(url(event, page)).content.decode(), field))


@pytest.fixture
def event(db: None) -> Event:
    made = make_event(slug="fest", sign_up_opens_at=timezone.now() - timedelta(hours=1))
    make_players(made, 1)
    return made


@pytest.mark.parametrize(("page", "to", "field", "typed", "model", "other"), FORMS)
def test_same_form_twice_makes_one(
    event: Event, page: str, to: str, field: str, typed: dict[str, str], model: Any, other: Any
) -> None:
    client = client_of(event, Role.OWNER)
    form = filled(client, event, page, field) | typed
    before = model.objects.count()
    first = client.post(url(event, to), form)
    again = client.post(url(event, to), form)
    assert (first.status_code, again.status_code) == (303, 303)
    assert again["Location"] == first["Location"]
    assert model.objects.count() == before + 1
    # Back, and something else typed into the same page: that is another one.
    assert client.post(url(event, to), form | other).status_code == 303
    assert model.objects.count() == before + 2


def test_refused_form_may_be_sent_again(event: Event) -> None:
    client = client_of(event, Role.OWNER)
    form = filled(client, event, "cash", "amount") | {"kind": "fee", "number": "2", "amount": "50"}
    assert client.post(url(event, "cash"), form).status_code == 422
    make_players(event, 1)
    assert client.post(url(event, "cash"), form).status_code == 303
    assert Booking.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_double_click_makes_one() -> None:
    event = make_event(slug="fest")
    make_players(event, 1)
    client = client_of(event, Role.CASHIER)
    form = filled(client, event, "cash", "amount") | {"kind": "fee", "number": "1", "amount": "50"}
    answers: list[int] = []

    def click() -> None:
        other = Client()
        other.cookies = client.cookies
        answers.append(other.post(url(event, "cash"), form).status_code)
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers == [303] * 4
    assert Booking.objects.count() == 1
