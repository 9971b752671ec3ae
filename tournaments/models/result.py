"""Exact results, and qualifications."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.words import status_name, step_name

from .enums import SeatStatus, Shares
from .event import Event, Stage
from .fields import TwelfthsField
from .heat import Heat, HeatEntry, HeatGame
from .people import Registration
from .querysets import QualificationQuerySet


class GameResult(models.Model):
    """One player's result in a finished game, computed from its sheet and never typed."""

    game = models.ForeignKey(
        HeatGame, models.PROTECT, related_name="results", verbose_name=_("game")
    )
    entry = models.ForeignKey(
        HeatEntry, models.PROTECT, related_name="game_results", verbose_name=_("entry")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    score = models.IntegerField(_("score"))
    executed = models.BooleanField(_("executed"), default=False)
    asterisks = models.PositiveSmallIntegerField(step_name("asterisks"), default=0)
    status = models.CharField(
        _("status"), max_length=12, choices=SeatStatus.choices, default=SeatStatus.IN
    )
    place = models.PositiveSmallIntegerField(_("place"))
    game_points = TwelfthsField(step_name("game_points"))
    #: How often each best hand was this player's, and the Chicagos ``won`` and ``broken``.
    came = models.JSONField(default=dict)
    #: How often the player reached the target without the Chicago that it needs.
    zeroed = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("game result")
        verbose_name_plural = _("game results")
        ordering = ["game_id", "place", "seat"]
        constraints = [
            models.UniqueConstraint(name="game_result_once", fields=["game", "entry"]),
            models.UniqueConstraint(name="game_result_seat_once", fields=["game", "seat"]),
            models.CheckConstraint(name="game_result_place", condition=Q(place__range=(1, 4))),
            models.CheckConstraint(name="game_result_seat", condition=Q(seat__range=(0, 3))),
            models.CheckConstraint(
                name="game_result_status", condition=Q(status__in=SeatStatus.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.game_points}"


class GameHands(models.Model):
    """How often each hand and Chicago came in a finished game, counted from its sheet.

    Stored so that the database can sum them over an event, however many lines its sheets have.
    """

    game = models.OneToOneField(HeatGame, models.PROTECT, primary_key=True, related_name="hands")
    players = models.PositiveSmallIntegerField()
    #: The deals of which something was written, and how long they took (0: entered afterwards).
    length = models.PositiveSmallIntegerField(default=0)
    seconds = models.PositiveIntegerField(default=0)
    #: For this many deals the tricks are known, and in each phase this many hands.
    deals = models.PositiveSmallIntegerField(default=0)
    asked_1 = models.PositiveSmallIntegerField(default=0)
    asked_2 = models.PositiveSmallIntegerField(default=0)
    asked_3 = models.PositiveSmallIntegerField(default=0)
    #: Chicagos, and best hands by their category.
    won = models.PositiveSmallIntegerField(default=0)
    broken = models.PositiveSmallIntegerField(default=0)
    pair = models.PositiveSmallIntegerField(default=0)
    two_pair = models.PositiveSmallIntegerField(default=0)
    three_of_a_kind = models.PositiveSmallIntegerField(default=0)
    straight = models.PositiveSmallIntegerField(default=0)
    flush = models.PositiveSmallIntegerField(default=0)
    full_house = models.PositiveSmallIntegerField(default=0)
    four_of_a_kind = models.PositiveSmallIntegerField(default=0)
    straight_flush = models.PositiveSmallIntegerField(default=0)
    royal_flush = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.game)


class SimulatedHands(models.Model):
    """What chance gives under some rules: counts over ``games`` of the program's own players.

    The same rules, players, seed and number of games give the same ``counts``, which are lists of
    phase, what came, and how often (``engine.bots.chance``).
    """

    rules = models.CharField(max_length=200)
    players = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=40)
    games = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=list)

    class Meta:
        verbose_name = _("simulated hands")
        verbose_name_plural = _("simulated hands")
        constraints = [
            models.UniqueConstraint(name="simulated_once", fields=["rules", "players"]),
        ]

    def __str__(self) -> str:
        return f"{self.rules}, {self.players}"


class SharedPicture(models.Model):
    """A drawn picture to share, which the worker makes: of an event, heat, player or champion.

    ``number`` is the heat's or the player's. It is as of ``version`` (``HeatVersion`` of a heat,
    otherwise ``EventVersion.directed``), and shown only while that is the present one: it has names
    that may since have been hidden. ``digest`` is of the SVG that it was made of.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="shared_pictures")
    kind = models.CharField(max_length=8, choices=Shares.choices)
    number = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=8)
    version = models.BigIntegerField()
    digest = models.CharField(max_length=32)
    content = models.BinaryField()

    class Meta:
        verbose_name = "picture to share"
        verbose_name_plural = "pictures to share"
        constraints = [
            models.UniqueConstraint(
                name="shared_picture_once", fields=["event", "kind", "number", "language"]
            ),
            models.CheckConstraint(name="shared_picture_kind", condition=Q(kind__in=Shares.values)),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.kind} {self.number}"


class HeatResult(models.Model):
    """One player's standing in a heat; provisional while the heat is open.

    ``decided_by`` is the step of the tie-break chain that put the player ahead of ``ahead_of``;
    ``own_value`` and ``next_value`` are the two players' values in that step. ``game_points`` is
    the total that counts: points from the games less ``penalty``. ``table_points`` is all game
    points given at the table so far, against which tables of three and of four can be compared.
    """

    heat = models.ForeignKey(Heat, models.PROTECT, related_name="results", verbose_name=_("heat"))
    entry = models.OneToOneField(
        HeatEntry, models.PROTECT, related_name="result", verbose_name=_("entry")
    )
    order = models.PositiveSmallIntegerField(
        _("row in the ranking"),
        help_text=_("From 1; players who share a place are in this order."),
    )
    place = models.PositiveSmallIntegerField(_("place"))
    game_points = TwelfthsField(step_name("game_points"))
    score_points = models.IntegerField(step_name("score_points"))
    asterisks = models.PositiveSmallIntegerField(step_name("asterisks"))
    games = models.PositiveSmallIntegerField(_("games counted"))
    disqualified = models.BooleanField(status_name("disqualified"), default=False)
    decided_by = models.CharField(_("decided by"), max_length=20, blank=True)
    ahead_of = models.ForeignKey(
        Registration,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("ahead of"),
    )
    own_value = models.CharField(_("own value"), max_length=20, blank=True)
    next_value = models.CharField(_("value of the next player"), max_length=20, blank=True)
    table_points = TwelfthsField(_("game points of the whole table"), default=0)
    penalty = TwelfthsField(_("penalty in game points"), default=0)
    advances = models.BooleanField(_("advances"), default=False)

    class Meta:
        verbose_name = _("heat result")
        verbose_name_plural = _("heat results")
        ordering = ["heat_id", "order"]
        constraints = [
            models.UniqueConstraint(name="heat_result_order_once", fields=["heat", "order"]),
            models.CheckConstraint(name="heat_result_place", condition=Q(place__range=(1, 4))),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.place}"


class Qualification(models.Model):
    """A qualified registration, in the order of qualifying.

    Never deleted; a correction that revokes it sets ``revoked_at``.
    """

    event = models.ForeignKey(
        Event, models.PROTECT, related_name="qualifications", verbose_name=_("event")
    )
    registration = models.ForeignKey(
        Registration, models.PROTECT, related_name="qualifications", verbose_name=_("registration")
    )
    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="qualifications", verbose_name=_("stage")
    )
    heat = models.ForeignKey(
        Heat,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="qualifications",
        verbose_name=_("heat"),
    )
    order = models.PositiveIntegerField(_("order"))
    qualified_at = models.DateTimeField(_("qualified"), default=timezone.now)
    qualified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("noted by"),
    )
    revoked_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    objects = QualificationQuerySet.as_manager()

    class Meta:
        verbose_name = _("qualification")
        verbose_name_plural = _("qualifications")
        ordering = ["event_id", "order"]
        constraints = [
            models.UniqueConstraint(
                name="qualification_once_per_registration",
                fields=["registration"],
                condition=Q(revoked_at__isnull=True),
            ),
            models.UniqueConstraint(name="qualification_order_once", fields=["event", "order"]),
        ]

    def __str__(self) -> str:
        return f"{self.order}. {self.registration}"
