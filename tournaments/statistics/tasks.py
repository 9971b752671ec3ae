"""The work of statistics outside requests: ratings."""

from datetime import timedelta

from ..core.queue import Kind
from ..models import Job
from .commands import rate_players
from .queries import changed_organisers


def rate(job: Job) -> None:
    """Rate what was played since, organiser by organiser."""
    for organiser in job.each(changed_organisers()):
        rate_players(organiser=organiser)


KINDS = (Kind("rating", rate, every=timedelta(minutes=1)),)
