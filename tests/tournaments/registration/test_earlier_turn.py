"""Players who leave the queue and return keep their place for as long as the event allows."""

from __future__ import annotations

from datetime import timedelta

from tests.tournaments.factories import make_event, make_players
from tournaments.draws.queries.plan import drawable, open_stage
from tournaments.models import Event, HeatEntry
from tournaments.registration.commands.check_in import (
    check_in,
    enter_heat,
    leave_queue,
    undo_check_in,
)


def queue(event: Event) -> list[int]:
    return [entry.registration.number for entry in drawable(event, open_stage(event))]


def test_a_place_is_kept_for_a_while(db: None) -> None:
    event = make_event(keep_turn_minutes=10)
    first, *_others = make_players(event, 3)
    leave_queue(registration=first, by=None)
    assert queue(event) == [2, 3]
    enter_heat(registration=first, by=None)
    assert queue(event) == [1, 2, 3]
    undo_check_in(registration=first, by=None)
    check_in(registration=first, by=None)
    assert queue(event) == [1, 2, 3]


def test_a_place_is_lost_later_or_if_the_event_keeps_none(db: None) -> None:
    for minutes, ago in ((10, 11), (0, 0)):
        event = make_event(keep_turn_minutes=minutes)
        first, *_others = make_players(event, 3)
        leave_queue(registration=first, by=None)
        entry = HeatEntry.objects.get(registration=first)
        assert entry.ended_at is not None
        entry.ended_at -= timedelta(minutes=ago)
        entry.save(update_fields=["ended_at"])
        enter_heat(registration=first, by=None)
        assert queue(event) == [2, 3, 1]
