"""The parts of a picture: boxes, lines and texts, each with a kind that sets its colours.

A layout makes shapes; a writer turns them into SVG or PDF. Units are screen pixels.
"""

from dataclasses import dataclass

from scoring.paper import fonts

#: kind -> (fill, stroke, stroke width) in the light theme; "" draws nothing
BOXES: dict[str, tuple[str, str, float]] = {
    "table": ("#fffdf7", "#d9d3c3", 1),
    "final": ("#fffdf7", "#1b5e3f", 2),
    "ghost": ("", "#d9d3c3", 1),
    "on": ("#e2ede4", "", 0),
    "plaque": ("#1b5e3f", "", 0),
    "mark": ("#fbefcf", "", 0),
}
#: kind -> (colour, bold)
TEXTS: dict[str, tuple[str, bool]] = {
    "ink": ("#1e1d1a", False),
    "strong": ("#1e1d1a", True),
    "quiet": ("#5d594f", False),
    "title": ("#1e1d1a", True),
    "mark": ("#8a5a00", True),
    "plaque": ("#ffffff", False),
    "plaque-name": ("#ffffff", True),
}
#: kind -> (colour, width)
STROKES: dict[str, tuple[str, float]] = {
    "way": ("#b5ae9c", 1.25),
    "champion": ("#1b5e3f", 2.5),
    "rule": ("#d9d3c3", 1),
}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with rounded corners."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    radius: float = 6


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; ``y`` is its baseline, ``room`` its maximum width.

    What is too long for a line takes two small ones that fit between its neighbours.
    """

    x: float
    y: float
    text: str
    kind: str
    size: float
    room: float
    anchor: str = "start"

    def lines(self, caution: float = 1) -> list[tuple[float, fonts.TextLine]]:
        """Return each line with its baseline; ``caution`` is the share of the room to use."""
        face = fonts.BOLD if TEXTS[self.kind][1] else fonts.REGULAR
        small = self.size * 0.7
        settings = [(self.size, 1), (self.size * 0.85, 1), (small, 2)]
        found = fonts.whole(self.text, face, self.room * caution, settings)
        first = self.y - small * (len(found) - 1) / 2
        return [(first + small * number, line) for number, line in enumerate(found)]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True, slots=True)
class Link:
    """Shapes that link to a page; ``label`` names it."""

    href: str
    label: str
    shapes: tuple["Shape", ...]


Shape = Box | Text | Stroke | Link


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its size, and its title in words."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
