"""How a part of a screen is divided into pages, columns and rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .short import Name

#: Letters of a name that surely fit, and rows on a page: the style sheet gives each a fixed share
#: of the height (static/screens/screen.css).
IN_A_TILE, IN_A_THIRD, IN_A_HALF = 9, 13, 22
TILES, ROWS = 16, 15
#: With a line for announcements there is room for less.
TILES_BESIDE, ROWS_BESIDE = 12, 13
THIRDS, HALVES = 3, 2
#: Seconds for which a page is shown, at least and at most.
PAGE_SECONDS = (8, 20)

Item = TypeVar("Item")


@dataclass(frozen=True)
class Row:
    """A line: what is large at its end, and a tag."""

    name: Name
    value: str = ""
    lead: str = ""
    tag: str = ""


@dataclass(frozen=True)
class Part:
    """One part: the title, its pages, and what else its template shows."""

    title: str
    pages: tuple[Any, ...] = ()
    columns: int = 1
    said: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether it only says that there is nothing to show."""
        return bool(self.said) and not self.pages and not self.more


def pages_of(items: Sequence[Item], most: int) -> tuple[Sequence[Item], ...]:
    """Return the items in pages as equal as can be."""
    if not items:
        return ()
    number = -(-len(items) // most)
    size = -(-len(items) // number)
    return tuple(items[start : start + size] for start in range(0, len(items), size))


def list_of(title: str, rows: Sequence[Row], columns: int, *, beside: bool, said: str = "") -> Part:
    """Return rows in no more columns than they need, read down each column."""
    most = ROWS_BESIDE if beside else ROWS
    columns = min(columns, max(1, -(-len(rows) // most)))
    pages = tuple(
        [page[start : start + most] for start in range(0, len(page), most)]
        for page in _fill(rows, most * columns)
    )
    return Part(title, pages, columns, said)


def _fill(rows: Sequence[Row], most: int) -> list[Sequence[Row]]:
    return [rows[start : start + most] for start in range(0, len(rows), most)]
