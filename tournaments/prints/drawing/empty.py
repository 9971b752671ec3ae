"""Empty protocols of the open heats with their seats as drawn, to be filled in with a pencil."""

from django.utils.translation import gettext_lazy as _

from scoring import paper

from ...models import Event, Job
from ._lists import DAY
from .protocols import labels, with_tables

LABEL = _("Empty protocols of the open heats")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether a heat is being played."""
    return with_tables(event.heats.open()).exists()


def pdf(job: Job) -> bytes:
    days = list(job.event.timetable.all())
    return paper.empty_protocols_pdf(
        [
            paper.paper_heat_of(heat.table_id or 0, labels(job, heat, days))
            for heat in job.each(list(with_tables(job.event.heats.open())))
        ],
        language=job.language,
    )
