"""Flip-flops: ties that were played off."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .author import Authored
from .table import Table


class FlipFlop(Authored):
    """The outcome of a flip-flop, as an order of the tied players; the latest one counts."""

    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="flip_flops", verbose_name=_("table")
    )
    order = models.JSONField(_("order, best first"))
    #: The seed of the lots, if the program drew them instead.
    seed = models.CharField(_("seed"), max_length=40, null=True)
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("Flip Flop")
        verbose_name_plural = _("Flip Flops")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table_id}: {' > '.join(self.order)}"
