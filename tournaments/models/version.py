"""How far an event has come: what is kept of its public pages is kept under this."""

from django.db import models

from .event import Event


class EventVersion(models.Model):
    """Two numbers per event that only grow; triggers move them with every write.

    A row of its own, so that it can be locked last: an entry at a table must not wait for the
    event's row, nor two tables for each other. The triggers are in ``core/version_triggers.py``.
    """

    event = models.OneToOneField(
        Event, models.CASCADE, primary_key=True, related_name="version", editable=False
    )
    #: Moved by everything.
    number = models.BigIntegerField(default=0)
    #: Moved by everything but play: what one table writes changes no other table's page.
    directed = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        """Return the number."""
        return str(self.number)
