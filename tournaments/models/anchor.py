"""What was said of all hash chains at one moment, to somebody who keeps it elsewhere."""

from django.db import models
from django.utils import timezone

from scoring.models.append_only import AppendOnly


class Anchor(AppendOnly):
    """One signed line, with the heads of the chains that its digest is made of.

    ``heads``: by the sheets' public ids the number of rows and the hash of the last.
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
        """Return the line."""
        return self.line
