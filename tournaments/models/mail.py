"""Mail to players: one row each, sent by the worker, with how it went."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import MailKind, MailStatus
from .event import Event
from .people import Registration


class Mail(models.Model):
    """One mail to one player; its text is made when it is sent.

    ``site`` is the base address of its links, ``try_at`` when it is tried next.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="mails")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="mails")
    kind = models.CharField(_("what"), max_length=12, choices=MailKind.choices)
    status = models.CharField(
        _("status"), max_length=10, choices=MailStatus.choices, default=MailStatus.WAITING
    )
    address = models.EmailField(_("e-mail"))
    language = models.CharField(max_length=8, default="en")
    site = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(default=timezone.now)
    failure = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mail")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "try_at"])]
        constraints = [
            models.CheckConstraint(name="mail_kind", condition=Q(kind__in=MailKind.values)),
            models.CheckConstraint(name="mail_status", condition=Q(status__in=MailStatus.values)),
            # Two requests make one mail.
            models.UniqueConstraint(
                name="mail_one_waiting_of_a_kind",
                fields=["registration", "kind"],
                condition=Q(status=MailStatus.WAITING),
            ),
        ]

    def __str__(self) -> str:
        """Return kind and address, for the staff."""
        return f"{self.get_kind_display()}: {self.address}"

    @property
    def tag(self) -> str:
        """The CSS classes that mark the status."""
        if self.status == MailStatus.FAILED:
            return "tag tag-red"
        return "tag tag-amber" if self.is_retried else "tag"

    @property
    def is_retried(self) -> bool:
        """Whether it could not be sent and is tried again at ``try_at``."""
        return self.status == MailStatus.WAITING and bool(self.attempts and self.failure)

    @property
    def can_be_tried(self) -> bool:
        """Whether it can be queued again."""
        return self.status == MailStatus.FAILED
