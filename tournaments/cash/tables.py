from datetime import datetime

import django_tables2 as tables
from django.utils.translation import gettext_lazy

from ..core.listing import local_time
from ..core.names import staff_name
from ..models import Booking, Person
from ..models.money import digits_of


class LedgerTable(tables.Table):
    """The ledger for downloads."""

    number = tables.Column("№")
    when = tables.Column(gettext_lazy("When"), accessor="booked_at")
    kind = tables.Column(gettext_lazy("What for"), accessor="get_kind_display")
    amount = tables.Column(gettext_lazy("Amount"))
    currency = tables.Column(gettext_lazy("Currency"))
    means = tables.Column(gettext_lazy("Paid by"), accessor="get_means_display", default="")
    player_number = tables.Column(gettext_lazy("Player's number"), accessor="registration__number")
    player = tables.Column(gettext_lazy("Player"), accessor="registration__person")
    voids = tables.Column(gettext_lazy("Takes back"), accessor="voids_number")
    note = tables.Column(gettext_lazy("Note"))
    who = tables.Column(gettext_lazy("Who"), accessor="booked_by__username")

    def value_when(self, value: datetime) -> str:
        return local_time(value)

    def value_amount(self, record: Booking) -> int | float:
        """Return the amount in the currency's unit, as an integer if it is whole."""
        amount: int = record.amount
        scale: int = 10 ** digits_of(record.currency)
        return amount / scale if amount % scale else amount // scale

    def value_player(self, value: Person) -> str:
        """Return the name as the staff sees it."""
        return staff_name(value)
