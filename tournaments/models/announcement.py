"""Announcements to a hall."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .enums import Audience
from .event import Event


class Announcement(models.Model):
    """One line to all, or to some, until ``ends_at`` or until it is taken back.

    ``texts`` holds it by language; who has none of theirs reads the first. A ``is_break`` has
    stopped the clocks, which go on when it ends.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="announcements")
    texts = models.JSONField(_("text"))
    audience = models.CharField(
        _("to"), max_length=10, choices=Audience.choices, default=Audience.ALL
    )
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    is_break = models.BooleanField(default=False)
    made_at = models.DateTimeField(_("made"))
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="announcement_audience", condition=Q(audience__in=Audience.values)
            ),
            models.CheckConstraint(
                name="announcement_table",
                condition=Q(audience=Audience.TABLE, table__isnull=False)
                | ~Q(audience=Audience.TABLE) & Q(table__isnull=True),
            ),
            models.CheckConstraint(
                name="announcement_ends_later",
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("made_at")),
            ),
            models.CheckConstraint(
                name="announcement_break_ends",
                condition=Q(is_break=False) | Q(ends_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(next(iter(self.texts.values()), ""))
