from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import Offence, PenaltyLevel
from .event import Event
from .fields import TwelfthsField
from .heat import HeatGame
from .ladder import COUNTED, Step
from .people import Registration
from .querysets import PenaltyQuerySet


class Penalty(models.Model):
    """A player's penalty; its effect on a game is a ruling on that game's sheet.

    ``game`` and ``client_id`` identify the ruling, or the row that takes game points off the heat's
    sum; of a warning, ``game`` is the one that it was given in. Rows are never deleted; one that
    was taken back has ``taken_back_at``.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="penalties")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="penalties")
    game = models.ForeignKey(
        HeatGame, models.PROTECT, null=True, blank=True, related_name="penalties"
    )
    level = models.CharField(_("penalty"), max_length=12, choices=PenaltyLevel.choices)
    offence = models.CharField(_("offence"), max_length=20, choices=Offence.choices)
    points = TwelfthsField(_("points off"), default=0)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    client_id = models.UUIDField(unique=True)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    given_at = models.DateTimeField(_("given"), default=timezone.now)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    #: The points its ruling really took; set only by pages that have asked the sheet.
    taken: int | None = None

    objects = PenaltyQuerySet.as_manager()

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        ordering = ["event_id", "pk"]
        constraints = [
            models.CheckConstraint(
                name="penalty_level", condition=Q(level__in=PenaltyLevel.values)
            ),
            models.CheckConstraint(name="penalty_offence", condition=Q(offence__in=Offence.values)),
            models.CheckConstraint(
                name="penalty_points_fit_level",
                condition=Q(level__in=COUNTED, points__gt=0)
                | (~Q(level__in=COUNTED) & Q(points=0)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration}: {self.get_level_display()}"

    @property
    def step(self) -> Step:
        """The penalty as a step of a ladder."""
        return Step(PenaltyLevel(self.level), self.points)

    @property
    def text(self) -> str:
        """The penalty in words, with the points really taken if known and different."""
        if self.taken is None or self.taken == self.points:
            return str(self.step)
        return _("%(penalty)s, %(taken)s taken") % {"penalty": self.step, "taken": self.taken}

    @property
    def tag(self) -> str:
        """The CSS class that marks the penalty."""
        if self.taken_back_at:
            return "tag-quiet"
        return "tag-amber" if self.level == PenaltyLevel.WARNING else "tag-red"
