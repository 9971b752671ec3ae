"""Fonts for the printed protocol, and text in any script.

The faces come out of an installed package (FiraGO: Latin with all its extensions, Greek,
Cyrillic, Georgian, Hebrew, Arabic, Thai, Devanagari; Cascadia Mono for the suit signs), so that a
protocol looks the same on every machine and no font file lies in this repository. Chinese,
Japanese and Korean go to the reader's own font. What none of them has is printed as an
empty box, never dropped and never an error; the file still carries the real text.
"""

import io
import re
import struct
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import pymupdf_fonts  # type: ignore[import-untyped]
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD, ITALIC = "Chicago-Regular", "Chicago-Bold", "Chicago-Italic"
_SIGNS, _SIGNS_BOLD, _WIDE, _WIDE_BOLD = (
    "Chicago-Signs",
    "Chicago-SignsBold",
    "Chicago-Wide",
    "Chicago-WideBold",
)
_SOURCES = {
    REGULAR: "figo",
    BOLD: "figbo",
    ITALIC: "figit",
    _SIGNS: "cascadia",
    _SIGNS_BOLD: "cascadiab",
    _WIDE: "notos",
    _WIDE_BOLD: "notosbo",
}
_CHAINS = {
    REGULAR: (REGULAR, _WIDE, _SIGNS),
    BOLD: (BOLD, _WIDE_BOLD, _SIGNS_BOLD),
    ITALIC: (ITALIC, REGULAR, _WIDE, _SIGNS),
}
# Fonts that every PDF reader brings for these scripts; they are named in the file, not put in it.
_HAN, _HANGUL = "HeiseiKakuGo-W5", "HYGothic-Medium"
MISSING = "\u25af"
ELLIPSIS = "\u2026"

#: The library's fonts keep notes while they are cut down to the glyphs that a document uses, so
#: one document at a time is written; pages are served by several threads.
writing = threading.Lock()


def _tabular_figures(data: bytes) -> dict[int, int]:
    """Map glyph numbers to the font's figures of equal width (OpenType feature ``tnum``).

    The library draws the glyph that a character is mapped to and knows no font features, so the
    one single-substitution table that makes columns of numbers line up is read here. An
    unexpected table gives an empty map: figures of unequal width, nothing worse.
    """

    def u16(at: int) -> int:
        return int(struct.unpack_from(">H", data, at)[0])

    def u32(at: int) -> int:
        return int(struct.unpack_from(">L", data, at)[0])

    try:
        tables = {data[12 + 16 * i : 16 + 16 * i]: u32(20 + 16 * i) for i in range(u16(4))}
        gsub = tables[b"GSUB"]
        features, lookups = gsub + u16(gsub + 6), gsub + u16(gsub + 8)
        record = next(
            at
            for at in range(features + 2, features + 2 + 6 * u16(features), 6)
            if data[at : at + 4] == b"tnum"
        )
        feature = features + u16(record + 4)
        lookup = lookups + u16(lookups + 2 + 2 * u16(feature + 4))
        kind, subtable = u16(lookup), lookup + u16(lookup + 6)
        if kind == 7:  # an extension: type and offset of the real table
            kind, subtable = u16(subtable + 2), subtable + u32(subtable + 4)
        if kind != 1:
            return {}
        coverage = subtable + u16(subtable + 2)
        if u16(coverage) == 1:
            covered = [u16(coverage + 4 + 2 * i) for i in range(u16(coverage + 2))]
        else:
            covered = [
                glyph
                for at in range(coverage + 4, coverage + 4 + 6 * u16(coverage + 2), 6)
                for glyph in range(u16(at), u16(at + 2) + 1)
            ]
        if u16(subtable) == 1:
            shift = u16(subtable + 4)
            return {glyph: (glyph + shift) & 0xFFFF for glyph in covered}
        return {glyph: u16(subtable + 6 + 2 * i) for i, glyph in enumerate(covered)}
    except (KeyError, StopIteration, struct.error):
        return {}


def _with_tabular_figures(font: TTFont, data: bytes) -> None:
    face = font.face
    swap = _tabular_figures(data)
    for code in map(ord, "0123456789"):
        glyph = swap.get(face.charToGlyph[code])
        if glyph is not None:
            face.charToGlyph[code] = glyph
            # All figures share a width; the font's own "0" of the feature tells which.
            face.charWidths[code] = _advance(data, glyph) * 1000.0 / face.unitsPerEm


def _advance(data: bytes, glyph: int) -> int:
    """Return the advance width of a glyph in font units (tables ``hhea`` and ``hmtx``)."""
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {
        data[12 + 16 * i : 16 + 16 * i]: struct.unpack_from(">L", data, 20 + 16 * i)[0]
        for i in range(count)
    }
    metrics = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    return int(struct.unpack_from(">H", data, tables[b"hmtx"] + 4 * min(glyph, metrics - 1))[0])


@cache
def _load() -> Mapping[str, TTFont]:
    fonts: dict[str, TTFont] = {}
    for name, code in _SOURCES.items():
        data = pymupdf_fonts.myfont(code)
        font = TTFont(name, io.BytesIO(data), shapable=False)
        if name in _CHAINS:
            _with_tabular_figures(font, data)
        pdfmetrics.registerFont(font)
        fonts[name] = font
    for name in (_HAN, _HANGUL):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    return fonts


def fonts() -> Mapping[str, TTFont]:
    """Register all faces with the PDF library, once per process, and return them by name."""
    with writing:
        return _load()


# --- any text to glyphs that exist ------------------------------------------------------------

_IGNORED = {"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"}
_LIMIT = 400


def clean(text: object) -> str:
    """Return text fit for one line of print.

    NFC; line breaks and controls become spaces; direction marks, joiners and variation selectors
    go (they have no ink); lone surrogates become U+FFFD. At most 400 characters.
    """
    out = []
    for char in unicodedata.normalize("NFC", str(text)[:_LIMIT]):
        category = unicodedata.category(char)
        if char in _IGNORED or category == "Cf" or "\ufe00" <= char <= "\ufe0f":
            continue
        if category == "Cs":
            char = "\ufffd"
        elif category[0] in "CZ" and category not in ("Co", "Cn"):
            char = " "
        out.append(char)
    return " ".join("".join(out).split())


def _is_rtl(char: str) -> bool:
    return unicodedata.bidirectional(char) in ("R", "AL")


@cache
def _arabic_forms() -> Mapping[str, Mapping[str, str]]:
    """Letter → its joined forms (isolated, final, initial, medial), from Unicode's own data."""
    forms: dict[str, dict[str, str]] = {}
    for code in range(0xFE70, 0xFEFD):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2:
            forms.setdefault(chr(int(parts[1], 16)), {})[parts[0][1:-1]] = chr(code)
    return forms


def _joined(text: str) -> str:
    """Replace Arabic letters by the form that their neighbours ask for."""
    forms = _arabic_forms()
    out = []
    for i, char in enumerate(text):
        mine = forms.get(char)
        if mine is None:
            out.append(char)
            continue
        before = "initial" in forms.get(text[i - 1], {}) if i else False
        after = "final" in forms.get(text[i + 1], {}) if i + 1 < len(text) else False
        if before and after and "medial" in mine:
            form = "medial"
        elif before and "final" in mine:
            form = "final"
        elif after and "initial" in mine:
            form = "initial"
        else:
            form = "isolated"
        out.append(mine.get(form, char))
    return "".join(out)


def visual(text: str) -> str:
    """Put right-to-left stretches into the order in which they are drawn, left to right.

    Enough for names: a stretch of right-to-left letters with the spaces, marks and signs between
    them is turned round, base letters keep their marks, figures keep their order.
    """
    if not any(map(_is_rtl, text)):
        return text
    out: list[str] = []
    i = 0
    while i < len(text):
        if not _is_rtl(text[i]):
            out.append(text[i])
            i += 1
            continue
        end = i
        for j in range(i, len(text)):
            if _is_rtl(text[j]) or (unicodedata.bidirectional(text[j]) == "NSM" and end == j):
                end = j + 1
            elif unicodedata.bidirectional(text[j]) == "L":
                break
        clusters: list[str] = []
        for char in _joined(text[i:end]):
            number = char.isdigit() and clusters and clusters[-1][-1].isdigit()
            if clusters and (unicodedata.combining(char) or number):
                clusters[-1] += char
            else:
                clusters.append(char)
        out.append("".join(reversed(clusters)))
        i = end
    return "".join(out)


def _wide_font(char: str) -> str | None:
    code = ord(char)
    if 0xAC00 <= code <= 0xD7A3 or 0x3131 <= code <= 0x318E:
        return _HANGUL
    if 0x3001 <= code <= 0x30FF or 0x4E00 <= code <= 0x9FA5 or 0xFF01 <= code <= 0xFF5E:
        return _HAN
    return None


@lru_cache(maxsize=20_000)
def _font_for(char: str, face: str) -> str | None:
    loaded = fonts()
    for name in _CHAINS[face]:
        if ord(char) in loaded[name].face.charToGlyph:
            return name
    return _wide_font(char)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, ready to be drawn: stretches of one font each, left to right."""

    text: str
    runs: tuple[tuple[str, str], ...]
    size: float

    @property
    def faithful(self) -> bool:
        """Whether what is drawn, read from left to right, is the text itself."""
        return "".join(part for _, part in self.runs) == self.text

    @property
    def width(self) -> float:
        """Width in points."""
        return float(sum(pdfmetrics.stringWidth(part, font, self.size) for font, part in self.runs))


def line(text: object, face: str = REGULAR, size: float = 9) -> Line:
    """Break text of any script into stretches of a font that has the characters."""
    cleaned = clean(text)
    runs: list[tuple[str, str]] = []
    for char in visual(cleaned):
        font = _font_for(char, face)
        if font is None:
            # A letter's joined or wide form may be missing where the plain letter is there.
            plain = unicodedata.normalize("NFKC", char)
            font = _font_for(plain, face) if len(plain) == 1 else None
            font, char = (font, plain) if font else (face, MISSING)
        if runs and runs[-1][0] == font:
            runs[-1] = (font, runs[-1][1] + char)
        else:
            runs.append((font, char))
    return Line(cleaned, tuple(runs), size)


def width(text: object, face: str = REGULAR, size: float = 9) -> float:
    """Return the width of a line in points."""
    return line(text, face, size).width


def fit(text: object, face: str, size: float, room: float, smallest: float | None = None) -> Line:
    """Return the text as large as fits into ``room`` points: smaller type first, then shortened.

    ``smallest`` (default: three quarters of ``size``) is the least type size; text that is too
    long even then ends in an ellipsis, between characters, never inside an accented one.
    """
    least = size * 0.75 if smallest is None else smallest
    whole = line(text, face, size)
    if whole.width <= room:
        return whole
    scaled = size * room / whole.width * 0.999
    if scaled >= least:
        return line(whole.text, face, scaled)
    low, high = 0, len(whole.text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(_cut(whole.text, middle), face, least) <= room:
            low = middle
        else:
            high = middle - 1
    return line(_cut(whole.text, low) if low else "", face, least)


def _cut(text: str, length: int) -> str:
    while length and length < len(text) and unicodedata.combining(text[length]):
        length -= 1
    return text[:length].rstrip() + ELLIPSIS


def wrap(text: object, face: str, size: float, room: float, lines: int) -> list[Line]:
    """Set text in at most ``lines`` lines of ``room`` points; the last one is shortened."""
    words = clean(text).split()
    out: list[str] = []
    while words:
        current = words.pop(0)
        if len(out) == lines - 1:
            out.append(" ".join([current, *words]))
            break
        while words and width(f"{current} {words[0]}", face, size) <= room:
            current += f" {words.pop(0)}"
        out.append(current)
    return [fit(each, face, size, room, smallest=size * 0.8) for each in out]


def whole(
    text: object, face: str, room: float, settings: Sequence[tuple[float, int]], tail: float = 0.0
) -> list[Line]:
    """Set a name in the first of the (size, lines) in which it loses no letter.

    A word that is too long for a line may break after a hyphen. ``tail`` is what the last line
    has to leave free. Where it fits in none, the last setting's last line is shortened.
    """
    words = clean(text).split()
    for size, most in settings:
        out = [""]
        for word in words:
            parts = re.split(r"(?<=\w-)(?=\w)", word) if width(word, face, size) > room else [word]
            for index, part in enumerate(parts):
                longer = f"{out[-1]}{'' if index else ' '}{part}".strip()
                if out[-1] and width(longer, face, size) > room:
                    out.append(part)
                else:
                    out[-1] = longer
        lines = [line(each, face, size) for each in out]
        if (
            len(lines) <= most
            and max(each.width for each in lines) <= room
            and lines[-1].width + tail <= room
        ):
            return lines
    return wrap(text, face, size, room, most)


def balanced(text: object, face: str, size: float, room: float) -> list[Line]:
    """Set text in one line, or in two of about the same length, of ``room`` points."""
    best = wrap(text, face, size, room, 2)
    if len(best) < 2 or best[1].size < size:
        return best
    for share in (0.6, 0.7, 0.8, 0.9):
        tried = wrap(text, face, size, room * share, 2)
        if len(tried) == 2 and tried[1].size == size:
            return tried
    return best
