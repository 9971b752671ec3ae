"""Who has looked at players' contacts."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import ContactsWhere
from .event import Event
from .people import Registration


class ContactsSeen(models.Model):
    """Somebody has seen a player's contacts, or those of all of an event's players.

    Once an hour for the same account, place and player; kept for a year (``contacts.queries``).
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="contacts_seen")
    #: None for a list of all players.
    registration = models.ForeignKey(
        Registration, models.CASCADE, null=True, related_name="contacts_seen"
    )
    #: The account's name then, with the program that it used.
    actor = models.CharField(_("who"), max_length=150)
    where = models.CharField(_("where"), max_length=10, choices=ContactsWhere.choices)
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        verbose_name = _("look at contacts")
        verbose_name_plural = _("looks at contacts")
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["event", "actor", "-at"])]
        constraints = [
            models.CheckConstraint(
                name="contacts_seen_where", condition=models.Q(where__in=ContactsWhere.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.actor} {self.at:%Y-%m-%d %H:%M}"
