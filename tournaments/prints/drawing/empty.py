"""Empty protocols of the open heats, their drawn seats on them, for a pencil."""

from django.utils.translation import gettext_lazy as _

from scoring import paper

from ...models import Event, Job
from ._when import DAY
from .protocols import labels, with_tables

LABEL = _("Empty protocols of the open heats")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Say whether a heat is being played."""
    return with_tables(event.heats.open()).exists()


def pdf(job: Job) -> bytes:
    """Return an empty protocol for every heat."""
    return paper.empty_protocols_pdf(
        [
            paper.paper_heat_of(heat.table_id or 0, labels(job, heat))
            for heat in job.each(list(with_tables(job.event.heats.open())))
        ],
        language=job.language,
    )
