"""The closing report: all of an event's money."""

from dataclasses import dataclass

from ...models import Event
from .ledger import Balance, DayTotal, Till, balances_of, day_totals, owed_by, tills_of
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
