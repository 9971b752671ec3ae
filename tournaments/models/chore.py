"""The worker's recurring chores, and how they went last time."""

from __future__ import annotations

from typing import Any

from django.db import models


class Chore(models.Model):
    """One recurring chore; its row is also the lock that lets only one worker do it."""

    name = models.CharField(max_length=20, unique=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    #: Why the chore itself failed, as in the log.
    failure = models.CharField(max_length=200, blank=True)
    #: What it found, if its purpose is to find something.
    found: models.JSONField[Any, Any] = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.name
