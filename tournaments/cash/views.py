"""The cashier's page: who owes what, what came in, the ledger."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from ..core.access import Request, staff_view
from ..core.answers import SHOWN, number_in, staff_action, taking, valid
from ..core.errors import Refused
from ..core.listing import export
from ..core.names import by_staff_name
from ..core.permissions import BOOK
from ..models import Event, Registration
from ..models.enums import BookingKind, RegistrationStatus
from ..models.money import show_amount
from ..results.queries.players import search
from . import commands as domain
from .forms import BookingForm
from .queries import balances_of, day_totals, ledger_of, owed_by
from .tables import LedgerTable

PAGE = 30
NO_PLAYER = gettext_lazy("There is no player with this number.")
LEDGER = 40


def _page(
    request: Request, event: Event, *, form: BookingForm | None = None, status: int = 200
) -> HttpResponse:
    text = request.GET.get("q", "").replace("\0", "")[:100]
    only = request.GET.get("show", "")
    rows: QuerySet[Registration] = event.registrations.select_related("person").order_by(
        by_staff_name(), "number"
    )
    rows = search(rows, text, staff=True)
    owed = owed_by(event)
    if only == "owing":
        rows = rows.filter(pk__in=[key for key, amount in owed.items() if amount > 0])
    elif not text:
        rows = rows.exclude(
            status=RegistrationStatus.WITHDRAWN,
        ) | rows.filter(pk__in=[key for key, amount in owed.items() if amount])
    page = Paginator(rows.distinct(), PAGE).get_page(request.GET.get("page"))
    days = day_totals(event)
    ledger = Paginator(ledger_of(event), LEDGER).get_page(request.GET.get("ledger"))
    return render(
        request,
        "tournaments/cash/cash.html",
        {
            "event": event,
            "form": form or BookingForm(currency=event.currency),
            "q": text,
            "show": only,
            "page": page,
            "balances": balances_of(event, page),
            "days": days,
            "in_hand": sum(day.total for day in days),
            "owed": sum(amount for amount in owed.values() if amount > 0),
            "owing": sum(amount > 0 for amount in owed.values()),
            "ledger": ledger,
        },
        status=status,
    )


@staff_action(BOOK, back="cash", page=_page, methods=SHOWN)
def cash(request: Request, event: Event) -> str:
    """Show the balances and the ledger; book something by hand."""
    form = BookingForm(request.POST, currency=event.currency)
    number = valid(form=form)["number"]
    player = _player(event, number or 0)
    if number is not None and player is None:
        form.add_error("number", NO_PLAYER)
    with taking(form=form) as data:
        booking = domain.book(
            event=event,
            kind=BookingKind(data["kind"]),
            amount=data["amount"],
            registration=player,
            note=data["note"],
            by=request.user,
        )
    return _("Booked: %(amount)s.") % {"amount": show_amount(booking.amount, event.currency)}


def _player(event: Event, number: int) -> Registration | None:
    return event.registrations.select_related("person").filter(number=number).first()


@staff_action(BOOK, back="cash")
def cash_pay(request: Request, event: Event) -> str:
    """Book what a player owes: one tap."""
    player = _player(event, number_in(request, "number"))
    if player is None:
        raise Refused("no_player", NO_PLAYER)
    booked = domain.pay_entries(registration=player, by=request.user)
    return _("%(name)s paid %(amount)s.") % {
        "name": player.person,
        "amount": show_amount(sum(row.amount for row in booked), event.currency),
    }


@staff_action(BOOK, back="cash")
def cash_void(request: Request, event: Event) -> str:
    """Take a booking back."""
    booking = event.bookings.filter(pk=number_in(request, "booking")).first()
    if booking is None:
        raise Refused("no_booking", _("There is no such booking."))
    domain.void_booking(booking=booking, by=request.user, reason=request.POST.get("reason", ""))
    return _("The booking is taken back.")


@require_safe
@staff_view(BOOK)
def cash_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the ledger as CSV or XLSX, oldest first."""
    return export(fmt, f"{event.slug}-ledger", LedgerTable(ledger_of(event).order_by("pk")))
