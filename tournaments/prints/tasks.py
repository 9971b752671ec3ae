"""Prints as jobs of the queue."""

from ..core.listing import file_name
from ..core.queue import File, Kind
from ..models import Job
from ..models.enums import JobStatus
from .commands import PRINT, make_room
from .drawing import PRINTS
from .drawing._lists import Order


def make(job: Job) -> File:
    """Make the file, in the active language."""
    event, each = job.event, PRINTS[job.what]
    assert event is not None
    earlier = event.jobs.filter(kind=PRINT, what=job.what, status=JobStatus.DONE, pk__lt=job.pk)
    same = earlier.filter(parameters__day=job.parameters.get("day", "")).order_by("-pk").first()
    order = Order(
        event,
        job.language,
        job.site,
        **job.parameters,
        by=job.made_by,
        each=job.each,
        replaces=same.ended_at if same else None,
    )
    content = each.pdf(order)
    make_room(event=event)
    return File(file_name(event, f"{each.LABEL} {job.pk}", "pdf"), content)


KINDS = (Kind(PRINT, make),)
