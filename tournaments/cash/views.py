"""The cashier's pages: balances, bookings, the ledger."""

import segno
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from ..core.access import Request, staff_view
from ..core.answers import SHOWN, form_errors, line_in, number_in, staff_action, valid
from ..core.errors import Refused
from ..core.listing import download, export, file_name
from ..core.names import by_staff_name
from ..core.permissions import BOOK
from ..core.seen import check_seen
from ..models import Event, Registration
from ..models.enums import BookingKind, PaymentMethod, RegistrationStatus
from ..models.money import show_amount
from ..results.queries.players import search
from . import commands as domain
from .forms import BookingForm, CountForm, FreeStartsForm
from .queries.ledger import (
    Till,
    accounts_of,
    balances_of,
    by_method,
    day_totals,
    ledger_of,
    payments_of,
    receipts_of,
    tills_of,
)
from .queries.prizes import closing_of, prizes_at
from .queries.swish import swish_text
from .tables import LedgerTable, closing_workbook

PAGE = 30
#: Starts that a button offers to pay in advance.
MAX_AHEAD_SHOWN = 3
NO_PLAYER = gettext_lazy("There is no player with this number.")
LEDGER = 40


def _page(
    request: Request,
    event: Event,
    *,
    form: BookingForm | None = None,
    count: CountForm | None = None,
    status: int = 200,
) -> HttpResponse:
    bad = count
    text = request.GET.get("q", "").replace("\0", "")[:100]
    only = request.GET.get("show", "")
    rows: QuerySet[Registration] = event.registrations.select_related("person").order_by(
        by_staff_name(), "number"
    )
    rows = search(rows, text, staff=True)
    accounts = accounts_of(event)
    owed = accounts.owed
    if only == "owing":
        rows = rows.filter(pk__in=[key for key, amount in owed.items() if amount > 0])
    elif not text:
        rows = rows.exclude(
            status=RegistrationStatus.WITHDRAWN,
        ) | rows.filter(pk__in=[key for key, amount in owed.items() if amount])
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
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
            "balances": balances_of(event, page, accounts),
            "days": days,
            "by_method": by_method(days),
            "tills": [(till, _count_form(event, till, bad)) for till in tills_of(event, days)],
            "owed": sum(amount for amount in owed.values() if amount > 0),
            "owing": sum(amount > 0 for amount in owed.values()),
            "ledger": ledger,
        },
        status=status,
    )


@staff_action(BOOK, back="cash", page=_page, methods=SHOWN)
def cash(request: Request, event: Event) -> str:
    """Show the balances and the ledger; add a booking."""
    form = BookingForm(request.POST, currency=event.currency)
    number = valid(form=form)["number"]
    player = _player(event, number or 0)
    if number is not None and player is None:
        form.add_error("number", NO_PLAYER)
    with form_errors(form=form) as data:
        booking = domain.book(
            event=event,
            kind=BookingKind(data["kind"]),
            amount=data["amount"],
            registration=player,
            method=data["payment_method"],
            note=data["note"],
            by=request.user,
        )
    return _("Booked: %(amount)s.") % {"amount": show_amount(booking.amount, event.currency)}


def _player(event: Event, number: int) -> Registration | None:
    found = event.registrations.select_related("person").filter(number=number).first()
    if found is not None:
        found.event = event
    return found


def _count_form(event: Event, till: Till, bad: CountForm | None) -> CountForm:
    """Return the form for a way of payment on a day; a refused one keeps its input."""
    if bad is not None and (bad["day"].value(), bad["payment_method"].value()) == (
        till.day.isoformat(),
        till.payment_method,
    ):
        return bad
    return CountForm(
        currency=event.currency,
        initial={
            "day": till.day.isoformat(),
            "payment_method": till.payment_method,
            "change": show_amount(till.count.change) if till.count else "",
        },
        prefix=None,
        auto_id=f"count-{till.day:%m%d}-{till.payment_method}-%s",
    )


@staff_action(BOOK, back="cash", page=_page, methods=SHOWN)
def cash_count(request: Request, event: Event) -> str:
    """Record a day's-end count."""
    form = CountForm(request.POST, currency=event.currency)
    with form_errors(count=form) as data:
        row = domain.count_till(
            event=event,
            day=data["day"],
            method=PaymentMethod(data["payment_method"]),
            change=data.get("change", 0),
            counted=data["counted"],
            note=data["note"],
            by=request.user,
        )
    if not row.difference:
        return _("Counted: it matches.")
    return _("Counted: the difference is %(amount)s.") % {
        "amount": show_amount(row.difference, event.currency)
    }


def _player_of(event: Event, number: int) -> Registration:
    player = _player(event, number)
    if player is None:
        raise Http404
    return player


def _player_page(
    request: Request,
    player: Registration,
    *,
    free: FreeStartsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    event = player.event
    balance = balances_of(event, [player])[0]
    code = ""
    if event.swish_number and event.currency == "SEK" and balance.owes > 0:
        message = f"{event.name}, {player.number} {player.person}"
        text = swish_text(event.swish_number, balance.owes, message)
        code = segno.make_qr(text, error="m").svg_data_uri(scale=6, border=4, light="#fff")
    return render(
        request,
        "tournaments/cash/player.html",
        {
            "event": event,
            "player": player,
            "balance": balance,
            "code": code,
            "ways": PaymentMethod,
            "payments": payments_of(player),
            "ahead": range(1, MAX_AHEAD_SHOWN + 1) if balance.goes_on and event.price else (),
            "free": free
            or FreeStartsForm(initial={"starts": player.free_starts, "why": player.free_reason}),
            "has_receipt": bool(receipts_of(event, player)),
        },
        status=status,
    )


@require_safe
@staff_view(BOOK)
def cash_player(request: Request, event: Event, number: int) -> HttpResponse:
    """Show one player's money: what to pay, how, and what was paid."""
    return _player_page(request, _player_of(event, number))


def _path_of(player: Registration) -> str:
    return reverse("tournaments:cash_player", args=[player.event.slug, player.number])


@staff_action(BOOK, back=_path_of, page=_player_page, of=_player_of)
def cash_free(request: Request, player: Registration) -> str:
    """Say how many of a player's starts cost nothing."""
    with form_errors(free=FreeStartsForm(request.POST)) as data:
        domain.set_free_starts(
            registration=player, starts=data["starts"], why=data["why"], by=request.user
        )
    if not data["starts"]:
        return _("%(name)s pays for every start.") % {"name": player.person}
    text = ngettext(
        "%(count)s start of %(name)s is free.",
        "%(count)s starts of %(name)s are free.",
        data["starts"],
    )
    return text % {"count": data["starts"], "name": player.person}


@staff_action(BOOK, back="cash")
def cash_pay(request: Request, event: Event) -> str:
    """Book all that a player owes, with one tap."""
    player = _player(event, number_in(request, "number"))
    if player is None:
        raise Refused("no_player", NO_PLAYER)
    check_seen(request, balances_of(event, [player])[0].owes)
    booked = domain.pay_entries(
        registration=player,
        by=request.user,
        method=_method_in(request),
        ahead=number_in(request, "ahead") if request.POST.get("ahead") else 0,
    )
    return _("%(name)s paid %(amount)s.") % {
        "name": player.person,
        "amount": show_amount(sum(row.amount for row in booked), event.currency),
    }


@staff_action(BOOK, back="cash")
def cash_refund(request: Request, event: Event) -> str:
    """Refund what a player overpaid."""
    player = _player(event, number_in(request, "number"))
    if player is None:
        raise Refused("no_player", NO_PLAYER)
    check_seen(request, balances_of(event, [player])[0].owes)
    row = domain.refund(registration=player, by=request.user, method=_method_in(request))
    return _("Paid back: %(amount)s.") % {"amount": show_amount(-row.amount, event.currency)}


def _method_in(request: Request) -> PaymentMethod:
    sent = request.POST.get("payment_method") or PaymentMethod.CASH
    if sent not in PaymentMethod.values:
        raise Refused("no_means", _("Choose how it was paid."))
    return PaymentMethod(sent)


@require_safe
@staff_view(BOOK)
def cash_prizes(request: Request, event: Event) -> HttpResponse:
    """Show the pool, the prizes by place, and the winners."""
    context = {"event": event, "prizes": prizes_at(event), "ways": PaymentMethod}
    return render(request, "tournaments/cash/prizes.html", context)


@staff_action(BOOK, back="cash_prizes")
def cash_prize_pay(request: Request, event: Event) -> str:
    """Pay out a player's prize."""
    number = number_in(request, "number")
    check_seen(request, next((r.due for r in prizes_at(event).rows if r.number == number), 0))
    row = domain.pay_prize(
        event=event,
        number=number,
        method=_method_in(request),
        by=request.user,
    )
    return _("Paid out: %(amount)s.") % {"amount": show_amount(-row.amount, event.currency)}


@staff_action(BOOK, back="cash_prizes")
def cash_prize_return(request: Request, event: Event) -> str:
    """Book that a prize was paid back."""
    number = number_in(request, "number")
    check_seen(request, next((r.due for r in prizes_at(event).rows if r.number == number), 0))
    row = domain.return_prize(
        event=event,
        number=number,
        method=_method_in(request),
        by=request.user,
    )
    return _("Paid back: %(amount)s.") % {"amount": show_amount(row.amount, event.currency)}


@staff_action(BOOK, back="cash")
def cash_void(request: Request, event: Event) -> str:
    """Void a booking, or the whole payment to which it belongs."""
    booking = event.bookings.filter(pk=number_in(request, "booking")).first()
    if booking is None:
        raise Refused("no_booking", _("There is no such booking."))
    if request.POST.get("payment"):
        rows = domain.void_payment(
            booking=booking, by=request.user, reason=line_in(request, "reason")
        )
        amount = show_amount(-sum(row.amount for row in rows), event.currency)
        return _("The payment of %(amount)s is taken back.") % {"amount": amount}
    domain.void_booking(booking=booking, by=request.user, reason=line_in(request, "reason"))
    return _("The booking is taken back.")


@require_safe
@staff_view(BOOK)
def cash_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the ledger as CSV or XLSX, oldest first."""
    return export(
        request, fmt, event, _("Cash"), LedgerTable(ledger_of(event).order_by("pk"), event=event)
    )


@require_safe
@staff_view(BOOK)
def closing_xlsx(request: Request, event: Event) -> HttpResponse:
    """Return the closing report as a workbook."""
    content = closing_workbook(event, closing_of(event))
    return download(content, "xlsx", file_name(event, _("Closing report"), "xlsx"))
