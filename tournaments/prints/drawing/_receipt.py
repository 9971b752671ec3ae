"""Receipts: what a player paid or got back at one moment, one page each."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.paper.fonts import BOLD
from scoring.paper.paper import BOTTOM, LEFT, QUIET, RIGHT, TOP, WIDTH, Paper

from ...cash.queries.ledger import Receipt
from ...core.names import staff_name
from ...models import Event
from ...models.money import show_amount
from ._lists import Order, list_head, page_number, paper_of

#: The first row's top and the row height, in millimetres, and the rows per page.
FIRST, ROW = 78.0, 8.0
ROWS = int((BOTTOM - 50 - FIRST) / ROW)


def receipts_pdf(order: Order, receipts: Iterable[Receipt]) -> bytes:
    """Return these receipts, each the width of A5 at the top of an A4 page."""
    paper = paper_of(order, _("Receipt"))
    with paper.tags.group("Document"):
        for receipt in receipts:
            rows = receipt.rows
            pages = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
            player = f"{receipt.player.number} {staff_name(receipt.player.person)}"
            paper.bookmark(f"{player} · {receipt.number}")
            for number, page in enumerate(pages, start=1):
                _head(paper, order.event, receipt)
                for index, row in enumerate(page):
                    _row(paper, row, FIRST + ROW * index)
                if number == len(pages):
                    _sum(paper, order.event, receipt.total, FIRST + ROW * len(page))
                page_number(paper, number, len(pages))
                paper.end_page()
        if not paper.pages:
            list_head(paper, order, _("Receipt"), _("Nothing has been booked."))
            page_number(paper, 1, 1)
            paper.end_page()
    return paper.finish()


def _head(paper: Paper, event: Event, receipt: Receipt) -> None:
    day = date_format(timezone.localtime(receipt.rows[0].booked_at), "DATE_FORMAT")
    with paper.tags.content("H1"):
        paper.text(LEFT, TOP + 12, _("Receipt"), face=BOLD, size=24)
    with paper.tags.content("P"):
        number = f"{event.slug}-{receipt.number}"
        paper.text(RIGHT, TOP + 8, _("No. %(number)s") % {"number": number}, align="right")
        paper.text(RIGHT, TOP + 13, day, align="right")
    with paper.tags.content("P"):
        paper.text(
            LEFT, TOP + 24, event.organiser.name or event.name, face=BOLD, size=11, room=WIDTH
        )
        below = (event.name if event.organiser.name else "", event.venue)
        paper.text(LEFT, TOP + 29.5, ", ".join(filter(None, below)), size=10, room=WIDTH)
    with paper.tags.content("P"):
        whom = _("Received from") if receipt.total > 0 else _("Paid back to")
        name = receipt.player.person.legal_name
        paper.text(LEFT, TOP + 42, whom, size=8, grey=QUIET)
        paper.text(LEFT, TOP + 48, name, face=BOLD, size=13, room=WIDTH)
    paper.rule(LEFT, FIRST - 6, RIGHT, FIRST - 6, weight=0.8)


def _row(paper: Paper, row: Any, base: float) -> None:
    what = str(row.get_kind_display())
    if row.entry is not None:
        what += ", " + _("entry %(number)s") % {"number": row.entry.number}
    when = date_format(timezone.localtime(row.booked_at), "SHORT_DATETIME_FORMAT")
    cells = [
        (LEFT, str(row.number), "left", 14.0),
        (LEFT + 16, when, "left", 36.0),
        (LEFT + 54, what, "left", 55.0),
        (LEFT + 112, str(row.get_payment_method_display() or ""), "left", 30.0),
        (RIGHT, show_amount(row.amount, row.currency), "right", 40.0),
    ]
    with paper.tags.content("P"):
        for x, text, align, room in cells:
            paper.text(x, base, text, size=10, align=align, room=room)


def _sum(paper: Paper, event: Event, total: int, top: float) -> None:
    paper.rule(LEFT, top - 4, RIGHT, top - 4, weight=0.8)
    with paper.tags.content("P"):
        paper.text(LEFT, top + 4, _("Sum"), face=BOLD, size=12)
        amount = show_amount(total, event.currency)
        paper.text(RIGHT, top + 4, amount, face=BOLD, size=12, align="right")
    if event.contact:
        with paper.tags.content("P"):
            paper.paragraph(LEFT, top + 16, event.contact, room=WIDTH, lines=3, size=9, leading=4.5)
