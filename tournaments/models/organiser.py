"""Who owns events and knows persons: a club, a federation."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .validators import validate_visible


class Organiser(models.Model):
    """A club or a federation; a small installation has one, of which nobody need know.

    Persons are known, and can be the same, within one organiser only.
    """

    slug = models.SlugField(_("address"), max_length=60, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=120, blank=True, validators=[validate_visible])
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("organiser")
        verbose_name_plural = _("organisers")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        """Return the name; the only organiser need not have one."""
        return self.name or str(_("The organiser"))


class OrganiserMember(models.Model):
    """An account that may make events for an organiser; its owners also say who may."""

    organiser = models.ForeignKey(Organiser, models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="organiser_members"
    )
    is_owner = models.BooleanField(_("owner"), default=False)

    class Meta:
        verbose_name = _("member of an organiser")
        verbose_name_plural = _("members of organisers")
        constraints = [
            models.UniqueConstraint(name="member_once", fields=["organiser", "user"]),
        ]

    def __str__(self) -> str:
        """Return who and what."""
        return f"{self.user}: {self.position}"

    @property
    def position(self) -> str:
        """What the account is, in words."""
        return str(_("Owner") if self.is_owner else _("May make events"))
