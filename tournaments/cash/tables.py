"""An event's money as tables for downloads."""

from collections.abc import Iterable
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..core.listing import sheet_of
from ..core.names import staff_name, staff_text_of
from ..core.workbook import workbook_of
from ..models import Event, Person
from ..models.money import digits_of
from .queries.ledger import ledger_of
from .queries.prizes import Closing


class MoneyColumn(tables.Column):
    """An amount in the currency's unit, as an integer if it is whole."""

    def value(self, value: int, table: "MoneyTable") -> int | float:
        return value / table.unit if value % table.unit else value // table.unit


class PlayerColumn(tables.Column):
    """The name as the staff sees it."""

    def value(self, value: Person) -> str:
        return staff_name(value)


class NoteColumn(tables.Column):
    """What somebody typed, as staff may read it."""

    def value(self, value: str, table: "MoneyTable") -> str:
        return staff_text_of(table.event)(value)


class MoneyTable(tables.Table):
    class Meta:
        default = ""

    def __init__(self, rows: Iterable[Any], *, event: Event) -> None:
        self.event = event
        self.unit: int = 10 ** digits_of(event.currency)
        super().__init__(rows)


class LedgerTable(MoneyTable):
    number = tables.Column("№")
    when = tables.Column(gettext_lazy("When"), accessor="booked_at")
    kind = tables.Column(gettext_lazy("What for"), accessor="get_kind_display")
    amount = MoneyColumn(gettext_lazy("Amount"))
    currency = tables.Column(gettext_lazy("Currency"))
    payment_method = tables.Column(gettext_lazy("Paid by"), accessor="get_payment_method_display")
    player_number = tables.Column(gettext_lazy("Player's number"), accessor="registration__number")
    player = PlayerColumn(gettext_lazy("Player"), accessor="registration__person")
    voids = tables.Column(gettext_lazy("Takes back"), accessor="voids_number")
    note = NoteColumn(gettext_lazy("Note"))
    who = tables.Column(gettext_lazy("Who"), accessor="booked_by__username")


class DayTable(MoneyTable):
    day = tables.Column(gettext_lazy("Day"))
    kind = tables.Column(gettext_lazy("What for"), accessor="kind__label")
    amount = MoneyColumn(gettext_lazy("Amount"))


class CountedTable(MoneyTable):
    day = tables.Column(gettext_lazy("Day"))
    payment_method = tables.Column(gettext_lazy("Paid by"), accessor="payment_method__label")
    booked = MoneyColumn(gettext_lazy("Booked"))
    change = MoneyColumn(gettext_lazy("Cash float"), accessor="count__change")
    counted = MoneyColumn(gettext_lazy("Counted"), accessor="count__counted")
    difference = MoneyColumn(gettext_lazy("Difference"))
    note = NoteColumn(gettext_lazy("Note"), accessor="count__note")
    who = tables.Column(gettext_lazy("Who"), accessor="count__counted_by__username")
    when = tables.Column(gettext_lazy("When"), accessor="count__counted_at")


class PrizesTable(MoneyTable):
    place = tables.Column(gettext_lazy("Place"))
    number = tables.Column("№")
    name = tables.Column(gettext_lazy("Player"))
    amount = MoneyColumn(gettext_lazy("Prize"))
    paid = MoneyColumn(gettext_lazy("Paid out"))


class OwedTable(MoneyTable):
    number = tables.Column("№", accessor="registration__number")
    player = PlayerColumn(gettext_lazy("Player"), accessor="registration__person")
    due = MoneyColumn(gettext_lazy("Due"))
    paid = MoneyColumn(gettext_lazy("Paid"))
    owes = MoneyColumn(gettext_lazy("Owes"))


def closing_workbook(event: Event, closing: Closing) -> bytes:
    """Return the closing report as XLSX: a sheet for each part, and the whole ledger."""
    days = [
        {"day": day.day, "kind": kind, "amount": amount}
        for day in reversed(closing.days)
        for kind, amount in day.by_kind
    ]
    tills = sorted(closing.tills, key=lambda till: till.day)
    sheets = [
        sheet_of(title, table(rows, event=event))
        for title, table, rows in (
            (_("Day by day"), DayTable, days),
            (_("Counted against booked"), CountedTable, tills),
            (_("Prizes"), PrizesTable, closing.prizes.rows),
            (_("Still to pay"), OwedTable, closing.open),
            (_("Ledger"), LedgerTable, ledger_of(event).order_by("pk")),
        )
    ]
    return workbook_of(f"{event} – {_('Closing report')}", sheets)
