"""The ledger: money received, money paid out, and bookings that void others."""

from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event, lock_registration
from ..core.log import By, changed, record, snapshot
from ..core.permissions import BOOK, needs
from ..models import Booking, Event, HeatEntry, Registration, TillCount
from ..models.enums import (
    COUNTED_ENTRY_STATUSES,
    BookingKind,
    FreeReason,
    LogAction,
    PaymentMethod,
    RegistrationStatus,
)
from ..models.ledger import INCOMING
from ..models.money import MAX_AMOUNT, show_amount
from .queries.ledger import day_totals, owed_by, payment_of, tills_of
from .queries.prizes import prizes_at

#: Starts that can be paid in advance with one tap, and free starts of one player.
MAX_AHEAD, MAX_FREE = 10, 99


@transaction.atomic
@needs(BOOK)
def book(
    *,
    event: Event,
    kind: BookingKind,
    amount: int,
    by: By,
    registration: Registration | None = None,
    entry: HeatEntry | None = None,
    method: PaymentMethod = PaymentMethod.CASH,
    note: str = "",
    at: datetime | None = None,
) -> Booking:
    """Add a row to the ledger; ``amount`` is always positive, in the smallest unit.

    What is booked ``at`` the same moment is one payment, with one receipt.

    Refused with ``bad_amount``, ``bad_kind`` for a void (use :func:`void_booking`),
    ``not_of_event`` for another event's player or another player's entry, ``entry_not_counted`` for
    a withdrawn or void entry, ``already_paid`` if the entry's buy-in or fee is booked, and
    ``no_refund`` for a disqualified player.
    """
    event = lock_event(event)
    if kind == BookingKind.VOID:
        raise Refused("bad_kind", _("Take a booking back in the list where it is shown."))
    if type(amount) is not int or not 0 < amount <= MAX_AMOUNT:
        raise Refused("bad_amount", _("Enter an amount above zero."))
    if entry is not None:
        registration = registration or entry.registration
        if entry.registration_id != registration.pk:
            raise Refused("not_of_event", _("This entry is somebody else's."))
    if registration is not None and registration.event_id != event.pk:
        raise Refused("not_of_event", _("This player is not registered at this event."))
    if registration is not None and kind == BookingKind.REFUND and _is_disqualified(registration):
        raise Refused(
            "no_refund",
            _("%(name)s is disqualified; nothing is paid back."),
            name=registration.person,
        )
    if entry is not None and kind in INCOMING:
        if entry.status not in COUNTED_ENTRY_STATUSES:
            raise Refused("entry_not_counted", _("This entry was taken back; nothing is due."))
        if event.bookings.filter(entry=entry, kind=kind, voided_by__isnull=True).exists():
            raise Refused(
                "already_paid",
                _("Entry %(number)s of %(name)s is already paid."),
                number=entry.number,
                name=entry.registration.person,
            )
    booking = Booking.objects.create(
        event=event,
        registration=registration,
        entry=entry,
        kind=kind,
        amount=amount if kind in INCOMING else -amount,
        currency=event.currency,
        payment_method=method,
        note=" ".join(note.split())[:200],
        booked_by=by,
        booked_at=at or timezone.now(),
    )
    _log(LogAction.BOOKED, booking, by, note)
    return booking


@transaction.atomic
@needs(BOOK)
def pay_entries(
    *,
    registration: Registration,
    by: By,
    method: PaymentMethod = PaymentMethod.CASH,
    ahead: int = 0,
) -> list[Booking]:
    """Book what a player owes, entry by entry, and ``ahead`` starts to come.

    Refused with ``nothing_due``, and with ``bad_amount`` for a start ahead of an event that costs
    nothing or for more than ten.
    """
    event = lock_event(registration.event)
    if not 0 <= ahead <= MAX_AHEAD or (ahead and not event.price):
        raise Refused("bad_amount", _("Choose how many starts are paid in advance."))
    owed = max(0, owed_by(event, [registration.pk]).get(registration.pk, 0))
    if not owed and not ahead:
        raise Refused("nothing_due", _("%(name)s owes nothing."), name=registration.person)
    entries = registration.entries.paid().select_related("registration__person")
    prices = ((BookingKind.BUY_IN, event.buy_in), (BookingKind.FEE, event.fee))
    paid = set(
        event.bookings.filter(kind__in=INCOMING, voided_by=None, entry__in=entries).values_list(
            "entry", "kind"
        )
    )
    due: list[tuple[HeatEntry | None, BookingKind, int]] = [
        (entry, kind, price)
        for entry in entries.order_by("number")[registration.free_starts :]
        for kind, price in prices
        if (entry.pk, kind) not in paid
    ]
    booked, now = [], timezone.now()
    # What is still open because of a part payment without an entry comes last.
    for entry, kind, price in [*due, (None, BookingKind.BUY_IN, owed)]:
        amount = min(owed, price)
        if amount:
            booked.append(
                book(
                    event=event,
                    kind=kind,
                    amount=amount,
                    by=by,
                    registration=registration,
                    entry=entry,
                    method=method,
                    at=now,
                )
            )
            owed -= amount
    if ahead:
        booked.append(
            book(
                event=event,
                kind=BookingKind.ADVANCE,
                amount=ahead * event.price,
                by=by,
                registration=registration,
                method=method,
                at=now,
            )
        )
    return booked


@transaction.atomic
@needs(BOOK)
def set_free_starts(
    *, registration: Registration, starts: int, why: FreeReason | str, by: By
) -> None:
    """Say how many of a player's starts cost nothing, and why; 0 takes it back.

    What was paid for them is then too much. Refused with ``bad_amount`` for more than 99, and with
    ``missing_reason``.
    """
    registration = lock_registration(registration)
    if not 0 <= starts <= MAX_FREE:
        raise Refused("bad_amount", _("Enter a number from 0 to 99."))
    if starts and why not in FreeReason.values:
        raise Refused("missing_reason", _("Choose why the starts are free."))
    before = snapshot(registration, ("free_starts", "free_reason"))
    registration.free_starts = starts
    registration.free_reason = why if starts else ""
    old, new = changed(before, snapshot(registration, ("free_starts", "free_reason")))
    if new:
        registration.save(update_fields=["free_starts", "free_reason"])
        record(LogAction.FREE_STARTS, registration, by, before=old, after=new)


@transaction.atomic
@needs(BOOK)
def void_booking(*, booking: Booking, by: By, reason: str, at: datetime | None = None) -> Booking:
    """Void a booking by one with the opposite amount; both stay in the ledger.

    Refused with ``missing_reason``, ``bad_kind`` for a void itself, and ``voided_already``.
    """
    event = lock_event(booking.event)
    booking = event.bookings.get(pk=booking.pk)
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("missing_reason", _("Say why the booking is taken back."))
    if booking.kind == BookingKind.VOID:
        raise Refused("bad_kind", _("This row takes another one back. Make a new booking instead."))
    if Booking.objects.filter(voids=booking).exists():
        raise Refused("voided_already", _("This booking has already been taken back."))
    row = Booking.objects.create(
        event=event,
        registration=booking.registration,
        entry=booking.entry,
        kind=BookingKind.VOID,
        amount=-booking.amount,
        currency=booking.currency,
        payment_method=booking.payment_method,
        voids=booking,
        note=reason[:200],
        booked_by=by,
        booked_at=at or timezone.now(),
    )
    _log(LogAction.BOOKING_VOIDED, row, by, reason)
    return row


@transaction.atomic
@needs(BOOK)
def void_payment(*, booking: Booking, by: By, reason: str) -> list[Booking]:
    """Take back all of the payment to which a booking belongs, at one moment.

    What of it was taken back before stays as it is. Refused as :func:`void_booking` is.
    """
    event = lock_event(booking.event)
    booking = event.bookings.get(pk=booking.pk)
    now = timezone.now()
    rows = payment_of(booking) or [booking]
    return [void_booking(booking=row, by=by, reason=reason, at=now) for row in rows]


@transaction.atomic
@needs(BOOK)
def refund(
    *, registration: Registration, by: By, method: PaymentMethod = PaymentMethod.CASH
) -> Booking:
    """Refund what was overpaid; refused with ``nothing_due`` or ``no_refund``."""
    event = lock_event(registration.event)
    owed = owed_by(event, [registration.pk]).get(registration.pk, 0)
    if owed >= 0:
        raise Refused("nothing_due", _("There is nothing to pay back."))
    return book(
        event=event,
        kind=BookingKind.REFUND,
        amount=-owed,
        registration=registration,
        method=method,
        by=by,
    )


@transaction.atomic
@needs(BOOK)
def pay_prize(*, event: Event, number: int, method: PaymentMethod, by: By) -> Booking:
    """Pay out what a player has won and not yet received; refused with ``no_prize``."""
    event = lock_event(event)
    row = next((row for row in prizes_at(event).rows if row.number == number), None)
    if row is None or row.due <= 0:
        raise Refused("no_prize", _("There is no prize to pay out to this player."))
    return book(
        event=event,
        kind=BookingKind.PAYOUT,
        amount=row.due,
        registration=event.registrations.select_related("person").get(number=number),
        method=method,
        by=by,
    )


@transaction.atomic
@needs(BOOK)
def return_prize(*, event: Event, number: int, method: PaymentMethod, by: By) -> Booking:
    """Book that a player has paid back what was paid out too much; refused with ``no_prize``."""
    event = lock_event(event)
    row = next((row for row in prizes_at(event).rows if row.number == number), None)
    if row is None or not row.credit:
        raise Refused("no_prize", _("This player has not been paid too much."))
    return book(
        event=event,
        kind=BookingKind.RETURNED,
        amount=row.credit,
        registration=event.registrations.select_related("person").get(number=number),
        method=method,
        by=by,
    )


@transaction.atomic
@needs(BOOK)
def count_till(
    *,
    event: Event,
    day: date,
    method: PaymentMethod,
    counted: int,
    by: By,
    change: int = 0,
    note: str = "",
) -> TillCount:
    """Record a day's-end count next to what was booked by then.

    Refused with ``bad_amount``, and with ``missing_note`` if the two differ and there is no note.
    """
    event = lock_event(event)
    if not (0 <= change <= MAX_AMOUNT and -MAX_AMOUNT <= counted <= MAX_AMOUNT):
        raise Refused("bad_amount", _("Enter an amount above zero."))
    booked = next(
        (
            till.booked
            for till in tills_of(event, day_totals(event))
            if (till.day, till.payment_method) == (day, method)
        ),
        0,
    )
    note = " ".join(note.split())[:200]
    if counted != booked + change and not note:
        raise Refused(
            "missing_note",
            _("The count is %(difference)s more than was booked. Say why, or count again.")
            if counted > booked + change
            else _("The count is %(difference)s less than was booked. Say why, or count again."),
            difference=show_amount(abs(counted - booked - change), event.currency),
        )
    row = TillCount.objects.create(
        event=event,
        day=day,
        payment_method=method,
        change=change,
        booked=booked,
        counted=counted,
        note=note,
        counted_by=by,
    )
    after = {
        "day": day,
        "payment_method": method,
        "change": change,
        "booked": booked,
        "counted": counted,
    }
    record(LogAction.TILL_COUNTED, row, by, label=f"{day} {method}", after=after, reason=note)
    return row


def _is_disqualified(registration: Registration) -> bool:
    return Registration.objects.filter(
        pk=registration.pk, status=RegistrationStatus.DISQUALIFIED
    ).exists()


def _log(action: LogAction, booking: Booking, by: By, reason: str) -> None:
    record(
        action,
        booking,
        by,
        after={
            "kind": booking.kind,
            "amount": booking.amount,
            "currency": booking.currency,
            "payment_method": booking.payment_method,
        },
        reason=reason,
    )
