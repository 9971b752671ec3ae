"""Append-only rows: bookings, the log, and anchors of all hash chains."""

from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.append_only import AppendOnly
from scoring.reasons import reason_text

from .enums import BookingKind, LogAction, Offence, PaymentMethod, PenaltyLevel
from .event import Event
from .heat import HeatEntry
from .ladder import Step
from .money import show_amount
from .people import Registration

#: Money that the event receives.
INCOMING = (BookingKind.BUY_IN, BookingKind.FEE, BookingKind.RETURNED, BookingKind.ADVANCE)


class Booking(AppendOnly):
    """Money received (positive) or paid out (negative), in the currency's smallest unit.

    What one player pays at one moment is one payment: the rows of the same ``booked_at``.

    A mistake is undone by another row of kind ``void`` with the opposite amount.
    """

    event = models.ForeignKey(
        Event, models.PROTECT, related_name="bookings", verbose_name=_("event")
    )
    registration = models.ForeignKey(
        Registration,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="bookings",
        verbose_name=_("registration"),
    )
    entry = models.ForeignKey(
        HeatEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="bookings",
        verbose_name=_("entry"),
    )
    kind = models.CharField(_("kind"), max_length=10, choices=BookingKind.choices)
    amount = models.BigIntegerField(_("amount"))
    currency = models.CharField(_("currency"), max_length=3)
    payment_method = models.CharField(_("paid by"), max_length=10, choices=PaymentMethod.choices)
    voids = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="voided_by",
        verbose_name=_("takes back"),
    )
    note = models.CharField(_("note"), max_length=200, blank=True)
    booked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("booked by"),
    )
    booked_at = models.DateTimeField(_("booked"), default=timezone.now)

    class Meta:
        verbose_name = _("booking")
        verbose_name_plural = _("bookings")
        ordering = ["event_id", "pk"]
        constraints = [
            models.CheckConstraint(name="booking_kind", condition=Q(kind__in=BookingKind.values)),
            models.CheckConstraint(name="booking_not_nothing", condition=~Q(amount=0)),
            models.CheckConstraint(
                name="booking_sign_fits_kind",
                condition=Q(kind__in=INCOMING, amount__gt=0)
                | Q(kind__in=[BookingKind.REFUND, BookingKind.PAYOUT], amount__lt=0)
                | Q(kind=BookingKind.VOID),
            ),
            models.CheckConstraint(
                name="booking_void_names_row",
                condition=Q(kind=BookingKind.VOID, voids__isnull=False)
                | (~Q(kind=BookingKind.VOID) & Q(voids__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        """Return kind, amount and player, for the staff."""
        what = f"{self.get_kind_display()} {show_amount(self.amount, self.currency)}"
        return f"{what} · {self.registration}" if self.registration_id else what


class TillCount(AppendOnly):
    """The day's-end count of one way of payment, next to what was booked at that moment.

    ``change`` is what the cash box held before the first payment; ``counted`` includes it. A new
    count adds a row; the last one holds.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="till_counts")
    day = models.DateField(_("day"))
    payment_method = models.CharField(_("paid by"), max_length=10, choices=PaymentMethod.choices)
    change = models.BigIntegerField(_("change in the box"), default=0)
    booked = models.BigIntegerField(_("booked"))
    counted = models.BigIntegerField(_("counted"))
    note = models.CharField(_("note"), max_length=200, blank=True)
    counted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    counted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("count of the till")
        verbose_name_plural = _("counts of the till")
        ordering = ["event_id", "pk"]
        constraints = [
            models.CheckConstraint(
                name="till_count_payment_method",
                condition=Q(payment_method__in=PaymentMethod.values),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.get_payment_method_display()}"

    @property
    def difference(self) -> int:
        """How much more was counted than expected."""
        return self.counted - self.booked - self.change


def log_actions() -> list[tuple[str, Any]]:
    """Return the actions in the log; a function, so that a new one needs no migration."""
    return list(LogAction.choices)


class LogEntry(AppendOnly):
    """Who did what to which row, with before, after and reason."""

    event = models.ForeignKey(
        Event,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="log_entries",
        verbose_name=_("event"),
    )
    at = models.DateTimeField(_("when"), default=timezone.now)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("account"),
    )
    actor = models.CharField(
        _("who"), max_length=150, help_text=_("The account's name then, or what acted without one.")
    )
    action = models.CharField(_("what"), max_length=30, choices=log_actions)
    object_type = models.CharField(_("kind of thing"), max_length=40)
    object_id = models.CharField(_("key of the thing"), max_length=40)
    object_label = models.CharField(_("about"), max_length=200)
    heat_number = models.PositiveIntegerField(_("heat"), null=True, blank=True)
    before = models.JSONField(_("before"), null=True, blank=True, encoder=DjangoJSONEncoder)
    after = models.JSONField(_("after"), null=True, blank=True, encoder=DjangoJSONEncoder)
    reason = models.TextField(_("why"), blank=True)

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log")
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["event", "-at"]),
            models.Index(fields=["event", "action"]),
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {self.get_action_display()} ({self.object_label})"

    @property
    def text(self) -> str:
        """The action in words, with the penalty that was given or taken back."""
        text = str(self.get_action_display())
        data = self.after or self.before or {}
        if self.object_type != "penalty" or data.get("level") not in PenaltyLevel:
            return text
        step = Step(PenaltyLevel(data["level"]), Fraction(data.get("points") or 0))
        parts = [str(step)]
        if data.get("offence") in Offence:
            parts.append(str(Offence(data["offence"]).label))
        return f"{text}: {' · '.join(parts)}"

    @property
    def reason_text(self) -> str:
        """The reason in the reader's language."""
        return reason_text(self.reason)


class Anchor(AppendOnly):
    """One signed line, with the heads of the chains that its digest covers.

    ``heads``: for each sheet's public id, the number of rows and the last row's hash.
    """

    at = models.DateTimeField(default=timezone.now)
    heads = models.JSONField()
    log_rows = models.PositiveIntegerField()
    ledger_rows = models.PositiveIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    line = models.CharField(max_length=400)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.line
