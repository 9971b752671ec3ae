"""Unusual entries that a director has reviewed."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .event import Event


class WarningReview(models.Model):
    """A director's review of an unusual entry that the Auditor confirmed.

    The warnings themselves are stored with the entry on its sheet; this row only says that staff
    has seen them.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="warning_reviews")
    entry = models.OneToOneField("scoring.SheetEntry", models.PROTECT, related_name="review")
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    seen_at = models.DateTimeField(_("looked at"), default=timezone.now)

    class Meta:
        verbose_name = _("warning looked at")
        verbose_name_plural = _("warnings looked at")
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.entry)
