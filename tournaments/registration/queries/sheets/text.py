"""Texts as one sheet: pasted, or a file in any common encoding."""

import csv
import io
import re
from itertools import islice

from .book import MAX_BYTES, MAX_LINE_LENGTH, Book, Sheet, sheet_of, too_much, unusable

#: The letters that names in Swedish lists have besides those of ASCII.
_LETTERS = frozenset("åäöÅÄÖéÉüÜëèáàíóúñçßøæØÆ")
_SEPARATORS = "\t;,"
#: Lines by which the separator is guessed.
_LOOKED_AT = 30
_SEP = re.compile(r"^sep=(.)$", re.IGNORECASE)


def read_text(text: str) -> Book:
    """Return pasted text: one name per line, or columns split by tab, semicolon or comma."""
    if len(text) > MAX_BYTES:
        raise too_much()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    lines = text.rstrip("\n").split("\n")
    if max(map(len, lines)) > MAX_LINE_LENGTH:
        raise unusable("too_long")
    # Excel's own line that names the separator.
    told = _SEP.match(lines[0].strip('" '))
    skipped = 1 if told else 0
    sign = told[1] if told else _separator(lines)
    if sign is None:
        return Book((_sheet([[line] for line in lines], 0),))
    try:
        rows = list(csv.reader(io.StringIO("\n".join(lines[skipped:])), delimiter=sign))
    except (csv.Error, TypeError, ValueError) as error:
        raise unusable("no_columns") from error
    return Book((_sheet(rows, skipped),))


def read_text_file(content: bytes) -> Book:
    """Return a text file; ``encoding`` is told unless it is Unicode."""
    text, encoding = _decoded(content)
    return Book(read_text(text).sheets, encoding)


def _sheet(rows: list[list[str]], skipped: int) -> Sheet:
    return sheet_of("", ((number, row, False) for number, row in enumerate(rows, skipped + 1)))


def _separator(lines: list[str]) -> str | None:
    """Return the sign that separates columns, or None if each line is a name."""
    looked_at = list(islice((line for line in lines if line.strip()), _LOOKED_AT))
    having = {sign: sum(sign in line for line in looked_at) for sign in _SEPARATORS}
    sign = max(_SEPARATORS, key=having.__getitem__)
    if not having[sign] or having[sign] * 2 < len(looked_at) - 4:
        return None
    return None if sign == "," and _last_names_first(looked_at) else sign


def _last_names_first(lines: list[str]) -> bool:
    """Return whether lines are names such as "Ek, Åsa", not columns with a comma between them."""
    split = [line.split(",") for line in lines]
    return all(len(parts) <= 2 for parts in split) and all(
        parts[0].strip() and parts[0][0].isupper() and len(parts[0].split()) < 2
        and parts[1][:1] == " " and parts[1].strip().replace(" ", "").replace("-", "").isalpha()
        for parts in split
        if len(parts) == 2
    )  # fmt: skip


def _decoded(content: bytes) -> tuple[str, str]:
    """Return the text, and the name of its encoding unless it is Unicode."""
    start = content[:400]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        wide = "utf-16"
    elif start.count(b"\0") * 3 > len(start):
        # Without a mark: the zeros of ASCII signs tell which byte comes first.
        wide = "utf-16-be" if start[::2].count(0) > start[1::2].count(0) else "utf-16-le"
    else:
        wide = ""
    for encoding in [wide] if wide else ["utf-8-sig"]:
        try:
            return content.decode(encoding), ""
        except UnicodeDecodeError:
            continue
    if wide:
        raise unusable("unknown_encoding")
    found = []
    for encoding, name in (("cp1252", "Windows-1252"), ("mac_roman", "Mac Roman")):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        beyond = [sign for sign in text if not sign.isascii()]
        likely = sum(1 if sign in _LETTERS else -1 for sign in beyond)
        found.append((likely, text, name))
    _likely, text, name = max(found, key=lambda each: each[0])
    return text, name
