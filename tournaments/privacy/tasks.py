"""The work of privacy outside requests: to delete what is kept no longer."""

from datetime import timedelta

from ..core.queue import Kind
from ..models import Job
from .commands import forget_contacts, forget_old_looks
from .queries import overdue


def forget(job: Job) -> None:
    """Delete contacts whose time is over, event by event, each in a transaction of its own."""
    for event in job.each(overdue()):
        forget_contacts(event=event)
    forget_old_looks()


KINDS = (Kind("contacts", forget, every=timedelta(hours=1)),)
