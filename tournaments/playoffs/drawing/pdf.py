"""The bracket on landscape sheets: scaled to fit, and legible in black and white."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm

from scoring.paper import fonts
from scoring.paper.library import Canvas
from scoring.paper.paper import A4, SHEETS
from scoring.pictures.shapes import BOXES, STROKES, TEXTS, Box, Link, Picture, Shape, Stroke, Text

WIDTH, HEIGHT = 297 * mm, 210 * mm
MARGIN = 10 * mm
HEAD, FOOT = 15 * mm, 9 * mm
#: What a picture may take of a sheet.
ROOM: tuple[float, float] = (WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN - HEAD - FOOT)
#: Pictures are not enlarged beyond this, as a screen's type size is large on paper.
MAX_SCALE = 1.4
#: Folds to try, as fractions of the tallest column, and the gain in scale that a fold needs.
FOLDS = (2, 3, 4, 5, 6, 8)
WORTH_FOLDING = 1.2


@dataclass(frozen=True)
class Page:
    """The text around the pictures; ``foot`` gets the page and the number of pages."""

    title: str
    subtitle: str
    foot: Callable[[int, int], str]
    language: str
    plain: bool = False
    sheet: str = A4


def bracket_pdf(pictures: Sequence[Picture], page: Page) -> bytes:
    """Return the PDF, each picture on a page of its own."""
    fonts.fonts()
    file = io.BytesIO()
    down, across = SHEETS[page.sheet]
    canvas = _Canvas(
        file,
        pagesize=(WIDTH, HEIGHT),
        sheet=(across * mm, down * mm),
        invariant=1,
        lang=page.language,
        pdfVersion=(1, 7),
    )
    canvas.plain = page.plain
    canvas.setTitle(fonts.clean(page.title))
    canvas.setSubject(fonts.clean(page.subtitle))
    canvas.setCreator("Chicago")
    for number, picture in enumerate(pictures, start=1):
        _sheet(canvas, picture, page, page.foot(number, len(pictures)))
    # The library's shared fonts keep state while they are reduced to the glyphs used.
    with fonts.writing:
        canvas.save()
    return file.getvalue()


def _sheet(canvas: "_Canvas", picture: Picture, page: Page, foot: str) -> None:
    top = HEIGHT - MARGIN
    for text in (
        Text(MARGIN, 13 - top, page.title, "title", 16, ROOM[0] * 0.7),
        Text(WIDTH - MARGIN, 13 - top, page.subtitle, "quiet", 10, ROOM[0] * 0.28, "end"),
        Text(MARGIN, -MARGIN, foot, "quiet", 8.5, ROOM[0]),
    ):
        _text(canvas, text)
    scale = scale_of(picture)
    canvas.saveState()
    # From here on as on a screen: from the top left corner, downwards.
    canvas.translate(MARGIN, top - HEAD)
    canvas.scale(scale, scale)
    _draw(canvas, picture.shapes)
    canvas.restoreState()
    canvas.showPage()


class _Canvas(Canvas):
    """A canvas that can turn all colours into greys of the same lightness."""

    plain = False

    def ink(self, colour: str) -> Color:
        """Return the colour to draw with."""
        found = HexColor(colour)
        if not self.plain:
            return found
        grey = 0.3 * found.red + 0.59 * found.green + 0.11 * found.blue
        return Color(grey, grey, grey)


def scale_of(picture: Picture) -> float:
    """Return the scale at which a picture fits on a sheet."""
    return min(ROOM[0] / picture.width, ROOM[1] / picture.height, MAX_SCALE)


def best_fold(draw: Callable[[float | None], Picture]) -> Picture:
    """Return the layout that can be drawn largest; folds only if that gains enough.

    ``draw`` lays the picture out within a maximum column height.
    """
    best = whole = draw(None)
    for parts in FOLDS:
        folded = draw(whole.height / parts)
        if scale_of(folded) > WORTH_FOLDING * scale_of(best):
            best = folded
    return best


def _draw(canvas: _Canvas, shapes: Sequence[Shape]) -> None:
    for shape in shapes:
        match shape:
            case Link():
                _draw(canvas, shape.shapes)
            case Box():
                _box(canvas, shape)
            case Stroke():
                _stroke(canvas, shape)
            case Text():
                _text(canvas, shape)


def _box(canvas: _Canvas, box: Box) -> None:
    fill, stroke, width = BOXES[box.kind]
    canvas.saveState()
    if fill:
        canvas.setFillColor(canvas.ink("#ffffff" if box.kind in ("table", "final") else fill))
    if stroke:
        canvas.setStrokeColor(canvas.ink("#8a8577" if box.kind == "table" else stroke))
        canvas.setLineWidth(width)
    if box.kind == "ghost":
        canvas.setDash(5, 4)
    canvas.roundRect(
        box.x,
        -box.y - box.height,
        box.width,
        box.height,
        min(box.radius, box.height / 2),
        stroke=int(bool(stroke)),
        fill=int(bool(fill)),
    )
    canvas.restoreState()


def _stroke(canvas: _Canvas, stroke: Stroke) -> None:
    colour, width, _dashes = STROKES[stroke.kind]
    canvas.saveState()
    canvas.setStrokeColor(canvas.ink(colour))
    canvas.setLineWidth(width)
    canvas.setLineCap(1)
    canvas.line(stroke.x1, -stroke.y1, stroke.x2, -stroke.y2)
    canvas.restoreState()


def _text(canvas: _Canvas, text: Text) -> None:
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    canvas.setFillColor(canvas.ink(TEXTS[text.kind][0]))
    for base, line in text.lines():
        canvas.show(text.x - line.width * shift, -base, line.size, line.runs)
