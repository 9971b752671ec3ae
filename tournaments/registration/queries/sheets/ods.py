"""The Open Document format (.ods), cell by cell by its typed values."""

import zipfile
from collections.abc import Iterator
from datetime import date
from xml.etree import ElementTree

from .book import MAX_COLUMNS, MAX_LINES, MAX_SHEETS, Book, Cell, Sheet, book_of, sheet_of

_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _OFFICE, _TEXT, _STYLE = (
    f"{_NAMES}{each}:1.0}}" for each in ("table", "office", "text", "style")
)
_PARAGRAPH = f"{_TEXT}p"
#: What hangs on a cell without being its value.
_BESIDE = {f"{_OFFICE}annotation", f"{_TEXT}note", f"{_TEXT}ruby-text"}
_NUMBERS = {"float", "percentage", "currency"}


def read_ods(packed: zipfile.ZipFile) -> Book:
    """Return all sheets of a checked archive."""
    root = ElementTree.fromstring(packed.read("content.xml"))
    hidden = {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        for shown in style.iter(f"{_STYLE}table-properties")
        if shown.get(f"{_TABLE}display") == "false"
    }
    sheets = root.findall(f"{_OFFICE}body/{_OFFICE}spreadsheet/{_TABLE}table")[:MAX_SHEETS]
    return book_of(_sheet(sheet, hidden) for sheet in sheets)


def _sheet(sheet: ElementTree.Element, hidden: set[str | None]) -> Sheet:
    return sheet_of(
        sheet.get(f"{_TABLE}name", ""),
        _lines(sheet),
        hidden=sheet.get(f"{_TABLE}style-name") in hidden,
    )


def _lines(sheet: ElementTree.Element) -> Iterator[tuple[int, list[Cell], bool]]:
    number = 0
    # Rows also stand in groups and in the heading of printed pages.
    for row in sheet.iter(f"{_TABLE}table-row"):
        repeated = _count(row, "rows")
        cells = _cells(row)
        if any(cell != "" for cell in cells):
            hidden = row.get(f"{_TABLE}visibility") in ("collapse", "filter")
            for each in range(number + 1, min(number + repeated, MAX_LINES + 1) + 1):
                yield each, cells, hidden
        number += repeated
        if number > MAX_LINES and any(cell != "" for cell in cells):
            yield number, cells, False


def _cells(row: ElementTree.Element) -> list[Cell]:
    cells: list[Cell] = []
    for cell in row:
        if cell.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            value = _value(cell) if cell.tag.endswith("}table-cell") else ""
            space = MAX_COLUMNS + 1 - len(cells)
            cells += [value] * min(_count(cell, "columns"), space)
    return cells


def _count(element: ElementTree.Element, what: str) -> int:
    told = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(1, int(told)) if told.isascii() and told.isdigit() else 1


def _value(cell: ElementTree.Element) -> Cell:
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in _NUMBERS:
        return float(cell.get(f"{_OFFICE}value", ""))
    if kind == "boolean":
        return cell.get(f"{_OFFICE}boolean-value") == "true"
    if kind == "date":
        return date.fromisoformat(cell.get(f"{_OFFICE}date-value", "")[:10])
    told = cell.get(f"{_OFFICE}string-value")
    return told if told is not None else "\n".join(map(_text, cell.findall(_PARAGRAPH)))


def _text(element: ElementTree.Element) -> str:
    """Return a paragraph's text without what is only written beside it."""
    if element.tag in _BESIDE:
        return ""
    if element.tag == f"{_TEXT}s":
        told = element.get(f"{_TEXT}c", "1")
        return " " * min(int(told) if told.isascii() and told.isdigit() else 1, 100)
    if element.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
        return "\n"
    parts = [element.text or ""]
    for inner in element:
        parts += [_text(inner), inner.tail or ""]
    return "".join(parts)
