"""Organisers (clubs, federations), who own events and persons."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from .validators import validate_visible


class Organiser(models.Model):
    """A club or federation; a small installation has just one and need not notice it.

    Persons are known, and can be merged, within one organiser only.
    """

    slug = models.SlugField(_("address"), max_length=60, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=120, blank=True, validators=[validate_visible])
    #: Months after an event's last day; without them contacts are kept.
    contacts_months = models.PositiveSmallIntegerField(
        _("months that contacts are kept after an event"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
    )
    #: When that was last shortened, so that nothing is deleted unannounced.
    contacts_set_on = models.DateField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("organiser")
        verbose_name_plural = _("organisers")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        """Return the name, which the only organiser may lack."""
        return self.name or str(_("The organiser"))


class OrganiserMember(models.Model):
    """An account that may create events for an organiser; an owner also manages these accounts."""

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
        return f"{self.user}: {self.position}"

    @property
    def position(self) -> str:
        """The position in words."""
        return str(_("Owner") if self.is_owner else _("May create events"))
