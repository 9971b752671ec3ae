"""Who owes what, and what came in and went out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _

from ..models import Booking, Event, HeatEntry, Registration
from ..models.enums import PAID_ENTRY_STATUSES, BookingKind, StageKind
from ..models.money import show_amount

#: What a buy-in is paid or given back with; fees and payouts are another matter.
_TOWARDS_BUY_IN = Q(kind__in=[BookingKind.BUY_IN, BookingKind.REFUND]) | Q(
    voids__kind__in=[BookingKind.BUY_IN, BookingKind.REFUND]
)


@dataclass(frozen=True)
class Balance:
    """What one player's entries cost, what was paid for them, and all other money.

    ``owes`` is negative where too much was paid, e.g. for an entry that was taken back.
    """

    registration: Registration
    entries: int
    due: int
    paid: int
    other: int

    @property
    def owes(self) -> int:
        """How much is still to be paid."""
        return self.due - self.paid

    @property
    def label(self) -> str:
        """What is said where nothing is owed."""
        if self.owes < 0:
            amount = show_amount(-self.owes, self.registration.event.currency)
            return _("%(amount)s too much") % {"amount": amount}
        return _("paid") if self.entries else ""

    @property
    def tag(self) -> str:
        """How the label stands out."""
        return "tag tag-amber" if self.owes < 0 else "tag"


def _entries_by_player(event: Event) -> dict[int, int]:
    rows = HeatEntry.objects.filter(
        registration__event=event,
        status__in=PAID_ENTRY_STATUSES,
        stage__kind=StageKind.QUALIFYING,
    )
    return dict(rows.values_list("registration").annotate(count=Count("pk")).order_by())


def _sums_by_player(event: Event, condition: Q) -> dict[int, int]:
    rows = Booking.objects.filter(condition, event=event, registration__isnull=False)
    return dict(rows.values_list("registration").annotate(sum=Sum("amount")).order_by())


def owed_by(event: Event) -> dict[int, int]:
    """Return what each registration owes, by its key; negative: paid too much (two queries)."""
    entries, paid = _entries_by_player(event), _sums_by_player(event, _TOWARDS_BUY_IN)
    return {key: entries.get(key, 0) * event.buy_in - paid.get(key, 0) for key in {*entries, *paid}}


def balances_of(event: Event, rows: Iterable[Registration]) -> list[Balance]:
    """Return the balances of these registrations (three queries besides the rows')."""
    entries = _entries_by_player(event)
    paid = _sums_by_player(event, _TOWARDS_BUY_IN)
    other = _sums_by_player(event, ~_TOWARDS_BUY_IN)
    return [
        Balance(
            row,
            entries.get(row.pk, 0),
            entries.get(row.pk, 0) * event.buy_in,
            paid.get(row.pk, 0),
            other.get(row.pk, 0),
        )
        for row in rows
    ]


@dataclass(frozen=True)
class DayTotal:
    """One day's money: by kind (taken-back rows count against their kind), and what is left."""

    day: date
    by_kind: tuple[tuple[BookingKind, int], ...]
    total: int


def day_totals(event: Event) -> list[DayTotal]:
    """Return every day with bookings, newest first (one query)."""
    days: dict[date, dict[str, int]] = {}
    for day, kind, voided, amount in (
        Booking.objects.filter(event=event)
        .annotate(day=TruncDate("booked_at"))
        .values_list("day", "kind", "voids__kind")
        .annotate(sum=Sum("amount"))
        .order_by()
    ):
        kinds = days.setdefault(day, {})
        kinds[voided or kind] = kinds.get(voided or kind, 0) + amount
    return [
        DayTotal(
            day,
            tuple((kind, kinds[kind]) for kind in BookingKind if kinds.get(kind)),
            sum(kinds.values()),
        )
        for day, kinds in sorted(days.items(), reverse=True)
    ]


def ledger_of(event: Event) -> QuerySet[Any]:
    """Return the ledger, newest first, with what each row shows."""
    return (
        Booking.objects.filter(event=event)
        .select_related("registration__person", "entry", "booked_by", "voids", "voided_by")
        .order_by("-pk")
    )
