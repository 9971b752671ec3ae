"""Receipts: what one player has paid and got back, one page each."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.paper.fonts import BOLD
from scoring.paper.paper import BOTTOM, LEFT, QUIET, RIGHT, TOP, WIDTH, Paper

from ...core.names import staff_name
from ...models import Booking, Event, Job, Registration
from ...models.money import show_amount
from ._lists import list_head, page_number, paper_of

#: The first row's top and the row height, in millimetres, and the rows per page.
FIRST, ROW = 78.0, 8.0
ROWS = int((BOTTOM - 50 - FIRST) / ROW)


def receipts_pdf(job: Job, players: Iterable[tuple[Registration, list[Any]]]) -> bytes:
    """Return these players' receipts, each the width of A5 at the top of an A4 page."""
    paper = paper_of(job, _("Receipt"))
    with paper.tags.group("Document"):
        for player, rows in players:
            pages = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)] or [[]]
            paper.bookmark(f"{player.number} {staff_name(player.person)}")
            for number, page in enumerate(pages, start=1):
                _head(paper, job.event, player, rows)
                for index, row in enumerate(page):
                    _row(paper, row, FIRST + ROW * index)
                if number == len(pages):
                    _sum(paper, job.event, rows, FIRST + ROW * len(page))
                page_number(paper, number, len(pages))
                paper.end_page()
        if not paper.pages:
            list_head(paper, job, _("Receipt"), _("Nothing has been booked."))
            page_number(paper, 1, 1)
            paper.end_page()
    return paper.finish()


def _head(paper: Paper, event: Event, player: Registration, rows: list[Any]) -> None:
    day = date_format(timezone.localtime(), "DATE_FORMAT")
    with paper.tags.content("H1"):
        paper.text(LEFT, TOP + 12, _("Receipt"), face=BOLD, size=24)
    with paper.tags.content("P"):
        # The number of the last booking, as those of the event's ledger are consecutive.
        number = f"{event.slug}-{rows[-1].number}" if rows else "–"
        paper.text(RIGHT, TOP + 8, _("No. %(number)s") % {"number": number}, align="right")
        paper.text(RIGHT, TOP + 13, day, align="right")
    with paper.tags.content("P"):
        paper.text(
            LEFT, TOP + 24, event.organiser.name or event.name, face=BOLD, size=11, room=WIDTH
        )
        where = f"{event.name}, {event.venue}" if event.venue else event.name
        paper.text(LEFT, TOP + 29.5, where, size=10, room=WIDTH)
    with paper.tags.content("P"):
        paper.text(LEFT, TOP + 42, _("Received from"), size=8, grey=QUIET)
        paper.text(LEFT, TOP + 48, player.person.legal_name, face=BOLD, size=13, room=WIDTH)
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
        (LEFT + 112, str(row.get_means_display() or ""), "left", 30.0),
        (RIGHT, show_amount(row.amount, row.currency), "right", 40.0),
    ]
    with paper.tags.content("P"):
        for x, text, align, room in cells:
            paper.text(x, base, text, size=10, align=align, room=room)


def _sum(paper: Paper, event: Event, rows: list[Booking], top: float) -> None:
    paper.rule(LEFT, top - 4, RIGHT, top - 4, weight=0.8)
    total = show_amount(sum(row.amount for row in rows), event.currency)
    with paper.tags.content("P"):
        paper.text(LEFT, top + 4, _("Sum"), face=BOLD, size=12)
        paper.text(RIGHT, top + 4, total, face=BOLD, size=12, align="right")
    if event.contact:
        with paper.tags.content("P"):
            paper.paragraph(LEFT, top + 16, event.contact, room=WIDTH, lines=3, size=9, leading=4.5)
