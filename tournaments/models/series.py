"""Series of events, what each event gave to them, and results that were never played here."""

from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .enums import SeriesTie, SizeBy
from .event import Event
from .fields import TwelfthsField
from .organiser import Organiser
from .people import Person, Registration
from .validators import validate_visible


def default_points() -> list[str]:
    """Return the points of the first ten places, as exact texts."""
    return [str(points) for points in (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)]


def default_ties() -> list[str]:
    return [SeriesTie.BEST.value, SeriesTie.WINS.value, SeriesTie.LATEST.value]


class Series(models.Model):
    """Events whose places give points to one standing; the rules are data, points exact texts."""

    organiser = models.ForeignKey(
        Organiser,
        models.PROTECT,
        related_name="series",
        editable=False,
        verbose_name=_("organiser"),
    )
    slug = models.SlugField(_("address"), max_length=60, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    is_public = models.BooleanField(_("everybody can see it"), default=False)
    is_finished = models.BooleanField(
        _("it is over"),
        default=False,
        help_text=_("Whoever is first once all its events are over is then its champion."),
    )
    #: Points of the first place, the second …, and of every further one.
    points = models.JSONField(_("points by place"), default=default_points)
    rest = models.CharField(_("points of further places"), max_length=20, default="0")
    size_by = models.CharField(
        _("the size of an event is"), max_length=8, choices=SizeBy.choices, default=SizeBy.NONE
    )
    #: ``[[20, "1"], [40, "3/2"]]``: from 20 on the points, from 40 on half as much more.
    factors = models.JSONField(_("factors by size"), default=list, blank=True)
    best_of = models.PositiveSmallIntegerField(
        _("results that count"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("Each player's best ones. Leave empty if all count."),
    )
    bonus_chicago = TwelfthsField(_("bonus for a Chicago won"), default=0)
    bonus_heat = TwelfthsField(_("bonus for a heat won"), default=0)
    bonus_start = TwelfthsField(_("bonus for taking part"), default=0)
    ties = models.JSONField(_("what decides a tie"), default=default_ties)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ["-starts_on", "name", "pk"]
        constraints = [
            models.CheckConstraint(
                name="series_days_in_order",
                condition=Q(ends_on__gte=F("starts_on")),
                violation_error_message=_("The last day is before the first."),
            ),
            models.CheckConstraint(name="series_size", condition=Q(size_by__in=SizeBy.values)),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:series", args=[self.slug])


class SeriesVersion(models.Model):
    """A number that only grows; triggers raise it when rules, events or lists of a series change.

    What is read of its events has their own versions (``EventVersion``, ``EventSummary``). The
    triggers are in ``core/version_triggers.py``.
    """

    series = models.OneToOneField(
        Series, models.CASCADE, primary_key=True, related_name="version", editable=False
    )
    number = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.number)


class SeriesPicture(models.Model):
    """A drawn picture to share of a series, which the worker makes (as ``SharedPicture``).

    It is as of ``version`` (``core.versions.series_version``), and shown only while that is the
    present one: it has names that may since have been hidden. ``digest`` is of its SVG.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="pictures")
    language = models.CharField(max_length=8)
    version = models.CharField(max_length=120)
    digest = models.CharField(max_length=32)
    content = models.BinaryField()

    class Meta:
        verbose_name = "picture to share of a series"
        verbose_name_plural = "pictures to share of series"
        constraints = [
            models.UniqueConstraint(name="series_picture_once", fields=["series", "language"]),
        ]

    def __str__(self) -> str:
        return f"{self.series}: {self.language}"


class SeriesEvent(models.Model):
    """An event of a series, or results from elsewhere under a name and a day of their own.

    ``agreed_at`` is empty until the organiser of somebody else's event has agreed.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="joined")
    event = models.ForeignKey(
        Event, models.PROTECT, null=True, blank=True, related_name="in_series"
    )
    name = models.CharField(_("name"), max_length=120, blank=True, validators=[validate_visible])
    played_on = models.DateField(_("day"), null=True, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    agreed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("event of a series")
        verbose_name_plural = _("events of series")
        ordering = ["series_id", "pk"]
        constraints = [
            models.UniqueConstraint(name="series_event_once", fields=["series", "event"]),
            models.CheckConstraint(
                name="series_event_or_elsewhere",
                condition=Q(event__isnull=False, name="", played_on__isnull=True)
                | Q(event__isnull=True, played_on__isnull=False) & ~Q(name=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.event)


class OutsideResult(models.Model):
    """A result that was not played here; ``points``, an exact text, replace those by place."""

    of = models.ForeignKey(SeriesEvent, models.CASCADE, related_name="results")
    person = models.ForeignKey(Person, models.PROTECT, related_name="outside_results")
    place = models.PositiveIntegerField(_("place"), validators=[MinValueValidator(1)])
    points = models.CharField(_("points"), max_length=20, blank=True)

    class Meta:
        verbose_name = _("result from elsewhere")
        verbose_name_plural = _("results from elsewhere")
        ordering = ["of_id", "place", "pk"]
        constraints = [
            models.UniqueConstraint(name="outside_once", fields=["of", "person"]),
            models.CheckConstraint(name="outside_place", condition=Q(place__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.person}"


class SamePlayer(models.Model):
    """Two organisers' persons who are one player in a series, by the player's own choice."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="same_players")
    one = models.ForeignKey(Person, models.CASCADE, related_name="+")
    other = models.ForeignKey(Person, models.CASCADE, related_name="+")
    chosen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("same player in a series")
        verbose_name_plural = _("same players in series")
        constraints = [
            models.UniqueConstraint(name="same_player_once", fields=["series", "one", "other"]),
            # The lower key comes first, so that no pair occurs twice.
            models.CheckConstraint(name="same_player_in_order", condition=Q(one__lt=F("other"))),
        ]

    def __str__(self) -> str:
        return f"{self.one} = {self.other}"


class EventSummary(models.Model):
    """What an event gives to series, as of the event's ``version`` (``EventVersion.directed``).

    It can be made again at any time; while the version is another one it is to be made anew.
    """

    event = models.OneToOneField(Event, models.CASCADE, primary_key=True, related_name="summary")
    version = models.BigIntegerField()
    #: Whether the result is final, and nothing else counts in a series.
    is_over = models.BooleanField(default=False)
    players = models.PositiveIntegerField(default=0)
    entries = models.PositiveIntegerField(default=0)
    #: Counts and records of its closed heats (``results.queries.tally``).
    tally = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("summary of an event")
        verbose_name_plural = _("summaries of events")

    def __str__(self) -> str:
        return str(self.event_id)


class EventPlace(models.Model):
    """A player's final place in an event, which ``shared`` players have, and what earns bonuses."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="places")
    registration = models.OneToOneField(Registration, models.CASCADE, related_name="event_place")
    place = models.PositiveIntegerField()
    shared = models.PositiveIntegerField(default=1)
    heats_won = models.PositiveSmallIntegerField(default=0)
    chicagos = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("place in an event")
        verbose_name_plural = _("places in events")
        ordering = ["event_id", "place", "pk"]
        constraints = [
            models.CheckConstraint(name="event_place_from_1", condition=Q(place__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.registration}"


def exact(texts: list[Any]) -> tuple[Fraction, ...]:
    """Return stored points.

    >>> exact(["25", "35/2"])
    (Fraction(25, 1), Fraction(35, 2))
    """
    return tuple(Fraction(text) for text in texts)
