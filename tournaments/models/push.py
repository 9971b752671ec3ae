"""Devices that want to be told."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .people import Registration


class PushSubscription(models.Model):
    """A browser that a player has told to say when something happens.

    ``endpoint``, ``p256dh`` and ``auth`` are its own (RFC 8030, 8291); ``kinds`` what it wants to
    hear. ``failed_at``: the last message could not be handed over, and nothing has been since.
    """

    registration = models.ForeignKey(
        Registration, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    kinds = models.JSONField(default=list)
    language = models.CharField(max_length=8)
    made_at = models.DateTimeField(auto_now_add=True)
    told_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("device that is told")
        verbose_name_plural = _("devices that are told")
        constraints = [
            models.UniqueConstraint(name="push_once", fields=["registration", "endpoint"]),
            models.CheckConstraint(name="push_to_somewhere", condition=~Q(endpoint="")),
        ]

    def __str__(self) -> str:
        return str(self.registration)
