"""Signed records of all hash chains at one moment, given to somebody who keeps them elsewhere."""

from django.db import models
from django.utils import timezone

from scoring.models.append_only import AppendOnly


class Anchor(AppendOnly):
    """One signed line, with the heads of the chains that its digest covers.

    ``heads``: for each sheet's public id, the number of rows and the last row's hash.
    """

    at = models.DateTimeField(default=timezone.now)
    heads = models.JSONField()
    log_rows = models.PositiveIntegerField()
    ledger_rows = models.PositiveIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    line = models.CharField(max_length=400)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.line
