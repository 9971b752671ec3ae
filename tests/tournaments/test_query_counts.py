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
from tournaments.notices.commands.announcements import announce
from tournaments.screens.commands import adopt, make_screen

pytestmark = pytest.mark.pages

#: Page -> the most queries it may take, session and sign-in included.
PAGES = {
    "event": 18,
    "event_now": 17,
    "standings": 9,
    "qualified": 6,
    "standings_export": 3,
    "qualified_export": 3,
    "games_export": 3,
    "deals_export": 6,
    "desk": 25,
    "desk_now": 21,
    "desk_players": 8,
    "check_in": 14,
    # One for each kind of thing that its rows are about, and two more for names.
    "log": 14,
    "floor": 25,
    "floor_now": 25,
    "penalties": 7,
    "player_standings": 11,
    "player_standings_export": 8,
    "event_staff": 7,
    "staff_invite": 6,
    "checklist": 9,
    "registrations_export": 7,
    "register_alike": 5,
    "cash": 14,
    "cash_export": 5,
    "cash_prizes": 22,
    "mail": 10,
    "closing_xlsx": 26,
    "closing_pdf": 26,
    "receipts_pdf": 6,
    "merges": 6,
    "event_settings": 9,
    "announcements": 5,
    "screens": 6,
    "screens_now": 5,
    "sponsors": 6,
    # Each with what interrupts it, and the announcements below it.
    "screen_part seats": 9,
    "screen_part tables": 10,
    "screen_part clock": 11,
    "screen_part waiting": 12,
    "screen_part standings": 11,
    "screen_part qualified": 8,
    "screen_part bracket": 10,
    "screen_part final": 8,
    "screen_part champion": 8,
    "screen_part notices": 7,
    "screen_part sponsors": 8,
    "screen_part sign_up": 7,
    "screen_part black": 5,
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
    for number in range(players):
        make_member(event, Role.FLOOR)
        announce(event=event, texts={"sv": f"Mat {number}"}, by=None)
        adopt(event=event, letters=make_screen()[0].letters, name=f"Bar {number}", by=None)
        event.screen_pictures.create(name="Ek", content=b"x", width=1, height=1, digest=number)
    return event


def _count(client: Client, event: Event, name: str) -> int:
    name, _space, part = name.partition(" ")
    more = {"fmt": "csv"} if name.endswith("_export") else {}
    more |= {"language": "sv", "part": part} if part else {}
    path = url(event, name, **more)
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        # A screen's part is made once for all; this one is another.
        answer = client.get(path, {"anew": "1"} if part else {})
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
