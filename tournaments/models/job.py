"""Long jobs for the worker, and the files they make."""

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
    """The job was cancelled or taken over by another worker."""


class Job(models.Model):
    """A long job, started on a page; the worker does it, and its file is fetched from a page.

    ``kind`` is the name of a print (``prints.drawing``), ``file`` the name of the finished file,
    ``failure`` the error as in the log.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="jobs")
    kind = models.CharField(_("what"), max_length=20)
    status = models.CharField(
        _("status"), max_length=10, choices=JobStatus.choices, default=JobStatus.WAITING
    )
    language = models.CharField(max_length=8, default="en")
    #: Black only, for a copier or a black-and-white printer.
    plain = models.BooleanField(default=False)
    #: The day or part of a day to print, as the print's ``days`` names it; "" is the last.
    day = models.CharField(max_length=20, blank=True, default="")
    #: The site's base address, for links and codes on paper.
    site = models.CharField(max_length=200, blank=True)
    file = models.CharField(max_length=100, blank=True)
    failure = models.CharField(max_length=200, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    #: How often a worker has started it, and when one last reported progress.
    attempts = models.PositiveSmallIntegerField(default=0)
    alive_at = models.DateTimeField(null=True, blank=True)
    #: Finished parts, of how many.
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
            # Two taps make one job.
            models.UniqueConstraint(
                name="job_one_open_of_a_kind",
                fields=["event", "kind", "language", "plain", "day"],
                condition=Q(status__in=[JobStatus.WAITING, JobStatus.RUNNING]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.event}"

    def each(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield the parts of a print and report progress, at most once a second.

        Raise :class:`JobTaken` if the job was cancelled or taken over.
        """
        told = 0.0
        for done, part in enumerate(parts):
            if time.monotonic() - told > 1:
                told = time.monotonic()
                self.say_alive(parts_done=done, parts=len(parts))
            yield part
        self.say_alive(parts_done=len(parts), parts=len(parts))

    def say_alive(self, **fields: int) -> None:
        """Report that this worker is still at it.

        Raise :class:`JobTaken` if the job is no longer its own.
        """
        own = Job.objects.filter(pk=self.pk, status=JobStatus.RUNNING, attempts=self.attempts)
        if not own.update(alive_at=timezone.now(), **fields):
            raise JobTaken


class JobFile(models.Model):
    """The finished file, in the database so that every host finds it."""

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="+")
    content = models.BinaryField()

    class Meta:
        verbose_name = _("file")
        verbose_name_plural = _("files")

    def __str__(self) -> str:
        return self.job.file
