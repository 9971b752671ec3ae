"""The ledger: money in, money out, and taking a booking back by a further one."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By, record
from ..models import Booking, Event, HeatEntry, Registration
from ..models.enums import (
    PAID_ENTRY_STATUSES,
    BookingKind,
    LogAction,
    RegistrationStatus,
    StageKind,
)
from ..models.money import MOST
from .queries import owed_by

#: Money that the event receives; the others it pays.
INCOMING = (BookingKind.BUY_IN, BookingKind.FEE)


@transaction.atomic
def book(
    *,
    event: Event,
    kind: BookingKind,
    amount: int,
    by: By,
    registration: Registration | None = None,
    entry: HeatEntry | None = None,
    note: str = "",
) -> Booking:
    """Add a row to the ledger. ``amount``: how much, always positive, in the smallest unit.

    Refused: ``bad_amount``; ``bad_kind`` for a void, which is :func:`void_booking`'s;
    ``not_of_event`` for somebody else's player or entry; ``already_paid`` for an entry whose
    buy-in is booked and not taken back; ``no_refund`` for a disqualified player's money.
    """
    event = lock_event(event)
    if kind == BookingKind.VOID:
        raise Refused("bad_kind", _("A booking is taken back where it stands in the list."))
    if type(amount) is not int or not 0 < amount <= MOST:
        raise Refused("bad_amount", _("Give an amount above zero."))
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
    if entry is not None and kind == BookingKind.BUY_IN:
        if entry.status not in PAID_ENTRY_STATUSES:
            raise Refused("entry_not_counted", _("This entry was taken back; nothing is due."))
        if event.bookings.filter(entry=entry, kind=kind, voided_by__isnull=True).exists():
            raise Refused(
                "already_paid",
                _("Entry %(number)s of %(name)s is paid already."),
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
        note=" ".join(note.split())[:200],
        booked_by=by,
    )
    _log(LogAction.BOOKED, booking, by, note)
    return booking


@transaction.atomic
def pay_entries(*, registration: Registration, by: By) -> list[Booking]:
    """Book the buy-in that a player owes, entry by entry; ``nothing_due`` where none is owed."""
    event = lock_event(registration.event)
    owed = owed_by(event).get(registration.pk, 0)
    if owed <= 0:
        raise Refused("nothing_due", _("%(name)s owes nothing."), name=registration.person)
    paid = event.bookings.filter(kind=BookingKind.BUY_IN, voided_by=None, entry__isnull=False)
    open_entries = (
        HeatEntry.objects.filter(
            registration=registration,
            status__in=PAID_ENTRY_STATUSES,
            stage__kind=StageKind.QUALIFYING,
        )
        .exclude(pk__in=paid.values("entry"))
        .select_related("registration__person")
        .order_by("number")
    )
    booked = []
    for entry in [*open_entries, None]:
        amount = min(owed, event.buy_in) if entry is not None else owed
        if amount:
            booked.append(
                book(
                    event=event,
                    kind=BookingKind.BUY_IN,
                    amount=amount,
                    by=by,
                    registration=registration,
                    entry=entry,
                )
            )
            owed -= amount
    return booked


@transaction.atomic
def void_booking(*, booking: Booking, by: By, reason: str) -> Booking:
    """Take a booking back by one with the opposite amount; both stay in the ledger for ever.

    Refused with ``missing_reason``, for a row that is itself one (``bad_kind``), and for one
    taken back before (``voided_already``).
    """
    event = lock_event(booking.event)
    booking = event.bookings.get(pk=booking.pk)
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("missing_reason", _("Say why the booking is taken back."))
    if booking.kind == BookingKind.VOID:
        raise Refused("bad_kind", _("This row takes another one back. Make a new booking instead."))
    if Booking.objects.filter(voids=booking).exists():
        raise Refused("voided_already", _("This booking has been taken back already."))
    row = Booking.objects.create(
        event=event,
        registration=booking.registration,
        entry=booking.entry,
        kind=BookingKind.VOID,
        amount=-booking.amount,
        currency=booking.currency,
        voids=booking,
        note=reason[:200],
        booked_by=by,
    )
    _log(LogAction.BOOKING_VOIDED, row, by, reason)
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
        after={"kind": booking.kind, "amount": booking.amount, "currency": booking.currency},
        reason=reason,
    )
