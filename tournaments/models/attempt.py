"""Attempts that are counted for rate limits."""

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
