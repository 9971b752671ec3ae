"""Lists on A4: a heading with the event, columns, and page numbers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any, Protocol

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.messages import texts_in
from scoring.paper import fonts
from scoring.paper.fonts import BOLD, REGULAR, TextLine
from scoring.paper.paper import BOTTOM, INK, LEFT, PT, QUIET, RIGHT, TOP, WIDTH, Paper

from ...models import Event, Heat

#: The top of the first row, in millimetres; the column titles are above it.
FIRST_ROW = TOP + 22
#: The largest type of a list for the wall, and that of column titles, in points.
MAX_SIZE, TITLE = 20, 8
#: The height of a row, and the distance of its lines, in millimetres for each point of the type.
ROW, LEADING = 0.62, 0.42
#: The space between columns, in millimetres.
GAP = 3.8
#: The share of a column that is no wider than its texts.
CLOSE = 0.01


@dataclass(frozen=True)
class Column:
    """A column: its title, its share of the width to spare, and how it is set."""

    title: str
    share: float
    right: bool = False
    bold: bool = False


class Headed(Protocol):
    """What a list is of: an event or a series."""

    @property
    def name(self) -> str: ...
    @property
    def paper_size(self) -> str: ...
    @property
    def colour(self) -> str: ...


class Listing(Protocol):
    """What the heading of a list needs to know."""

    @property
    def event(self) -> Headed: ...
    @property
    def language(self) -> str: ...
    @property
    def plain(self) -> bool: ...
    @property
    def replaces(self) -> datetime | None: ...


@dataclass(frozen=True, slots=True)
class Order:
    """An event to print something of, and how.

    ``site`` is the base address of links and codes, ``plain`` black only, for a copier or a
    black-and-white printer. ``day`` is one of the print's own ``days``; "" is the last. ``each``
    yields parts and reports progress. ``replaces`` is when the one before was made.
    """

    event: Event
    language: str = "en"
    site: str = ""
    plain: bool = False
    day: str = ""
    by: User | None = None
    each: Callable[[Sequence[Any]], Iterable[Any]] = iter
    replaces: datetime | None = None


def heat_label(heat: Heat) -> str:
    """Return a heat's short label: its number, or the name of a play-off table."""
    return str(heat) if heat.title else str(heat.number)


def paper_of(order: Listing, label: object) -> Paper:
    """Return an empty document in the order's language."""
    return Paper(
        title=f"{label}, {order.event.name}",
        language=texts_in(order.language).locale,
        subject=order.event.name,
        author=order.event.name,
        sheet=order.event.paper_size,
    )


def list_head(paper: Paper, order: Listing, label: object, note: str) -> None:
    """Draw the page's heading: the list, the event, and the time."""
    event = order.event
    if not order.plain:
        paper.box(LEFT, TOP - 4, WIDTH, 1.6, fill=INK, colour=event.colour)
    day = date_format(timezone.localtime(), "DATETIME_FORMAT")
    if order.replaces is not None:
        when = date_format(timezone.localtime(order.replaces), "j M H:i")
        day += " · " + _("replaces the list of %(when)s") % {"when": when}
    with paper.tags.content("H1"):
        room = WIDTH - GAP - paper.text(LEFT, TOP + 6, label, face=BOLD, size=16, room=90)
        paper.text(RIGHT, TOP + 5, event.name, face=BOLD, size=11, align="right", room=room)
    with paper.tags.content("P"):
        paper.text(LEFT, TOP + 11.5, note, grey=QUIET)
        paper.text(RIGHT, TOP + 11.5, day, align="right", grey=QUIET)


def page_number(
    paper: Paper, page: int, pages: int, *, size: float = 8, base: float = BOTTOM
) -> None:
    """Draw the page number (from 1) and the number of pages."""
    with paper.tags.artifact():
        label = _("Page %(page)s of %(pages)s") % {"page": page, "pages": pages}
        paper.text(RIGHT, base, label, size=size, align="right", grey=QUIET)


def wall_list(
    order: Listing,
    label: object,
    columns: Sequence[Column],
    groups: Sequence[Sequence[Sequence[str]]],
    *,
    note: str = "",
    size: float = 14,
    below: str = "",
) -> bytes:
    """Return a list for the wall, in large type; a group is never split between pages.

    A group is rows that belong together, such as the players of one table. A list that leaves
    much of its only page empty is set larger. A text that is too long takes more lines. ``below``
    stands in small type at the foot of every page.
    """
    rows = [cells for group in groups for cells in group]
    foot = fonts.wrap(below, REGULAR, TITLE, WIDTH / PT, 6) if below else []
    last = BOTTOM - 8 - LINE * len(foot)
    room = last - FIRST_ROW
    wanted = max(size, min(MAX_SIZE, room / max(1, len(rows)) / ROW))
    least, size = size, wanted
    while size > least and sum(_wanted(columns, rows, size)) > _room(columns):
        size -= 0.5
    spans = _spans(columns, rows, size)
    tables = [
        [
            [_lines(*cell, size) for cell in zip(cells, columns, spans, strict=True)]
            for cells in group
        ]
        for group in groups
    ]
    further = [size * LEADING * (max(map(len, cells)) - 1) for table in tables for cells in table]
    each = (room - sum(further)) / max(1, len(rows))
    row = max(size * ROW, min(wanted * ROW, each))
    pages: list[list[list[_WallRow]]] = [[]]
    left, heights = room, iter(further)
    for table in tables:
        group = [_WallRow(cells, row + next(heights)) for cells in table]
        height = sum(each.height for each in group)
        # Sums are not exact: a full page keeps its last row.
        if height > left + 0.01 and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(group)
        left -= height
    paper = paper_of(order, label)
    with paper.tags.group("Document"):
        for number, page in enumerate(pages, start=1):
            list_head(paper, order, label, note)
            with paper.tags.group("Table"):
                _titles(paper, columns, spans)
                top = FIRST_ROW
                for group in page:
                    for each_row in group:
                        middle = top + each_row.height * 0.5 + size * 0.135
                        _row(paper, columns, spans, each_row.cells, middle, size * LEADING)
                        top += each_row.height
                    paper.rule(LEFT, top, RIGHT, top, weight=0.3, grey=QUIET)
            for index, line in enumerate(foot):
                with paper.tags.content("P"):
                    paper.draw(LEFT, last + LINE * (index + 1), line)
            page_number(paper, number, len(pages))
            paper.end_page()
    return paper.finish()


@dataclass(frozen=True)
class _WallRow:
    """A row of a list for the wall: its cells as set, and its height in millimetres."""

    cells: Sequence[Sequence[TextLine]]
    height: float


@dataclass(frozen=True)
class Section:
    """A table of a report, with a heading; without rows it shows ``empty``."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    empty: str = ""


@dataclass(frozen=True)
class _Part:
    """The rows of a section that are on one page: their texts as set, and their heights."""

    section: Section
    spans: Sequence[tuple[float, float]]
    rows: Sequence[Sequence[Sequence[TextLine]]]
    top: float


#: Of a report: size and line height, the space of a row beyond its lines, and of a heading.
SIZE, LINE, AROUND, HEAD = 10.0, 4.2, 1.8, 18.0
#: The most lines of a cell.
LINES = 12


def report(order: Order, label: object, sections: Sequence[Section], *, note: str = "") -> bytes:
    """Return tables one below the other; after a page break the column titles are repeated."""
    pages: list[list[_Part]] = [[]]
    top = first = TOP + 14
    for section in sections:
        spans = _spans(section.columns, section.rows, SIZE)
        rows = [
            [
                fonts.wrap(text, _face(column), SIZE, (end - start) / PT, LINES)
                for text, column, (start, end) in zip(cells, section.columns, spans, strict=True)
            ]
            for cells in section.rows
        ]
        while True:
            bottoms = list(accumulate(map(_height, rows), initial=top + HEAD))[1:]
            fitting = sum(bottom <= BOTTOM - 8 for bottom in bottoms)
            # A heading is never left alone at the end of a page.
            if top > first and (
                fitting < min(2, len(rows)) or top + HEAD + _height([]) > BOTTOM - 8
            ):
                pages.append([])
                top = first
                continue
            pages[-1].append(_Part(section, spans, rows[:fitting], top))
            top = bottoms[fitting - 1] if fitting else top + HEAD + _height([])
            rows = rows[fitting:]
            if not rows:
                break
    paper = paper_of(order, label)
    with paper.tags.group("Document"):
        for number, page in enumerate(pages, start=1):
            list_head(paper, order, label, note)
            for part in page:
                _section(paper, part)
            page_number(paper, number, len(pages))
            paper.end_page()
    return paper.finish()


def _height(cells: Sequence[Sequence[TextLine]]) -> float:
    return AROUND + LINE * max(1, *map(len, cells), 1)


def _section(paper: Paper, part: _Part) -> None:
    section, top = part.section, part.top + HEAD
    with paper.tags.content("H2"):
        paper.text(LEFT, top - 8, section.title, face=BOLD, size=12, room=WIDTH)
    if not part.rows:
        with paper.tags.content("P"):
            paper.text(LEFT, top - 2, section.empty, size=SIZE, grey=QUIET)
        return
    with paper.tags.group("Table"):
        _titles(paper, section.columns, part.spans, top)
        for cells in part.rows:
            _row(paper, section.columns, part.spans, cells, top + LINE)
            top += _height(cells)
            paper.rule(LEFT, top, RIGHT, top, weight=0.3, grey=QUIET)


def _face(column: Column) -> str:
    return BOLD if column.bold else REGULAR


def _wanted(columns: Sequence[Column], rows: Sequence[Sequence[str]], size: float) -> list[float]:
    """Return what each column's longest text needs, in millimetres, with a hair to spare."""
    return [
        0.2
        + PT
        * max(
            fonts.width(column.title, REGULAR, TITLE),
            *(fonts.width(cells[index], _face(column), size) for cells in rows),
            0,
        )
        for index, column in enumerate(columns)
    ]


def _room(columns: Sequence[Column]) -> float:
    """Return what the columns have together, without the gaps between them."""
    return WIDTH - GAP * (len(columns) - 1)


def _spans(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], size: float
) -> list[tuple[float, float]]:
    """Return where each column begins and ends.

    Each gets what its longest text needs and a share of what is left; where there is too little,
    the widest get their shares of what the others leave.
    """
    wanted = _wanted(columns, rows, size)
    left = _room(columns)
    spare = left - sum(wanted)
    if spare >= 0:
        whole = sum(column.share for column in columns)
        widths = [
            width + spare * column.share / whole
            for width, column in zip(wanted, columns, strict=True)
        ]
    else:
        widths = list(wanted)
        wide = set(range(len(columns)))
        while True:
            each = left / sum(columns[index].share for index in wide)
            modest = {index for index in wide if wanted[index] <= each * columns[index].share}
            if not modest:
                break
            left -= sum(wanted[index] for index in modest)
            wide -= modest
        for index in wide:
            widths[index] = each * columns[index].share
    ends = list(accumulate(width + GAP for width in widths))
    return [
        (LEFT + end - GAP - width, LEFT + end - GAP)
        for width, end in zip(widths, ends, strict=True)
    ]


def _lines(text: str, column: Column, span: tuple[float, float], size: float) -> list[TextLine]:
    """Return a text on as few lines as it needs; only one that three do not hold is set smaller."""
    settings = [(size, 3), (size * 0.8, 3), (size * 0.6, 4)]
    return fonts.whole(text, _face(column), (span[1] - span[0]) / PT, settings)


def _titles(
    paper: Paper,
    columns: Sequence[Column],
    spans: Sequence[tuple[float, float]],
    top: float = FIRST_ROW,
) -> None:
    with paper.tags.group("TR"):
        for column, (start, end) in zip(columns, spans, strict=True):
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    end if column.right else start,
                    top - 2,
                    column.title,
                    size=TITLE,
                    align="right" if column.right else "left",
                    room=end - start,
                    grey=QUIET,
                )
    paper.rule(LEFT, top, RIGHT, top, weight=0.8)


def _row(
    paper: Paper,
    columns: Sequence[Column],
    spans: Sequence[tuple[float, float]],
    cells: Sequence[Sequence[TextLine]],
    base: float,
    centred: float = 0.0,
) -> None:
    """Draw a row from its first baseline, or around it with lines ``centred`` so far apart."""
    with paper.tags.group("TR"):
        for column, (start, end), lines in zip(columns, spans, cells, strict=True):
            x, align = (end, "right") if column.right else (start, "left")
            y = base - centred * (len(lines) - 1) / 2
            with paper.tags.content("TD"):
                for line in lines:
                    paper.draw(x, y, line, align=align)
                    y += centred or LINE


#: When a print is needed, in the order of the page.
BEFORE, DAY, AFTER = "before", "day", "after"

NAMES = {
    BEFORE: gettext_lazy("Before the day"),
    DAY: gettext_lazy("On the day"),
    AFTER: gettext_lazy("Afterwards"),
}
