"""Excel's format (.xlsx), as Excel, LibreOffice, Google Sheets and Numbers write it."""

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from posixpath import join, normpath
from typing import Any
from xml.etree import ElementTree

from .book import MAX_COLUMNS, MAX_LINES, MAX_SHEETS, Book, Cell, Sheet, book_of, sheet_of
from .packed import elements

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
#: "Strict Open XML" has other names for the same things, and openpyxl knows only the usual ones.
_STRICT = (
    (b"http://purl.oclc.org/ooxml/spreadsheetml/main",
     b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships",
     b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
    (b"http://purl.oclc.org/ooxml/drawingml/main",
     b"http://schemas.openxmlformats.org/drawingml/2006/main"),
)  # fmt: skip
_STRICT_MARK = b"http://purl.oclc.org/ooxml/"
#: A sign that XML does not allow, or that Excel writes so: _x000D_.
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def read_xlsx(packed: zipfile.ZipFile) -> Book:
    """Return all worksheets of a checked archive; tabs that are charts are none."""
    # Not loaded by processes that read none (core/workbook.py).
    from openpyxl import load_workbook

    content = _usual(packed)
    with zipfile.ZipFile(content) as usual:
        parts = _parts(usual)
        book = load_workbook(content, read_only=True, data_only=True)
        return book_of(
            _sheet(sheet, _hidden_lines(usual, parts.get(sheet.title, "")))
            for sheet in book.worksheets[:MAX_SHEETS]
        )


def _usual(packed: zipfile.ZipFile) -> io.BytesIO:
    """Return the archive with the usual names of namespaces."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as usual:
        for part in packed.infolist():
            text = packed.read(part)
            if _STRICT_MARK in text:
                for strict, name in _STRICT:
                    text = text.replace(strict, name)
            usual.writestr(part.filename, text)
    return content


def _parts(packed: zipfile.ZipFile) -> dict[str, str]:
    """Return the part that holds each sheet, by the sheet's name."""
    links = packed.read("xl/_rels/workbook.xml.rels")
    targets = {each.get("Id"): each.get("Target", "") for each in ElementTree.fromstring(links)}
    book = ElementTree.fromstring(packed.read("xl/workbook.xml"))
    return {
        sheet.get("name", ""): normpath(join("/xl", targets.get(sheet.get(_LINK)) or "")).strip("/")
        for sheet in book.iter(f"{_MAIN}sheet")
    }


def _hidden_lines(packed: zipfile.ZipFile, part: str) -> set[int]:
    """Return the numbers of hidden or filtered rows, of which openpyxl tells nothing here."""
    hidden = set()
    if part in packed.namelist():
        with packed.open(part) as sheet:
            number = 0
            for row in elements(sheet, f"{_MAIN}row"):
                number = int(row.get("r") or number + 1)
                if row.get("hidden") in ("1", "true"):
                    hidden.add(number)
    return hidden


def _sheet(sheet: Any, hidden: set[int]) -> Sheet:
    # Otherwise the sheet's own claim about its size is believed, and filled up with blank cells.
    sheet.reset_dimensions()
    return sheet_of(sheet.title, _lines(sheet, hidden), hidden=sheet.sheet_state != "visible")


def _lines(sheet: Any, hidden: set[int]) -> Iterator[tuple[int, list[Cell], bool]]:
    for number, row in enumerate(sheet.iter_rows(max_row=MAX_LINES + 1, values_only=True), 1):
        line = [_cell(cell) for cell in row[:MAX_COLUMNS]]
        # A row may be 16,384 cells wide: one cell more stands for all that were cut off.
        beyond = row[MAX_COLUMNS:]
        if beyond.count(None) < len(beyond):
            line.append("…")
        if number > MAX_LINES:
            # Whatever there is, it is too far down.
            line = line or ["…"]
        yield number, line, number in hidden


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), str(value))
