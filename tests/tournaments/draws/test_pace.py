"""About when tables will be free, and how long rounds take."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from tests.tournaments.factories import make_event, make_heats, make_players
from tests.tournaments.playoffs.factories import qualified_event
from tests.tournaments.registration.test_views_desk import text_of
from tournaments.draws.queries.pace import (
    free_at,
    heat_length,
    hours_of_rounds,
    next_draw,
    usual_length,
)
from tournaments.floor.commands.clocks import set_clock
from tournaments.models import Event, Heat, HeatEntry
from tournaments.notices.commands.announcements import announce_break, take_back
from tournaments.playoffs.queries.desk import playoff_desk
from tournaments.registration.queries.player_links import token_of
from tournaments.registration.queries.queue import queue_of

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def text_at(moment: datetime | None) -> str:
    assert moment is not None
    return f"{timezone.localtime(moment):%H:%M}"


@pytest.fixture
def event() -> Event:
    """Two tables in a room of two, both with running clocks, and six who wait."""
    event = make_event(room_plan="1-2", minutes_per_heat=60)
    drawn = make_heats(event, 8)
    for heat in drawn.heats:
        set_clock(heat=heat, what="start", by=None)
    Heat.objects.filter(pk=drawn.heats[1].pk).update(
        clock_started_at=timezone.now() - timedelta(minutes=20)
    )
    make_players(event, 6)
    return event


def test_the_next_table_is_free_when_its_clock_ends(event: Event) -> None:
    first, second = free_at(event), free_at(event, 2)
    assert first is not None
    assert second is not None
    now = timezone.now()
    assert 39 * MINUTE <= first - now <= 45 * MINUTE
    assert 59 * MINUTE <= second - now <= 65 * MINUTE
    # Rounded up to five minutes.
    assert timezone.localtime(first).minute % 5 == 0
    assert free_at(event, 3) is None


def test_who_waits_longer_than_a_table_is_drawn_for_the_next_one(event: Event) -> None:
    queue = queue_of(event)
    said = [next_draw(event, queue.plan, entry) for entry in queue.waiting]
    assert said == [text_at(free_at(event))] * 4 + [text_at(free_at(event, 2))] * 2


def test_a_stopped_clock_ends_later(event: Event) -> None:
    heat = event.heats.open().order_by("number")[1]
    set_clock(heat=heat, what="pause", by=None)
    before = free_at(event)
    heat.refresh_from_db()
    assert before is not None
    assert before - timezone.now() >= 39 * MINUTE


def test_without_a_clock_the_pace_of_the_tables_counts() -> None:
    event = make_event(room_plan="1-2")
    heats = make_heats(event, 8).heats
    assert (heat_length(event), free_at(event)) == (None, None)
    now = timezone.now()
    Heat.objects.filter(pk=heats[0].pk).update(
        status="finished", opened_at=now - 80 * MINUTE, finished_at=now - 30 * MINUTE
    )
    Heat.objects.filter(pk=heats[1].pk).update(opened_at=now - 30 * MINUTE)
    assert heat_length(event) == 50 * MINUTE
    free = free_at(event)
    assert free is not None
    assert 19 * MINUTE <= free - now <= 25 * MINUTE


@pytest.mark.parametrize("minutes", [60, None])
def test_no_table_is_free_before_a_break_has_ended(minutes: int | None) -> None:
    event = make_event(room_plan="1-2", minutes_per_heat=minutes)
    heats = make_heats(event, 8).heats
    now = timezone.now()
    Heat.objects.filter(pk=heats[0].pk).update(
        status="finished", opened_at=now - 80 * MINUTE, finished_at=now - 30 * MINUTE
    )
    Heat.objects.filter(pk=heats[1].pk).update(opened_at=now - 30 * MINUTE)
    if minutes:
        set_clock(heat=heats[1], what="start", by=None)
    before = free_at(event)
    pause = announce_break(event=event, ends_at=now + 90 * MINUTE, texts={"sv": "Soppa"}, by=None)
    during = free_at(event)
    assert before is not None
    assert during is not None
    assert 84 * MINUTE <= during - before <= 96 * MINUTE
    take_back(event=event, number=pause.pk, by=None)
    again = free_at(event)
    assert again is not None
    assert again - before <= 5 * MINUTE


def test_a_player_who_waits_reads_it(event: Event, client: Client) -> None:
    waiting = list(HeatEntry.objects.waiting().order_by("entered_at", "pk"))
    page = text_of(client.get(f"/p/{token_of(waiting[0].registration)}/"))
    assert f"Next draw about {text_at(free_at(event))}." in page


def test_a_player_for_whom_there_is_a_table_is_in_the_next_draw(client: Client) -> None:
    event = make_event(room_plan="1-2")
    player = make_players(event, 4)[0]
    page = text_of(client.get(f"/p/{token_of(player)}/"))
    assert "You are in the next draw." in page


def test_how_long_the_play_offs_take() -> None:
    event = make_event(minutes_per_heat=60, games_per_heat=3, playoff_games=3, final_games=4)
    assert usual_length(event, 3) == 60 * MINUTE
    # Four rounds of 60 minutes with pauses of 10, and a final of 80.
    assert hours_of_rounds(event, 5) == 6
    assert hours_of_rounds(make_event(slug="no-clock", games_per_heat=3), 1) == 1


def test_the_page_of_the_play_offs_says_it() -> None:
    event = qualified_event(9)
    Heat.objects.update(opened_at=F("finished_at") - 60 * MINUTE)
    coming = playoff_desk(event).coming
    assert coming is not None
    assert coming.way == "9 through 3 rounds, about 3.5 h"
