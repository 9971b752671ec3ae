"""List pages take as many queries for many rows as for one."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_member,
    make_players,
)
from tests.tournaments.registration.test_views_desk import url
from tournaments.floor.commands.penalties import give_penalty
from tournaments.models import Event
from tournaments.models.enums import Role

pytestmark = pytest.mark.pages

#: Page -> the most queries it may take, session and sign-in included.
PAGES = {
    "event": 18,
    "event_now": 17,
    "standings": 9,
    "qualified": 6,
    "standings_export": 3,
    "qualified_export": 3,
    "desk": 26,
    "desk_now": 21,
    "desk_players": 8,
    "check_in": 14,
    "log": 8,
    "floor": 26,
    "floor_now": 26,
    "penalties": 7,
    "player_standings": 11,
    "player_standings_export": 8,
    "event_staff": 7,
    "staff_invite": 6,
    "checklist": 8,
    "registrations_export": 6,
    "register_alike": 5,
    "cash": 16,
    "cash_export": 5,
    "cash_prizes": 22,
    "mail": 9,
    "closing_xlsx": 26,
    "closing_pdf": 26,
    "receipts_pdf": 6,
    "merges": 6,
    "event_settings": 9,
}


def _filled(heats: int, tables: int, players: int) -> Event:
    """Return an event with this many finished heats, open tables and waiting players."""
    event = make_event(games_per_heat=1, advance_per_heat=3)
    for _ in range(heats):
        finished_heat(event, 3)
    for heat in make_heats(event, 4 * tables).heats:
        entry = heat.entries.select_related("registration__person").first()
        assert entry is not None
        give_penalty(
            heat=heat,
            registration=entry.registration,
            level="warning",
            offence="slow",
            by=None,
            client_id=uuid.uuid4(),
            seen_version=0,
        )
    make_players(event, players)
    for _ in range(players):
        make_member(event, Role.FLOOR)
    return event


def _count(client: Client, event: Event, name: str) -> int:
    more = {"fmt": "csv"} if name.endswith("_export") else {}
    path = url(event, name, **more)
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(queries)


@pytest.fixture
def owner(db: None) -> Callable[[Event], Client]:
    """Return a function that signs in the owner of an event."""

    def sign_in(event: Event) -> Client:
        client = Client()
        client.force_login(
            User.objects.get(tournament_roles__role="owner", tournament_roles__event=event)
        )
        return client

    return sign_in


def test_queries_do_not_grow_with_rows(owner: Callable[[Event], Client]) -> None:
    one, many = _filled(1, 1, 1), _filled(3, 5, 5)
    grown = []
    for name, most in PAGES.items():
        few = _count(owner(one), one, name)
        lots = _count(owner(many), many, name)
        if lots > few or lots > most:
            grown.append((name, few, lots, most))
    assert grown == []


def test_the_home_pages_queries_do_not_grow(db: None, client: Client) -> None:
    make_event()
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    for _ in range(30):
        make_event()
    with CaptureQueriesContext(connection) as lots:
        client.get("/")
    assert len(lots) == len(few)
