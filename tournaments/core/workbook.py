"""Workbooks (.xlsx): text as text, numbers as numbers, days as days, a filter on the headings."""

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from .guards import guarded

#: As which the program signs its files.
AUTHOR = "Chicago"
#: Signs that no name of a sheet may have, and its length.
_NO_NAME = re.compile(r"[\\*?:/\[\]]")
_NAME_LENGTH = 31
#: How wide a column gets at most, and by how many rows that is judged.
_WIDEST, _LOOKED_AT = 60, 200
_TEXT, _DAY, _MOMENT = "@", "yyyy-mm-dd", "yyyy-mm-dd hh:mm"


@dataclass(frozen=True)
class Sheet:
    """A sheet: its name, its headings, and rows of numbers, truth values, days and texts."""

    name: str
    headers: Sequence[Any]
    rows: Sequence[Sequence[Any]]


def workbook_of(title: str, sheets: Iterable[Sheet]) -> bytes:
    """Return an .xlsx file of that title; the headings stay in sight and filter their columns."""
    # Loaded by whoever makes or reads a workbook: it takes as long as the rest of a small page.
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    book.properties.title = title
    book.properties.creator = AUTHOR
    for sheet in sheets:
        page = book.create_sheet(_NO_NAME.sub("-", sheet.name)[:_NAME_LENGTH])
        page.freeze_panes = "A2"
        for number, cells in enumerate(zip(sheet.headers, *sheet.rows[:_LOOKED_AT], strict=True)):
            widest = max(len(str(cell)) for cell in cells)
            page.column_dimensions[get_column_letter(number + 1)].width = min(widest, _WIDEST) + 3
        page.auto_filter.ref = f"A1:{get_column_letter(len(sheet.headers))}{len(sheet.rows) + 1}"
        page.append([_cell(page, cell, bold=True) for cell in sheet.headers])
        for row in sheet.rows:
            page.append([_cell(page, cell) for cell in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(page: Any, value: Any, *, bold: bool = False) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    if isinstance(value, str):
        cell = WriteOnlyCell(page, value)
        # Whatever it begins with: no formula and no error value.
        cell.data_type = "s"
        if guarded(value) != value:
            # None when somebody edits it, either.
            cell.number_format = _TEXT
        if bold:
            cell.font = Font(bold=True)
        return cell
    if isinstance(value, date):
        cell = WriteOnlyCell(page, value)
        cell.number_format = _MOMENT if isinstance(value, datetime) else _DAY
        return cell
    return value
