"""The pictures to share: 1200 × 630, with what is told in a glance, and the race or the road."""

from scoring.pictures.race import race_picture
from scoring.pictures.shapes import Box, Inset, Picture, Shape, Text

from .queries.road import road_of
from .queries.share import Told

WIDTH, HEIGHT, MARGIN = 1200, 630, 64
#: Where lines begin, their height, and how many fit.
FIRST, LINE, LINES = 346, 64, 4
#: The room of a race or a road, to the right of the lines.
ASIDE = (640, 296, 496, 280)
GROUND = "#f7f4ec"


def shared_picture(told: Told) -> Picture:
    """Draw what is told; names take two smaller lines rather than being cut."""
    wide = WIDTH - 2 * MARGIN
    aside = told.chart or (race_picture(told.race) if told.race else road_of(told.road))
    quiet, title = ("plaque", "plaque-name") if told.is_proud else ("quiet", "title")
    # A title alone stands lower.
    down = 0 if told.lines or aside else 110
    shapes: list[Shape] = [
        Box(0, 0, WIDTH, 276 if told.is_proud else 14, "plaque", 0),
        Text(MARGIN, 92 + down, told.over, quiet, 36, wide),
        Text(MARGIN, 186 + down, told.title, title, 84, wide),
    ]
    if told.under:
        shapes.append(Text(MARGIN, 248 + down, told.under, quiet, 36, wide))
    room = ASIDE[0] - MARGIN - 40 if aside else wide
    for number, (place, name, points) in enumerate(told.lines[:LINES]):
        y = FIRST + LINE * number
        left = MARGIN + (60 if place else 0)
        shapes.append(Text(MARGIN, y, place, "quiet", 40))
        shapes.append(
            Text(left, y, name, "ink", 40, room - (left - MARGIN) - (110 if points else 0))
        )
        if points:
            shapes.append(Text(MARGIN + room, y, points, "strong", 40, 110, "end"))
    if aside is not None:
        shapes.append(Inset(*ASIDE, aside))
    shapes.append(Text(WIDTH - MARGIN, 600, "Chicago", "strong", 30, anchor="end"))
    return Picture(WIDTH, HEIGHT, tuple(shapes), told.title, told.over)
