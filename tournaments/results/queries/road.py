"""The picture of one player's road: a dot for each heat, in the lane of the place there."""

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from scoring.pictures.shapes import Dot, Picture, Shape, Stroke, Text

from ...models import HeatResult

#: In the picture's own units: between heats at least, and for each letter of a name; between lanes,
#: to the first dot, and above it.
STEP, LETTER, LANE, LEFT, TOP = 84, 7, 26, 46, 18
#: Room below the lanes for the heats' names.
FOOT = 34


def road_of(rows: Sequence[HeatResult]) -> Picture | None:
    """Return the road through these heats, in their order; None if there are fewer than two.

    A filled dot is a heat from which the player went on, or the last one, if won; a dashed line
    leads to where the player entered again.
    """
    if len(rows) < 2:
        return None
    lanes = max(4, *(row.place for row in rows))
    last = len(rows) - 1
    labels = [str(row.heat) for row in rows]
    step = max(STEP, LETTER * max(map(len, labels)))
    width, foot = LEFT + step * last + step // 2, TOP + LANE * (lanes - 1) + FOOT - 8
    dots = [
        Dot(
            LEFT + step * index,
            TOP + LANE * (row.place - 1),
            9,
            "on" if row.advances or (index == last and row.place == 1) else "off",
        )
        for index, row in enumerate(rows)
    ]
    shapes: list[Shape] = []
    for place in range(1, lanes + 1):
        y = TOP + LANE * (place - 1)
        shapes += [Stroke(22, y, width, y, "rule"), Text(8, y + 4, str(place), "quiet", 11)]
    shapes += [
        Stroke(here.x, here.y, there.x, there.y, "champion" if here.kind == "on" else "again")
        for here, there in pairwise(dots)
    ]
    for dot, row, label in zip(dots, rows, labels, strict=True):
        kind = "plaque-name" if dot.kind == "on" else "strong"
        shapes += [
            dot,
            Text(dot.x, dot.y + 4, str(row.place), kind, 12, anchor="middle"),
            Text(dot.x, foot, label, "quiet", 11, anchor="middle"),
        ]
    return Picture(
        width,
        foot + 8,
        tuple(shapes),
        _("The road, heat by heat"),
        " · ".join(
            _("%(heat)s: place %(place)s") % {"heat": label, "place": row.place}
            for label, row in zip(labels, rows, strict=True)
        ),
    )
