"""A player gets everything that is kept of them at an event as one file."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.factories import finished_heat
from tournaments.cash.commands import book
from tournaments.models import Event
from tournaments.models.enums import BookingKind
from tournaments.registration.commands.people import change_player
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db


def test_the_file_has_names_contacts_results_payments_and_log(event: Event) -> None:
    finished_heat(event)
    player = event.registrations.order_by("number")[0]
    change_player(registration=player, by=None, email="anna@example.org", note="allergic to nuts")
    book(event=event, kind=BookingKind.FEE, amount=5000, registration=player, by=None)
    answer = Client().get(f"/p/{token_of(player)}/my-data.json")
    assert answer["Content-Disposition"].startswith("attachment")
    kept = answer.json()
    assert kept["person"]["name"] == player.person.legal_name
    assert kept["registration"]["email"] == "anna@example.org"
    assert kept["registration"]["note"] == "allergic to nuts"
    assert [row["heat"] for row in kept["heats"]] == [1]
    assert [row["amount"] for row in kept["payments"]] == [5000]
    assert "registered" in [row["action"] for row in kept["log"]]


def test_nobody_else_is_in_it(event: Event) -> None:
    finished_heat(event)
    first, other = event.registrations.order_by("number")[:2]
    text = Client().get(f"/p/{token_of(first)}/my-data.json").content.decode()
    assert other.person.family_name not in text
