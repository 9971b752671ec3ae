"""The protocols of the last day on which a heat was closed."""

from django.utils import timezone
from django.utils.translation import gettext_lazy

from scoring import paper

from ...models import Event, Job
from ._when import DAY
from .protocols import labels, with_tables

LABEL = gettext_lazy("The day’s protocols")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether a heat is finished."""
    return with_tables(event.heats.finished()).exists()


def pdf(job: Job) -> bytes:
    """Return that day's protocols, each on a new page with a bookmark."""
    finished = [
        (timezone.localdate(heat.finished_at), heat)
        for heat in with_tables(job.event.heats.finished())
        if heat.finished_at
    ]
    last = max(day for day, _heat in finished)
    heats = [heat for day, heat in finished if day == last]
    return paper.protocols_pdf(
        ((heat.table_id or 0, labels(job, heat)) for heat in job.each(heats)),
        language=job.language,
        title=job.event.name,
    )
