"""Forms that were taken, so that none is taken twice."""

from django.db import models
from django.utils import timezone


class TakenForm(models.Model):
    """A form with everything in it, as a digest, and where its answer led."""

    digest = models.CharField(max_length=64, unique=True)
    location = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        """Return when it was taken."""
        return f"{self.at:%Y-%m-%d %H:%M}"
