"""The work of statistics outside requests: ratings."""

from datetime import timedelta

from ..core.queue import Kind
from ..models import Job
from .commands.rating import store_ratings
from .queries.rating import changed_organisers, rerated


def rate(job: Job) -> None:
    """Rate what was played since, organiser by organiser."""
    for organiser in job.each(changed_organisers()):
        # Worked out before the transaction, which others wait for.
        store_ratings(organiser=organiser, rerated=rerated(organiser))


KINDS = (Kind("rating", rate, every=timedelta(minutes=1)),)
