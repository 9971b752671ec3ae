"""The cashier's page: who owes what, what came in, the ledger."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ..core.access import Request, staff_view
from ..core.answers import REFUSALS, said, sentence
from ..core.listing import export
from ..core.names import staff_name
from ..core.permissions import BOOK
from ..models import Event, Registration
from ..models.enums import BookingKind, RegistrationStatus
from ..models.money import digits_of, show_amount
from ..results.queries.players import search
from . import commands as domain
from .forms import BookingForm
from .queries import balances_of, day_totals, ledger_of, owed_by

PAGE = 30
LEDGER = 40


@require_http_methods(["GET", "POST"])
@staff_view(BOOK)
def cash(request: Request, event: Event) -> HttpResponse:
    """Show the balances and the ledger; book something by hand."""
    form = BookingForm(request.POST or None, currency=event.currency)
    if request.method != "POST":
        return _page(request, event, form, 200)
    if not form.is_valid():
        return _page(request, event, form, 422)
    data = form.cleaned_data
    player = None
    if data["number"] is not None:
        player = event.registrations.filter(number=data["number"]).first()
        if player is None:
            form.add_error("number", _("There is no player with this number."))
            return _page(request, event, form, 422)
    try:
        booking = domain.book(
            event=event,
            kind=BookingKind(data["kind"]),
            amount=data["amount"],
            registration=player,
            note=data["note"],
            by=request.user,
        )
    except REFUSALS as error:
        form.add_error(None, sentence(error))
        return _page(request, event, form, 409)
    said(
        request,
        _("Booked: %(amount)s.") % {"amount": show_amount(booking.amount, event.currency)},
        "/",
    )
    return redirect("tournaments:cash", event.slug)


def _page(request: Request, event: Event, form: BookingForm, status: int) -> HttpResponse:
    text = request.GET.get("q", "").replace("\0", "")[:100]
    only = request.GET.get("show", "")
    rows = event.registrations.select_related("person").order_by("person__search_text", "number")
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
            "form": form,
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


@require_POST
@staff_view(BOOK)
def cash_pay(request: Request, event: Event) -> HttpResponse:
    """Book what a player owes: one tap."""
    back = reverse("tournaments:cash", args=[event.slug])
    player = _player(request, event)
    if player is None:
        return said(request, _("There is no player with this number."), back, error=True)
    try:
        booked = domain.pay_entries(registration=player, by=request.user)
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    text = _("%(name)s paid %(amount)s.") % {
        "name": player.person,
        "amount": show_amount(sum(row.amount for row in booked), event.currency),
    }
    return said(request, text, back)


def _player(request: Request, event: Event) -> Registration | None:
    key = request.POST.get("number", "")
    if not (key.isascii() and key.isdigit() and len(key) < 8):
        return None
    return event.registrations.select_related("person").filter(number=int(key)).first()


@require_POST
@staff_view(BOOK)
def cash_void(request: Request, event: Event) -> HttpResponse:
    """Take a booking back."""
    back = reverse("tournaments:cash", args=[event.slug])
    key = request.POST.get("booking", "")
    known = key.isascii() and key.isdigit() and len(key) < 18
    booking = event.bookings.filter(pk=int(key)).first() if known else None
    if booking is None:
        return said(request, _("There is no such booking."), back, error=True)
    try:
        domain.void_booking(booking=booking, by=request.user, reason=request.POST.get("reason", ""))
    except REFUSALS as error:
        return said(request, sentence(error), back, error=True)
    return said(request, _("The booking is taken back."), back)


@require_safe
@staff_view(BOOK)
def cash_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the ledger as CSV or XLSX, oldest first."""
    scale = 10 ** digits_of(event.currency)
    return export(
        fmt,
        f"{event.slug}-ledger",
        [
            "№",
            _("When"),
            _("What for"),
            _("Amount"),
            _("Currency"),
            _("Player's number"),
            _("Player"),
            _("Takes back"),
            _("Note"),
            _("Who"),
        ],
        (_cells(row, scale) for row in ledger_of(event).order_by("pk")),
    )


def _cells(row: Any, scale: int) -> list[Any]:
    whole, part = divmod(abs(row.amount), scale)
    amount: Any = -whole if row.amount < 0 else whole
    if part:
        amount = row.amount / scale
    return [
        row.pk,
        row.booked_at.isoformat(timespec="seconds"),
        row.get_kind_display(),
        amount,
        row.currency,
        row.registration.number if row.registration else "",
        staff_name(row.registration.person) if row.registration else "",
        row.voids_id or "",
        row.note,
        row.booked_by.get_username() if row.booked_by else "",
    ]
