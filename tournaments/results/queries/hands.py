"""The hands and Chicagos of closed heats, beside what chance would have given."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from engine.bots import chance
from engine.cards.categories import SCORING
from scoring.pictures.shapes import Box, Dot, Line, Picture, Shape, Stroke
from scoring.reading.words import category_label
from scoring.words import step_name

from .chance import Expected, Simulated, expected, simulations
from .tally import ASKED, Tally

#: The picture of a row, in its own units: where never, as expected, and twice as often are.
NEVER, EXPECTED, TWICE = 8.0, 80.0, 152.0
#: If fewer than this are expected, one more or less means nothing.
FEW = 0.2


@dataclass(frozen=True, slots=True)
class Compared:
    """How often something came; ``expected`` by chance, None if that is not known.

    The picture has a dot, if enough is expected for one (at the edge, if it lies beyond), and the
    band in which nineteen events of twenty have theirs.
    """

    label: str
    came: int
    expected: Expected | None
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Hands:
    """What came at all tables; ``compares`` tells whether chance's share is known."""

    games: int
    deals: int
    hands: list[Compared]
    chicagos: list[Compared]
    compares: bool
    simulations: tuple[Simulated, ...]


def hands_of(tally: Tally) -> Hands:
    """Return what came beside what chance would have given (at most one query).

    Games entered from paper as totals have no hands. Chance is known for rules and numbers of
    players that were simulated.
    """
    known = simulations(tally.hands)
    came: Counter[str] = Counter()
    parts: list[tuple[Mapping[int, float], Simulated]] = []
    compares = True
    for rules, sizes in tally.hands.items():
        for players, counts in sizes.items():
            came.update(counts)
            asked = {phase: counts[name] for phase, name in ASKED.items() if counts[name]}
            simulated = known.get((rules, int(players)))
            if simulated is not None and all(map(simulated.asked, asked)):
                parts.append((asked, simulated))
            elif asked:
                compares = False

    def row_of(label: str, key: str) -> Compared:
        return compared(label, came[key], expected(parts, key) if compares else None)

    return Hands(
        games=tally.games,
        deals=came["deals"],
        hands=[row_of(category_label(category.key), category.key) for category in SCORING],
        chicagos=[
            row_of(capfirst(step_name("asterisks")), chance.WON),
            row_of(_("Chicagos broken"), chance.BROKEN),
        ],
        compares=compares,
        simulations=tuple({(each.games, each.seed): each for _asked, each in parts}.values()),
    )


def compared(label: str, came: int, by_chance: Expected | None) -> Compared:
    """Return a row; without enough that is expected it has no mark, for one more means nothing."""
    if by_chance is None:
        return Compared(label, came, None)
    middle: list[Shape] = [Stroke(EXPECTED, 1, EXPECTED, 19, "target")]
    edge = Line(((146, 4), (156, 10), (146, 16)), "champion")
    if by_chance.times < FEW:
        beyond: list[Shape] = [edge] if came > by_chance.most else []
        return Compared(label, came, by_chance, _drawn(NEVER, TWICE, middle + beyond))

    def place(times: float) -> float:
        often = times / by_chance.times
        return round(NEVER + (EXPECTED - NEVER) * min(2.0, max(0.0, often)), 1)

    mark = edge if came > 2 * by_chance.times else Dot(place(came), 10, 4, "on")
    picture = _drawn(place(by_chance.least), place(by_chance.most), [*middle, mark])
    return Compared(label, came, by_chance, picture)


def _drawn(least: float, most: float, shapes: Sequence[Shape]) -> Picture:
    band = Box(least, 4, round(most - least, 1), 12, "band", 2)
    return Picture(NEVER + TWICE, 20, (band, *shapes))
