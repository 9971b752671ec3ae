"""An uploaded list of players, which the worker reads."""

import uuid

from django.conf import settings
from django.db import models

from .event import Event


class Spreadsheet(models.Model):
    """An uploaded file, with its rows or the reason why the worker could not read it.

    ``problem`` is a JSON object with the parameters of ``problem_code``.
    Deleted with the preview after some time, as it holds names and contacts.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="spreadsheets")
    name = models.CharField(max_length=300, blank=True)
    content = models.BinaryField(blank=True)
    rows = models.JSONField(null=True)
    problem_code = models.CharField(max_length=30, blank=True)
    problem = models.CharField(max_length=300, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    sent_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_read(self) -> bool:
        """Whether the worker has read it."""
        return self.rows is not None or bool(self.problem_code)
