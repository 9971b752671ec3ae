"""A sheet to draw on: millimetres from the top left corner, ink that survives a copier.

Everything is drawn on A4. On another size the whole page is fitted into the sheet, margins
included, so that nothing is cut where it is printed at 100 %.

All printing goes through here, so that text in any script, structure marks and margins are handled
in one place.
"""

import io
from collections.abc import Callable, Hashable, Sequence

import segno
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader

from . import fonts, tags
from .fonts import BOLD, ITALIC, REGULAR, TextLine
from .library import Canvas

__all__ = ["BOLD", "BOTTOM", "HEIGHT", "INK", "ITALIC", "LEFT", "PENCIL", "REGULAR", "RIGHT"]

# A4, in mm. The left margin leaves room for a binder's holes; the others are as wide as printers
# need.
PAGE_WIDTH, PAGE_HEIGHT = 210.0, 297.0
LEFT, RIGHT, TOP, BOTTOM = 15.0, 200.0, 10.0, 288.0
WIDTH, HEIGHT = RIGHT - LEFT, BOTTOM - TOP

A4 = "a4"
#: Sheets by name: their width and height in mm.
SHEETS = {A4: (PAGE_WIDTH, PAGE_HEIGHT), "letter": (215.9, 279.4)}

# Greys (0 black, 1 white). Nothing meaningful is lighter than QUIET, which a black-and-white copier
# still prints; FAINT is for guide lines that may get lost.
INK, PENCIL, QUIET, FAINT = 0.0, 0.16, 0.28, 0.58

PT: float = 1 / mm  # one point in millimetres


class Paper:
    """A document being drawn, page by page."""

    def __init__(
        self, *, title: str, language: str, subject: str = "", author: str = "", sheet: str = A4
    ) -> None:
        fonts.fonts()
        across, down = SHEETS[sheet]
        self._file = io.BytesIO()
        self.canvas = Canvas(
            self._file,
            pagesize=(PAGE_WIDTH * mm, PAGE_HEIGHT * mm),
            sheet=(across * mm, down * mm),
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

    def later(self) -> str:
        """Reserve a place on this page for decoration that is drawn later."""
        with self.tags.artifact():
            return self.canvas.later()

    def bookmark(self, title: str) -> None:
        """List the current page in the document's outline."""
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
        colour: str = "",
    ) -> float:
        """Draw one line with its baseline at ``y``; return the width drawn, in mm.

        ``room`` (mm) is the space for the line: it is set smaller, then shortened, to fit.
        ``colour``, such as "#1b5e3f", replaces the grey.
        """
        if room is None:
            line = fonts.line(text, face, size)
        else:
            line = fonts.fit(text, face, size, room * mm, smallest)
        return self.draw(x, y, line, align=align, grey=grey, colour=colour)

    def draw(
        self,
        x: float,
        y: float,
        line: TextLine,
        *,
        align: str = "left",
        grey: float = INK,
        colour: str = "",
    ) -> float:
        """Draw a measured line; return its width in mm."""
        width: float = line.width * PT
        start = x - (width if align == "right" else width / 2 if align == "centre" else 0)
        if not line.runs:
            return 0.0
        canvas = self.canvas
        if colour:
            canvas.need(rg=_parts(colour))
        else:
            canvas.need(g=f"{grey:.3g}")
        at = start * mm, (PAGE_HEIGHT - y) * mm
        if line.faithful:
            canvas.show(*at, line.size, line.runs)
        else:
            with self.tags.actual_text(line.text):
                canvas.show(*at, line.size, line.runs)
        return width

    def paragraph(
        self,
        x: float,
        y: float,
        text: object,
        *,
        room: float,
        lines: int,
        size: float = 8,
        leading: float = 3.4,
        grey: float = INK,
    ) -> float:
        """Draw wrapped text; return the baseline after the last line (mm)."""
        for line in fonts.wrap(text, REGULAR, size, room * mm, lines):
            self.draw(x, y, line, grey=grey)
            y += leading
        return y

    # --- lines --------------------------------------------------------------------------------

    def _stroke(self, path: str, weight: float, grey: float, dash: Sequence[float] = ()) -> None:
        gaps = " ".join(f"{length:.3g}" for length in dash)
        self.canvas.need(w=f"{weight:.3g}", G=f"{grey:.3g}", J=0 if dash else 1, d=f"[{gaps}] 0")
        self.canvas.emit(f"{path} S")

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
        with self.tags.artifact():
            self._stroke(f"{_at(x1, y1)} m {_at(x2, y2)} l", weight, grey, dash)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        radius: float = 0,
        weight: float = 0.5,
        fill: float | None = None,
        colour: str = "",
    ) -> None:
        """Draw a rectangle from its top left corner; with ``fill``, a grey, it has no outline.

        ``colour`` replaces the grey, and the outline's ink.
        """
        with self.tags.artifact():
            if fill is None:
                self.canvas.need(w=f"{weight:.3g}", J=1, d="[] 0")
                self.canvas.need(**{"RG": _parts(colour)} if colour else {"G": f"{INK:.3g}"})
            else:
                self.canvas.need(**{"rg": _parts(colour)} if colour else {"g": f"{fill:.3g}"})
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
        """Draw a Bézier path (mm): a start, then three points for each further segment."""
        start, *rest = (_at(x, y, ".1f") for x, y in points)
        pieces = (f"{' '.join(rest[i : i + 3])} c" for i in range(0, len(rest), 3))
        self._stroke(f"{start} m {' '.join(pieces)}", weight, grey)

    def picture(
        self, x: float, y: float, width: float, height: float, content: bytes, alt: str
    ) -> None:
        """Draw a JPEG or PNG from its top left corner."""
        with self.tags.content("Figure", alt=alt):
            self.canvas.drawImage(
                ImageReader(io.BytesIO(content)),
                x * mm,
                (PAGE_HEIGHT - y - height) * mm,
                width * mm,
                height * mm,
            )

    def stamp(
        self, x: float, y: float, *drawings: tuple[Hashable, Callable[[], None]], step: float = 0
    ) -> None:
        """Put drawings at (x, y), each ``step`` (mm) further to the right.

        A drawing is a key and a function that draws at the page's corner, called once per key.
        """
        self.canvas.stamp(x * mm, -y * mm, *drawings, step=step * mm)

    # --- signs --------------------------------------------------------------------------------

    def qr(self, x: float, y: float, size: float, content: str, alt: str) -> None:
        """Draw a QR code of ``size`` mm, without its quiet zone, from its top left corner."""
        # Any mask can be read, and content with a code in it is practically random; weighing all
        # eight took longer than the rest of a protocol. Other letters than ASCII are UTF-8 and say
        # so, or readers guess.
        code = segno.make_qr(
            content,
            error="m",
            boost_error=False,
            mask=0,
            encoding="ascii" if content.isascii() else "utf-8",
            eci=not content.isascii(),
        )
        rows = [bytes(row) for row in code.matrix]
        cell = size / len(rows) * mm
        path = []
        for row, cells in enumerate(rows, start=1):
            column = cells.find(1)
            while column >= 0:
                end = cells.find(0, column)
                end = len(cells) if end < 0 else end
                # overlap slightly, or readers show white seams between the rows
                path.append(f"{column} {-row} {end - column} 1.02 re")
                column = cells.find(1, end)
        with self.tags.content("Figure", alt=alt):
            self.canvas.need(g=f"{INK:.3g}")
            self.canvas.emit(f"q {cell:.5f} 0 0 {cell:.5f} {_at(x, y)} cm {' '.join(path)} f Q")


def _parts(colour: str) -> str:
    """Return the red, green and blue of a colour such as "#ff8000", each from 0 to 1.

    >>> _parts("#ff8000")
    '1 0.502 0'
    """
    return " ".join(f"{int(colour[index : index + 2], 16) / 255:.3g}" for index in (1, 3, 5))


def _at(x: float, y: float, places: str = ".2f") -> str:
    """Return millimetres from the top left corner in the file's own coordinates."""
    return f"{x * mm:{places}} {(PAGE_HEIGHT - y) * mm:{places}}"
