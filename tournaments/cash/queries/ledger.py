"""Balances and the ledger."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...core.days import date_of_play
from ...models import Booking, Event, HeatEntry, Registration, TillCount
from ...models.enums import (
    COUNTED_ENTRY_STATUSES,
    GONE,
    BookingKind,
    EntryStatus,
    EventStatus,
    PaymentMethod,
    RegistrationStatus,
    StageKind,
)
from ...models.money import show_amount

#: The keys of registrations, None for all of an event's.
Players = Sequence[int] | None

_PRICE = [BookingKind.BUY_IN, BookingKind.ADVANCE, BookingKind.REFUND]
_PRIZES = [BookingKind.PAYOUT, BookingKind.RETURNED]
#: Bookings that pay for or refund entries; other fees and payouts do not count here.
_TOWARDS_ENTRIES = (
    Q(kind__in=_PRICE)
    | Q(voids__kind__in=_PRICE)
    | Q(kind=BookingKind.FEE, entry__isnull=False)
    | Q(voids__kind=BookingKind.FEE, entry__isnull=False)
)


@dataclass(frozen=True)
class Balance:
    """The cost of a player's entries, what was paid for them, and all other money.

    A player who is expected and has no entry yet has one to pay.

    ``owes`` is negative after an overpayment, for example for a withdrawn entry.
    """

    registration: Registration
    entries: int
    due: int
    paid: int
    other: int
    #: Whether the player can still enter, so that more than is due pays for starts to come.
    goes_on: bool = False

    @property
    def free(self) -> int:
        """How many of the entries cost nothing."""
        return min(self.entries, self.registration.free_starts)

    @property
    def ahead(self) -> int:
        """How many starts are paid in advance."""
        price = self.registration.event.price
        return max(0, -self.owes) // price if self.goes_on and price else 0

    @property
    def owes(self) -> int:
        """How much is still to be paid."""
        owed = self.due - self.paid
        # Nothing is paid back to a disqualified player, so nothing is too much.
        out = self.registration.status == RegistrationStatus.DISQUALIFIED
        return max(owed, 0) if out else owed

    @property
    def label(self) -> str:
        """The label where nothing is owed."""
        if self.owes < 0:
            event = self.registration.event
            more = -self.owes - self.ahead * event.price
            parts = []
            if self.ahead:
                text = ngettext(
                    "%(count)s start paid in advance",
                    "%(count)s starts paid in advance",
                    self.ahead,
                )
                parts.append(text % {"count": self.ahead})
            if more:
                amount = show_amount(more, event.currency)
                parts.append(_("%(amount)s too much") % {"amount": amount})
            return ", ".join(parts)
        if self.free and not self.due:
            return _("free")
        return _("paid") if self.due else ""

    @property
    def tag(self) -> str:
        """The CSS class of the label."""
        return "tag tag-amber" if self.owes < 0 else "tag"


def _entries_by_player(event: Event, players: Players = None) -> dict[int, int]:
    # A void entry is replaced unless its player was disqualified, who gets nothing back.
    counts = Q(status__in=COUNTED_ENTRY_STATUSES) | Q(status=EntryStatus.VOID, replaced_by=None)
    rows = HeatEntry.objects.filter(
        counts, registration__event=event, stage__kind=StageKind.QUALIFYING
    )
    if players is not None:
        rows = rows.filter(registration__in=players)
    return dict(rows.values_list("registration").annotate(count=Count("pk")).order_by())


def _free_by_player(event: Event, players: Players = None) -> dict[int, int]:
    rows = event.registrations.filter(free_starts__gt=0)
    if players is not None:
        rows = rows.filter(pk__in=players)
    return dict(rows.values_list("pk", "free_starts"))


def entries_of(event: Event) -> tuple[int, int]:
    """Return how many entries count and are paid for, and how many are free."""
    entries, free = _entries_by_player(event), _free_by_player(event)
    gratis = sum(min(entries.get(key, 0), count) for key, count in free.items())
    return sum(entries.values()) - gratis, gratis


def _due_by_player(
    event: Event, entries: dict[int, int], players: Players = None
) -> dict[int, int]:
    free = _free_by_player(event, players) if event.price else {}
    due = {key: max(0, count - free.get(key, 0)) * event.price for key, count in entries.items()}
    if not event.price or event.status == EventStatus.FINISHED:
        return due
    # Check-in enters them; a player who has not arrived when the heats are over owes nothing.
    expected = event.registrations.filter(
        Exists(event.stages.qualifying().open()),
        status=RegistrationStatus.REGISTERED,
        free_starts=0,
    )
    if players is not None:
        expected = expected.filter(pk__in=players)
    return dict.fromkeys(expected.values_list("pk", flat=True), event.price) | due


def _sums_by_player(event: Event, players: Players) -> dict[int, tuple[int, int]]:
    """Return what each player has paid towards entries, and all else."""
    rows = Booking.objects.filter(event=event, registration__isnull=False)
    if players is not None:
        rows = rows.filter(Q(registration__in=players) | Q(registration__merged_into__in=players))
    # Money booked on a merged registration counts for the kept one.
    player = Coalesce("registration__merged_into", "registration")
    sums = rows.values_list(player).annotate(
        paid=Coalesce(Sum("amount", filter=_TOWARDS_ENTRIES), 0), all=Sum("amount")
    )
    return {key: (paid, all_ - paid) for key, paid, all_ in sums.order_by()}


@dataclass(frozen=True)
class Accounts:
    """Entries, what is due for them and what was paid, each by a registration's key."""

    entries: Mapping[int, int]
    due: Mapping[int, int]
    sums: Mapping[int, tuple[int, int]]

    @property
    def owed(self) -> dict[int, int]:
        """What each registration owes; negative if overpaid."""
        return {
            key: self.due.get(key, 0) - self.sums.get(key, (0, 0))[0]
            for key in {*self.due, *self.sums}
        }


def accounts_of(event: Event, players: Players = None) -> Accounts:
    """Return the accounts of these players, or of all (two queries, four if there is a price)."""
    entries = _entries_by_player(event, players)
    return Accounts(
        entries, _due_by_player(event, entries, players), _sums_by_player(event, players)
    )


def owed_by(event: Event, players: Players = None) -> dict[int, int]:
    """Return what each registration owes, by key; negative if overpaid."""
    return accounts_of(event, players).owed


def balances_of(
    event: Event, rows: Iterable[Registration], accounts: Accounts | None = None
) -> list[Balance]:
    """Return the balances of these registrations, from ``accounts`` if these have been read.

    One query beside those of the rows and of :func:`accounts_of`.
    """
    rows = list(rows)
    players = [row.pk for row in rows]
    accounts = accounts or accounts_of(event, players)
    going_on = _going_on(event, players)
    return [
        Balance(
            row,
            accounts.entries.get(row.pk, 0),
            accounts.due.get(row.pk, 0),
            *accounts.sums.get(row.pk, (0, 0)),
            row.pk in going_on,
        )
        for row in rows
    ]


def _going_on(event: Event, players: Sequence[int]) -> set[int]:
    """Return who of these can still enter a heat."""
    rows = event.registrations.filter(
        Exists(event.stages.qualifying().open()), pk__in=players
    ).exclude(status__in=GONE)
    return set(rows.values_list("pk", flat=True))


def payment_of(booking: Booking) -> list[Booking]:
    """Return what stands of the payment to which a booking belongs: one player's, at one moment."""
    if booking.registration_id is None or booking.kind == BookingKind.VOID:
        return []
    rows = booking.event.bookings.filter(
        registration=booking.registration_id,
        booked_at=booking.booked_at,
        voids=None,
        voided_by=None,
    )
    return list(rows.order_by("pk"))


@dataclass(frozen=True)
class DayTotal:
    """A day's money by kind (voids count against the voided kind) and by way of payment."""

    day: date
    by_kind: tuple[tuple[BookingKind, int], ...]
    by_method: tuple[tuple[PaymentMethod, int], ...]
    total: int


def day_totals(event: Event) -> list[DayTotal]:
    """Return every day of play with bookings, newest first (two queries)."""
    days: dict[date, tuple[Counter[str], Counter[str]]] = {}
    timetable = list(event.timetable.all())
    for at, kind, voided, method, amount in event.bookings.values_list(
        "booked_at", "kind", "voids__kind", "payment_method", "amount"
    ).order_by():
        day = date_of_play(event, timetable, at)
        by_kind, by_method = days.setdefault(day, (Counter(), Counter()))
        by_kind[voided or kind] += amount
        by_method[PaymentMethod(method)] += amount
    return [
        DayTotal(
            day,
            tuple((kind, by_kind[kind]) for kind in BookingKind if by_kind[kind]),
            tuple((method, by_method[method]) for method in PaymentMethod if method in by_method),
            by_kind.total(),
        )
        for day, (by_kind, by_method) in sorted(days.items(), reverse=True)
    ]


def by_method(days: Iterable[DayTotal]) -> list[tuple[PaymentMethod, int]]:
    """Return all days' totals by way of payment; cash is always included."""
    found: Counter[PaymentMethod] = Counter({PaymentMethod.CASH: 0})
    for day in days:
        found.update(dict(day.by_method))
    return [(method, found[method]) for method in PaymentMethod if method in found]


def _count_to(key: str) -> Subquery:
    rows = Booking.objects.filter(event=OuterRef("event"), pk__lte=OuterRef(key)).order_by()
    return Subquery(rows.values("event").annotate(count=Count("pk")).values("count"))


def numbered() -> QuerySet[Any]:
    """Return all bookings with ``number``, and with ``voids_number`` of the row they void.

    The numbers count each event's own bookings. As its ledger only grows, they have no gaps and
    never change.
    """
    return Booking.objects.annotate(number=_count_to("pk"), voids_number=_count_to("voids"))


def ledger_of(event: Event) -> QuerySet[Any]:
    """Return the ledger, newest first, with everything its rows show."""
    return (
        numbered()
        .filter(event=event)
        .select_related("registration__person", "entry", "booked_by", "voids", "voided_by")
        .order_by("-pk")
    )


@dataclass(frozen=True)
class Payment:
    """What one player paid or got at one moment, without what was taken back."""

    rows: tuple[Any, ...]

    @property
    def first(self) -> Any:
        """Its first row, by which the whole is taken back."""
        return self.rows[0]

    @property
    def total(self) -> int:
        """What was paid; negative for what was paid out."""
        return sum(row.amount for row in self.rows)


def payments_of(registration: Registration) -> list[Payment]:
    """Return what a player paid and got, oldest first, without voided bookings (one query)."""
    theirs = Q(registration=registration) | Q(registration__merged_into=registration)
    rows = numbered().filter(theirs, voids=None, voided_by=None)
    ordered = rows.select_related("entry", "booked_by").order_by("booked_at", "pk")
    groups = groupby(ordered, key=lambda row: (row.registration_id, row.booked_at))
    return [Payment(tuple(group)) for _key, group in groups]


@dataclass(frozen=True)
class Receipt:
    """What one player paid, or got back, at one moment; prizes have none.

    ``number`` is that of its first booking, so nothing booked later changes it.
    """

    player: Registration
    number: int
    rows: tuple[Any, ...]

    @property
    def total(self) -> int:
        """What is left of it after bookings that were taken back."""
        return sum(row.amount for row in self.rows)


def receipts_of(event: Event, player: Registration | None = None) -> list[Receipt]:
    """Return the receipts by player, oldest first; of one player only, if given (one query).

    A booking taken back stays in its receipt, with the row that took it back. Where nothing is left
    there is no receipt.
    """
    rows = (
        numbered()
        .filter(event=event, registration__isnull=False)
        .exclude(Q(kind__in=_PRIZES) | Q(voids__kind__in=_PRIZES))
        .select_related("registration__person", "registration__merged_into__person", "entry")
        .annotate(
            player=Coalesce("registration__merged_into__number", "registration__number"),
            paid_at=Coalesce("voids__booked_at", "booked_at"),
        )
    )
    if player is not None:
        rows = rows.filter(player=player.number)
    receipts = []
    for _key, group in groupby(
        rows.order_by("player", "paid_at", "pk"), key=lambda row: (row.player, row.paid_at)
    ):
        paid = tuple(group)
        whose = paid[0].registration
        receipts.append(Receipt(whose.merged_into or whose, paid[0].number, paid))
    return [receipt for receipt in receipts if receipt.total]


@dataclass(frozen=True)
class Till:
    """One way of payment on one day: what was booked, and the last count, if any."""

    day: date
    payment_method: PaymentMethod
    booked: int
    count: TillCount | None

    @property
    def should_be(self) -> int:
        """The amount expected: what was booked, plus the change put in before."""
        return self.booked + (self.count.change if self.count else 0)

    @property
    def difference(self) -> int | None:
        """How much more was counted than is now expected; None until it is counted."""
        return self.count.counted - self.should_be if self.count else None


def tills_of(event: Event, days: Iterable[DayTotal]) -> list[Till]:
    """Return the ways of payment of these days, each with its last count (one query).

    Counts on days without bookings are included.
    """
    counts = {
        (count.day, PaymentMethod(count.payment_method)): count
        for count in event.till_counts.select_related("counted_by").order_by("pk")
    }
    booked = {(day.day, method): amount for day in days for method, amount in day.by_method}
    order = list(PaymentMethod)
    return [
        Till(day, method, booked.get((day, method), 0), counts.get((day, method)))
        for day, method in sorted(
            booked.keys() | counts.keys(),
            key=lambda key: (-key[0].toordinal(), order.index(key[1])),
        )
    ]
