"""The hall's screens: televisions and projectors that show an event."""

import secrets
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .enums import ScreenPart, TakesOver
from .event import Event
from .validators import validate_visible

#: Told apart from the back row, and on a remote control: no I, O, Q, 0, 1.
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
LETTER_COUNT = 6
MAX_SECONDS = 600


def new_letters() -> str:
    """Return six random letters."""
    return "".join(secrets.choice(LETTERS) for _each in range(LETTER_COUNT))


def first_programme() -> list[list[Any]]:
    """Return what a new screen shows: parts, each with its seconds."""
    return [[ScreenPart.TABLES, 30], [ScreenPart.CLOCK, 15], [ScreenPart.QUALIFIED, 15]]


def first_takes_over() -> list[str]:
    """Return what may interrupt a new screen's programme."""
    return list(TakesOver.values)


class Screen(models.Model):
    """A screen, by the secret in its browser; without ``event`` it only shows its letters.

    ``shows`` is what the desk has put on it, empty while the programme runs. ``language`` is
    empty for all languages in turns.
    """

    event = models.ForeignKey(Event, models.CASCADE, null=True, related_name="screens")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    letters = models.CharField(max_length=6, unique=True, default=new_letters, editable=False)
    number = models.PositiveSmallIntegerField(null=True, editable=False)
    name = models.CharField(_("name"), max_length=40, blank=True, validators=[validate_visible])
    language = models.CharField(_("language"), max_length=8, blank=True, default="")
    dark = models.BooleanField(_("dark, for a dim hall"), default=False)
    programme = models.JSONField(_("programme"), default=first_programme)
    takes_over = models.JSONField(_("may interrupt"), default=first_takes_over, blank=True)
    shows = models.CharField(
        _("shows"), max_length=12, choices=ScreenPart.choices, blank=True, default=""
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("screen")
        verbose_name_plural = _("screens")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(name="screen_number_once", fields=["event", "number"]),
            models.CheckConstraint(
                name="screen_adopted",
                condition=Q(event__isnull=True, number__isnull=True)
                | Q(event__isnull=False, number__isnull=False) & ~Q(name=""),
            ),
            models.CheckConstraint(
                name="screen_shows", condition=Q(shows__in=["", *ScreenPart.values])
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.letters

    @property
    def spaced(self) -> str:
        """The letters as they are read out: "ABC DEF"."""
        return f"{self.letters[:3]} {self.letters[3:]}"


class ScreenContact(models.Model):
    """When a screen was last heard.

    Apart from the screen, whose changes make all pages of the event anew.
    """

    screen = models.OneToOneField(
        Screen, models.CASCADE, primary_key=True, related_name="contact", editable=False
    )
    heard_at = models.DateTimeField()
    #: What it said it shows.
    shows = models.CharField(max_length=12, blank=True)

    def __str__(self) -> str:
        return str(self.screen)


class ScreenPicture(models.Model):
    """A sponsor's picture: a JPEG of limited size; ``digest`` is part of its address."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="screen_pictures")
    name = models.CharField(_("name"), max_length=60, validators=[validate_visible])
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=16)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(name="screen_picture_once", fields=["event", "digest"]),
        ]

    def __str__(self) -> str:
        return self.name
