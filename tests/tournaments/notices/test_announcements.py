"""Announcements: to whom, until when, in which language, and breaks with the clocks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players
from tournaments.core.clock import clock_of
from tournaments.core.errors import Refused
from tournaments.floor.commands.clocks import set_clock, set_clocks
from tournaments.models import Announcement, Event, LogEntry
from tournaments.models.enums import Audience, LogAction, Role, Visibility
from tournaments.notices.commands.announcements import (
    announce,
    announce_break,
    end_due,
    take_back,
)
from tournaments.notices.queries.announcements import players_in, to_all, to_player, to_table
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db


def texts(shown: list[object]) -> list[str]:
    return [each.text for each in shown]


def test_it_reaches_whom_it_is_for_and_ends_everywhere_when_taken_back(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    heat.table_number = 5
    heat.save()
    [waits] = make_players(event, 1)
    plays = heat.entries.first().registration
    made = {
        audience: announce(
            event=event,
            texts={"sv": f"till {audience}"},
            audience=audience,
            table=5 if audience == Audience.TABLE else None,
            by=None,
        )
        for audience in Audience
    }
    announce(event=event, texts={"sv": "bord 9"}, audience=Audience.TABLE, table=9, by=None)
    assert texts(to_all(event)) == ["till all"]
    assert set(texts(to_player(plays))) == {"till all", "till table", "till playing"}
    assert set(texts(to_player(waits))) == {"till all", "till waiting"}
    assert set(texts(to_table(event, 5))) == {"till all", "till table", "till playing"}
    assert list(players_in(event, Audience.WAITING)) == [waits]
    assert players_in(event, Audience.TABLE, 5).count() == 4
    page = reverse("tournaments:player_page", args=[token_of(waits)])
    public = reverse("tournaments:event", args=[event.slug])
    assert "till waiting" in Client().get(page).text
    assert "till all" in Client().get(public).text
    assert "till waiting" not in Client().get(public).text
    for each in made.values():
        take_back(event=event, number=each.pk, by=None)
    assert "till " not in Client().get(page).text
    assert "till " not in Client().get(public).text
    assert LogEntry.objects.filter(action=LogAction.ANNOUNCED).count() == 6
    with pytest.raises(Refused):
        take_back(event=event, number=made[Audience.ALL].pk, by=None)


def test_it_ends_by_itself(event: Event) -> None:
    announce(
        event=event, texts={"sv": "Mat"}, ends_at=timezone.now() + timedelta(minutes=1), by=None
    )
    assert texts(to_all(event)) == ["Mat"]
    past = timezone.now() - timedelta(minutes=1)
    Announcement.objects.update(made_at=past - timedelta(minutes=1), ends_at=past)
    assert to_all(event) == []


def test_it_is_read_in_the_readers_language_where_it_was_written(event: Event) -> None:
    announce(event=event, texts={"sv": "Maten är klar", "en": "Food is ready"}, by=None)
    announce(event=event, texts={"sv": "Bara svenska", "en": ""}, by=None)
    for language, expected in (
        ("sv", {"Maten är klar", "Bara svenska"}),
        ("en", {"Food is ready", "Bara svenska"}),
    ):
        with translation.override(language):
            assert set(texts(to_all(event))) == expected


def test_hidden_names_stay_hidden(event: Event) -> None:
    [player] = make_players(event, 1)
    player.visibility = Visibility.HIDDEN
    player.save()
    announce(event=event, texts={"sv": f"{player.person.legal_name}, kom hit"}, by=None)
    assert texts(to_all(event)) == [f"Player {player.number}, kom hit"]


def test_a_break_stops_the_clocks_and_lets_go_on_what_it_stopped() -> None:
    event = make_event(minutes_per_heat=60)
    heats = make_heats(event, 8).heats
    set_clocks(event=event, what="start", by=None)
    set_clock(heat=heats[0], what="pause", by=None)
    until = timezone.now() + timedelta(minutes=20)
    made = announce_break(event=event, ends_at=until, texts={"sv": "Paus"}, by=None)
    with pytest.raises(Refused) as refused:
        announce_break(event=event, ends_at=until, texts={"sv": "Paus"}, by=None)
    assert refused.value.code == "break_is_on"

    def states() -> list[str]:
        return [clock_of(heat, event).state for heat in event.heats.order_by("number")]

    assert states() == ["paused", "paused"]
    assert end_due() == 0
    # Twenty minutes later; the worker comes two minutes late.
    gone = timedelta(minutes=22)
    Announcement.objects.update(made_at=made.made_at - gone, ends_at=until - gone)
    for heat in event.heats.all():
        heat.clock_started_at -= gone
        heat.clock_paused_at -= gone
        heat.save()
    assert (end_due(), end_due()) == (1, 0)
    assert states() == ["paused", "running"]
    left = clock_of(event.heats.get(number=heats[1].number), event).left
    assert abs(left - 58 * 60) < 5


def test_ending_a_break_early_starts_the_clocks() -> None:
    event = make_event(minutes_per_heat=60)
    [heat] = make_heats(event, 4).heats
    set_clock(heat=heat, what="start", by=None)
    desk = client_of(event, Role.DIRECTOR)
    later = timezone.localtime(timezone.now() + timedelta(minutes=30))
    path = reverse("tournaments:announce_break", args=[event.slug])
    assert desk.post(path, {"break_ends_at": later.strftime("%H:%M")}).status_code == 303
    heat.refresh_from_db()
    assert clock_of(heat, event).state == "paused"
    [made] = Announcement.objects.all()
    assert set(made.texts) == {"sv", "en"}
    path = reverse("tournaments:announcement_take_back", args=[event.slug])
    desk.post(path, {"announcement": made.pk})
    heat.refresh_from_db()
    assert clock_of(heat, event).state == "running"


def test_a_break_without_clocks_is_only_said(event: Event) -> None:
    make_heats(event, 4)
    until = timezone.now() + timedelta(minutes=20)
    made = announce_break(event=event, ends_at=until, texts={"sv": "Paus"}, by=None)
    take_back(event=event, number=made.pk, by=None)
    assert to_all(event) == []


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 409),
        ({"text_sv": "x" * 161}, 422),
        ({"text_sv": "Hej", "audience": "table"}, 422),
        ({"text_sv": "Hej", "audience": "table", "table": "0"}, 422),
        ({"text_sv": "Hej", "audience": "nobody"}, 422),
        ({"text_sv": "Hej", "ends_at": "99:99"}, 422),
        ({"text_sv": "Hej", "audience": "table", "table": "5", "ends_at": "20:15"}, 303),
    ],
)
def test_what_is_typed_wrong_is_refused_and_kept(
    event: Event, fields: dict[str, str], status: int
) -> None:
    desk = client_of(event, Role.DIRECTOR)
    path = reverse("tournaments:announcements", args=[event.slug])
    answer = desk.post(path, {"audience": "all"} | fields)
    assert answer.status_code == status
    assert Announcement.objects.exists() == (status == 303)
    if status != 303 and "text_sv" in fields:
        assert fields["text_sv"] in answer.text
