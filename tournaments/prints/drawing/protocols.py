"""The protocols of all finished heats."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from scoring import paper

from ...core.days import day_of
from ...models import Day, Event, Heat, Job
from ._lists import AFTER, heat_label

LABEL = _("All finished protocols")
WHEN = AFTER


def can_print(event: Event) -> bool:
    """Return whether a heat is finished."""
    return with_tables(event.heats.finished()).exists()


def pdf(job: Job) -> bytes:
    """Return all protocols, each on a new page."""
    heats = list(with_tables(job.event.heats.finished()))
    days = list(job.event.timetable.all())
    return paper.protocols_pdf(
        ((heat.table_id or 0, labels(job, heat, days)) for heat in job.each(heats)),
        language=job.language,
        title=job.event.name,
    )


def with_tables(heats: QuerySet[Heat]) -> QuerySet[Heat]:
    """Return the heats that have score sheets."""
    return heats.filter(table__isnull=False).select_related("table", "stage").order_by("number")


def labels(job: Job, heat: Heat, days: Iterable[Day]) -> paper.Labels:
    """Return the heading of a protocol that a job prints."""
    page = f"{job.site}/e/{job.event.slug}/heats/{heat.number}/" if job.site else ""
    return heading(job.event, heat, days, page)


def heading(event: Event, heat: Heat, days: Iterable[Day], page: str = "") -> paper.Labels:
    """Return a protocol's heading; ``page`` is the heat's public address."""
    return paper.Labels(
        event_name=event.name,
        day=day_of_play(heat, days),
        heat_label=heat_label(heat),
        table_label=str(heat.table_number or ""),
        public_url=page,
    )


def day_of_play(heat: Heat, days: Iterable[Day]) -> str:
    """Return when the heat is played, as planned or else drawn: "1A, 14 November 2026"."""
    moment = heat.starts_at or heat.opened_at
    day = day_of(days, moment)
    date = date_format(timezone.localtime(moment), "DATE_FORMAT")
    return f"{day.name}, {date}" if day else date
