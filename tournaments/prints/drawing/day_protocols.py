"""The protocols of the last day on which a heat was closed."""

from collections.abc import Sequence
from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy

from scoring import paper

from ...core.days import NIGHT, day_of
from ...models import Day, Event, Heat, Job
from ._when import DAY
from .protocols import labels, with_tables

LABEL = gettext_lazy("The day’s protocols")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether a heat is finished."""
    return with_tables(event.heats.finished()).exists()


def pdf(job: Job) -> bytes:
    """Return that day's protocols, each on a new page with a bookmark."""
    days = list(job.event.timetable.all())
    finished = [
        (_date_of(heat, heat.finished_at, days), heat)
        for heat in with_tables(job.event.heats.finished())
        if heat.finished_at
    ]
    last = max(day for day, _heat in finished)
    heats = [heat for day, heat in finished if day == last]
    return paper.protocols_pdf(
        ((heat.table_id or 0, labels(job, heat, days)) for heat in job.each(heats)),
        language=job.language,
        title=job.event.name,
    )


def _date_of(heat: Heat, finished_at: datetime, days: Sequence[Day]) -> date:
    """Return the date of the day in the timetable to which a heat belongs, past midnight too."""
    day = day_of(days, heat.starts_at or heat.opened_at)
    return timezone.localdate(day.starts_at if day else finished_at - NIGHT)
