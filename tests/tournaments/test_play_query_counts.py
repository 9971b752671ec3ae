"""Pages of draws and play-offs take as many queries for many rows as for few."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.playoffs.factories import close, prepared, qualified_event
from tests.tournaments.registration.test_views_desk import url
from tournaments.draws.commands.drafts import draft_heats, draft_round, publish
from tournaments.draws.commands.seating_constraints import keep_apart, set_fixed_table
from tournaments.models import Event
from tournaments.models.enums import Role
from tournaments.playoffs.commands import mark_absent

pytestmark = pytest.mark.pages

#: Page -> the most queries it may take, session and sign-in included.
PLAYED = {
    "playoffs": 14,
    "playoffs_now": 14,
    "playoffs_round": 10,
    "playoffs_svg": 8,
    "playoffs_pdf": 8,
    "result": 20,
    "result_export": 16,
    "rounds": 22,
    "draws": 6,
    "draw": 10,
    "champion": 8,
    "hands": 9,
}


def count(client: Client, event: Event, name: str, **more: object) -> int:
    path = url(event, name, **more)
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(queries)


def assert_same(few: dict[str, int], many: dict[str, int], most: dict[str, int]) -> None:
    grown = [
        (name, few[name], many[name], limit)
        for name, limit in most.items()
        if many[name] > few[name] or many[name] > limit
    ]
    assert grown == []


def played(heats: int) -> dict[str, int]:
    """Count for an event with a round that has been played."""
    event = qualified_event(heats)
    stage = prepared(event)
    mark_absent(player=stage.players.order_by("order")[0], by=None)
    draw = draft_round(stage=stage, by=None)
    for heat in publish(draw=draw, by=None).heats:
        close(heat)
    client = client_of(event, Role.DIRECTOR)
    more: dict[str, dict[str, object]] = {
        "result_export": {"fmt": "csv"},
        "draw": {"number": draw.number},
        "playoffs_round": {"number": 1},
    }
    return {name: count(client, event, name, **more.get(name, {})) for name in PLAYED}


def test_pages_of_a_played_round(db: None) -> None:
    assert_same(played(9), played(12), PLAYED)


def ready(heats: int) -> dict[str, int]:
    """Count for an event whose round is prepared, then drafted."""
    event = qualified_event(heats)
    stage = prepared(event)
    client = client_of(event, Role.DIRECTOR)
    found = {"rounds": count(client, event, "rounds"), "playoffs": count(client, event, "playoffs")}
    draw = draft_round(stage=stage, by=None)
    found["draft"] = count(client, event, "draft", number=draw.number)
    return found


def test_pages_of_a_prepared_round(db: None) -> None:
    assert_same(ready(6), ready(7), {"rounds": 24, "playoffs": 12, "draft": 20})


def queue(players: int) -> dict[str, int]:
    """Count for a draft of a queue with seating constraints."""
    event = qualified_event(1)
    made = make_players(event, players)
    for one, other in pairwise(made):
        keep_apart(event=event, one=one, other=other, by=None)
    for number, player in enumerate(made[: players // 3], start=20):
        set_fixed_table(registration=player, table=number, by=None)
    draw = draft_heats(event=event, by=None)
    client = client_of(event, Role.DIRECTOR)
    found = {
        name: count(client, event, name, number=draw.number) for name in ("draft", "draft_state")
    }
    found["seating_constraints"] = count(client, event, "seating_constraints")
    return found


def test_draft_and_seating_constraints(db: None) -> None:
    assert_same(queue(3), queue(9), {"draft": 18, "draft_state": 14, "seating_constraints": 14})


def test_queue_on_the_desk(db: None) -> None:
    counted = []
    for players in (3, 9):
        event = qualified_event(1)
        make_heats(event, 3)
        make_players(event, players)
        counted.append({"desk": count(client_of(event, Role.DIRECTOR), event, "desk")})
    assert_same(counted[0], counted[1], {"desk": 26})
