"""Events, their roles, stages, timetable, picture, and the version of their public pages."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.draws.draw import TABLE_MAX, TABLE_MIN
from engine.ranking.heat import DEFAULT_CHAIN
from scoring.enums import Acceptance
from scoring.words import step_name

from .enums import (
    EventStatus,
    Grouping,
    NoShowRule,
    OutPoints,
    PaperSize,
    SessionKind,
    StageKind,
    StageStatus,
    TimeRule,
    role_choices,
)
from .ladder import Step, festival_ladder, validate_ladder
from .organiser import Organiser
from .querysets import EventQuerySet, StageQuerySet
from .titles import letters, round_title, table_code
from .validators import (
    RulesValidator,
    validate_advance_plan,
    validate_game_points,
    validate_prizes,
    validate_room_plan,
    validate_swish_number,
    validate_tie_chain,
    validate_visible,
)


def default_game_points() -> dict[str, list[int]]:
    """Return the festival's points per table size (rulebook §2)."""
    return {"3": [20, 15, 12], "4": [20, 15, 12, 8]}


def default_tie_chain() -> list[str]:
    """Return the festival's tie-break chain (rulebook §5)."""
    return list(DEFAULT_CHAIN)


def default_playoff_advance() -> list[int]:
    """Return the festival's plan: two players go on per table in every round (rulebook §6)."""
    return [2]


def today() -> date:
    """Return today's date in local time."""
    return timezone.localdate()


class Event(models.Model):
    """A tournament with all settings of its format; the defaults follow the rulebook."""

    organiser = models.ForeignKey(
        Organiser,
        models.PROTECT,
        related_name="events",
        editable=False,
        verbose_name=_("organiser"),
    )
    slug = models.SlugField(
        _("address"),
        max_length=60,
        unique=True,
        help_text=_("The part of the event's web address that names it, such as “sm-2026”."),
    )
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    venue = models.CharField(_("venue"), max_length=120, blank=True, validators=[validate_visible])
    starts_on = models.DateField(_("first day"), default=today)
    ends_on = models.DateField(_("last day"), default=today)
    status = models.CharField(
        _("status"), max_length=10, choices=EventStatus.choices, default=EventStatus.DRAFT
    )
    rules = models.CharField(
        _("rule set"),
        max_length=120,
        default="festival",
        validators=[RulesValidator()],
        help_text=_("A rule set and its variants, such as “festival” or “svensk+C+N”."),
    )
    rules_digest = models.CharField(
        _("digest of the rules"), max_length=64, editable=False, default=""
    )
    games_per_heat = models.PositiveSmallIntegerField(
        _("games per heat"), default=3, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    advance_per_heat = models.PositiveSmallIntegerField(
        _("players who qualify per heat"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(3)],
    )
    game_points = models.JSONField(
        step_name("game_points"), default=default_game_points, validators=[validate_game_points]
    )
    tie_chain = models.JSONField(
        _("what decides a tie"), default=default_tie_chain, validators=[validate_tie_chain]
    )
    out_points = models.CharField(
        _("players who went out get"),
        max_length=10,
        choices=OutPoints.choices,
        default=OutPoints.LAST_PLACE,
    )
    table_size = models.PositiveSmallIntegerField(
        _("size of the tables"),
        default=TABLE_MAX,
        choices=[
            (TABLE_MAX, _("As many tables of four as possible")),
            (TABLE_MIN, _("As many tables of three as possible")),
        ],
    )
    room_plan = models.CharField(
        _("tables in the room"),
        max_length=200,
        blank=True,
        validators=[validate_room_plan],
        help_text=_(
            "Such as “1-12, 14”. Leave empty to number them from 1, as many as are needed."
        ),
    )
    ends_with_heats = models.BooleanField(
        _("no play-offs: it ends with its heats"),
        default=False,
        help_text=_("Such as a club evening: it ends by itself when nobody can play on."),
    )
    playoff_advance = models.JSONField(
        _("players who advance per play-off table"),
        default=default_playoff_advance,
        validators=[validate_advance_plan],
        help_text=_("One number per round; the last one holds for all later rounds."),
    )
    playoff_games = models.PositiveSmallIntegerField(
        _("games per play-off table"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
    )
    final_games = models.PositiveSmallIntegerField(
        _("games in the final"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_("Leave empty for the same as at the other play-off tables."),
    )
    playoff_grouping = models.CharField(
        _("play-off tables"), max_length=10, choices=Grouping.choices, default=Grouping.DRAW
    )
    no_show_rule = models.CharField(
        _("in place of a qualified player who is absent"),
        max_length=12,
        choices=NoShowRule.choices,
        default=NoShowRule.NEXT_OF_HEAT,
    )
    reentry_limit = models.PositiveSmallIntegerField(
        _("entries per player"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Leave empty for no limit."),
    )
    wifi_name = models.CharField(
        _("Wi-Fi in the hall"),
        max_length=32,
        blank=True,
        validators=[validate_visible],
        help_text=_("Its name; it stands on the poster, as a code that phones read."),
    )
    wifi_password = models.CharField(
        _("its password"), max_length=63, blank=True, validators=[validate_visible]
    )
    keep_turn_minutes = models.PositiveSmallIntegerField(
        _("minutes for which a turn in the queue is kept"),
        default=15,
        validators=[MaxValueValidator(600)],
        help_text=_("For players who leave the queue and come back. 0: the turn is lost."),
    )
    minutes_per_heat = models.PositiveSmallIntegerField(
        _("minutes per heat"),
        null=True,
        blank=True,
        validators=[MinValueValidator(5), MaxValueValidator(600)],
        help_text=_("Leave empty for no time limit."),
    )
    time_rule = models.CharField(
        _("when the time is up"),
        max_length=10,
        choices=TimeRule.choices,
        default=TimeRule.FINISH_DEAL,
        help_text=_("Games that have not begun are not played."),
    )
    shot_clock_seconds = models.PositiveSmallIntegerField(
        _("seconds of the shot clock"),
        null=True,
        blank=True,
        validators=[MinValueValidator(5), MaxValueValidator(300)],
        help_text=_("For an exchange or a card. Leave empty for no shot clock."),
    )
    results_need_director = models.BooleanField(
        _("the director closes every heat"),
        default=False,
        help_text=_("Otherwise a heat is closed when its table has signed off."),
    )
    acceptance = models.CharField(
        _("a table's games are accepted by"),
        max_length=8,
        choices=Acceptance.choices,
        default=Acceptance.AUDITOR,
        help_text=_("Before the table can sign off; on their own pages or with their PINs."),
    )
    staff_two_factor = models.BooleanField(
        _("staff need two-factor authentication"),
        default=False,
        help_text=_("A code from an app on the phone, besides the password. Screens need none."),
    )
    sign_up_opens_at = models.DateTimeField(
        _("sign-up opens"), null=True, blank=True, help_text=_("Leave empty for no public sign-up.")
    )
    sign_up_closes_at = models.DateTimeField(_("sign-up closes"), null=True, blank=True)
    capacity = models.PositiveIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(3)],
        help_text=_("Further players go on a waiting list. Leave empty for no limit."),
    )
    penalty_ladder = models.JSONField(
        _("steps of the penalties"), default=festival_ladder, validators=[validate_ladder]
    )
    penalties_per_offence = models.BooleanField(
        _("counted for each offence by itself"),
        default=True,
        help_text=_("Otherwise every penalty of a player counts, whatever it was for."),
    )
    currency = models.CharField(_("currency"), max_length=3, default="SEK")
    buy_in = models.PositiveIntegerField(
        _("buy-in per entry"), default=0, help_text=_("In the smallest unit, such as öre.")
    )
    fee = models.PositiveIntegerField(
        _("fee per entry"), default=0, help_text=_("In the smallest unit, such as öre.")
    )
    swish_number = models.CharField(
        _("Swish number"),
        max_length=20,
        blank=True,
        validators=[validate_swish_number],
        help_text=_("The cashier's page then shows a code that the Swish app reads."),
    )
    prizes = models.JSONField(_("prizes"), default=dict, blank=True, validators=[validate_prizes])
    prize_added = models.PositiveIntegerField(
        _("added to the prizes"), default=0, help_text=_("In the smallest unit, such as öre.")
    )
    #: Whether players get mail, and the base address of its links.
    mails_players = models.BooleanField(_("mail to players"), default=False, editable=False)
    mail_site = models.CharField(
        _("address in e-mails"), max_length=200, blank=True, editable=False
    )
    colour = models.CharField(
        _("colour"),
        max_length=7,
        default="#1b5e3f",
        validators=[RegexValidator(r"^#[0-9a-f]{6}\Z", _("Give a colour such as #1b5e3f."))],
        help_text=_("On the event's pages and its prints."),
    )
    paper_size = models.CharField(
        _("paper of the prints"),
        max_length=10,
        choices=PaperSize.choices,
        default=PaperSize.A4,
    )
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        validators=[validate_visible],
        help_text=_(
            "Whom players can ask: a name, a telephone number or an e-mail address."
            " Everybody can read it."
        ),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-starts_on", "name", "pk"]
        constraints = [
            models.CheckConstraint(name="event_status", condition=Q(status__in=EventStatus.values)),
            models.CheckConstraint(
                name="event_acceptance", condition=Q(acceptance__in=Acceptance.values)
            ),
            models.CheckConstraint(
                name="event_days_in_order",
                condition=Q(ends_on__gte=F("starts_on")),
                violation_error_message=_("The last day is before the first."),
            ),
            models.CheckConstraint(
                name="event_games_per_heat", condition=Q(games_per_heat__range=(1, 20))
            ),
            models.CheckConstraint(
                name="event_advance_per_heat", condition=Q(advance_per_heat__range=(1, 3))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.slug])

    @property
    def ladder(self) -> list[Step]:
        """The steps of the penalty ladder."""
        return [Step.read(each) for each in self.penalty_ladder]

    @property
    def price(self) -> int:
        """The price of one entry: buy-in plus fee."""
        return self.buy_in + self.fee

    def points_for(self, seats: int) -> list[int]:
        """Return the game points for a table of this size, best place first."""
        points: list[int] = self.game_points[str(seats)]
        return points


class EventRole(models.Model):
    event = models.ForeignKey(Event, models.CASCADE, related_name="roles", verbose_name=_("event"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="tournament_roles",
        verbose_name=_("account"),
    )
    role = models.CharField(_("role"), max_length=10, choices=role_choices)

    class Meta:
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        constraints = [
            models.UniqueConstraint(name="role_once_per_event", fields=["event", "user"]),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class Stage(models.Model):
    """A qualifying day, a play-off round or the final."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="stages", verbose_name=_("event"))
    kind = models.CharField(
        _("kind"), max_length=10, choices=StageKind.choices, default=StageKind.QUALIFYING
    )
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("The order of play."))
    round = models.PositiveSmallIntegerField(
        _("round"), default=1, help_text=_("The number among the stages of its kind.")
    )
    status = models.CharField(
        _("status"), max_length=10, choices=StageStatus.choices, default=StageStatus.PLANNED
    )
    advance = models.PositiveSmallIntegerField(
        _("players who advance per table"), default=1, validators=[MaxValueValidator(4)]
    )
    games = models.PositiveSmallIntegerField(
        _("games per table"), default=3, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )

    rounds_left = models.PositiveSmallIntegerField(
        _("play-off rounds after this one"),
        null=True,
        blank=True,
        editable=False,
    )

    objects = StageQuerySet.as_manager()

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(name="stage_number_once", fields=["event", "number"]),
            models.CheckConstraint(name="stage_kind", condition=Q(kind__in=StageKind.values)),
            models.CheckConstraint(name="stage_status", condition=Q(status__in=StageStatus.values)),
            models.CheckConstraint(name="stage_games", condition=Q(games__range=(1, 20))),
            models.CheckConstraint(name="stage_advance", condition=Q(advance__range=(0, 4))),
            # With two open qualifying stages it would be unclear which one a player waits for.
            models.UniqueConstraint(
                name="stage_one_open_qualifying",
                fields=["event"],
                condition=Q(kind=StageKind.QUALIFYING, status=StageStatus.OPEN),
            ),
        ]

    def __str__(self) -> str:
        """Return the stage's kind and number, or the round's title."""
        if self.kind == StageKind.PLAYOFF:
            return round_title(self.rounds_left, self.round)
        name = str(StageKind(self.kind).label)
        return name if self.round == 1 else f"{name} {self.round}"

    def table_codes(self) -> Iterator[str]:
        """Yield the codes of a play-off round's tables in order (see ``titles``)."""
        left = 0 if self.kind == StageKind.FINAL else self.rounds_left
        return (table_code(left, self.round, letter) for letter in letters())

    def as_json(self) -> dict[str, Any]:
        """Return the stage as the log keeps it."""
        return {"number": self.number, "kind": self.kind, "status": self.status}


class Planned(models.Model):
    """When doors open, and when play is to begin and end."""

    doors_at = models.DateTimeField(_("doors"), null=True, blank=True)
    starts_at = models.DateTimeField(_("start"), null=True, blank=True)
    ends_at = models.DateTimeField(_("end of play"), null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                name="%(class)s_doors_first",
                condition=Q(doors_at__isnull=True) | Q(doors_at__lte=F("starts_at")),
                violation_error_message=_("The doors open after the start."),
            ),
            models.CheckConstraint(
                name="%(class)s_ends_last",
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("starts_at")),
                violation_error_message=_("Play ends before it starts."),
            ),
        ]


class Day(Planned):
    """A day or part of one, such as "1A", and what is played then, if the director says so."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="timetable")
    name = models.CharField(_("name"), max_length=20, validators=[validate_visible])
    session_kind = models.CharField(
        _("what is played"), max_length=10, choices=SessionKind.choices, blank=True
    )
    starts_at = models.DateTimeField(_("start"))
    places = models.PositiveIntegerField(
        _("places"), null=True, blank=True, validators=[MinValueValidator(3)]
    )
    #: When its check-in began, with nobody here; None before.
    begun_at = models.DateTimeField(_("check-in began"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("day")
        verbose_name_plural = _("days")
        ordering = ["starts_at", "pk"]
        constraints = [
            models.UniqueConstraint(name="day_name_once", fields=["event", "name"]),
            *Planned.Meta.constraints,
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """Its name and what is played: "2 · Semi-finals"."""
        kind = str(self.get_session_kind_display())
        return self.name if kind in ("", self.name) else f"{self.name} · {kind}"


class EventVersion(models.Model):
    """Two numbers per event that only grow; triggers raise them on every write.

    They have a row of their own, which is locked last: an entry at a table must not wait for the
    event's row, nor two tables for each other. The triggers are in ``core/version_triggers.py``.
    """

    event = models.OneToOneField(
        Event, models.CASCADE, primary_key=True, related_name="version", editable=False
    )
    #: Raised by every write.
    number = models.BigIntegerField(default=0)
    #: Raised by all but play, which changes no other table's page and no page of closed heats.
    directed = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.number)


class EventPicture(models.Model):
    """A JPEG of limited size; ``digest`` is part of its address."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="picture")
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=16)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    def __str__(self) -> str:
        return str(self.event)
