"""Every field of an event and its stages is in its document, or left out by name."""

import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments.factories import make_event, make_players
from tournaments.documents import event_document, import_event
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Day, Event, Stage
from tournaments.models.enums import EventStatus, SessionKind, StageKind, StageStatus

pytestmark = pytest.mark.django_db

NOW = timezone.now()

#: The event's fields that stay with the installation: people and keys of its own.
LEFT_OUT = (
    "organiser",
    "created_at",
    "contact",
    "wifi_name",
    "wifi_password",
    "swish_number",
    "staff_two_factor",
    "mails_players",
    "mail_site",
)

#: A value for every field that is in the document, and none is the default.
CHANGED: dict[str, Any] = {
    "name": "Another",
    "venue": "The old school",
    "starts_on": date(2026, 5, 1),
    "ends_on": date(2026, 5, 3),
    "status": EventStatus.OPEN,
    "rules": "sm",
    "games_per_heat": 2,
    "advance_per_heat": 2,
    "game_points": {"3": [9, 5, 1], "4": [9, 5, 3, 1]},
    "tie_chain": ["game_points", "flip_flop"],
    "out_points": "zero",
    "table_size": 3,
    "room_plan": "1-12, 14",
    "ends_with_heats": True,
    "playoff_advance": [2, 1],
    "playoff_games": 4,
    "final_games": 5,
    "playoff_grouping": "snake",
    "no_show_rule": "nobody",
    "reentry_limit": 4,
    "keep_turn_minutes": 0,
    "minutes_per_heat": 90,
    "time_rule": "game",
    "shot_clock_seconds": 30,
    "results_need_director": True,
    "acceptance": "all",
    "sign_up_opens_at": NOW,
    "sign_up_closes_at": NOW + timedelta(days=1),
    "capacity": 40,
    "penalty_ladder": [{"level": "warning"}, {"level": "points", "points": 5}],
    "penalties_per_offence": False,
    "currency": "EUR",
    "buy_in": 5000,
    "fee": 1000,
    "prizes": {"amounts": [3000, 2000]},
    "prize_added": 700,
    "colour": "#123456",
    "paper_size": "letter",
}


def fields_of(row: Any, *but: str) -> dict[str, Any]:
    names = {field.name for field in row._meta.fields} - {"id", *but}
    return {name: getattr(row, name) for name in names}


def again(event: Event) -> Event:
    document = json.loads(json.dumps(event_document(event)))
    return import_event(document, slug="again")


def test_an_event_keeps_its_settings() -> None:
    made = make_event(**CHANGED)
    event = Event.objects.get(pk=made.pk)
    fields = fields_of(event, "slug", *LEFT_OUT)
    assert fields.keys() == {*CHANGED, "rules_digest"}
    for name in CHANGED.keys() - {"name"}:
        assert fields[name] != Event._meta.get_field(name).get_default(), name
    assert fields_of(Event.objects.get(pk=again(event).pk), "slug", *LEFT_OUT) == fields


def test_what_is_left_out_is_nowhere() -> None:
    event = make_event(contact="Sven 070", wifi_name="Hall", wifi_password="open sesame")
    document = event_document(event)
    assert not set(LEFT_OUT) & {*document, *document["settings"]}


def test_a_stage_keeps_its_settings() -> None:
    event = make_event()
    event.stages.update(
        kind=StageKind.PLAYOFF,
        number=3,
        round=2,
        status=StageStatus.FINISHED,
        advance=2,
        games=5,
        rounds_left=1,
    )
    stage = fields_of(event.stages.get(), "event")
    for name, value in stage.items():
        assert value != Stage._meta.get_field(name).get_default(), name
    assert fields_of(again(event).stages.get(), "event") == stage


def test_a_draft_keeps_how_much_of_the_queue_was_asked_for() -> None:
    event = make_event()
    make_players(event, 8)
    draft_heats(event=event, by=None, tables=1, full=True)
    draft = fields_of(event.draws.get(), "event", "stage", "version", "made_by", "made_at")
    assert draft["wanted"] == {"tables": 1, "full": True}
    made = again(event).draws.get()
    assert fields_of(made, "event", "stage", "version", "made_by", "made_at") == draft


def test_a_day_keeps_its_settings() -> None:
    event = make_event()
    hours = {name: NOW + timedelta(hours=n) for n, name in enumerate(["doors_at", "starts_at"])}
    day = Day(
        event=event,
        name="1A",
        session_kind=SessionKind.HEATS,
        places=12,
        ends_at=NOW + timedelta(hours=9),
        **hours,
    )
    day.save()
    kept = fields_of(Day.objects.get(), "event", "begun_at")
    assert all(kept.values())
    assert fields_of(again(event).timetable.get(), "event", "begun_at") == kept
