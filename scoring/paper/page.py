"""Head and foot of a page, for the written and the empty protocol."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.messages import SUITS

from . import fonts, layout
from .paper import BOLD, BOTTOM, LEFT, PT, QUIET, REGULAR, RIGHT, TOP, Paper

#: Sizes of a field's text, in points, and the most lines of each.
VALUE = ((10.5, 1), (9, 1), (7.8, 1), (6.5, 1), (6, 2))


@dataclass(frozen=True, slots=True)
class Head:
    """The fields at the top of the page; empty fields become lines to write on."""

    event: str = ""
    heat: str = ""
    table: str = ""
    day: str = ""
    #: The event's days, above the line on which one of them is to be written.
    days: str = ""
    auditor: str = ""
    rules: str = ""
    stamp: str = ""
    #: Friends at a table of their own have neither heat nor table number nor Auditor.
    casual: bool = False


def head(paper: Paper, content: Head) -> float:
    """Draw the page's head; return where the first game begins (mm)."""
    right = RIGHT
    with paper.tags.artifact():
        right -= paper.text(
            RIGHT, TOP + 6.3, " ".join(SUITS.values()), face=BOLD, size=13, align="right"
        )
    name = _("Chicago protocol")
    if content.event:
        with paper.tags.content("P"):
            right -= 3 + paper.text(right - 3, TOP + 6.3, name, size=9.5, align="right")
    if content.stamp:
        line = fonts.line(content.stamp.upper(), BOLD, 8)
        width = line.width * PT + 5
        right -= width + 4
        paper.box(right, TOP + 1.9, width, 5.6, radius=1, weight=1.1)
        with paper.tags.content("P"):
            paper.draw(right + 2.5, TOP + 5.75, line)
    title = content.event or name
    with paper.tags.content("H1"):
        paper.text(LEFT, TOP + 6.4, title, face=BOLD, size=17, room=right - LEFT - 4, smallest=10)
    paper.rule(LEFT, TOP + 9.4, RIGHT, TOP + 9.4, weight=1.6)
    day = pgettext("head", "Day")
    if content.days and not content.day:
        day = f"{day} ({content.days})"
    fields = (
        (pgettext("head", "Heat"), content.heat, 30.0),
        (pgettext("head", "Table"), content.table, 19.0),
        (day, content.day, 41.0),
        (pgettext("head", "Auditor"), content.auditor, 60.0),
        (pgettext("head", "Rules"), content.rules, 35.0),
    )
    x = LEFT
    for label, value, room in (fields[2], fields[4]) if content.casual else fields:
        with paper.tags.content("P"):
            paper.text(x, TOP + 12.8, label, size=layout.CAPTION, grey=QUIET, room=room - 3)
            # The longest names take two lines.
            lines = fonts.whole(value, BOLD, (room - 4) / PT, VALUE) if value else []
            for index, line in enumerate(reversed(lines)):
                paper.draw(x, TOP + 17.6 - 2.3 * index, line)
        if not value:
            paper.rule(x, TOP + 18.6, x + room - 3, TOP + 18.6, weight=0.5, grey=QUIET)
        x += room
    return layout.first_top()


def running_head(paper: Paper, text: str, right: str) -> float:
    """Draw the short head of a later page; return where its content begins (mm)."""
    with paper.tags.content("P"):
        paper.text(LEFT, TOP + 3.6, text, face=BOLD, size=9.5, room=RIGHT - LEFT - 45)
    if right:
        with paper.tags.content("P"):
            paper.text(RIGHT, TOP + 3.6, right, size=8, align="right", room=40)
    paper.rule(LEFT, TOP + 5.4, RIGHT, TOP + 5.4, weight=1.6)
    return TOP + 9.0


#: A signer's name in one line, or in two small ones.
SIGNER_SETTINGS = ((layout.CAPTION, 1), (5.5, 1), (5.0, 2))


def signatures_height(count: int) -> float:
    """Return the height of the signature lines in mm, including the code's corner beside them."""
    rows = -(-count // layout.SIGN_COLUMNS)
    return max(rows * layout.SIGN_ROW, layout.QR + 3.2)


def signatures(paper: Paper, top: float, names: Sequence[str], *, right: float = RIGHT) -> None:
    """Draw signature lines with the names below."""
    gap = 5.0
    room = (right - LEFT - gap * (layout.SIGN_COLUMNS - 1)) / layout.SIGN_COLUMNS
    for index, name in enumerate(names):
        row, column = divmod(index, layout.SIGN_COLUMNS)
        x = LEFT + column * (room + gap)
        y = top + row * layout.SIGN_ROW + 6.9
        paper.rule(x, y, x + room, y, weight=0.5)
        lines = fonts.whole(name, REGULAR, room / PT, SIGNER_SETTINGS)
        with paper.tags.content("P"):
            for number, line in enumerate(lines):
                paper.draw(
                    x, y + (2.6 if len(lines) == 1 else 2.0) + 1.9 * number, line, grey=QUIET
                )


class Feet:
    """The foot lines of one protocol; the number of pages is known only on the last page."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.waiting: list[tuple[str, str]] = []

    def turn(self, left: str = "") -> None:
        """Finish a page that is not the last; its foot is drawn once the pages are counted."""
        self.waiting.append((self.paper.later(), left))
        self.paper.end_page()

    def close(self, left: str = "") -> None:
        """Finish the last page and draw the feet of all earlier pages."""
        pages = len(self.waiting) + 1
        foot(self.paper, left, pages, pages)
        self.paper.end_page()
        for page, (name, text) in enumerate(self.waiting, start=1):
            with self.paper.canvas.form(name):
                foot(self.paper, text, page, pages)


def foot(paper: Paper, left: str, page: int, pages: int) -> None:
    """Draw the foot line."""
    base = BOTTOM - 0.8
    with paper.tags.artifact():
        label = _("page %(page)d of %(pages)d") % {"page": page, "pages": pages}
        used = paper.text(RIGHT, base, label, size=layout.CAPTION, align="right", grey=QUIET)
        if left:
            paper.text(
                LEFT, base, left, size=layout.CAPTION, grey=QUIET, room=RIGHT - LEFT - used - 4
            )
