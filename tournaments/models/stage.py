"""The players of a play-off round."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .enums import StagePlayerSource
from .event import Event, Stage
from .people import Registration


class StagePlayer(models.Model):
    """A registration in a play-off round, and how it came about.

    ``order`` is the ranking into the round, best first. ``absent`` marks a no-show; the substitute
    has ``replaces`` set. ``basis`` keeps the numbers that decided for a lucky loser or a
    substitute, so that a page can show them.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="players")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="stage_players")
    source = models.CharField(max_length=12, choices=StagePlayerSource.choices)
    order = models.PositiveIntegerField()
    here = models.BooleanField(_("has arrived"), default=False)
    absent = models.BooleanField(_("no-show"), default=False)
    replaces = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="replaced_by"
    )
    basis = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("player of a round")
        verbose_name_plural = _("players of a round")
        ordering = ["stage_id", "order"]
        constraints = [
            models.UniqueConstraint(name="stage_player_once", fields=["stage", "registration"]),
            models.UniqueConstraint(name="stage_order_once", fields=["stage", "order"]),
            models.CheckConstraint(
                name="stage_player_source", condition=Q(source__in=StagePlayerSource.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.registration}"

    @property
    def event(self) -> Event:
        return self.stage.event
