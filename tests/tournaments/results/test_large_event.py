"""The pages of a large event (1,000 registrations, 400 heats) need few queries.

The rows are copies of one heat that was really played, written straight into the tables: playing
four hundred would take longer than the pages that are measured here.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import Sheet, Table
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.models import (
    Event,
    GameResult,
    Heat,
    HeatEntry,
    HeatGame,
    HeatResult,
    Person,
    Qualification,
    Registration,
)
from tournaments.models.enums import RegistrationStatus, Role

PLAYERS, HEATS, SEATS = 1000, 400, 4

#: Page, its query string, and the maximum number of SQL queries.
PUBLIC = [
    ("standings", {}, 10),
    ("standings", {"page": "20"}, 10),
    ("standings", {"sort": "-share"}, 10),
    ("standings_export", {}, 10),
    ("player_standings", {}, 12),
    ("player_standings_export", {}, 12),
    ("qualified", {}, 10),
    ("qualified_export", {}, 10),
    ("result", {}, 20),
    ("result_export", {}, 16),
    ("event", {}, 18),
    ("event_find", {"q": "player 7"}, 12),
]
STAFF = [
    ("desk", {}, 20),
    ("desk_players", {"page": "30"}, 10),
    ("desk_players", {"q": "player 99"}, 10),
    ("floor", {}, 20),
    ("log", {}, 10),
    ("registrations_export", {}, 10),
    ("cash", {}, 20),
]


def copies(pattern: Model, rows: list[dict[str, Any]]) -> list[Any]:
    """Write copies of a row, each with some fields of its own."""
    model = type(pattern)
    names = [field.attname for field in pattern._meta.concrete_fields if not field.primary_key]
    shared = {name: getattr(pattern, name) for name in names}
    made = [model(**shared | row) for row in rows]
    return list(model._base_manager.bulk_create(made, batch_size=500))


def large_event() -> Event:
    event = make_event(slug="large", name="Large")
    first = finished_heat(event, SEATS)
    people = Person.objects.bulk_create(
        Person(
            organiser=event.organiser,
            legal_name=f"Player {number}",
            search_text=f"player {number}",
        )
        for number in range(1, PLAYERS - SEATS + 1)
    )
    Registration.objects.bulk_create(
        Registration(
            event=event,
            person=person,
            number=number,
            status=RegistrationStatus.CHECKED_IN,
            checked_in_at=timezone.now(),
        )
        for number, person in enumerate(people, start=SEATS + 1)
    )
    players = list(event.registrations.order_by("number"))
    copy_heats(event, first, players)
    return event


def copy_heats(event: Event, first: Heat, players: list[Registration]) -> None:
    """Write all heats but the first, each with its sheets and results."""
    assert first.table is not None
    table, numbers = Table.objects.get(pk=first.table_id), range(2, HEATS + 1)
    seated = {
        number: [players[((number - 1) * SEATS + seat) % PLAYERS] for seat in range(SEATS)]
        for number in numbers
    }
    tables = copies(table, [{"public_id": uuid.uuid4()} for _number in numbers])
    heats = copies(
        first,
        [
            {"number": number, "table_id": made.pk}
            for number, made in zip(numbers, tables, strict=True)
        ],
    )
    rounds = {number: 1 + ((number - 1) * SEATS) // PLAYERS for number in numbers}
    patterns = list(first.entries.order_by("pk"))
    entries = copies(
        patterns[0],
        [
            {"heat_id": heat.pk, "registration_id": player.pk, "number": rounds[heat.number]}
            for heat in heats
            for player in seated[heat.number]
        ],
    )
    by_heat = {heat.pk: entries[i * SEATS :][:SEATS] for i, heat in enumerate(heats)}
    seats = {entry.pk: index for index, entry in enumerate(patterns)}
    for result in HeatResult.objects.filter(heat=first):
        index = seats[result.entry_id]
        copies(
            result,
            [
                {
                    "heat_id": heat.pk,
                    "entry_id": by_heat[heat.pk][index].pk,
                    "ahead_of_id": by_heat[heat.pk][index - 1].registration_id,
                }
                for heat in heats
            ],
        )
    for game in first.games.select_related("sheet"):
        sheets = copies(
            game.sheet,
            [{"public_id": uuid.uuid4(), "table_id": made.pk} for made in tables],
        )
        games = copies(
            game,
            [
                {"heat_id": heat.pk, "sheet_id": sheet.pk}
                for heat, sheet in zip(heats, sheets, strict=True)
            ],
        )
        for result in GameResult.objects.filter(game=game):
            index = seats[result.entry_id]
            copies(
                result,
                [
                    {"game_id": made.pk, "entry_id": by_heat[made.heat_id][index].pk}
                    for made in games
                ],
            )
    copies(
        Qualification.objects.get(heat=first),
        [
            {
                "heat_id": heat.pk,
                "order": heat.number,
                "registration_id": by_heat[heat.pk][0].registration_id,
            }
            for heat in heats
            if rounds[heat.number] == 1
        ],
    )


# test_query_counts checks daily that queries do not grow with rows; this checks the real size.
@pytest.mark.slow
@pytest.mark.django_db
def test_pages_of_a_large_event_need_few_queries() -> None:
    event = large_event()
    assert event.registrations.count() == PLAYERS
    assert event.heats.count() == HEATS
    assert HeatEntry.objects.count() == HeatResult.objects.count() == HEATS * SEATS
    assert HeatGame.objects.count() == Sheet.objects.count() == HEATS * 3
    staff = client_of(event, Role.OWNER)
    asked = {}
    for client, pages in ((Client(), PUBLIC), (staff, STAFF)):
        for name, query, most in pages:
            more = {"fmt": "csv"} if name.endswith("_export") else {}
            path = url(event, name, **more)
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(path, query)
            assert answer.status_code == 200, name
            asked[name, *query.values()] = (len(queries), most)
    assert {page: pair for page, pair in asked.items() if pair[0] > pair[1]} == {}
    rows = text_of(Client().get(url(event, "standings_export", fmt="csv"))).strip().split("\n")
    assert len(rows) == 1 + HEATS * SEATS
