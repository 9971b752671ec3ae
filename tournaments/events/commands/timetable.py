"""Change the timetable of an event."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from ...core.locks import lock_event
from ...core.log import By, record
from ...core.times import stored_times
from ...models import Day, Event
from ...models.enums import LogAction


def as_json(days: Sequence[Day]) -> list[dict[str, Any]]:
    """Return the days as stored in the log and in event documents."""
    return [{"name": day.name} | stored_times(day) for day in days]


@transaction.atomic
def set_timetable(*, event: Event, days: Sequence[Day], by: By) -> None:
    """Replace the event's days by these."""
    event = lock_event(event)
    before = as_json(list(event.timetable.all()))
    after = as_json(sorted(days, key=lambda day: day.starts_at))
    if before == after:
        return
    event.timetable.all().delete()
    for day in days:
        day.pk, day.event = None, event
        day.full_clean()
        day.save(force_insert=True)
    record(LogAction.TIMETABLE, event, by, before={"timetable": before}, after={"timetable": after})
