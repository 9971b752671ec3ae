"""Forms already processed, so that none is processed twice."""

from django.db import models
from django.utils import timezone


class ProcessedForm(models.Model):
    """A digest of a form with all its fields, and where its response redirected, encrypted."""

    digest = models.CharField(max_length=64, unique=True)
    location = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
