"""Unusual entries that a director has reviewed."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .event import Event


class WarningReview(models.Model):
    """A director's review of an unusual line that the Auditor confirmed.

    The warnings themselves are stored with the entry on its sheet; this row only says that staff
    has seen them.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="warning_reviews")
    entry = models.OneToOneField("scoring.SheetEntry", models.PROTECT, related_name="review")
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    seen_at = models.DateTimeField(_("reviewed"), default=timezone.now)

    class Meta:
        verbose_name = _("reviewed warning")
        verbose_name_plural = _("reviewed warnings")
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.entry)
