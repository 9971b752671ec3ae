"""The cashier's prints; small enough to be made without the worker."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.words import lang

from ...cash.queries.ledger import receipts_of
from ...cash.queries.prizes import closing_of
from ...core.access import Request, staff_view
from ...core.listing import file_name
from ...core.permissions import BOOK
from ...models import Event
from ..drawing import _closing, _receipt
from ..drawing._lists import Order


def _answer(event: Event, content: bytes, label: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    name = file_name(event, label, "pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _order(event: Event) -> Order:
    # Receipts and the closing report go to the books: black only.
    return Order(event, language=lang(), plain=True)


@require_safe
@staff_view(BOOK)
def receipt_pdf(request: Request, event: Event, number: int) -> HttpResponse:
    """Return a player's receipts, the last one first."""
    players = event.registrations.select_related("person")
    player = get_object_or_404(players, number=number)
    content = _receipt.receipts_pdf(_order(event), receipts_of(event, player)[::-1])
    return _answer(event, content, f"{_('Receipt')} {number}")


@require_safe
@staff_view(BOOK)
def receipts_pdf(request: Request, event: Event) -> HttpResponse:
    """Return the receipts of all players."""
    content = _receipt.receipts_pdf(_order(event), receipts_of(event))
    return _answer(event, content, _("Receipts"))


@require_safe
@staff_view(BOOK)
def closing_pdf(request: Request, event: Event) -> HttpResponse:
    content = _closing.closing_pdf(_order(event), closing_of(event))
    return _answer(event, content, _("Closing report"))
