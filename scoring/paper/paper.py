"""A sheet of A4 to draw on: millimetres from the top left corner, ink that survives a copier.

Everything that is printed goes through here, so that text in any script, structure marks and the
margins are handled in one place.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import segno
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from scoring.paper import fonts, tags
from scoring.paper.fonts import BOLD, ITALIC, REGULAR, Line

__all__ = ["BOLD", "BOTTOM", "HEIGHT", "INK", "ITALIC", "LEFT", "PENCIL", "REGULAR", "RIGHT"]

# A4, in mm. The left margin takes the holes of a binder; no printer needs more than the others.
PAGE_WIDTH, PAGE_HEIGHT = 210.0, 297.0
LEFT, RIGHT, TOP, BOTTOM = 15.0, 200.0, 10.0, 288.0
WIDTH, HEIGHT = RIGHT - LEFT, BOTTOM - TOP

# Greys (0 black, 1 white). Nothing that carries meaning is lighter than QUIET, which a
# black-and-white copier still prints; FAINT is for guide lines that may be lost.
INK, PENCIL, QUIET, FAINT = 0.0, 0.16, 0.28, 0.58

PT: float = 1 / mm  # one point in millimetres


class Paper:
    """A document being drawn, page by page."""

    def __init__(self, *, title: str, language: str, subject: str = "", author: str = "") -> None:
        fonts.fonts()
        self._file = io.BytesIO()
        self.canvas = Canvas(
            self._file,
            pagesize=(PAGE_WIDTH * mm, PAGE_HEIGHT * mm),
            invariant=1,
            pageCompression=1,
            initialFontName=REGULAR,
            initialFontSize=9,
            lang=language,
            pdfVersion=(1, 7),
        )
        self.canvas.setTitle(fonts.clean(title))
        self.canvas.setSubject(fonts.clean(subject))
        self.canvas.setAuthor(fonts.clean(author))
        self.canvas.setCreator("Chicago")
        self.language = language
        self.pages = 0
        self.tags = tags.Tagger(self.canvas)

    def end_page(self) -> None:
        """Finish the page; the next drawing starts a new one."""
        self.canvas.showPage()
        self.tags.page_done()
        self.pages += 1

    def bookmark(self, title: str) -> None:
        """Make the current page findable in the reader's outline."""
        key = f"page-{self.pages}"
        self.canvas.bookmarkPage(key)
        self.canvas.addOutlineEntry(fonts.clean(title), key, level=0)

    def finish(self) -> bytes:
        """Return the whole document."""
        self.tags.finish()
        with fonts.writing:
            self.canvas.save()
        return self._file.getvalue()

    # --- text ---------------------------------------------------------------------------------

    def text(
        self,
        x: float,
        y: float,
        text: object,
        *,
        face: str = REGULAR,
        size: float = 9,
        align: str = "left",
        room: float | None = None,
        smallest: float | None = None,
        grey: float = INK,
    ) -> float:
        """Draw one line with its baseline at ``y``; return the width drawn, in mm.

        ``room`` (mm) is what the line may take: it is set smaller, then shortened, to fit.
        """
        if room is None:
            line = fonts.line(text, face, size)
        else:
            line = fonts.fit(text, face, size, room * mm, smallest)
        return self.draw(x, y, line, align=align, grey=grey)

    def draw(
        self, x: float, y: float, line: Line, *, align: str = "left", grey: float = INK
    ) -> float:
        """Draw a line already measured; return its width in mm."""
        width: float = line.width * PT
        start = x - (width if align == "right" else width / 2 if align == "centre" else 0)
        if not line.runs:
            return 0.0
        canvas = self.canvas
        canvas.setFillGray(grey)

        def runs() -> None:
            at = start * mm
            for font, part in line.runs:
                canvas.setFont(font, line.size)
                canvas.drawString(at, (PAGE_HEIGHT - y) * mm, part)
                at += canvas.stringWidth(part, font, line.size)

        if line.faithful:
            runs()
        else:
            with self.tags.actual_text(line.text):
                runs()
        return width

    def paragraph(
        self,
        x: float,
        y: float,
        text: object,
        *,
        room: float,
        lines: int,
        face: str = REGULAR,
        size: float = 8,
        leading: float = 3.4,
        grey: float = INK,
    ) -> float:
        """Draw wrapped text; return the baseline after the last line (mm)."""
        for line in fonts.wrap(text, face, size, room * mm, lines):
            self.draw(x, y, line, grey=grey)
            y += leading
        return y

    # --- lines --------------------------------------------------------------------------------

    @contextmanager
    def _stroke(self, weight: float, grey: float, dash: Sequence[float] = ()) -> Iterator[None]:
        canvas = self.canvas
        canvas.saveState()
        canvas.setLineWidth(weight)
        canvas.setStrokeGray(grey)
        canvas.setLineCap(1)
        if dash:
            canvas.setLineCap(0)
            canvas.setDash(*dash)
        yield
        canvas.restoreState()

    def rule(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        weight: float = 0.5,
        grey: float = INK,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a straight line; ``weight`` and ``dash`` in points."""
        with self.tags.artifact(), self._stroke(weight, grey, dash):
            self.canvas.line(x1 * mm, (PAGE_HEIGHT - y1) * mm, x2 * mm, (PAGE_HEIGHT - y2) * mm)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        radius: float = 0,
        weight: float = 0.5,
        grey: float = INK,
        fill: float | None = None,
    ) -> None:
        """Draw a rectangle from its top left corner; ``fill`` is a grey, no outline then."""
        with self.tags.artifact(), self._stroke(weight, grey):
            if fill is not None:
                self.canvas.setFillGray(fill)
            self.canvas.roundRect(
                x * mm,
                (PAGE_HEIGHT - y - height) * mm,
                width * mm,
                height * mm,
                radius * mm,
                stroke=int(fill is None),
                fill=int(fill is not None),
            )

    def curve(
        self, points: Sequence[tuple[float, float]], *, weight: float, grey: float = PENCIL
    ) -> None:
        """Draw a Bézier path: a start, then three points for each further piece (mm)."""
        path = self.canvas.beginPath()
        flipped = [(x * mm, (PAGE_HEIGHT - y) * mm) for x, y in points]
        path.moveTo(*flipped[0])
        for i in range(1, len(flipped) - 2, 3):
            path.curveTo(*flipped[i], *flipped[i + 1], *flipped[i + 2])
        with self._stroke(weight, grey):
            self.canvas.drawPath(path, stroke=1, fill=0)

    # --- signs --------------------------------------------------------------------------------

    def qr(self, x: float, y: float, size: float, content: str, alt: str) -> None:
        """Draw a QR code of ``size`` mm, without its quiet zone, from its top left corner."""
        code = segno.make_qr(content, error="m", boost_error=False)
        rows = [bytes(row) for row in code.matrix]
        cell = size / len(rows)
        with self.tags.content("Figure", alt=alt):
            path = self.canvas.beginPath()
            for row, cells in enumerate(rows):
                column = 0
                while column < len(cells):
                    end = column
                    while end < len(cells) and cells[end]:
                        end += 1
                    if end > column:
                        path.rect(
                            (x + column * cell) * mm,
                            (PAGE_HEIGHT - y - (row + 1) * cell) * mm,
                            (end - column) * cell * mm,
                            # a hair of overlap, or readers show white seams between the rows
                            cell * mm * 1.02,
                        )
                    column = end + 1
            self.canvas.setFillGray(INK)
            self.canvas.drawPath(path, stroke=0, fill=1)
