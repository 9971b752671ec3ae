"""What charts are made of: an axis, lines with names at their ends, names below."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from .shapes import LINES, Box, Line, Picture, Shape, Stroke, Text

Number = int | float | Fraction
#: A chart's size; what is left and right of its lines, above and below them.
WIDTH, HEIGHT = 320, 180
LEFT, RIGHT, TOP, BOTTOM = 22, 94, 10, 18
#: The type sizes of scales and names, and the height that a name at the end of a line needs.
SCALE, NAME, GAP = 9, 11, 13


@dataclass(frozen=True, slots=True)
class Axis:
    """Where numbers from ``low`` to ``high`` are drawn: between two positions.

    >>> Axis(0, 52, 162, 10)(26)
    86.0
    """

    low: Number
    high: Number
    start: float
    end: float

    def __call__(self, value: Number) -> float:
        share = (
            float(value - self.low) / float(self.high - self.low) if self.high != self.low else 0
        )
        return round(self.start + (self.end - self.start) * share, 1)


@dataclass(frozen=True, slots=True)
class Lined:
    """A line of a chart: what stands at its end, and its ``values``, None where it has none.

    They stand at positions 0, 1, 2 … from the left.
    """

    label: str
    values: Sequence[Number | None]


def steps_of(low: Number, high: Number, most: int = 5) -> list[int]:
    """Return the round numbers between two, at most so many.

    >>> steps_of(0, 53), steps_of(-3, 8), steps_of(1, 4)
    ([0, 10, 20, 30, 40, 50], [-2, 0, 2, 4, 6, 8], [1, 2, 3, 4])
    """
    ten = 1
    while True:
        for step in (ten, 2 * ten, 5 * ten):
            first, last = ceil(low / step), floor(high / step)
            if last - first < most + 1:
                return [step * number for number in range(first, last + 1)]
        ten *= 10


def apart(ends: Sequence[float], lowest: float, gap: float = GAP) -> list[float]:
    """Return baselines for the names at the ends of lines, so that they do not overlap."""
    order = sorted(range(len(ends)), key=lambda index: ends[index])
    found = [0.0] * len(ends)
    at = 0.0
    for number, index in enumerate(order):
        after = len(order) - 1 - number
        at = min(max(ends[index] + 4, at + gap), lowest - after * gap)
        found[index] = round(at, 1)
    return found


def across(y: float, label: str, kind: str, width: float, right: float = RIGHT) -> list[Shape]:
    """Return a line across a chart with its number to the left."""
    return [
        Stroke(LEFT, y, width - right, y, kind),
        Text(LEFT - 4, round(y + 3, 1), label, "quiet", SCALE, anchor="end"),
    ]


def below(
    labels: Sequence[str], x: Axis, height: float, width: float, room: float = 12
) -> list[Shape]:
    """Return names below positions 0, 1, 2 …, as many as there is room for."""
    every = max(1, ceil(len(labels) * room / (width - LEFT - RIGHT)))
    return [
        Text(x(index), height - 4, label, "quiet", SCALE, anchor="middle")
        for index, label in enumerate(labels)
        if label and index % every == 0
    ]


def lines_chart(
    lines: Sequence[Lined],
    *,
    title: str,
    text: str,
    marks: Sequence[tuple[Number, str]] = (),
    columns: Sequence[str] = (),
    steps: bool = False,
    low: Number | None = None,
    high: Number | None = None,
    width: float = WIDTH,
    height: float = HEIGHT,
    right: float = RIGHT,
) -> Picture:
    """Draw lines over positions from left to right, named at their ends.

    ``marks`` are numbers with a line across, and its kind; without them there are round numbers.
    ``columns`` name the positions. ``low`` and ``high`` are the ends of the axis, otherwise it has
    those of the numbers; a ``low`` above ``high`` turns it upside down.
    """
    known = [value for line in lines for value in line.values if value is not None]
    low = min([*known, 0]) if low is None else low
    high = max([*known, low]) if high is None else high
    count = max((len(line.values) for line in lines), default=1)
    x = Axis(0, max(1, count - 1), LEFT, width - right)
    y = Axis(low, high, height - BOTTOM, TOP)
    shapes: list[Shape] = []
    rules = marks or [(number, "rule") for number in steps_of(min(low, high), max(low, high))]
    for number, kind in rules:
        shapes += across(y(number), str(number), kind, width, right)
    shapes += below(columns, x, height, width)
    ends: list[float] = []
    for index, line in enumerate(lines):
        points = tuple(
            (x(at), y(value)) for at, value in enumerate(line.values) if value is not None
        )
        ends.append(points[-1][1] if points else 0)
        if len(points) > 1:
            shapes.append(Line(points, f"line-{index % LINES}", steps))
    heights = apart(ends, height - BOTTOM + 4)
    shapes += [
        Text(width - right + 6, heights[index], line.label, f"line-{index % LINES}", NAME)
        for index, line in enumerate(lines)
    ]
    return Picture(width, height, tuple(shapes), title, text)


#: The longest bar's length, and a bar's height; the page stretches both.
BAR, THICK = 1000, 10


def parts_bar(parts: Sequence[Number | None], most: Number) -> Picture:
    """Draw numbers one after the other as a bar, which is full at ``most``.

    Neighbours differ in kind, so that they are told apart.
    """
    along = Axis(0, most, 0, BAR)
    boxes: list[Shape] = []
    at: Number = 0
    for number, part in enumerate(parts):
        if part:
            left, right = round(along(at)), round(along(at + part))
            boxes.append(Box(left, 0, right - left, THICK, f"bar-{number % 3 + 1}", 0))
            at += part
    return Picture(BAR, THICK, tuple(boxes))
