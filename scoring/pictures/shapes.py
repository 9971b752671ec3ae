"""The parts of a picture: boxes, lines, dots and texts, each with a kind that sets its colours.

A layout makes shapes; a writer turns them into SVG or PDF. Units are screen pixels.
"""

from dataclasses import dataclass

from ..paper import fonts

_GREEN, _INK, _QUIET, _LINE = "#1b5e3f", "#1e1d1a", "#5d594f", "#d9d3c3"
_RED, _AMBER = "#b3261e", "#8a5a00"

#: kind -> (fill, stroke, stroke width) in the light theme; "" draws nothing
BOXES: dict[str, tuple[str, str, float]] = {
    "table": ("#fffdf7", _LINE, 1),
    "final": ("#fffdf7", _GREEN, 2),
    "ghost": ("", _LINE, 1),
    "on": ("#e2ede4", "", 0),
    "plaque": (_GREEN, "", 0),
    "mark": ("#fbefcf", "", 0),
    "band": (_LINE, "", 0),
    "bar-1": (_GREEN, "", 0),
    "bar-2": ("#739b84", "", 0),
    "bar-3": ("#b9c8b8", "", 0),
}
#: kind -> (colour, bold)
TEXTS: dict[str, tuple[str, bool]] = {
    "ink": (_INK, False),
    "strong": (_INK, True),
    "quiet": (_QUIET, False),
    "title": (_INK, True),
    "mark": (_AMBER, True),
    "plaque": ("#ffffff", False),
    "plaque-name": ("#ffffff", True),
    "line-0": (_GREEN, True),
    "line-1": (_RED, True),
    "line-2": (_INK, True),
    "line-3": (_AMBER, True),
    "line-4": (_INK, True),
    "line-5": (_INK, True),
}
#: kind -> (colour, width, dashes); six lines are told apart without colours, too
STROKES: dict[str, tuple[str, float, str]] = {
    "way": ("#b5ae9c", 1.25, ""),
    "champion": (_GREEN, 2.5, ""),
    "rule": (_LINE, 1, ""),
    "target": (_QUIET, 0.75, ""),
    "limit": (_QUIET, 0.75, "1 3"),
    "again": (_QUIET, 1.5, "4 4"),
    "line-0": (_GREEN, 2, ""),
    "line-1": (_RED, 2, "7 3"),
    "line-2": (_INK, 2, "2 2"),
    "line-3": (_AMBER, 2, "9 3 2 3"),
    "line-4": (_INK, 1, ""),
    "line-5": (_INK, 1, "4 4"),
}
#: Lines that can be told apart.
LINES = 6
#: kind -> (fill, stroke)
DOTS: dict[str, tuple[str, str]] = {
    "on": (_GREEN, _GREEN),
    "off": ("#fffdf7", _QUIET),
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

    What is too long for a line takes two small ones that fit between its neighbours. Without
    ``room`` it is as long as it is.
    """

    x: float
    y: float
    text: str
    kind: str
    size: float
    room: float = 0
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
class Line:
    """A line through points: straight from one to the next, or in ``steps``, across before up."""

    points: tuple[tuple[float, float], ...]
    kind: str
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle."""

    x: float
    y: float
    radius: float
    kind: str


@dataclass(frozen=True, slots=True)
class Link:
    """Shapes that link to a page; ``label`` names it."""

    href: str
    label: str
    shapes: tuple["Shape", ...]


@dataclass(frozen=True, slots=True)
class Inset:
    """A picture within another one, scaled to fit; without its title and text."""

    x: float
    y: float
    width: float
    height: float
    picture: "Picture"


Shape = Box | Text | Stroke | Line | Dot | Link | Inset


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its size, its title, and in ``text`` what it shows, in words.

    Without a title it stands beside the same numbers, and screen readers pass over it.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str = ""
    text: str = ""
