"""Long jobs: asked for in a request, done by the worker, wherever that is; their files kept."""

import logging
from datetime import timedelta

from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By
from ..core.transitions import transition_job
from ..models import Event, Job, JobFile, JobTaken
from ..models.enums import JobStatus
from .drawing import PRINTS

logger = logging.getLogger(__name__)

#: A worker that shows no sign of life for so long was killed.
LOST = timedelta(seconds=60)
#: A job that waits for so long was not heard of by a worker.
UNHEARD = timedelta(seconds=10)
#: A job is begun so often.
ATTEMPTS = 2
#: A file is kept for so long.
KEPT_FOR = timedelta(days=1)
#: Files of the newest jobs of an event that are kept.
KEPT = 6


@transaction.atomic
def ask_for(
    *, event: Event, kind: str, by: By, language: str, site: str, plain: bool = False
) -> Job:
    """Put a job in the queue, or return the one of this kind that is not done yet.

    Refused with ``no_kind`` for something that is none, with ``nothing_to_print`` where the event
    has nothing for it.
    """
    event = lock_event(event)
    if kind not in PRINTS:
        raise Refused("no_kind", _("Choose what to print."))
    if not PRINTS[kind].can_print(event):
        raise Refused("nothing_to_print", _("There is nothing to print yet."))
    waiting = event.jobs.filter(
        kind=kind, language=language, plain=plain, status__in=[JobStatus.WAITING, JobStatus.RUNNING]
    ).first()
    if waiting is not None:
        return waiting
    job = Job.objects.create(
        event=event, kind=kind, language=language, site=site, made_by=by, plain=plain
    )
    transaction.on_commit(lambda: _send(job.pk))
    return job


#: The worker's task by its name; the task calls :func:`do_job`, so it stands above this module.
TASK = "tournaments.prints.tasks.task_do_job"


def _send(job: int) -> None:
    try:
        current_app.tasks[TASK].delay(job)
    except Exception:
        # The row is the queue; a worker that looks for itself finds it.
        logger.warning("no worker could be told of job %s", job, exc_info=True)


def do_job(*, job_id: int) -> Job | None:
    """Do a job, once: whoever comes second leaves it alone. A failure is stored and logged.

    Returns None where there is no such job: its event has been deleted since.
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
    """Write how an attempt ended, unless the job is another worker's or nobody's by now."""
    with transaction.atomic():
        now = Job.objects.select_for_update().filter(pk=job.pk, attempts=job.attempts).first()
        if now is not None and now.status == JobStatus.RUNNING:
            transition_job(now, to)
            now.failure, now.ended_at = failure[:200], timezone.now()
            if content:
                now.file = f"{now.event.slug}-{now.kind}-{now.pk}.pdf"
                JobFile.objects.create(job=now, content=content)
                newest = JobFile.objects.filter(job__event=now.event).order_by("-pk")
                JobFile.objects.filter(
                    pk__in=list(newest.values_list("pk", flat=True)[KEPT:])
                ).delete()
            now.save(update_fields=["status", "file", "failure", "ended_at"])
    return now


@transaction.atomic
def cancel(*, event: Event, number: int) -> None:
    """Take a job back that is not done; the worker stops at the next part."""
    job = Job.objects.select_for_update().filter(event=event, pk=number).first()
    if job is None or job.status not in (JobStatus.WAITING, JobStatus.RUNNING):
        raise Refused("job_is_over", _("It is not being made any more."))
    transition_job(job, JobStatus.CANCELLED)
    job.ended_at = timezone.now()
    job.save(update_fields=["status", "ended_at"])


def take_up() -> None:
    """Do what no worker heard of, and once more what a killed one left; a worker calls it often.

    The files that are too old go, too.
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
