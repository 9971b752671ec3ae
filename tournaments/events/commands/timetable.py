"""Change the timetable of an event."""

from collections.abc import Sequence

from django.db import transaction

from ...core.locks import lock_event
from ...core.log import By, record
from ...core.times import stored_days
from ...models import Day, Event
from ...models.enums import LogAction


@transaction.atomic
def set_timetable(*, event: Event, days: Sequence[Day], by: By) -> None:
    """Replace the event's days by these."""
    event = lock_event(event)
    before = stored_days(list(event.timetable.all()))
    after = stored_days(sorted(days, key=lambda day: day.starts_at))
    if before == after:
        return
    event.timetable.all().delete()
    for day in days:
        day.pk, day.event = None, event
        day.full_clean()
        day.save(force_insert=True)
    record(LogAction.TIMETABLE, event, by, before={"timetable": before}, after={"timetable": after})
