"""Fonts for the printed protocol, and text in any script.

The faces come from an installed package (FiraGO: extended Latin, Greek, Cyrillic, Georgian, Hebrew,
Arabic, Thai, Devanagari; Cascadia Mono for the suit signs), so a protocol looks the same on every
machine, and this repository holds no font file. Chinese, Japanese and Korean use the reader's own
font. Characters that none of them has are printed as an empty box, never dropped and never an
error; the file still carries the real text.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby

import pymupdf_fonts  # type: ignore[import-untyped]  # has no types
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

from . import library
from .library import Font

REGULAR, BOLD, ITALIC = "Chicago-Regular", "Chicago-Bold", "Chicago-Italic"
_SIGNS, _WIDE, _WIDE_BOLD = "Chicago-Signs", "Chicago-Wide", "Chicago-WideBold"
_SOURCES = {
    REGULAR: "figo",
    BOLD: "figbo",
    ITALIC: "figit",
    _SIGNS: "cascadiab",
    _WIDE: "notos",
    _WIDE_BOLD: "notosbo",
}
_CHAINS = {
    REGULAR: (REGULAR, _WIDE, _SIGNS),
    BOLD: (BOLD, _WIDE_BOLD, _SIGNS),
    ITALIC: (ITALIC, REGULAR, _WIDE, _SIGNS),
}
# Fonts that every PDF reader has for these scripts; the file only names them.
_HAN, _HANGUL = "HeiseiKakuGo-W5", "HYGothic-Medium"
MISSING = "\u25af"
ELLIPSIS = "\u2026"

# Letters of nearly every protocol, cut out of the font files once per process.
_LETTERS = " ',-./():+0123456789abcdefghijklmnopqrstuvwxyzåäöé\u2026\u2192\u2212"
_MORE = "!*;=?ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖü\u00b7\u2013\u25cf\u2713"
_COMMON = {REGULAR: _MORE + _LETTERS, BOLD: _MORE + _LETTERS, ITALIC: _LETTERS}

#: The library's fonts hold state while they are shaped and subset, and pages are served by several
#: threads, so only one thread at a time may do that.
writing = threading.Lock()


@cache
def _load(name: str) -> Font:
    font = Font(name, pymupdf_fonts.myfont(_SOURCES[name]), common=_COMMON.get(name, ""))
    if name in _CHAINS:
        font.equal_figures()
    pdfmetrics.registerFont(font)
    return font


@cache
def _load_readers() -> None:
    for name in (_HAN, _HANGUL):
        pdfmetrics.registerFont(UnicodeCIDFont(name))


def fonts() -> Mapping[str, Font]:
    """Register all faces with the PDF library, once per process; return them by name."""
    with writing:
        _load_readers()
        return {name: _load(name) for name in _SOURCES}


def _one(name: str) -> Font:
    """Return a face; whoever only measures text needs two of the six, 3 MB each."""
    with writing:
        return _load(name)


# --- any text to glyphs that exist ------------------------------------------------------------

_IGNORED = {"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"}
_LIMIT = 400
#: How much smaller a long word is set before it is broken or shortened.
SMALLER = 0.8


def clean(text: object) -> str:
    """Return text fit for one printed line.

    NFC; line breaks and control characters become spaces; direction marks, joiners and variation
    selectors are removed (they have no ink); lone surrogates become U+FFFD. At most 400 characters.
    """
    return _cleaned(str(text)[:_LIMIT])


@lru_cache(maxsize=4_000)
def _cleaned(text: str) -> str:
    out = []
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if char in _IGNORED or category == "Cf" or "\ufe00" <= char <= "\ufe0f":
            continue
        if category == "Cs":
            char = "\ufffd"
        elif category[0] in "CZ" and category not in ("Co", "Cn"):
            char = " "
        out.append(char)
    return " ".join("".join(out).split())


# Letters from right to left, from left to right, digits, marks: enough of Unicode's classes.
_CLASSES = {"R": "R", "AL": "R", "L": "L", "EN": "N", "AN": "N", "NSM": "M"}


def stretches(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the stretches of a text in visual order, and whether each runs to the left.

    This replaces the whole bidi algorithm well enough for names (the PDF library's ``bidi`` extra
    needs rlbidi, which is not available): from the first right-to-left letter to the last one
    before a left-to-right letter, everything is reversed except numbers.
    """
    classes = "".join(_CLASSES.get(unicodedata.bidirectional(char), "-") for char in text)
    at = 0
    for found in re.finditer(r"R(?:[^L]*R)?M*", classes):
        if found.start() > at:
            yield text[at : found.start()], False
        for part in reversed(list(re.finditer(r"N+|[^N]+", found[0]))):
            piece = text[found.start() + part.start() : found.start() + part.end()]
            yield piece, not part[0].startswith("N")
        at = found.end()
    if at < len(text):
        yield text[at:], False


def _wide_font(char: str) -> str | None:
    code = ord(char)
    if 0xAC00 <= code <= 0xD7A3 or 0x3131 <= code <= 0x318E:
        return _HANGUL
    if 0x3001 <= code <= 0x30FF or 0x4E00 <= code <= 0x9FA5 or 0xFF01 <= code <= 0xFF5E:
        return _HAN
    return None


@lru_cache(maxsize=20_000)
def _font_for(char: str, face: str) -> str | None:
    for name in _CHAINS[face]:
        if char in _one(name):
            return name
    with writing:
        _load_readers()
    return _wide_font(char)


def _drawable(char: str, face: str) -> tuple[str, str]:
    """Return a font that has the character, and the character or its replacement."""
    font = _font_for(char, face)
    if font is None:
        # A font may lack a letter's wide form but have the plain letter.
        plain = unicodedata.normalize("NFKC", char)
        font = _font_for(plain, face) if len(plain) == 1 else None
        return (font, plain) if font else (face, MISSING)
    return font, char


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text, ready to be drawn: runs of glyphs from left to right, each in one font."""

    text: str
    runs: tuple[tuple[str, str], ...]
    size: float
    width_of_one: float  # its width in points at a type size of one point

    @property
    def faithful(self) -> bool:
        """Whether the drawn glyphs, read from left to right, are the text itself."""
        return "".join(part for _, part in self.runs) == self.text

    @property
    def width(self) -> float:
        """Width in points."""
        return self.width_of_one * self.size


@lru_cache(maxsize=4_000)
def _runs(text: str, face: str) -> tuple[tuple[tuple[str, str], ...], float]:
    """Return a clean text as runs of glyphs in one font each, and their width at one point."""
    runs: list[tuple[str, str]] = []
    for stretch, leftward in stretches(text):
        drawn = [_drawable(char, face) for char in stretch]
        pieces = [
            (font, "".join(char for _, char in chars))
            for font, chars in groupby(drawn, key=lambda pair: pair[0])
        ]
        if leftward:
            pieces.reverse()
        runs += [_shaped(*piece, leftward=leftward) for piece in pieces]
    return tuple(runs), sum(library.width(part, font) for font, part in runs)


def _shaped(font: str, text: str, *, leftward: bool) -> tuple[str, str]:
    """Join letters and place marks, in the scripts that need it."""
    marked = leftward or any(unicodedata.category(char)[0] == "M" for char in text)
    if marked and font in _SOURCES:
        loaded = _one(font)
        with writing:
            return font, loaded.shaped(text)
    return font, text


def line(text: object, face: str = REGULAR, size: float = 9) -> TextLine:
    """Split text of any script into runs of glyphs in fonts that have them."""
    cleaned = clean(text)
    runs, width_of_one = _runs(cleaned, face)
    return TextLine(cleaned, runs, size, width_of_one)


def width(text: object, face: str = REGULAR, size: float = 9) -> float:
    """Return the width of a line in points."""
    return line(text, face, size).width


def fit(
    text: object, face: str, size: float, room: float, smallest: float | None = None
) -> TextLine:
    """Return the text as large as fits into ``room`` points: in smaller type, then shortened.

    ``smallest`` (default: three quarters of ``size``) is the smallest type size. Text that is still
    too long ends in an ellipsis, between characters, never inside an accented one.
    """
    least = size * 0.75 if smallest is None else smallest
    whole = line(text, face, size)
    if whole.width <= room:
        return whole
    scaled = size * room / whole.width * 0.999
    if scaled >= least:
        return line(whole.text, face, scaled)
    start = _start(whole.text, face, least, room, ELLIPSIS)
    return line(start.rstrip() + ELLIPSIS if start else "", face, least)


def _start(text: str, face: str, size: float, room: float, end: str = "") -> str:
    """Return as much of the text as fits with this end; never half an accented character."""

    def cut(length: int) -> str:
        while length and length < len(text) and unicodedata.combining(text[length]):
            length -= 1
        return text[:length]

    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(cut(middle).rstrip() + end, face, size) <= room:
            low = middle
        else:
            high = middle - 1
    return cut(low)


def _broken(word: str, face: str, size: float, room: float) -> list[str]:
    """Return a word in pieces that fit."""
    pieces = []
    while len(start := _start(word, face, size, room) or word) < len(word):
        pieces.append(start)
        word = word[len(start) :]
    return [*pieces, word]


def wrap(text: object, face: str, size: float, room: float, lines: int) -> list[TextLine]:
    """Set text in at most ``lines`` lines of ``room`` points; the last one may be shortened.

    A word that is too long for a line of somewhat smaller type is broken.
    """
    words = clean(text).split()
    out: list[str] = []
    while words:
        current = words.pop(0)
        if width(current, face, size * SMALLER) > room and len(out) < lines - 1:
            word, current = current, _start(current, face, size, room) or current
            words = [word[len(current) :], *words]
        if len(out) == lines - 1:
            out.append(" ".join([current, *words]))
            break
        while words and width(f"{current} {words[0]}", face, size) <= room:
            current += f" {words.pop(0)}"
        out.append(current)
    return [fit(each, face, size, room, smallest=size * SMALLER) for each in out]


def whole(
    text: object, face: str, room: float, settings: Sequence[tuple[float, int]], tail: float = 0.0
) -> list[TextLine]:
    """Set a name in the first of the (size, lines) settings that loses no letters.

    A word that is too long for a line may break after a hyphen, and anywhere if a line of type
    somewhat smaller than the first setting's would not hold it either. ``tail`` is the space to
    leave free in the last line. If nothing fits, the last line of the last setting is shortened.
    """
    words = clean(text).split()
    one = line(" ".join(words), face, settings[0][0])
    if one.width + tail <= room:
        # Nearly always: a bracket has hundreds of names.
        return [one]
    for size, most in settings:
        out = [""]
        for word in words:
            parts = [word]
            if width(word, face, size) > room:
                parts = re.split(r"(?<=\w-)(?=\w)", word)
            if any(width(part, face, settings[0][0] * SMALLER) > room for part in parts):
                parts = [piece for part in parts for piece in _broken(part, face, size, room)]
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


def balanced(text: object, face: str, size: float, room: float) -> list[TextLine]:
    """Set text in one line of ``room`` points, in two of about the same length, or smaller."""
    best = wrap(text, face, size, room, 2)
    if len(best) < 2:
        return best
    if best[1].size < size:
        return whole(text, face, room, ((size * 0.8, 3), (size * 0.7, 3)))
    for share in (0.6, 0.7, 0.8, 0.9):
        tried = wrap(text, face, size, room * share, 2)
        if len(tried) == 2 and tried[1].size == size:
            return tried
    return best
