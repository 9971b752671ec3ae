"""The prize pool and its division, in whole units, so that nothing is lost or added.

The rule, as stated on the page: each place's share is rounded down to the currency's whole unit,
and the rest goes to the first place. Players who share a place add up the prizes of the places they
take and get equal parts, rounded down to the whole unit; of the rest each gets one unit, lowest
player number first, and anything less than a unit goes to the first of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from ...models import Event, Registration
from ...models.enums import BookingKind
from ...models.money import digits_of
from ...results.queries.final import LAST, full_ranking
from .ledger import Balance, DayTotal, Till, balances_of, day_totals, entries_of, owed_by, tills_of

#: The whole pool, in hundredths of a percent.
WHOLE = 10000


def prizes_of(pool: int, plan: Mapping[str, Sequence[int]], unit: int = 1) -> list[int]:
    """Return the prizes, first place first.

    >>> prizes_of(100_000, {"shares": [5000, 3000, 2000]}, 100)
    [50000, 30000, 20000]
    >>> prizes_of(100_050, {"shares": [3333, 3333, 3334]}, 100)
    [33450, 33300, 33300]
    >>> prizes_of(5, {"amounts": [70_000, 20_000]}, 100)
    [70000, 20000]
    """
    if "amounts" in plan:
        # Stored with two decimals, whatever the currency.
        return [amount * unit // 100 for amount in plan["amounts"]]
    shares = plan.get("shares", ())
    prizes = [pool * share // WHOLE // unit * unit for share in shares]
    if prizes:
        prizes[0] += pool * sum(shares) // WHOLE - sum(prizes)
    return prizes


def split(
    prizes: Sequence[int], places: Sequence[tuple[int, int]], unit: int = 1
) -> dict[int, int]:
    """Return each player's amount by number; ``places`` are (place, number), best first.

    >>> split([500, 300, 200], [(1, 7), (2, 9), (2, 3), (4, 1)])
    {7: 500, 3: 250, 9: 250}
    >>> split([1000, 1000, 700], [(1, 5), (1, 8), (1, 2)], 100)
    {2: 900, 5: 900, 8: 900}
    >>> split([1000], [(1, 5), (1, 8), (1, 2)], 100)
    {2: 400, 5: 300, 8: 300}
    """
    gets: dict[int, int] = {}
    taken = 0
    for _place, group in groupby(places, key=lambda each: each[0]):
        numbers = sorted(number for _place, number in group)
        whole = sum(prizes[taken : taken + len(numbers)])
        taken += len(numbers)
        part = whole // len(numbers) // unit * unit
        units, rest = divmod(whole - part * len(numbers), unit)
        for index, number in enumerate(numbers):
            amount = part + (unit if index < units else 0) + (0 if index else rest)
            if amount:
                gets[number] = amount
    return gets


@dataclass(frozen=True)
class Prize:
    """A player's prize, and what has been paid out."""

    place: int
    number: int
    name: str
    amount: int
    paid: int

    @property
    def due(self) -> int:
        """What is still to be paid out."""
        return self.amount - self.paid

    @property
    def credit(self) -> int:
        """What was paid out too much."""
        return max(0, -self.due)


@dataclass(frozen=True)
class Prizes:
    """The pool, the prizes by place, and their winners; no winners before the ranking is final.

    ``entries`` were paid for; ``free`` ones add nothing.
    """

    entries: int
    free: int
    pool: int
    by_place: tuple[tuple[int, int], ...]
    left: int
    is_final: bool
    rows: tuple[Prize, ...]


def prizes_at(event: Event) -> Prizes:
    """Return the event's prizes as of now."""
    entries, free = entries_of(event)
    pool = entries * event.buy_in + event.prize_added
    unit: int = 10 ** digits_of(event.currency)
    prizes = prizes_of(pool, event.prizes, unit)
    ranking = full_ranking(event) if prizes else None
    rows: list[Prize] = []
    if ranking is not None and ranking.is_final:
        players = [row for row in ranking.rows if row.place and row.section != LAST]
        gets = split(prizes, [(row.place or 0, int(row.player_id)) for row in players], unit)
        paid = _paid(event)
        numbers = {int(row.player_id): row for row in ranking.rows}
        rows = [
            Prize(row.place or 0, number, row.name, gets.get(number, 0), paid.get(number, 0))
            for number, row in numbers.items()
            if number in gets or paid.get(number)
        ]
    return Prizes(
        entries=entries,
        free=free,
        pool=pool,
        by_place=tuple(enumerate(prizes, start=1)),
        left=pool - sum(prizes),
        is_final=bool(ranking and ranking.is_final),
        rows=tuple(rows),
    )


def _paid(event: Event) -> dict[int, int]:
    """Return what was paid out to each player, by number."""
    prizes = [BookingKind.PAYOUT, BookingKind.RETURNED]
    payouts = Q(bookings__kind__in=prizes) | Q(bookings__voids__kind__in=prizes)
    rows: Any = Registration.objects.filter(payouts, event=event).order_by()
    # A prize paid to a merged registration was paid to the kept one.
    player = Coalesce("merged_into__number", "number")
    return {
        number: -amount
        for number, amount in rows.values_list(player).annotate(sum=Sum("bookings__amount"))
        if amount
    }


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
    # A player who has neither entered nor paid may never come.
    open_ = [each for each in balances_of(event, players) if each.entries or each.paid]
    return Closing(days, tills_of(event, days), prizes_at(event), open_)
