"""The hands and Chicagos of an event's finished games, beside what chance would have given."""

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.db.models import Count, Sum
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from engine.bots import chance
from engine.cards.categories import SCORING
from engine.rules.variants import parse_rules
from scoring.reading.words import category_label
from scoring.words import step_name

from ...models import Event, GameHands
from ...models.enums import HeatStatus

#: The picture of a row, in its own units: where never, as expected, and twice as often are.
NEVER, EXPECTED, TWICE = 8.0, 80.0, 152.0
#: The columns of what is known of each phase (0: the tricks), and of what came up.
_ASKED = {0: "deals", 1: "asked_1", 2: "asked_2", 3: "asked_3"}
_CAME = (chance.WON, chance.BROKEN, *(category.key for category in SCORING))
#: If fewer than this are expected, one more or less means nothing.
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
    """Return what came in the event's finished games (one query).

    Games entered from paper as totals have no hands. Chance is known for three and four players who
    exchange as at the festival.
    """
    played: Any = (
        GameHands.objects.filter(game__heat__event=event)
        .exclude(game__heat__status=HeatStatus.VOID)
        .values("players")
        .annotate(games=Count("pk"), **{name: Sum(name) for name in (*_ASKED.values(), *_CAME)})
        .order_by()
    )
    came: Counter[str] = Counter()
    asked: Counter[tuple[int, int]] = Counter()
    for found in played:
        row: dict[str, int] = dict(found)
        players = row.pop("players")
        came.update(row)
        for phase, name in _ASKED.items():
            asked[players, phase] += row[name]
    compares = parse_rules(event.rules).exchanges == 3 and all(
        players in chance.COUNTED for (players, _phase), times in asked.items() if times
    )

    def expected(key: str) -> float | None:
        if not compares:
            return None
        return sum(
            times * float(chance.share(players, (phase, key)))
            for (players, phase), times in asked.items()
            if times
        )

    def row_of(label: str, key: str) -> Compared:
        return _compared(label, came[key], expected(key))

    return Hands(
        games=came["games"],
        deals=came["deals"],
        hands=[row_of(category_label(category.key), category.key) for category in SCORING],
        chicagos=[
            row_of(capfirst(step_name("asterisks")), chance.WON),
            row_of(_("Chicagos broken"), chance.BROKEN),
        ],
        compares=compares,
    )


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
