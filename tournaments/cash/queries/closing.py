"""The closing report: all of an event's money on paper and as a workbook."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from tablib import Databook, Dataset

from ...core.listing import safe_cell
from ...core.names import staff_name
from ...models import Event
from ...models.money import digits_of
from .ledger import Balance, DayTotal, Till, balances_of, day_totals, ledger_of, owed_by, tills_of
from .prizes import Prizes, prizes_at


@dataclass(frozen=True)
class Closing:
    """An event's money: days, counts, prizes, and open balances."""

    days: list[DayTotal]
    tills: list[Till]
    prizes: Prizes
    open: list[Balance]


def closing_of(event: Event) -> Closing:
    """Return the closing report as of now (a fixed number of queries)."""
    days = day_totals(event)
    owing = [key for key, amount in owed_by(event).items() if amount]
    players = event.registrations.filter(pk__in=owing).select_related("person").order_by("number")
    # Who has neither entered nor paid may never come.
    open_ = [each for each in balances_of(event, players) if each.entries or each.paid]
    return Closing(days, tills_of(event, days), prizes_at(event), open_)


def workbook_of(event: Event, closing: Closing) -> bytes:
    """Return the report as XLSX: a sheet for each part, and the whole ledger."""
    scale: int = 10 ** digits_of(event.currency)

    def money(amount: int) -> int | float:
        return amount // scale if amount % scale == 0 else amount / scale

    def clock(moment: datetime) -> str:
        return f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"

    counts = [till for till in closing.tills if till.count]
    sheets: list[tuple[str, list[str], list[list[Any]]]] = [
        (
            _("Day by day"),
            [_("Day"), _("What for"), _("Amount")],
            [
                [day.day.isoformat(), str(kind.label), money(amount)]
                for day in reversed(closing.days)
                for kind, amount in day.by_kind
            ],
        ),
        (
            _("Counted"),
            [
                _("Day"), _("Paid by"), _("Booked"), _("Cash float"), _("Counted"),
                _("Difference"), _("Note"), _("Who"), _("When"),
            ],
            [
                [
                    till.day.isoformat(), str(till.means.label), money(till.booked),
                    money(till.count.change), money(till.count.counted), money(till.difference),
                    till.count.note, str(till.count.counted_by or ""),
                    clock(till.count.counted_at),
                ]
                for till in sorted(counts, key=lambda till: till.day)
                if till.count
            ],
        ),
        (
            _("Prizes"),
            [_("Place"), "№", _("Player"), _("Prize"), _("Paid out")],
            [
                [row.place, row.number, row.name, money(row.amount), money(row.paid)]
                for row in closing.prizes.rows
            ],
        ),
        (
            _("Still to pay"),
            ["№", _("Player"), _("Due"), _("Paid"), _("Owes")],
            [
                [
                    each.registration.number, staff_name(each.registration.person),
                    money(each.due), money(each.paid), money(each.owes),
                ]
                for each in closing.open
            ],
        ),
        (
            _("Ledger"),
            [
                "№", _("When"), _("What for"), _("Paid by"), _("Amount"), _("Player"),
                _("Takes back"), _("Note"), _("Who"),
            ],
            [
                _ledger_row(row, money(row.amount), clock(row.booked_at))
                for row in ledger_of(event).order_by("pk")
            ],
        ),
    ]  # fmt: skip
    book = Databook()
    for title, headers, rows in sheets:
        book.add_sheet(
            Dataset(
                *([safe_cell(cell) for cell in row] for row in rows),
                headers=headers,
                title=title[:31],
            )
        )
    content: bytes = book.export("xlsx")
    return content


def _ledger_row(row: Any, amount: int | float, when: str) -> list[Any]:
    return [
        row.number,
        when,
        str(row.get_kind_display()),
        str(row.get_means_display() or ""),
        amount,
        staff_name(row.registration.person) if row.registration else "",
        row.voids_number,
        row.note,
        str(row.booked_by or ""),
    ]
