"""The hands and Chicagos of an event's finished games, beside what chance would have given."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.fields.json import KT
from django.utils.translation import gettext as _

from engine.bots import chance
from engine.cards.categories import SCORING
from scoring.enums import RowKind, SheetStatus
from scoring.models import Sheet, SheetEntry
from scoring.reading.rules import resolve
from scoring.reading.words import category_label

from ...models import Event
from ...models.enums import HeatStatus

#: The picture of a row, in its own units: where never, as expected, and twice as often are.
NEVER, EXPECTED, TWICE = 8.0, 80.0, 152.0
#: If fewer are expected, one more or less tells nothing.
FEW = 0.2


@dataclass(frozen=True, slots=True)
class Compared:
    """How often something came; ``expected`` by chance, None if that is not known.

    The rest is the picture: the mark, if enough is expected for one; whether it lies beyond the
    edge; and the band in which two events of three have theirs.
    """

    label: str
    came: int
    expected: float | None
    at: float | None = None
    beyond: bool = False
    band_from: float = NEVER
    band_to: float = TWICE

    @property
    def band_width(self) -> float:
        return round(self.band_to - self.band_from, 1)


@dataclass(frozen=True, slots=True)
class Hands:
    """What came at all tables; ``compares`` tells whether chance's share is known."""

    games: int
    deals: int
    hands: list[Compared]
    chicagos: list[Compared]
    compares: bool


def hands_of(event: Event) -> Hands:
    """Return what came in the event's finished games (two queries).

    Games entered from paper as totals have no hands. Chance is known for three and four players who
    exchange as at the festival.
    """
    sheets = Sheet.objects.filter(heat_game__heat__event=event, status=SheetStatus.FINISHED)
    seats = {
        sheet: len(names)
        for sheet, names in sheets.exclude(heat_game__heat__status=HeatStatus.VOID).values_list(
            "pk", "seats"
        )
    }
    found = _counted(event, seats)
    came: Counter[chance.What] = Counter()
    asked: Counter[tuple[int, int]] = Counter()
    for (players, what), times in found.items():
        came[what] += times
        asked[players, what[0]] += times
    compares = resolve(event.rules, {}, event.rules_digest).exchanges == 3 and all(
        players in chance.COUNTED for players, _phase in asked
    )

    def expected(wanted: Callable[[chance.What], bool]) -> float | None:
        if not compares:
            return None
        return sum(
            times * float(chance.share(players, what))
            for (players, phase), times in asked.items()
            for what in chance.COUNTED[players]
            if what[0] == phase and wanted(what)
        )

    def row(label: str, key: str) -> Compared:
        times = sum(count for what, count in came.items() if what[1] == key)
        return _compared(label, times, expected(lambda what: what[1] == key))

    return Hands(
        games=len(seats),
        deals=sum(count for what, count in came.items() if not what[0]),
        hands=[row(category_label(category.key), category.key) for category in SCORING],
        chicagos=[
            row(_("Chicago won"), chance.WON),
            row(_("Chicago broken"), chance.BROKEN),
        ],
        compares=compares,
    )


def _counted(event: Event, seats: dict[int, int]) -> Counter[tuple[int, chance.What]]:
    """Return how often each came, by the number of players: rows that were neither voided nor
    replaced, in the database's own count.
    """
    taken = [RowKind.VOID, RowKind.AMEND]
    # An entry that is corrected twice has both corrections' rows, and only the last one counts.
    later = SheetEntry.objects.filter(
        target=OuterRef("target"), kind__in=taken, sequence__gt=OuterRef("sequence")
    )
    rows = (
        SheetEntry.objects.filter(
            sheet__heat_game__heat__event=event,
            sheet__status=SheetStatus.FINISHED,
            kind__in=[RowKind.ENTRY, RowKind.AMEND, RowKind.INSERT],
        )
        .exclude(corrections__kind__in=taken)
        .exclude(Q(kind=RowKind.AMEND) & Exists(later))
        .order_by()
        .values_list("sheet", KT("entry__kind"), KT("entry__phase"), KT("entry__category"))
        .annotate(won=Count("pk", filter=Q(entry__won=True)), times=Count("pk"))
    )
    found: Counter[tuple[int, chance.What]] = Counter()
    for sheet, kind, phase, category, won, times in rows:
        if sheet not in seats:
            continue
        entry = {"kind": kind, "phase": int(phase or 0), "category": category}
        for is_won, count in ((True, won), (False, times - won)):
            what = chance.what_of({**entry, "won": is_won})
            if what is not None:
                found[seats[sheet], what] += count
    return found


def _compared(label: str, came: int, expected: float | None) -> Compared:
    if expected is None or expected < FEW:
        return Compared(label, came, expected, beyond=expected is not None and came > 2 * expected)
    often, spread = came / expected, 1 / sqrt(expected)

    def place(share: float) -> float:
        return round(NEVER + (EXPECTED - NEVER) * min(2.0, max(0.0, share)), 1)

    return Compared(
        label,
        came,
        expected,
        at=place(often),
        beyond=often > 2,
        band_from=place(1 - spread),
        band_to=place(1 + spread),
    )
