"""What the readers of files and texts make: sheets of typed cells, within bounds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

from django.utils.translation import gettext_lazy

from ....core.errors import Refused

MAX_BYTES = 1_000_000
MAX_ROWS = 1_000
MAX_COLUMNS = 60
#: Blank lines count as well: a sheet may have its only row on line one million.
MAX_LINES = 10_000
#: More characters than all known columns together can hold.
MAX_LINE_LENGTH = 5_000
#: Lines that are kept of one sheet: players, and what stands above and below them.
_KEPT_LINES = MAX_ROWS + 30
#: Sheets that are read, and characters of all of them.
MAX_SHEETS = 20
_MAX_LETTERS = 2_000_000

#: What a cell holds. A day is what a spreadsheet took for one.
Cell = str | int | float | bool | date

#: What is wrong with a whole list; stored by code, as another reader may have another language.
PROBLEMS = {
    "line_too_long": gettext_lazy("Line %(line)s is far too long."),
    "no_columns": gettext_lazy("This list cannot be read as columns."),
    "not_read": gettext_lazy("This file could not be read. Paste its rows instead."),
    "nothing_there": gettext_lazy("This list has no names."),
    "old_format": gettext_lazy("This spreadsheet has an old format. Save it as .xlsx or .csv."),
    "too_long": gettext_lazy("A line of this list is far too long: one player per line."),
    "too_much": gettext_lazy(
        "This is too much for a list of players: at most %(rows)s rows and 1 MB."
    ),
    "unknown_encoding": gettext_lazy("This file's characters cannot be read. Save it as UTF-8."),
    "unreadable": gettext_lazy(
        "This file cannot be read as a spreadsheet. Save it as .xlsx or .csv."
    ),
}


def unusable(code: str, **params: object) -> Refused:
    """Return the refusal of a whole list, for a code of ``PROBLEMS``."""
    return Refused(code, PROBLEMS[code], **params)


def too_much() -> Refused:
    return unusable("too_much", rows=MAX_ROWS)


@dataclass(frozen=True)
class Line:
    """A line that is not blank; ``number`` from 1, as the spreadsheet shows it."""

    number: int
    cells: tuple[Cell, ...]
    hidden: bool = False


@dataclass(frozen=True)
class Sheet:
    """A sheet of a spreadsheet, or a whole text (without a name).

    ``cut``: it has more lines than a list of players may.
    """

    name: str
    lines: tuple[Line, ...]
    hidden: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Book:
    """All sheets in their order. ``encoding``: that of a text that is not in Unicode."""

    sheets: tuple[Sheet, ...]
    encoding: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "encoding": self.encoding,
            "sheets": [
                [
                    sheet.name,
                    sheet.hidden,
                    sheet.cut,
                    [
                        [line.number, line.hidden, [_as_json(cell) for cell in line.cells]]
                        for line in sheet.lines
                    ],
                ]
                for sheet in self.sheets
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`as_json` made."""
        return cls(
            tuple(
                Sheet(
                    name,
                    tuple(
                        Line(number, tuple(_of_json(cell) for cell in cells), line_hidden)
                        for number, line_hidden, cells in lines
                    ),
                    hidden,
                    cut,
                )
                for name, hidden, cut, lines in data["sheets"]
            ),
            data["encoding"],
        )


def _as_json(cell: Cell) -> Any:
    return {"day": cell.isoformat()} if isinstance(cell, date) else cell


def _of_json(cell: Any) -> Cell:
    return date.fromisoformat(cell["day"]) if isinstance(cell, dict) else cell


def sheet_of(
    name: str, source: Iterable[tuple[int, Sequence[Cell], bool]], *, hidden: bool = False
) -> Sheet:
    """Return a sheet of lines (number, cells, hidden); read no further than the bounds allow."""
    lines: list[Line] = []
    for number, cells, line_hidden in source:
        width = next((n for n in range(len(cells), 0, -1) if not _is_blank(cells[n - 1])), 0)
        line = cells[: min(width, MAX_COLUMNS + 1)]
        if not line:
            continue
        if number > MAX_LINES or len(lines) >= _KEPT_LINES:
            return Sheet(name, tuple(lines), hidden, cut=True)
        if sum(len(cell) for cell in line if isinstance(cell, str)) > MAX_LINE_LENGTH:
            raise unusable("line_too_long", line=number)
        lines.append(Line(number, tuple(line), line_hidden))
    return Sheet(name, tuple(lines), hidden)


def _is_blank(cell: Cell) -> bool:
    return isinstance(cell, str) and not cell.strip()


def book_of(sheets: Iterator[Sheet]) -> Book:
    """Return a spreadsheet; refused if its sheets have too much text together."""
    found: list[Sheet] = []
    letters = 0
    for sheet in sheets:
        letters += sum(
            len(cell) for line in sheet.lines for cell in line.cells if isinstance(cell, str)
        )
        if letters > _MAX_LETTERS:
            raise too_much()
        found.append(sheet)
    return Book(tuple(found))
