"""Invitations by link: to a role at an event, or to an organiser."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .enums import Role, role_choices
from .event import Event
from .organiser import Organiser
from .people import new_nonce


class Invitation(models.Model):
    """A link that gives a role, once, to whoever opens it, signed in or with a new account.

    For an organiser the role is owner, or empty for an account that may make events.
    """

    event = models.ForeignKey(Event, models.CASCADE, null=True, related_name="invitations")
    organiser = models.ForeignKey(Organiser, models.CASCADE, null=True, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=role_choices, blank=True)
    note = models.CharField(_("for whom"), max_length=80, blank=True)
    nonce = models.CharField(max_length=32, default=new_nonce, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="invitation_to_one",
                condition=Q(event__isnull=False, organiser__isnull=True) & ~Q(role="")
                | Q(event__isnull=True, organiser__isnull=False, role__in=["", Role.OWNER]),
            ),
            models.CheckConstraint(
                name="invitation_used_by_somebody",
                condition=Q(used_at__isnull=True, used_by__isnull=True)
                | Q(used_at__isnull=False, used_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role_name} {self.note}".strip()

    @property
    def role_name(self) -> str:
        """The role in words."""
        return str(Role(self.role).label if self.role else _("May create events"))

    @property
    def to(self) -> Event | Organiser:
        """The event or organiser."""
        found = self.event or self.organiser
        assert found is not None
        return found
