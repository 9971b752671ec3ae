"""Everything the prints need of reportlab beyond its documented API.

It adds operators to a page's stream, marks and objects for the structure tree, and fonts that are
subset and compressed once per process. tests/scoring/paper/test_library.py fails if a new version
of the library breaks any of this.
"""

import io
import unicodedata
import zlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import uharfbuzz  # type: ignore[import-untyped]  # has no types
from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFObject
from reportlab.pdfbase.ttfonts import ShapedStr, TTFont, TTFontFace, shapeStr
from reportlab.pdfgen import canvas

__all__ = ["Canvas", "Element", "Font", "ShapedStr"]

rl_config.useA85 = 0  # binary streams stay binary: text encoding makes them a quarter longer

FIGURES = "0123456789"

#: Setting a grey replaces a colour, and setting a colour replaces a grey.
_INSTEAD = {"g": "rg", "rg": "g", "G": "RG", "RG": "G"}

#: Drawings by the key of their stamp: fences and grids, a few dozen for each rule set in use.
_DRAWINGS: dict[Hashable, bytes] = {}


class _Deflate:
    """The library's compression, with a cache for fonts."""

    pdfname = "FlateDecode"
    encode = staticmethod(lru_cache(maxsize=128)(lambda content: zlib.compress(content, 9)))


class _Face(TTFontFace):
    """A face that subsets the same letters only once per process."""

    def makeSubset(self, subset: Sequence[int]) -> bytes:
        cuts: dict[tuple[int, ...], bytes] = self.__dict__.setdefault("cuts", {})
        key = tuple(subset)
        if key not in cuts:
            if len(cuts) > 50:  # names in many scripts: limit the memory
                cuts.clear()
            cuts[key] = super().makeSubset(subset)
        return cuts[key]

    def addSubsetObjects(self, doc: Any, fontname: str, subset: Sequence[int]) -> Any:
        descriptor = super().addSubsetObjects(doc, fontname, subset)
        doc.idToObject[f"fontFile:{self.filename}({fontname})"].filters = [_Deflate]
        return descriptor


class Font(TTFont):
    """A TrueType font without hints (paper needs none), with HarfBuzz for complex scripts.

    ``common`` are the letters in the first subset of every document, so that it is always the same
    subset. A document's other letters go into further subsets.
    """

    def __init__(self, name: str, data: bytes, common: str = "") -> None:
        super().__init__(name, io.BytesIO(_without_hints(data)), asciiReadable=False)
        self.face.__class__ = _Face
        self.common = "".join(char for char in common if ord(char) in self.face.charToGlyph)

    def __contains__(self, char: str) -> bool:
        return ord(char) in self.face.charToGlyph and unicodedata.category(char) != "Co"

    def equal_figures(self) -> None:
        """Use digits of equal width (OpenType feature ``tnum``), so that columns line up."""
        buffer = uharfbuzz.Buffer()
        buffer.add_str(FIGURES)
        buffer.guess_segment_properties()
        uharfbuzz.shape(self.hbFont(), buffer, {"tnum": True, "kern": False})
        shaped = zip(FIGURES, buffer.glyph_infos, buffer.glyph_positions, strict=True)
        for figure, glyph, position in shaped:
            self.face.charToGlyph[ord(figure)] = glyph.codepoint
            self.face.charWidths[ord(figure)] = self.pdfScale(position.x_advance)

    def shaped(self, text: str) -> str:
        """Return the glyphs of a text of one direction, in visual order."""
        glyphs: str = shapeStr(text, self.fontName, 10)
        return glyphs

    def hbFont(self, fontSize: float = 10) -> uharfbuzz.Font:
        font = super().hbFont(fontSize)
        self.hbAddPrivate = self._private
        return font

    def _private(self, name: str, glyph: int, advance: int) -> int:
        """Assign a private character to a glyph without one, the same in every process."""
        code = 0xE000 + glyph
        assert code < 0xF900
        self.face.charToGlyph[code] = glyph
        self.face.glyphToChar.setdefault(glyph, []).append(code)
        self.face.charWidths[code] = self.pdfScale(advance)
        return code

    def addObjects(self, doc: Any) -> None:
        subsets = self.state[doc].subsets
        super().addObjects(doc)
        for number in range(len(subsets)):  # writing numbers one by one is slow
            name = f"{doc.fontMapping[self.fontName][1:]}+{number}"
            entry = doc.idToObject["BasicFonts"].dict[name]
            entry.Widths = _array(tuple(entry.Widths.sequence))

    def begin(self, doc: Any) -> None:
        """Fill a document's first subset with the common letters."""
        if self.common and doc not in self.state:
            self.splitString(self.common, doc)
            self.state[doc].nextCode = 256


def _without_hints(data: bytes) -> bytes:
    """Return the font file without data that only screens need."""
    wanted = uharfbuzz.SubsetInput()
    wanted.keep_everything()
    wanted.flags |= uharfbuzz.SubsetFlags.NO_HINTING
    names = wanted.sets(uharfbuzz.SubsetInputSets.NAME_ID)
    names.clear()
    names.update({1, 6})  # family and PostScript name; every document would carry the others
    slim: bytes = uharfbuzz.subset(uharfbuzz.Face(data), wanted).blob.data
    return slim


@lru_cache(maxsize=128)
def _array(numbers: tuple[float, ...]) -> bytes:
    return f"[{' '.join(f'{number:.5g}' for number in numbers)}]".encode()


def width(text: str, font: str) -> float:
    """Return the width of a run of glyphs at a type size of one point."""
    if isinstance(text, ShapedStr):
        return float(sum(glyph.x_advance for glyph in text.__shapeData__) / 1000)
    return float(pdfmetrics.stringWidth(text, font, 1))


class Element(PDFObject):
    """An object that is written to the document as given, including its references."""

    body: str | bytes = ""

    def __init__(self, doc: Any, name: str | None = None) -> None:
        self.reference = doc.Reference(self, name)
        number, _version = doc.idToObjectNumberAndVersion[self.reference.name]
        self.indirect = f"{number} 0 R"

    def format(self, document: Any) -> bytes:
        return self.body if isinstance(self.body, bytes) else self.body.encode("ascii")


class Canvas(canvas.Canvas):
    """A canvas with its own operators: short ones, and no state that is set already."""

    _code: list[str]

    def __init__(self, *args: Any, sheet: tuple[float, float] | None = None, **kwargs: Any) -> None:
        """Draw on pages of ``pagesize``; each is fitted whole into a ``sheet`` of another size."""
        super().__init__(*args, **kwargs)
        self._drawn_size: tuple[float, float] = self._pagesize
        self._sheet = sheet or self._drawn_size
        self._set: dict[str, object] = {}
        self._glyphs: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._drawn: dict[Hashable, str] = {}

    def showPage(self) -> None:
        if self._sheet != self._drawn_size:
            (width, height), (across, down) = self._drawn_size, self._sheet
            scale = min(across / width, down / height)
            left, low = (across - width * scale) / 2, (down - height * scale) / 2
            self._code.insert(0, f"q {scale:.5f} 0 0 {scale:.5f} {left:.3f} {low:.3f} cm")
            self._code.append("Q")
            self.setPageSize(self._sheet)
        super().showPage()
        self.setPageSize(self._drawn_size)
        self._set = {}

    def emit(self, operators: str) -> None:
        """Add operators to the page's stream."""
        self._code.append(operators)

    def need(self, **values: object) -> None:
        """Set the graphics state for the next drawing, where it differs.

        ``w``: line width. ``G``, ``g``: greys of lines and fills. ``RG``, ``rg``: their colours.
        ``J``: line ends. ``d``: dashes.
        """
        for operator, value in values.items():
            if self._set.get(operator) != value:
                self._set[operator] = value
                self._set.pop(_INSTEAD.get(operator, ""), None)
                self._code.append(f"{value} {operator}")

    def show(self, x: float, y: float, size: float, runs: Sequence[tuple[str, str]]) -> None:
        """Write runs of glyphs, each in one font, in a row from (x, y)."""
        operators = [f"BT {x:.2f} {y:.2f} Td"]
        for font, text in runs:
            if isinstance(text, ShapedStr):
                return self._show_shaped(x, y, size, runs)
            for name, codes in self._codes(font, text):
                type_ = f"{name} {size:.4g} Tf"
                if self._set.get("Tf") != type_:
                    self._set["Tf"] = type_
                    operators.append(type_)
                operators.append(f"({codes}) Tj")
        operators.append("ET")
        self._code.append(" ".join(operators))
        return None

    def _show_shaped(
        self, x: float, y: float, size: float, runs: Sequence[tuple[str, str]]
    ) -> None:
        for font, text in runs:
            self._codes(font, text)  # registers the font with the document
            line = self.beginText(x, y)
            line.setFont(font, size)
            line.textOut(text)
            self.drawText(line)
            x += width(text, font) * size
        self._set.pop("Tf", None)

    def _codes(self, name: str, text: str) -> list[tuple[str, str]]:
        """Return the text as codes of the document's fonts: (internal name, escaped codes)."""
        known = self._glyphs.get((name, text))
        if known is None:
            font = pdfmetrics.getFont(name)
            if isinstance(font, Font):
                font.begin(self._doc)
                known = [
                    (font.getSubsetInternalName(subset, self._doc), self._escape(codes))
                    for subset, codes in font.splitString(text, self._doc)
                ]
            else:
                known = [(self._doc.getInternalFontName(name), font.formatForPdf(text))]
            self._glyphs[name, text] = known
        return known

    # --- drawings used more than once -----------------------------------------------------------

    def later(self) -> str:
        """Reserve a full-page drawing here that :meth:`form` draws later; return its name."""
        name = f"later{len(self._drawn)}"
        self._drawn[name] = name
        self.doForm(name)
        return name

    @contextmanager
    def form(self, name: str) -> Iterator[None]:
        """Draw a form of the page's size instead of the page."""
        kept, self._set = self._set, {}
        self.beginForm(name, lowery=-self._pagesize[1], uppery=self._pagesize[1])
        yield
        self.endForm()
        self._set = kept

    def stamp(
        self, dx: float, dy: float, *drawings: tuple[Hashable, Callable[[], None]], step: float = 0
    ) -> None:
        """Draw lines moved by (dx, dy), each drawing ``step`` further to the right.

        Drawings with equal keys are stored in the file only once.
        """
        self._code.append(f"q 1 0 0 1 {dx:.2f} {dy:.2f} cm")
        for index, (key, draw) in enumerate(drawings):
            name = self._drawn.get(key)
            if name is None:
                name = self._drawn[key] = f"s{len(self._drawn)}"
                if key not in _DRAWINGS:
                    _DRAWINGS[key] = self._lines(draw)
                form = Element(self._doc, self._doc.getXObjectName(name))
                form.body = _DRAWINGS[key]
            if index:
                self._code.append(f"1 0 0 1 {step:.4f} 0 cm")
            self.doForm(name)
        self._code.append("Q")

    def _lines(self, draw: Callable[[], None]) -> bytes:
        """Return the drawing as a form for the file: lines only, no text."""
        kept = self._code, self._set
        self._code, self._set = [], {}
        draw()
        stream = zlib.compress("\n".join(self._code).encode("ascii"), 9)
        self._code, self._set = kept
        width, height = self._pagesize
        head = f"/BBox[0 {-height:.0f} {width:.0f} {height:.0f}]/Resources<<>>"
        return (
            f"<</Type/XObject/Subtype/Form{head}/Filter/FlateDecode/Length {len(stream)}>>\n"
            "stream\n".encode()
            + stream
            + b"\nendstream"
        )

    # --- structure ------------------------------------------------------------------------------

    def element(self) -> Element:
        """Return a new object of the document."""
        return Element(self._doc)

    def page_marks(self, number: int) -> str:
        """Tie the finished page to its marks; return the reference to it."""
        page = self._doc.Pages.pages[-1]
        # The library's page dictionary has no place for these two keys; each page may have its own.
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents = number
        page.Tabs = "/S"
        at, _version = self._doc.idToObjectNumberAndVersion[page.__InternalName__]
        return f"{at} 0 R"

    def catalogue(self, **entries: object) -> None:
        """Add entries to the document's catalogue."""
        for name, value in entries.items():
            setattr(self._doc.Catalog, name, value)
