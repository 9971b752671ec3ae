"""The closing report: days, counts, totals, prizes and open balances."""

from collections import Counter

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...cash.queries.prizes import Closing
from ...core.names import staff_name, staff_text_of
from ...models.enums import BookingKind
from ...models.money import show_amount
from ._lists import Column, Order, Section, report


def closing_pdf(order: Order, closing: Closing) -> bytes:
    event = order.event

    def money(amount: int) -> str:
        return show_amount(amount, event.currency)

    def amounts(title: str, *, bold: bool = False) -> Column:
        return Column(title, 2, right=True, bold=bold)

    totals: Counter[BookingKind] = Counter()
    for each in closing.days:
        totals.update(dict(each.by_kind))
    sections = [
        Section(
            _("Day by day"),
            [Column(_("Day"), 2.4), Column(_("What for"), 3), amounts(_("Amount"))],
            [
                (
                    date_format(day.day, "DATE_FORMAT") if not index else "",
                    str(kind.label),
                    money(sum_),
                )
                for day in reversed(closing.days)
                for index, (kind, sum_) in enumerate(day.by_kind)
            ],
            _("Nothing has been booked."),
        ),
        Section(
            _("Counted against booked"),
            [
                Column(_("Day"), 2.4),
                Column(_("Paid by"), 1.5),
                amounts(_("Booked")),
                amounts(_("Cash float")),
                amounts(_("Counted")),
                amounts(_("Difference"), bold=True),
                Column(_("Note"), 3),
            ],
            [
                (
                    date_format(till.day, "SHORT_DATE_FORMAT"),
                    str(till.payment_method.label),
                    money(till.booked),
                    money(till.count.change) if till.count else "",
                    money(till.count.counted) if till.count else _("not counted"),
                    "" if till.difference is None else money(till.difference),
                    staff_text_of(event)(till.count.note) if till.count else "",
                )
                for till in sorted(closing.tills, key=lambda till: till.day)
            ],
            _("Nothing has been booked."),
        ),
        Section(
            _("All days"),
            [Column(_("What for"), 5), amounts(_("Amount"))],
            [
                *((str(kind.label), money(totals[kind])) for kind in BookingKind if kind in totals),
                (_("Sum"), money(totals.total())),
            ],
        ),
        Section(
            _("Prizes, of a pool of %(amount)s") % {"amount": money(closing.prizes.pool)},
            [
                Column(_("Place"), 1, right=True),
                Column(_("Player"), 5, bold=True),
                amounts(_("Prize")),
                amounts(_("Paid out")),
            ],
            [
                (str(row.place or ""), row.name, money(row.amount), money(row.paid))
                for row in closing.prizes.rows
            ],
            _("Nobody yet: the ranking is not final.")
            if closing.prizes.by_place
            else _("The event has no prizes."),
        ),
        Section(
            _("Still to pay or to get back"),
            [Column("№", 1, right=True), Column(_("Player"), 6, bold=True), amounts(_("Owes"))],
            [
                (
                    str(each.registration.number),
                    staff_name(each.registration.person),
                    money(each.owes),
                )
                for each in closing.open
            ],
            _("Nobody."),
        ),
    ]
    entries = ngettext("%(count)s entry", "%(count)s entries", closing.prizes.entries)
    return report(
        order, _("Closing report"), sections, note=entries % {"count": closing.prizes.entries}
    )
