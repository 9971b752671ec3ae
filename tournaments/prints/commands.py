"""Long jobs: asked for in a request, done by the worker, kept as files in the data folder."""

import logging
import secrets
from datetime import timedelta
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By
from ..core.transitions import transition_job
from ..models import Event, Job
from ..models.enums import JobStatus
from .drawing import PRINTS

logger = logging.getLogger(__name__)

#: A job that has run for so long was given up by a worker that is gone.
GIVEN_UP = timedelta(minutes=20)
#: A job that waits for so long may have been lost on the way to the worker.
UNHEARD = timedelta(minutes=1)
#: Files of the newest jobs of an event that are kept.
KEPT = 6


def files() -> Path:
    """Return the folder of the files, made if it is not there."""
    folder = Path(settings.DATA_DIR) / "files"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@transaction.atomic
def ask_for(*, event: Event, kind: str, by: By, language: str, site: str) -> Job:
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
        kind=kind, language=language, status__in=[JobStatus.WAITING, JobStatus.RUNNING]
    ).first()
    if waiting is not None and timezone.now() - waiting.made_at < GIVEN_UP:
        return waiting
    if waiting is not None:
        _fail(waiting, "given up")
    job = Job.objects.create(event=event, kind=kind, language=language, site=site, made_by=by)
    transaction.on_commit(lambda: _send(job.pk))
    return job


#: The worker's task by its name; the task calls :func:`do_job`, so it stands above this module.
TASK = "tournaments.prints.tasks.task_do_job"


def _send(job: int) -> None:
    try:
        current_app.tasks[TASK].delay(job)
    except Exception:
        # Without its queue a job cannot wait; the page says so and it can be asked for again.
        logger.exception("job %s could not be queued", job)
        _fail(Job.objects.get(pk=job), "no queue")


def _fail(job: Job, failure: str) -> None:
    transition_job(job, JobStatus.FAILED)
    job.failure = failure[:200]
    job.ended_at = timezone.now()
    job.save(update_fields=["status", "failure", "ended_at"])


def do_job(*, job_id: int) -> Job | None:
    """Do a job, once: whoever comes second leaves it alone. A failure is stored and logged.

    Returns None where there is no such job: its event has been deleted since.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None or job.status != JobStatus.WAITING:
            return job
        transition_job(job, JobStatus.RUNNING)
        job.save(update_fields=["status"])
    try:
        with translation.override(job.language):
            content = PRINTS[job.kind].pdf(job)
        name = f"{secrets.token_hex(16)}.pdf"
        (files() / name).write_bytes(content)
    except Exception as error:
        logger.exception("job %s failed", job_id)
        _fail(job, type(error).__name__)
        return job
    transition_job(job, JobStatus.DONE)
    job.file = name
    job.ended_at = timezone.now()
    job.save(update_fields=["status", "file", "ended_at"])
    _tidy(job.event)
    return job


def find_lost() -> None:
    """Queue again what no worker has heard of, and give up what ended with its worker."""
    now = timezone.now()
    for job in Job.objects.filter(status=JobStatus.RUNNING, made_at__lt=now - GIVEN_UP):
        logger.warning("job %s ended with its worker", job.pk)
        _fail(job, "given up")
    # Done twice at most once: whoever comes second finds it taken.
    for job in Job.objects.filter(status=JobStatus.WAITING, made_at__lt=now - UNHEARD):
        _send(job.pk)


def _tidy(event: Event) -> None:
    """Delete the files of all but the newest jobs."""
    for old in event.jobs.exclude(file="").order_by("-pk")[KEPT:]:
        (files() / old.file).unlink(missing_ok=True)
