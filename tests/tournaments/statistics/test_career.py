"""A player's page over all events: only by the player's own word, and nobody's hidden name."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.reading.words import points_text
from tests.tournaments.factories import make_organiser
from tests.tournaments.series.test_series import played, refresh
from tests.tournaments.test_gets_write_nothing import writes
from tournaments.models import Career, Event, LogEntry, Registration
from tournaments.models.enums import EventStatus
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.queries.player_links import token_of
from tournaments.statistics.commands.career import show_career
from tournaments.statistics.drawing import games_drawn, met_bars, points_chart
from tournaments.statistics.queries.career import career_of

pytestmark = pytest.mark.django_db


def two_events() -> tuple[Event, Registration]:
    """Return the first of two events with the same player 1, whose summaries are made."""
    first, second = played(), played("again")
    here, there = first.registrations.get(number=1), second.registrations.get(number=1)
    merge_persons(kept=here.person, merged=there.person, event=first, by=None)
    refresh()
    here.refresh_from_db()
    return first, here


def address(player: Registration) -> str:
    return reverse(
        "tournaments:career", args=[player.event.organiser.slug, player.person.public_id]
    )


def test_there_is_none_without_the_players_word() -> None:
    event, player = two_events()
    assert Client().get(address(player)).status_code == 404
    own = reverse("tournaments:player_page_career", args=[token_of(player)])
    assert Client().get(own).status_code == 200
    client = Client()
    assert client.post(own, {"shown": "1"}).status_code == 303
    assert client.post(own, {"shown": "1"}).status_code == 303
    assert Career.objects.count() == 1
    assert LogEntry.objects.filter(action="career_shown").count() == 1
    page = Client().get(address(player))
    assert player.person.legal_name in page.content.decode()
    assert writes(Client(), address(player)) == []
    # Whoever hides the name at one event of them is on no page over all of them.
    Registration.objects.filter(pk=player.pk).update(visibility="hidden")
    hidden = Client().get(address(player))
    nobody = reverse("tournaments:career", args=[event.organiser.slug, uuid.uuid4()])
    none = Client().get(nobody)
    assert (hidden.status_code, none.status_code) == (404, 404)
    assert len(hidden.content) == len(none.content)
    Registration.objects.filter(pk=player.pk).update(visibility="")
    assert client.post(own, {"shown": "0"}).status_code == 303
    assert Client().get(address(player)).status_code == 404


def test_all_events_of_one_organiser_are_on_it() -> None:
    event, player = two_events()
    show_career(registration=player, shown=True)
    found = career_of(event.organiser, player.person.public_id)
    assert found is not None
    assert [row.games for row in found.events] == [3, 3]
    assert all(row.place for row in found.events)
    assert found.games == 6
    assert len(found.opponents) == 6
    assert all(row.games == row.ahead + row.behind == 3 for row in found.opponents)
    assert found.compares
    assert sum(row.came for row in found.hands) >= found.won
    assert found.best is not None
    assert found.rating is None
    other = player.event.registrations.get(number=2)
    type(other.person).objects.filter(pk=other.person_id).update(visibility="hidden")
    again = career_of(event.organiser, player.person.public_id)
    assert again is not None
    assert len(again.opponents) == 5
    assert career_of(make_organiser(), player.person.public_id) is None
    Event.objects.filter(pk=event.pk).update(status=EventStatus.DRAFT)
    fewer = career_of(event.organiser, player.person.public_id)
    assert fewer is not None
    assert len(fewer.events) == 1


def test_its_pictures_are_the_same_to_the_byte_and_show_no_hidden_name() -> None:
    event, player = two_events()
    show_career(registration=player, shown=True)
    found = career_of(event.organiser, player.person.public_id)
    assert found is not None
    assert {each.name for each in games_drawn(found)} == {"best", "worst"}
    chart = points_chart(found)
    assert chart is not None
    # The points behind the picture are those of the games.
    means = [row[1] for row in chart.rows]
    assert means == [points_text(row.points / row.games) for row in reversed(found.events)]
    assert all(row.games == 3 for row, _bar in met_bars(found.opponents))
    page = Client().get(address(player)).content
    assert page == Client().get(address(player)).content
    ids = re.findall(rb' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert page.count(b"<svg") >= 3 + len(found.opponents)
    met = player.event.registrations.get(number=2).person
    assert met.legal_name in page.decode()
    # Both events have a player of this name.
    type(met).objects.filter(legal_name=met.legal_name).update(visibility="hidden")
    assert met.legal_name not in Client().get(address(player)).content.decode()


def test_statements_do_not_grow() -> None:
    _event, player = two_events()
    show_career(registration=player, shown=True)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(address(player)).status_code == 200
        return len(queries)

    few = asked()
    third = played("third")
    again = third.registrations.get(number=1)
    merge_persons(kept=player.person, merged=again.person, event=third, by=None)
    refresh()
    # Two games are read with their sheets; typed words in one need another statement.
    assert max(few, asked()) <= 20
