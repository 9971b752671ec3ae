"""Tokens with which other programs use the interface."""

import hashlib

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import ApiScope
from .event import Event
from .validators import validate_visible


class ApiToken(models.Model):
    """Lets one program act at one event, for as long as its maker has the right to.

    Only a digest is stored: the token itself is shown once, when it is made.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="api_tokens")
    name = models.CharField(
        _("program"),
        max_length=60,
        validators=[validate_visible],
        help_text=_("What uses it, such as “website” or “scoreboard”. The log names it."),
    )
    scope = models.CharField(
        _("what it may do"), max_length=10, choices=ApiScope.choices, default=ApiScope.READ
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ["event_id", "pk"]
        constraints = [
            models.CheckConstraint(
                name="api_token_scope", condition=models.Q(scope__in=ApiScope.values)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def digest_of(text: str) -> str:
        """Return what is stored of a token: it has 256 random bits, so no salt is needed."""
        return hashlib.sha256(text.encode()).hexdigest()
