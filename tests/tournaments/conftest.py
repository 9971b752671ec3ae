"""Fixtures for all tests of tournaments."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.factories import make_event, make_member
from tournaments.models import Event
from tournaments.models.enums import Role


@pytest.fixture
def event(db: None) -> Event:
    return make_event(slug="fest", name="Festival")


@pytest.fixture
def director(event: Event) -> Client:
    """A browser in which the event's director is signed in."""
    return client_of(event, Role.DIRECTOR)


@pytest.fixture
def unrendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make templates render nothing: the status is decided before."""
    monkeypatch.setattr("django.template.base.Template._render", lambda _self, _context: "")


def client_of(event: Event, role: Role) -> Client:
    """Return a browser in which an account with this role is signed in."""
    client = Client()
    client.force_login(make_member(event, role))
    return client
