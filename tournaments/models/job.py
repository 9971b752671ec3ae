"""Long jobs that the worker does, and the files that come out."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import JobStatus
from .event import Event

Part = TypeVar("Part")


class JobTaken(Exception):
    """The job is not this worker's any more: it was cancelled, or begun again by another."""


class Job(models.Model):
    """One long job: asked for on a page, done by the worker, fetched as a file.

    ``kind`` is the name of a print (``prints.drawing``), ``file`` the name of the file that came
    out; ``failure`` what the log says went wrong.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="jobs")
    kind = models.CharField(_("what"), max_length=20)
    status = models.CharField(
        _("status"), max_length=10, choices=JobStatus.choices, default=JobStatus.WAITING
    )
    language = models.CharField(max_length=8, default="en")
    #: In black only, for a copier or a printer without colours.
    plain = models.BooleanField(default=False)
    #: The address of the site, for what leads back to it from paper.
    site = models.CharField(max_length=200, blank=True)
    file = models.CharField(max_length=100, blank=True)
    failure = models.CharField(max_length=200, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    #: How often a worker has begun, and when it last showed that it lives.
    attempts = models.PositiveSmallIntegerField(default=0)
    alive_at = models.DateTimeField(null=True, blank=True)
    #: How many of how many parts are made.
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(_("done"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(name="job_status", condition=Q(status__in=JobStatus.values)),
            models.CheckConstraint(
                name="job_done_has_file", condition=~Q(status=JobStatus.DONE) | ~Q(file="")
            ),
            # Who taps twice gets one.
            models.UniqueConstraint(
                name="job_one_open_of_a_kind",
                fields=["event", "kind", "language", "plain"],
                condition=Q(status__in=[JobStatus.WAITING, JobStatus.RUNNING]),
            ),
        ]

    def __str__(self) -> str:
        """Return kind and event."""
        return f"{self.kind}: {self.event}"

    def each(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Give the parts of a print one by one and say how far it is, once a second at most.

        Raises :class:`JobTaken` when somebody has cancelled it.
        """
        told = 0.0
        for done, part in enumerate(parts):
            if time.monotonic() - told > 1:
                told = time.monotonic()
                self.say_alive(parts_done=done, parts=len(parts))
            yield part
        self.say_alive(parts_done=len(parts), parts=len(parts))

    def say_alive(self, **fields: int) -> None:
        """Show that a worker is at it."""
        own = Job.objects.filter(pk=self.pk, status=JobStatus.RUNNING, attempts=self.attempts)
        if not own.update(alive_at=timezone.now(), **fields):
            raise JobTaken


class JobFile(models.Model):
    """What a job made. It lies in the database, where every host finds it."""

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="+")
    content = models.BinaryField()

    class Meta:
        verbose_name = _("file")
        verbose_name_plural = _("files")

    def __str__(self) -> str:
        """Return the file's name."""
        return self.job.file
