"""Draws, heats, their entries and their games."""

import secrets
from itertools import islice

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import (
    COUNTED_ENTRY_STATUSES,
    OPEN_ENTRY_STATUSES,
    DrawStatus,
    EntryStatus,
    HeatStatus,
    StageKind,
)
from .event import Event, Planned, Stage
from .people import Registration
from .querysets import DrawQuerySet, EntryQuerySet, HeatQuerySet
from .titles import heat_title


def new_code() -> str:
    """Return the four-digit code that lets a phone keep a heat's score."""
    return f"{secrets.randbelow(10_000):04}"


class Draw(Planned):
    """One draw, with everything needed to repeat it.

    The same method gives the same groups for the same seed, ``candidates`` (registration references
    in the order in which they went in), ``sizes`` (of the tables) and ``history`` (what else the
    method uses). ``drawn`` is its outcome, ``groups`` the tables after the director's
    ``adjustments``. ``queue`` is everybody who could have been drawn, so that a draft is seen to be
    out of date when the queue changes. A draft's times become those of its heats.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="draws", verbose_name=_("event"))
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="draws", verbose_name=_("stage"))
    number = models.PositiveIntegerField(_("number"))
    seed = models.CharField(_("seed"), max_length=100)
    method = models.CharField(_("method"), max_length=40)
    candidates = models.JSONField(_("players in order"))
    sizes = models.JSONField(_("table sizes"))
    label = models.CharField(_("label"), max_length=40, default="heats")
    history = models.JSONField(_("earlier meetings"), default=dict)
    queue = models.JSONField(_("players who waited"), default=list)
    #: How much of the queue to draw: ``{"tables": 12, "full": false}``.
    wanted = models.JSONField(_("tables asked for"), default=dict)
    drawn = models.JSONField(_("tables as drawn"), default=list)
    groups = models.JSONField(_("tables"))
    adjustments = models.JSONField(_("changes by hand"), default=list)
    status = models.CharField(
        _("status"), max_length=10, choices=DrawStatus.choices, default=DrawStatus.PUBLISHED
    )
    version = models.PositiveIntegerField(_("version"), default=0)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("drawn"), default=timezone.now)

    objects = DrawQuerySet.as_manager()

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(name="draw_number_once", fields=["event", "number"]),
            models.CheckConstraint(name="draw_status", condition=Q(status__in=DrawStatus.values)),
            models.UniqueConstraint(
                name="draw_one_draft_per_stage",
                fields=["stage"],
                condition=Q(status=DrawStatus.DRAFT),
            ),
            *Planned.Meta.constraints,
        ]

    def __str__(self) -> str:
        return str(_("Draw %(number)s")) % {"number": self.number}

    @property
    def drawn_for(self) -> str:
        """The name of its stage; a thrown-away draft outlives a round that is taken back."""
        if self.label in {"heats", f"round {self.stage.number}"}:
            return str(self.stage)
        return str(_("A round that was taken back"))

    def table_title(self, index: int) -> str:
        """Return the name of a group before it has a heat: "Group 2", or "Semi-final B"."""
        if self.label != f"round {self.stage.number}":
            return str(_("Group %(number)s")) % {"number": index + 1}
        return heat_title(next(islice(self.stage.table_codes(), index, None)), 0)


class Heat(Planned):
    """A session of several games at one table.

    The sheets belong to scoring's ``Table``; this row makes it part of a tournament.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="heats", verbose_name=_("event"))
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="heats", verbose_name=_("stage"))
    draw = models.ForeignKey(
        Draw, models.PROTECT, null=True, blank=True, related_name="heats", verbose_name=_("draw")
    )
    number = models.PositiveIntegerField(_("heat"))
    table = models.OneToOneField(
        "scoring.Table",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="heat",
        verbose_name=_("score sheets"),
    )
    table_number = models.PositiveSmallIntegerField(
        _("table"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    #: Only for play-off heats (see ``titles``).
    title = models.CharField(_("title"), max_length=12, blank=True, default="", editable=False)
    status = models.CharField(
        _("status"), max_length=10, choices=HeatStatus.choices, default=HeatStatus.OPEN
    )
    advance = models.PositiveSmallIntegerField(_("players who advance"), default=1)
    games_planned = models.PositiveSmallIntegerField(_("games"), default=3)
    seed = models.CharField(_("seed"), max_length=120)
    method = models.CharField(_("method"), max_length=40)
    #: The floor tells it to whoever keeps the score; once used, it is replaced by a new one.
    code = models.CharField(_("the table's code"), max_length=4, default=new_code, editable=False)
    extra_minutes = models.PositiveSmallIntegerField(_("extra minutes"), default=0)
    clock_started_at = models.DateTimeField(_("clock started"), null=True, blank=True)
    #: When the clock was paused, while it is; earlier breaks add up in the seconds.
    clock_paused_at = models.DateTimeField(_("clock stopped"), null=True, blank=True)
    clock_paused_seconds = models.PositiveIntegerField(
        _("seconds the clock has stood still"), default=0
    )
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    opened_at = models.DateTimeField(_("begun"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    objects = HeatQuerySet.as_manager()

    class Meta:
        verbose_name = _("heat")
        verbose_name_plural = _("heats")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(name="heat_number_once", fields=["event", "number"]),
            models.CheckConstraint(name="heat_status", condition=Q(status__in=HeatStatus.values)),
            models.CheckConstraint(
                name="heat_played_has_table",
                condition=~Q(status__in=[HeatStatus.OPEN, HeatStatus.FINISHED])
                | Q(table__isnull=False),
            ),
            models.UniqueConstraint(
                name="heat_table_used_once",
                fields=["event", "table_number"],
                condition=Q(status=HeatStatus.OPEN),
            ),
            *Planned.Meta.constraints,
        ]

    def __str__(self) -> str:
        """Return "Heat 12", or "Semi-final A" for a play-off heat."""
        return heat_title(self.title, self.number)

    @property
    def at_table(self) -> str:
        """Return "Table 7 · Heat 12": whoever walks the hall thinks in tables."""
        if not self.table_number:
            return str(self)
        return str(_("Table %(table)s · %(heat)s")) % {"table": self.table_number, "heat": self}

    def get_absolute_url(self) -> str:
        return reverse("tournaments:heat", args=[self.event.slug, self.number])

    @property
    def nobody_goes_on(self) -> bool:
        """Whether nobody advances from it: the final, or a heat without play-offs after it."""
        return self.stage.kind == StageKind.FINAL or self.event.ends_with_heats


class HeatVersion(models.Model):
    """The event's version (:class:`EventVersion`) at the last write that concerned a heat.

    Triggers write it, at the end of the transaction and under the lock of the event's version, so
    that who asks for what has changed since a number misses nothing.
    """

    heat = models.OneToOneField(
        Heat, models.CASCADE, primary_key=True, related_name="changed", editable=False
    )
    number = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return str(self.number)


class HeatEntry(models.Model):
    """A player's numbered, paid entry into one heat.

    Without ``heat`` it waits in the queue. Voiding a heat voids its entries; each is replaced by a
    waiting one, which ``replaces`` the void one, keeps its number and its turn in the queue, and
    costs nothing.
    """

    registration = models.ForeignKey(
        Registration, models.PROTECT, related_name="entries", verbose_name=_("registration")
    )
    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="entries", verbose_name=_("stage")
    )
    heat = models.ForeignKey(
        Heat, models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("heat")
    )
    number = models.PositiveSmallIntegerField(_("entry"))
    status = models.CharField(
        _("status"), max_length=10, choices=EntryStatus.choices, default=EntryStatus.WAITING
    )
    replaces = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="replaced_by",
        verbose_name=_("in place of the void entry"),
    )
    #: Somebody registered twice already sat at another table when the two were merged.
    second_seat = models.BooleanField(_("second seat"), default=False, editable=False)
    entered_at = models.DateTimeField(_("waiting since"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["entered_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                name="entry_one_open_per_registration",
                fields=["registration"],
                condition=Q(status__in=list(OPEN_ENTRY_STATUSES), second_seat=False),
            ),
            models.UniqueConstraint(
                name="entry_number_once",
                fields=["registration", "number"],
                condition=Q(status__in=list(COUNTED_ENTRY_STATUSES)),
            ),
            models.UniqueConstraint(
                name="entry_one_seat_per_heat", fields=["heat", "registration"]
            ),
            models.CheckConstraint(name="entry_number_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(name="entry_status", condition=Q(status__in=EntryStatus.values)),
            models.CheckConstraint(
                name="entry_heat_fits_status",
                condition=Q(status=EntryStatus.WAITING, heat__isnull=True)
                | Q(status=EntryStatus.WITHDRAWN, heat__isnull=True)
                | Q(
                    status__in=[EntryStatus.SEATED, EntryStatus.DONE, EntryStatus.VOID],
                    heat__isnull=False,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration} / {self.number}"

    @property
    def event(self) -> Event:
        return self.registration.event


class HeatGame(models.Model):
    """One game of a heat and its score sheet.

    ``result_version`` is the sheet's version from which the stored results were made, -1 before
    there are any. If a finished sheet has a different version, a signal was lost and the results
    must be made again.
    """

    heat = models.ForeignKey(Heat, models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField(_("game"))
    sheet = models.OneToOneField("scoring.Sheet", models.PROTECT, related_name="heat_game")
    result_version = models.IntegerField(default=-1)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["heat_id", "number"]
        constraints = [
            models.UniqueConstraint(name="game_number_once", fields=["heat", "number"]),
            models.CheckConstraint(name="game_number_from_1", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.heat}, {self.number}"
