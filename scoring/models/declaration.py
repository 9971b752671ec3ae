"""Declared Chicagos, stored beside the sheet's record."""

from __future__ import annotations

from django.db import models

from .author import Authored
from .sheet import Sheet


class Declaration(Authored):
    """A player declared a Chicago before the tricks; the latest row of a deal counts.

    ``seat`` is empty if the declaration was taken back. The outcome is an entry.
    """

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="declarations")
    deal = models.PositiveIntegerField(help_text="from 0")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    client_id = models.UUIDField(unique=True)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "scoring_announcement"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.sheet_id}: deal {self.deal}, seat {self.seat}"
