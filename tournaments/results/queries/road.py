"""The picture of one player's road: a dot for each heat, in the lane of the place there."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from ...models import HeatResult

#: In the picture's own units: between heats at least, and for each letter of a name; between lanes,
#: to the first dot, and above it.
STEP, LETTER, LANE, LEFT, TOP = 84, 7, 26, 46, 18
#: Room below the lanes for the heats' names.
FOOT = 34


@dataclass(frozen=True, slots=True)
class Stop:
    """A heat on the road; ``went_on``: to the next round, or as the winner of the last heat."""

    label: str
    place: int
    x: int
    y: int
    went_on: bool


@dataclass(frozen=True, slots=True)
class Segment:
    """The line between two heats; dashed where the player entered again."""

    path: str
    is_again: bool


@dataclass(frozen=True, slots=True)
class Road:
    """The picture, and what it shows in words."""

    width: int
    height: int
    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]
    #: The baseline of each place's number, and of the heats' names.
    lanes: tuple[tuple[int, int], ...]
    foot: int
    text: str


def road_of(rows: Sequence[HeatResult]) -> Road | None:
    """Return the road through these heats, in their order; None if there are fewer than two."""
    if len(rows) < 2:
        return None
    lanes = max(4, *(row.place for row in rows))
    last = len(rows) - 1
    labels = [str(row.heat) for row in rows]
    step = max(STEP, LETTER * max(map(len, labels)))
    stops = tuple(
        Stop(
            label,
            row.place,
            LEFT + step * index,
            TOP + LANE * (row.place - 1),
            row.advances or (index == last and row.place == 1),
        )
        for index, (label, row) in enumerate(zip(labels, rows, strict=True))
    )
    return Road(
        width=LEFT + step * last + step // 2,
        height=TOP + LANE * (lanes - 1) + FOOT,
        stops=stops,
        segments=tuple(
            Segment(f"M{here.x} {here.y}L{there.x} {there.y}", is_again=not here.went_on)
            for here, there in pairwise(stops)
        ),
        lanes=tuple((place, TOP + LANE * (place - 1)) for place in range(1, lanes + 1)),
        foot=TOP + LANE * (lanes - 1) + FOOT - 8,
        text=" · ".join(
            _("%(heat)s: place %(place)s") % {"heat": stop.label, "place": stop.place}
            for stop in stops
        ),
    )
