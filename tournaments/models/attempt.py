"""What was done so often that it may have to wait."""

from django.db import models
from django.utils import timezone


class Attempt(models.Model):
    """One thing done once by somebody; only how many there were lately is ever asked."""

    what = models.CharField(max_length=30)
    #: A digest: neither addresses nor account names are kept.
    whom = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["what", "whom", "at"])]

    def __str__(self) -> str:
        """Return what and when."""
        return f"{self.what} {self.at:%Y-%m-%d %H:%M}"
