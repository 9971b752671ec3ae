"""Order prints of a whole event, which a worker makes; their files are kept for a while."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By, record
from ..core.permissions import RUN_FLOOR, needs
from ..core.queue import ask
from ..core.transitions import transition_job
from ..models import Event, Job, JobFile
from ..models.enums import JobStatus, LogAction
from .drawing import PRINTS, days_of_print

#: The kind of job that makes one.
PRINT = "print"
#: How long a file is kept.
KEPT_FOR = timedelta(days=1)
#: How many files of an event's newest jobs are kept, and jobs are listed: more than there are
#: prints, so that making all of them loses none.
KEPT = 24


@transaction.atomic
@needs(RUN_FLOOR)
def ask_for(
    *,
    event: Event,
    kind: str,
    by: By,
    language: str,
    site: str,
    plain: bool = False,
    day: str = "",
) -> Job:
    """Queue a job, or return the one of this kind that is not done yet.

    ``day`` is one of the print's own ``days``. Refused with ``no_kind``, ``nothing_to_print``, or
    ``no_day``.
    """
    event = lock_event(event)
    if kind not in PRINTS:
        raise Refused("no_kind", _("Choose what to print."))
    if not PRINTS[kind].can_print(event):
        raise Refused("nothing_to_print", _("There is nothing to print yet."))
    if day and day not in dict(days_of_print(PRINTS[kind], event)):
        raise Refused("no_day", _("Nothing was played to its end on that day."))
    return ask(
        PRINT,
        key=f"{event.pk} {kind} {language} {plain:d} {day}",
        what=kind,
        event=event,
        language=language,
        site=site,
        parameters={"plain": plain, "day": day},
        made_by=by,
    )


@transaction.atomic
@needs(RUN_FLOOR)
def cancel(*, event: Event, number: int, by: By) -> None:
    """Cancel a job; its worker stops at the next part. Refused with ``job_is_over``."""
    prints = Job.objects.select_for_update().filter(kind=PRINT, event=event)
    job = prints.filter(pk=number).first()
    if job is None or not job.is_open:
        raise Refused("job_is_over", _("It is no longer being made."))
    transition_job(job, JobStatus.CANCELLED)
    job.claimed_by, job.ended_at = "", timezone.now()
    job.save(update_fields=["status", "claimed_by", "ended_at"])
    record(LogAction.PRINT_CANCELLED, event, by, after={"kind": job.what})


@transaction.atomic
def make_room(*, event: Event) -> None:
    """Delete the event's oldest files, so that one more can be kept."""
    files = JobFile.objects.filter(job__kind=PRINT, job__event=event).order_by("-pk")
    JobFile.objects.filter(pk__in=list(files.values_list("pk", flat=True)[KEPT - 1 :])).delete()


@transaction.atomic
def forget_old() -> None:
    """Delete files that are kept no longer."""
    old = timezone.now() - KEPT_FOR
    JobFile.objects.filter(job__kind=PRINT, job__ended_at__lt=old).delete()
