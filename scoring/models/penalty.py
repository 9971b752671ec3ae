"""What is decided beside the games: penalties, and ties that were played off."""

from __future__ import annotations

from fractions import Fraction

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .append_only import AppendOnlyQuerySet
from .author import Authored
from .table import Table

#: At most four players share game points, so they are never split finer than twelfths.
TWELFTHS = 12


class HeatPenaltyQuerySet(AppendOnlyQuerySet):
    def in_force(self) -> HeatPenaltyQuerySet:
        """Return the penalties that no later row takes back, oldest first."""
        return self.filter(takes_back__isnull=True, taken_back_by__isnull=True).order_by("pk")


class HeatPenalty(Authored):
    """Game points deducted from a player's sum over the table's games, before ranking.

    Rows are never changed: a further row ``takes_back`` a wrong one, with a reason of its own.
    """

    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="penalties", verbose_name=_("table")
    )
    player = models.CharField(
        _("player"), max_length=64, help_text=_("As the event knows the player.")
    )
    twelfths = models.PositiveIntegerField(_("twelfths of a game point"))
    reason = models.CharField(_("reason"), max_length=200)
    client_id = models.UUIDField(_("UUID from the device"), unique=True)
    takes_back = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="taken_back_by",
        verbose_name=_("takes back"),
    )
    created_at = models.DateTimeField(_("created"))

    objects = HeatPenaltyQuerySet.as_manager()  # type: ignore[misc]  # narrower than the base's

    class Meta:
        verbose_name = _("penalty in game points")
        verbose_name_plural = _("penalties in game points")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(twelfths__gte=1), name="scoring_penalty_twelfths"),
            models.CheckConstraint(condition=~Q(reason=""), name="scoring_penalty_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.player} −{self.game_points}"

    @property
    def game_points(self) -> Fraction:
        """The exact game points deducted."""
        return Fraction(self.twelfths, TWELFTHS)


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
