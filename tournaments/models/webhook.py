"""Addresses of other programs that are told what happens, and what they are told."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import WebhookKind
from .event import Event


class Webhook(models.Model):
    """An address that is told what happens at an event, in order and until it has answered.

    While it fails, nothing is sent before ``next_try_at``; ``tries`` counts its failures in a row.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="webhooks")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    address = models.CharField(_("address"), max_length=500)
    #: What addresses in documents begin with, and the language of their texts.
    site = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=10)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["event_id", "pk"]

    def __str__(self) -> str:
        return self.address


class WebhookMessage(models.Model):
    """Something that an address is told: ``done_at`` once it has answered, or was given up."""

    hook = models.ForeignKey(Webhook, models.CASCADE, related_name="messages")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=20, choices=WebhookKind.choices)
    #: The heat's or the draw's; none for the event.
    number = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    #: What came of the last try: a status, or why there was none.
    answer = models.CharField(max_length=60, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    was_given_up = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("message of a webhook")
        verbose_name_plural = _("messages of webhooks")
        ordering = ["hook_id", "pk"]
        indexes = [models.Index(fields=["hook", "done_at"])]
        constraints = [
            models.CheckConstraint(
                name="webhook_message_kind", condition=models.Q(kind__in=WebhookKind.values)
            ),
        ]

    def __str__(self) -> str:
        return self.kind
