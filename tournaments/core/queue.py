"""The queue: all work outside requests is rows of ``Job``, done by any number of workers.

A row is the truth; Celery only tells a worker that there is one, which finds it within seconds
anyway. A worker has a thread for each kind of work, so that no kind waits for another, and one that
looks for all kinds. It claims a row and says now and then that it is still at it; the row of a
killed worker is claimed again.
"""

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.module_loading import import_string

from ..models import Job, JobFile, JobTaken, Throttle
from ..models.enums import JobStatus
from .errors import Refused
from .transitions import transition_job

logger = logging.getLogger(__name__)

#: The Celery task that wakes a worker's thread.
WAKE = "queue.wake"
#: Seconds between two looks for work, for what is due by the clock, and between signs of life.
POLL, TASK_POLL, HEARTBEAT = 2.0, 15.0, 15.0
#: A worker that has given no sign of life for this long was killed.
LOST = timedelta(seconds=60)
#: A job that takes longer hangs: no signs of life are given for it.
MAX_RUN = timedelta(hours=1)
#: The pause of a throttled kind after a refusal, doubled with each further one.
FIRST_PAUSE, MAX_PAUSE = timedelta(seconds=15), timedelta(minutes=5)
MINUTE = timedelta(minutes=1)
#: How far workers' clocks may differ. What is due later than any pause allows, by more than this,
#: was stored before the clock was set back.
SET_BACK = timedelta(seconds=60)
OPEN = (JobStatus.WAITING, JobStatus.RUNNING)


class TryLater(Exception):
    """A throttled kind's server takes nothing now, which counts as no attempt; says why."""


class GiveUp(Exception):
    """The job failed for good; the message says why."""


@dataclass(frozen=True)
class File:
    """A file that a job reads or makes."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Kind:
    """A kind of work.

    ``work`` does a job and returns its result: JSON or a :class:`File`. ``every`` makes it a
    periodic task. After an unexpected exception it is tried again once for each of ``pauses``; a
    worker starts it at most ``attempts`` times, if workers are killed over it. ``only`` says which
    jobs may be done now; ``after`` is called when no more are due. With ``per_minute`` (0: no
    limit) the kind is throttled: one job at a time in the installation, for a server that may raise
    :class:`TryLater`. ``ahead`` is how long before it is due a job may be asked for.
    """

    name: str
    work: Callable[[Job], Any]
    every: timedelta | None = None
    pauses: tuple[timedelta, ...] = ()
    attempts: int = 2
    only: Q | None = None
    after: Callable[[], None] = lambda: None
    per_minute: Callable[[], int] | None = None
    ahead: timedelta = timedelta()

    @property
    def max_wait(self) -> timedelta:
        """The longest that a job waits."""
        paused = () if self.per_minute is None else (MAX_PAUSE,)
        return self.every or max((self.ahead, *self.pauses, *paused))


def ask(
    kind: str, *, key: str = "", file: File | None = None, nudge: bool = True, **fields: Any
) -> Job:
    """Queue a job, or return the open one of this key."""
    if not key:
        job, made = Job.objects.create(kind=kind, **fields), True
    else:
        job, made = Job.objects.get_or_create(kind=kind, key=key, status__in=OPEN, defaults=fields)
    if made and file is not None:
        JobFile.objects.create(job=job, name=file.name, content=file.content)
    if made and nudge:
        transaction.on_commit(lambda: _nudge(kind))
    return job


def _nudge(kind: str) -> None:
    try:
        import_string(settings.JOBS).send_task(WAKE, [kind])
    except Exception:
        logger.warning("no worker could be told of a job (%s)", kind, exc_info=True)


def due(kind: Kind, worker: str = "") -> QuerySet[Job]:
    """Return the jobs that can be claimed, those of killed workers too."""
    now = timezone.now()
    waiting = Q(due_at__lte=now) | Q(due_at__gt=now + kind.max_wait + SET_BACK)
    # A worker that looks for work has left what it still claims: it could not store the outcome.
    lost = Q(claimed_by=worker) | Q(claimed_at__lt=now - LOST) | Q(claimed_at__gt=now + LOST)
    return Job.objects.filter(
        Q(kind.only or Q(), waiting, status=JobStatus.WAITING) | Q(lost, status=JobStatus.RUNNING),
        kind=kind.name,
    )


def is_due(kind: Kind, worker: str) -> bool:
    """Return whether there is a job to claim; an idle worker needs no lock."""
    if kind.every is not None:
        Job.objects.get_or_create(kind=kind.name, key=kind.name)
    return due(kind, worker).exists()


def claim(kind: Kind, worker: str) -> Job | None:
    """Claim the job that has waited longest for this worker; end those that are not worth doing."""
    while is_due(kind, worker):
        with transaction.atomic():
            if kind.per_minute is not None and not _is_free(kind, worker):
                return None
            found = due(kind, worker).select_for_update(skip_locked=True, of=("self",))
            job = found.order_by("due_at", "pk").first()
            if job is None:
                return None
            now = timezone.now()
            if job.status == JobStatus.RUNNING:
                logger.warning("job %s (%s) was left by its worker", job.pk, kind.name)
                if job.attempts >= kind.attempts:
                    _end(kind, job, failure="worker killed")
                else:
                    _give_back(job)
                continue
            if job.expires_at is not None and job.expires_at <= now:
                _end(kind, job, failure="too late")
                continue
            transition_job(job, JobStatus.RUNNING)
            job.claimed_by, job.claimed_at, job.started_at = worker, now, now
            job.attempts += 1
            job.save(update_fields=["status", "claimed_by", "claimed_at", "started_at", "attempts"])
            return job
    return None


def _give_back(job: Job) -> None:
    transition_job(job, JobStatus.WAITING)
    job.claimed_by = ""
    job.save(update_fields=["status", "claimed_by"])


def begin_again(jobs: QuerySet[Job]) -> None:
    """Give back those of the jobs that are being done: what they have read has changed.

    Those that wait are claimed only once the transaction has ended.
    """
    for job in jobs.select_for_update(of=("self",)).filter(status__in=OPEN):
        if job.status == JobStatus.RUNNING:
            _give_back(job)


def _is_free(kind: Kind, worker: str) -> bool:
    """Lock a throttled kind; return whether nobody does a job of it and its server takes one."""
    Throttle.objects.get_or_create(kind=kind.name)
    throttle = Throttle.objects.select_for_update().get(kind=kind.name)
    running = Job.objects.filter(kind=kind.name, status=JobStatus.RUNNING)
    if running.exclude(pk__in=due(kind, worker).values("pk")).exists():
        return False
    return _free_at(kind, throttle) <= timezone.now()


def _free_at(kind: Kind, throttle: Throttle) -> datetime:
    """Return when a throttled kind's server takes the next job, or the present time."""
    now = timezone.now()
    free_at = throttle.free_at if now < throttle.free_at <= now + MAX_PAUSE + SET_BACK else now
    if rate := kind.per_minute and kind.per_minute():
        ended = Job.objects.filter(kind=kind.name, ended_at__gt=now - MINUTE, ended_at__lte=now)
        for job in ended.order_by("-ended_at")[rate - 1 : rate]:
            if job.ended_at is not None:
                free_at = max(free_at, job.ended_at + MINUTE)
    return free_at


def run_due(kind: Kind, worker: str = "here", stopping: threading.Event | None = None) -> int:
    """Do the jobs of a kind that are due, one after the other; return how many were done."""
    done = 0
    try:
        while not (stopping and stopping.is_set()) and (job := claim(kind, worker)):
            _do(kind, job)
            done += 1
    finally:
        kind.after()
    return done


def _do(kind: Kind, job: Job) -> None:
    """Do a claimed job and store the outcome, unless it was cancelled or taken over."""
    try:
        with translation.override(job.language):
            result = kind.work(job)
    except JobTaken:
        return
    except TryLater as error:
        _postpone(job, str(error))
    except GiveUp as error:
        _end_own(kind, job, failure=str(error))
    except Refused as error:
        _end_own(kind, job, failure=error.code, result=error.params)
    except Exception as error:
        logger.exception("job %s (%s) failed", job.pk, kind.name)
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
        _end_own(kind, job, failure=text, pauses=kind.pauses)
    else:
        _end_own(kind, job, result=result)


def _own(job: Job) -> Job | None:
    """Return the locked row of a job, or None if it is no longer this worker's."""
    own = Job.objects.select_for_update(of=("self",)).filter(claimed_by=job.claimed_by)
    return own.filter(pk=job.pk, status=JobStatus.RUNNING).first()


@transaction.atomic
def _end_own(kind: Kind, job: Job, **outcome: Any) -> None:
    if kind.per_minute is not None:
        Throttle.objects.filter(kind=kind.name, refusals__gt=0).update(refusals=0, reason="")
    row = _own(job)
    if row is not None:
        _end(kind, row, **outcome)


def _end(
    kind: Kind,
    row: Job,
    *,
    result: Any = None,
    failure: str = "",
    pauses: tuple[timedelta, ...] = (),
) -> None:
    """Store how a job ended; a periodic task waits for its next time, a failed one if it may."""
    now = timezone.now()
    again = kind.every or next(iter(pauses[row.attempts - 1 : row.attempts]), None)
    if again is not None:
        if row.status != JobStatus.WAITING:
            transition_job(row, JobStatus.WAITING)
        row.due_at = now + again
    else:
        transition_job(row, JobStatus.FAILED if failure else JobStatus.DONE)
        JobFile.objects.filter(job=row).delete()
    if kind.every is not None:
        row.attempts = 0
    if isinstance(result, File):
        JobFile.objects.create(job=row, name=result.name, content=result.content)
    elif not (failure and kind.every):
        row.result = result
    row.failure, row.claimed_by = failure[:200], ""
    if again is None or kind.every:
        row.ended_at = now
    row.save()


@transaction.atomic
def _postpone(job: Job, reason: str) -> None:
    """Pause the kind, and let its other jobs go first afterwards: one of them may be taken."""
    throttle = Throttle.objects.select_for_update().get(kind=job.kind)
    pause = min(FIRST_PAUSE * 2 ** min(throttle.refusals, 10), MAX_PAUSE)
    throttle.free_at = timezone.now() + pause
    throttle.refusals += 1
    throttle.reason = reason[:200]
    throttle.save()
    row = _own(job)
    if row is not None:
        transition_job(row, JobStatus.WAITING)
        row.attempts -= 1
        row.due_at, row.claimed_by = throttle.free_at, ""
        row.save(update_fields=["status", "attempts", "due_at", "claimed_by"])


class Runner:
    """A worker's threads: one for each kind of work, and one that looks for work of all kinds."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.name = f"{socket.gethostname()[:20]}-{os.getpid()}-{secrets.token_hex(4)}"
        self._kinds = kinds
        self._wakes = {kind.name: threading.Event() for kind in kinds}
        self._stopping = threading.Event()
        self._at_work: set[str] = set()
        self._threads = [
            threading.Thread(target=self._lane, args=[kind], name=kind.name, daemon=True)
            for kind in kinds
        ]
        self._looking = threading.Thread(target=self._look, name="looks for work", daemon=True)

    def start(self) -> None:
        """Do work in threads of this process until it ends or the runner is stopped."""
        for thread in [*self._threads, self._looking]:
            thread.start()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being done, nor about to be."""
        return not self._at_work and not any(wake.is_set() for wake in self._wakes.values())

    def wake(self, kind: str) -> None:
        """Look for work of a kind at once."""
        if kind in self._wakes:
            self._wakes[kind].set()

    def stop(self, patience: float) -> None:
        """Begin no more work; give back what is not done after so many seconds."""
        self._stopping.set()
        for wake in self._wakes.values():
            wake.set()
        deadline = time.monotonic() + patience
        for thread in [*self._threads, self._looking]:
            thread.join(max(0.0, deadline - time.monotonic()))
        with transaction.atomic():
            own = Job.objects.select_for_update().filter(claimed_by=self.name)
            for job in own.filter(status=JobStatus.RUNNING):
                _give_back(job)

    def _lane(self, kind: Kind) -> None:
        wake = self._wakes[kind.name]
        while wake.wait() and not self._stopping.is_set():
            self._at_work.add(kind.name)
            wake.clear()
            try:
                run_due(kind, self.name, self._stopping)
            except DatabaseError:
                logger.warning("the database does not answer; %s waits", kind.name, exc_info=True)
            except Exception:
                logger.exception("%s stopped", kind.name)
            finally:
                # A connection takes megabytes, and most kinds have no work most of the time.
                connections.close_all()
                self._at_work.discard(kind.name)

    def _look(self) -> None:
        """Wake the threads of what is due, and give signs of life; one connection does for all."""
        looks: dict[Callable[[], float], float] = {self._beat: time.monotonic() + HEARTBEAT}
        looks |= {partial(self._look_for, kind): 0.0 for kind in self._kinds}
        pause = 0.0
        while not self._stopping.wait(pause):
            for look, at in looks.items():
                if at <= time.monotonic():
                    try:
                        looks[look] = time.monotonic() + look()
                    except DatabaseError:
                        logger.warning("the database does not answer", exc_info=True)
                        looks[look] = time.monotonic() + POLL
                    finally:
                        close_old_connections()
            pause = max(0.0, min(looks.values()) - time.monotonic())
        connections.close_all()

    def _look_for(self, kind: Kind) -> float:
        if is_due(kind, self.name):
            self.wake(kind.name)
        return _pause(kind)

    def _beat(self) -> float:
        now = timezone.now()
        own = Job.objects.filter(claimed_by=self.name, started_at__gt=now - MAX_RUN)
        own.filter(status=JobStatus.RUNNING).update(claimed_at=now)
        return HEARTBEAT


def _pause(kind: Kind) -> float:
    """Return after how many seconds a worker looks again."""
    if kind.every is not None:
        return TASK_POLL
    throttle = Throttle.objects.filter(kind=kind.name).first()
    if throttle is None:
        return POLL
    left = (_free_at(kind, throttle) - timezone.now()).total_seconds()
    return left if 0 < left < POLL else POLL
