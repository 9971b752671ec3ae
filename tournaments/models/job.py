"""The queue: work outside requests, done by a worker (``core/queue.py``), and the files of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import JobStatus
from .event import Event
from .people import Registration

Part = TypeVar("Part")


class JobTaken(Exception):
    """The job was cancelled or taken over by another worker."""


class Job(models.Model):
    """One job, or a periodic task, whose row waits again after each time that it was done.

    ``kind`` says which code does it, ``what`` which of the kind it is (a print's name, a mail's
    subject). Of a ``key``, one job of the kind is open at a time; "" is nobody's key. ``failure``
    is an error as in the log, or the code of a refusal, whose parameters are the ``result``.
    """

    kind = models.CharField(max_length=20)
    what = models.CharField(_("what"), max_length=20, blank=True)
    key = models.CharField(max_length=100, blank=True)
    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="jobs")
    registration = models.ForeignKey(
        Registration, models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    status = models.CharField(
        _("status"), max_length=10, choices=JobStatus.choices, default=JobStatus.WAITING
    )
    language = models.CharField(max_length=8, default="en")
    #: The site's base address, for links and codes.
    site = models.CharField(max_length=200, blank=True)
    parameters: models.JSONField[Any, Any] = models.JSONField(default=dict)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(_("asked for"), default=timezone.now)
    #: When it is done next, and after which moment it is not worth doing.
    due_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    #: The worker that does it, and when that last said so.
    claimed_by = models.CharField(max_length=40, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    #: How often a worker has started it, and when last.
    attempts = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    #: Finished parts, of how many.
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)
    result: models.JSONField[Any, Any] = models.JSONField(null=True)
    failure = models.CharField(max_length=200, blank=True)
    ended_at = models.DateTimeField(_("done"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["kind", "status", "due_at"])]
        constraints = [
            models.CheckConstraint(name="job_status", condition=Q(status__in=JobStatus.values)),
            models.CheckConstraint(
                name="job_running_is_claimed",
                condition=Q(claimed_by="") ^ Q(status=JobStatus.RUNNING),
            ),
            models.UniqueConstraint(
                name="job_one_check_of_an_event", fields=["event"], condition=Q(kind="check")
            ),
            # Two taps make one job.
            models.UniqueConstraint(
                name="job_one_open_of_a_key",
                fields=["kind", "key"],
                condition=Q(status__in=[JobStatus.WAITING, JobStatus.RUNNING]) & ~Q(key=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.what}: {self.event}"

    @property
    def is_open(self) -> bool:
        """Whether it is still to be done."""
        return self.status in (JobStatus.WAITING, JobStatus.RUNNING)

    def each(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield the parts of a job and report progress, at most once a second.

        Raise :class:`JobTaken` if the job was cancelled or taken over.
        """
        told = 0.0
        for done, part in enumerate(parts):
            if time.monotonic() - told > 1:
                told = time.monotonic()
                self._report(parts_done=done, parts=len(parts))
            yield part
        self._report(parts_done=len(parts), parts=len(parts))

    def _report(self, **progress: int) -> None:
        own = Job.objects.filter(pk=self.pk, status=JobStatus.RUNNING, claimed_by=self.claimed_by)
        if not own.update(**progress):
            raise JobTaken


class JobFile(models.Model):
    """What a finished job made, or what a waiting one reads.

    It is in the database so that every host finds it.
    """

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="file")
    name = models.CharField(max_length=300, blank=True)
    content = models.BinaryField()

    class Meta:
        verbose_name = _("file")
        verbose_name_plural = _("files")

    def __str__(self) -> str:
        return self.name


class Throttle(models.Model):
    """When jobs of a kind go on that share one server, after it refused them for the moment.

    The row is also the lock that lets one worker at a time do such a job.
    """

    kind = models.CharField(max_length=20, primary_key=True)
    free_at = models.DateTimeField(default=timezone.now)
    #: How often in a row it has refused, and what it said last.
    refusals = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.kind
