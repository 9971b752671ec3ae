"""The version of an event, under which its public pages are cached."""

from django.db import models

from .event import Event


class EventVersion(models.Model):
    """Two numbers per event that only grow; triggers raise them on every write.

    They have a row of their own, which is locked last: an entry at a table must not wait for the
    event's row, nor two tables for each other. The triggers are in ``core/version_triggers.py``.
    """

    event = models.OneToOneField(
        Event, models.CASCADE, primary_key=True, related_name="version", editable=False
    )
    #: Raised by every write.
    number = models.BigIntegerField(default=0)
    #: Raised by all but play, which changes no other table's page and no page of closed heats.
    directed = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.number)
