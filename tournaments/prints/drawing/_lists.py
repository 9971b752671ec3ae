"""Lists on A4: a heading with the event, columns, and page numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.paper.fonts import BOLD, REGULAR
from scoring.paper.paper import BOTTOM, INK, LEFT, QUIET, RIGHT, TOP, WIDTH, Paper

from ...models import Heat, Job

#: The top of the first row, in millimetres; the column titles are above it.
FIRST_ROW = TOP + 22
#: The largest type of a list for the wall, in points.
LARGEST = 20


@dataclass(frozen=True)
class Column:
    """A column: its title, its share of the width, and how it is set."""

    title: str
    share: float
    right: bool = False
    bold: bool = False


def heat_label(heat: Heat) -> str:
    """Return a heat's short label: its number, or the name of a play-off table."""
    return str(heat) if heat.title else str(heat.number)


def paper_of(job: Job, label: object) -> Paper:
    """Return an empty document in the job's language."""
    return Paper(
        title=f"{label}, {job.event.name}",
        language="sv-SE" if job.language == "sv" else "en-GB",
        subject=job.event.name,
        author=job.event.name,
    )


def list_head(paper: Paper, job: Job, label: object, note: str) -> None:
    """Draw the page's heading: the list, the event, and the time."""
    event = job.event
    if not job.plain:
        paper.box(LEFT, TOP - 4, WIDTH, 1.6, fill=INK, colour=event.colour)
    day = date_format(timezone.localtime(), "DATETIME_FORMAT")
    with paper.tags.content("H1"):
        paper.text(LEFT, TOP + 6, label, face=BOLD, size=16, room=90)
        paper.text(RIGHT, TOP + 5, event.name, face=BOLD, size=11, align="right", room=90)
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
    job: Job,
    label: object,
    columns: Sequence[Column],
    groups: Sequence[Sequence[Sequence[str]]],
    *,
    note: str = "",
    size: float = 14,
) -> bytes:
    """Return a list for the wall, in large type; a group is never split between pages.

    A group is rows that belong together, such as the players of one table. A list that leaves
    much of its only page empty is set larger.
    """
    count = sum(map(len, groups))
    if count:
        size = max(size, min(LARGEST, (BOTTOM - 8 - FIRST_ROW) / count / 0.62))
    row = size * 0.62
    room = BOTTOM - 8 - FIRST_ROW
    pages: list[list[Sequence[Sequence[str]]]] = [[]]
    left = room
    for group in groups:
        needed = len(group) * row
        if needed > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(group)
        left -= needed
    paper = paper_of(job, label)
    with paper.tags.group("Document"):
        for number, page in enumerate(pages, start=1):
            list_head(paper, job, label, note)
            with paper.tags.group("Table"):
                _titles(paper, columns)
                top = FIRST_ROW
                for group in page:
                    for cells in group:
                        _row(paper, columns, cells, top + row * 0.72, size)
                        top += row
                    paper.rule(LEFT, top, RIGHT, top, weight=0.3, grey=QUIET)
            page_number(paper, number, len(pages))
            paper.end_page()
    return paper.finish()


@dataclass(frozen=True)
class Section:
    """A table of a report, with a heading; without rows it shows ``empty``."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    empty: str = ""


def report(job: Job, label: object, sections: Sequence[Section], *, note: str = "") -> bytes:
    """Return tables one below the other; after a page break the column titles are repeated."""
    size, row, head = 10.0, 6.0, 18.0
    pages: list[list[tuple[Section, Sequence[Sequence[str]], float]]] = [[]]
    top = first = TOP + 14
    for section in sections:
        rows = list(section.rows)
        while True:
            # A heading is never left alone at the end of a page.
            room = int((BOTTOM - 8 - top - head) / row)
            if room < min(2, max(1, len(rows))):
                pages.append([])
                top = first
                continue
            pages[-1].append((section, rows[:room], top))
            top += head + row * max(1, len(rows[:room]))
            rows = rows[room:]
            if not rows:
                break
    paper = paper_of(job, label)
    with paper.tags.group("Document"):
        for number, page in enumerate(pages, start=1):
            list_head(paper, job, label, note)
            for section, part, begin in page:
                _section(paper, section, part, begin + head, row, size)
            page_number(paper, number, len(pages))
            paper.end_page()
    return paper.finish()


def _section(
    paper: Paper,
    section: Section,
    rows: Sequence[Sequence[str]],
    top: float,
    row: float,
    size: float,
) -> None:
    with paper.tags.content("H2"):
        paper.text(LEFT, top - 8, section.title, face=BOLD, size=12, room=WIDTH)
    if not rows:
        with paper.tags.content("P"):
            paper.text(LEFT, top - 2, section.empty, size=size, grey=QUIET)
        return
    with paper.tags.group("Table"):
        _titles(paper, section.columns, top)
        for index, cells in enumerate(rows):
            _row(paper, section.columns, cells, top + row * (index + 0.72), size)
            paper.rule(
                LEFT,
                top + row * (index + 1),
                RIGHT,
                top + row * (index + 1),
                weight=0.3,
                grey=QUIET,
            )


def _places(columns: Sequence[Column]) -> list[tuple[float, float]]:
    """Return where each column begins and ends, with gaps between them."""
    whole, at, found = sum(column.share for column in columns), LEFT, []
    for column in columns:
        width = WIDTH * column.share / whole
        found.append((at, at + width - 3))
        at += width
    return [*found[:-1], (found[-1][0], RIGHT)]


def _titles(paper: Paper, columns: Sequence[Column], top: float = FIRST_ROW) -> None:
    with paper.tags.group("TR"):
        for column, (start, end) in zip(columns, _places(columns), strict=True):
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    end if column.right else start,
                    top - 2,
                    column.title,
                    size=8,
                    align="right" if column.right else "left",
                    room=end - start,
                    grey=QUIET,
                )
    paper.rule(LEFT, top, RIGHT, top, weight=0.8)


def _row(
    paper: Paper, columns: Sequence[Column], cells: Sequence[str], base: float, size: float
) -> None:
    with paper.tags.group("TR"):
        for column, (start, end), text in zip(columns, _places(columns), cells, strict=True):
            with paper.tags.content("TD"):
                paper.text(
                    end if column.right else start,
                    base,
                    text,
                    face=BOLD if column.bold else REGULAR,
                    size=size,
                    align="right" if column.right else "left",
                    room=end - start,
                    smallest=size * 0.6,
                )
