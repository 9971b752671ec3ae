"""Long jobs: queued by a request, done by a worker on any host.

Their files are kept for a while.
"""

import logging
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.listing import file_name
from ..core.locks import lock_event
from ..core.log import By, record
from ..core.transitions import transition_job
from ..models import Event, Job, JobFile, JobTaken
from ..models.enums import JobStatus, LogAction
from .drawing import PRINTS, days_of_print

logger = logging.getLogger(__name__)

#: A worker that has reported nothing for this long was killed.
LOST = timedelta(seconds=60)
#: A job that has waited this long was missed by the workers.
UNHEARD = timedelta(seconds=10)
#: How often a job is tried.
ATTEMPTS = 2
#: How long a file is kept.
KEPT_FOR = timedelta(days=1)
#: How many files of an event's newest jobs are kept, and jobs are listed: more than there are
#: prints, so that making all of them loses none.
KEPT = 24


@transaction.atomic
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
    same = {"kind": kind, "language": language, "plain": plain, "day": day}
    waiting = event.jobs.filter(**same, status__in=[JobStatus.WAITING, JobStatus.RUNNING]).first()
    if waiting is not None:
        return waiting
    job = Job.objects.create(event=event, site=site, made_by=by, **same)
    transaction.on_commit(lambda: _send(job.pk))
    return job


#: The worker's task, by name, because its module imports this one.
TASK = "tournaments.prints.tasks.task_do_job"


def _send(job: int) -> None:
    try:
        import_string(settings.JOBS).send_task(TASK, [job])
    except Exception:
        # The row itself is the queue: a worker looking for work will find it.
        logger.warning("no worker could be told of job %s", job, exc_info=True)


def do_job(*, job_id: int) -> Job | None:
    """Do a job, once; a second worker leaves it alone. A failure is stored and logged.

    Returns None if the job no longer exists, because its event was deleted.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None or job.status != JobStatus.WAITING:
            return job
        transition_job(job, JobStatus.RUNNING)
        job.attempts += 1
        job.alive_at = timezone.now()
        job.save(update_fields=["status", "attempts", "alive_at"])
    try:
        with translation.override(job.language):
            content = PRINTS[job.kind].pdf(job)
        job.say_alive()
    except JobTaken:
        return Job.objects.filter(pk=job_id).first()
    except Exception as error:
        logger.exception("job %s failed", job_id)
        return _end(job, JobStatus.FAILED, failure=type(error).__name__)
    return _end(job, JobStatus.DONE, content=content)


def _end(job: Job, to: JobStatus, *, content: bytes = b"", failure: str = "") -> Job | None:
    """Store how an attempt ended, unless the job was cancelled or taken over."""
    with transaction.atomic():
        now = Job.objects.select_for_update().filter(pk=job.pk, attempts=job.attempts).first()
        if now is not None and now.status == JobStatus.RUNNING:
            transition_job(now, to)
            now.failure, now.ended_at = failure[:200], timezone.now()
            if content:
                with translation.override(now.language):
                    now.file = file_name(now.event, f"{PRINTS[now.kind].LABEL} {now.pk}", "pdf")
                JobFile.objects.create(job=now, content=content)
                newest = JobFile.objects.filter(job__event=now.event).order_by("-pk")
                JobFile.objects.filter(
                    pk__in=list(newest.values_list("pk", flat=True)[KEPT:])
                ).delete()
            now.save(update_fields=["status", "file", "failure", "ended_at"])
    return now


@transaction.atomic
def cancel(*, event: Event, number: int, by: By) -> None:
    """Cancel a job; its worker stops at the next part. Refused with ``job_is_over``."""
    job = Job.objects.select_for_update().filter(event=event, pk=number).first()
    if job is None or job.status not in (JobStatus.WAITING, JobStatus.RUNNING):
        raise Refused("job_is_over", _("It is no longer being made."))
    transition_job(job, JobStatus.CANCELLED)
    job.ended_at = timezone.now()
    job.save(update_fields=["status", "ended_at"])
    record(LogAction.PRINT_CANCELLED, event, by, after={"kind": job.kind})


def take_up() -> None:
    """Do jobs that workers missed, and retry those of killed ones; a worker calls this often.

    Deletes old files, too.
    """
    now = timezone.now()
    lost = Q(alive_at__lt=now - LOST) | Q(alive_at=None, made_at__lt=now - LOST)
    for job in Job.objects.filter(lost, status=JobStatus.RUNNING):
        logger.warning("job %s was left by its worker", job.pk)
        if job.attempts >= ATTEMPTS:
            _end(job, JobStatus.FAILED, failure="worker killed")
        else:
            _end(job, JobStatus.WAITING)
    waiting = Job.objects.filter(status=JobStatus.WAITING, made_at__lt=now - UNHEARD)
    for number in waiting.order_by("pk").values_list("pk", flat=True):
        do_job(job_id=number)
    JobFile.objects.filter(job__ended_at__lt=now - KEPT_FOR).delete()
