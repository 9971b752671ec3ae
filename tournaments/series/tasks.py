"""The work of series outside requests: to take in what has changed in their events."""

from datetime import timedelta

from ..core.queue import Kind
from ..models import Job
from .commands.summaries import summarise
from .queries.changed import changed_events


def refresh(job: Job) -> None:
    """Write the summaries of the events that have changed, each in a transaction of its own."""
    for event in job.each(list(changed_events())):
        summarise(event=event)


KINDS = (Kind("season", refresh, every=timedelta(seconds=15)),)
