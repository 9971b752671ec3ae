"""What the worker does from time to time, and how it went the last time."""

from __future__ import annotations

from typing import Any

from django.db import models


class Chore(models.Model):
    """One recurring chore; the row is also the claim by which only one worker does it."""

    name = models.CharField(max_length=20, unique=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    #: What went wrong with the chore itself, as the log says it.
    failure = models.CharField(max_length=200, blank=True)
    #: What it found, where finding something is its task.
    found: models.JSONField[Any, Any] = models.JSONField(default=list)

    def __str__(self) -> str:
        """Return the name."""
        return self.name
