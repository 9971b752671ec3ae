"""Requests that are remembered: attempts that limits count, and forms already processed."""

from django.db import models
from django.utils import timezone


class Attempt(models.Model):
    """One attempt by somebody; only the number of recent ones is ever queried."""

    what = models.CharField(max_length=30)
    #: A digest, as neither addresses nor account names are kept.
    whom = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["what", "whom", "at"])]

    def __str__(self) -> str:
        return f"{self.what} {self.at:%Y-%m-%d %H:%M}"


class ProcessedForm(models.Model):
    """A digest of a form with all its fields, and where its response redirected, encrypted."""

    digest = models.CharField(max_length=64, unique=True)
    location = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
