"""The check-in list for the door: all players by family name, a box to tick, what is to be paid."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.paper import fonts
from scoring.paper.paper import BOTTOM, LEFT, PT, QUIET, REGULAR, RIGHT, Paper

from ...cash.queries.ledger import balances_of
from ...core.names import by_staff_name, family_name_first, staff_name
from ...models import Event
from ...models.enums import RegistrationStatus
from ...models.money import show_amount
from ._lists import BEFORE, FIRST_ROW, GAP, Order, list_head, page_number, paper_of
from .seats_by_name import seated

LABEL = gettext_lazy("Check-in list")
WHEN = BEFORE

#: Row height with room for a pen, a box's side, and where the columns begin (clubs at the
#: earliest), in millimetres.
ROW, SIDE = 7.5, 4.4
BOX, NUMBER, NAME, CLUB = LEFT, LEFT + 17, LEFT + 20, LEFT + 100
ROWS_PER_PAGE = int((BOTTOM - 8 - FIRST_ROW) / ROW)


@dataclass(frozen=True)
class Row:
    """A player: the name with the family name first, and what is still to be paid.

    ``starts``: when the heat that the player sits in begins, if that is planned.
    """

    number: int
    name: str
    club: str
    here: bool
    to_pay: int
    #: What is said where nothing is to be paid.
    paid: str
    starts: str = ""


def can_print(event: Event) -> bool:
    """Return True: even an empty list is useful."""
    return True


def rows_of(event: Event, language: str) -> list[Row]:
    """Return the players who may come, in alphabetical order (six queries)."""
    starts = {
        entry.registration_id: date_format(timezone.localtime(entry.heat.starts_at), "D H:i")
        for entry in seated(event).exclude(heat__starts_at=None)
        if entry.heat is not None and entry.heat.starts_at is not None
    }
    players = (
        event.registrations.filter(
            status__in=[RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN]
        )
        .select_related("person")
        .order_by(by_staff_name(language=language), "number")
    )
    return [
        Row(
            each.registration.number,
            family_name_first(staff_name(each.registration.person), each.registration),
            each.registration.person.club,
            each.registration.status == RegistrationStatus.CHECKED_IN,
            each.owes,
            each.label,
            starts.get(each.registration.pk, ""),
        )
        for each in balances_of(event, players)
    ]


def pdf(order: Order) -> bytes:
    event, rows = order.event, rows_of(order.event, order.language)
    paper = paper_of(order, LABEL)
    players = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    edges = _edges(event, rows)
    pages = max(1, -(-len(rows) // ROWS_PER_PAGE))
    with paper.tags.group("Document"):
        for page in range(pages):
            here = rows[page * ROWS_PER_PAGE : (page + 1) * ROWS_PER_PAGE]
            list_head(paper, order, LABEL, players)
            with paper.tags.group("Table"):
                _titles(paper, event, edges)
                for number, row in enumerate(here):
                    _row(paper, event, row, FIRST_ROW + number * ROW, edges)
            if page + 1 == pages:
                _for_latecomers(paper, FIRST_ROW + len(here) * ROW)
            page_number(paper, page + 1, pages)
            paper.end_page()
    return paper.finish()


def _for_latecomers(paper: Paper, top: float) -> None:
    """Rule the rest of the last page, for names written by hand."""
    while top + ROW <= FIRST_ROW + ROWS_PER_PAGE * ROW:
        _box(paper, top)
        top += ROW
        paper.rule(LEFT, top, RIGHT, top, weight=0.3, grey=QUIET)


def _box(paper: Paper, top: float) -> None:
    paper.box(BOX, top + 1.5, SIDE, SIDE, weight=0.8)


def _due(event: Event, row: Row) -> str:
    return show_amount(row.to_pay, event.currency) if row.to_pay > 0 else row.paid


@dataclass(frozen=True)
class _Edges:
    """Where clubs begin and end, and where starts end (None: there are none)."""

    club: float
    club_end: float
    start: float | None


def _edges(event: Event, rows: Sequence[Row]) -> _Edges:
    """Return the edges: clubs have what payments leave, and names what clubs do not need."""

    def widest(texts: Iterable[str], size: float) -> float:
        return max((fonts.width(text, REGULAR, size) * PT for text in texts), default=0.0)

    end = RIGHT
    if event.price:
        end -= max(widest((_due(event, row) for row in rows), 9), 20) + GAP
    timed = any(row.starts for row in rows)
    club_end = end - 20 if timed else end
    name_end = NAME + widest((row.name for row in rows), 11) + GAP
    club = max(CLUB, min(name_end, club_end - widest((row.club for row in rows), 9)))
    return _Edges(club, club_end, end if timed else None)


def _titles(paper: Paper, event: Event, edges: _Edges) -> None:
    titles = [(NUMBER, "№", "right"), (NAME, _("Player"), "left"), (edges.club, _("Club"), "left")]
    if edges.start:
        titles.append((edges.start, pgettext("of play", "Start"), "right"))
    if event.price:
        titles.append((RIGHT, _("To pay"), "right"))
    with paper.tags.group("TR"):
        for x, title, align in titles:
            with paper.tags.content("TH", scope="Column"):
                paper.text(x, FIRST_ROW - 2, title, size=8, align=align, grey=QUIET)
    paper.rule(LEFT, FIRST_ROW, RIGHT, FIRST_ROW, weight=0.8)


def _row(paper: Paper, event: Event, row: Row, top: float, edges: _Edges) -> None:
    base = top + 5
    _box(paper, top)
    if row.here:
        paper.rule(BOX, top + 1.5, BOX + SIDE, top + 1.5 + SIDE)
        paper.rule(BOX, top + 1.5 + SIDE, BOX + SIDE, top + 1.5)
    cells = [
        (NUMBER, str(row.number), "right", 9.0, None),
        (NAME, row.name, "left", 11.0, edges.club - NAME - 3),
        (edges.club, row.club, "left", 9.0, edges.club_end - edges.club),
    ]
    if edges.start:
        cells.append((edges.start, row.starts, "right", 9.0, 18.0))
    if event.price:
        cells.append((RIGHT, _due(event, row), "right", 9.0, None))
    with paper.tags.group("TR"):
        for x, text, align, size, room in cells:
            with paper.tags.content("TD"):
                if room is None:
                    paper.text(x, base, text, align=align, size=size)
                    continue
                # A long name or club takes two lines in small type: no letter is lost.
                kinds = [(size, 1), (size * 0.75, 1), (7.0, 2), (size * 0.65, 2)]
                lines = fonts.whole(text, REGULAR, room / PT, kinds)
                for index, line in enumerate(lines):
                    y = base + (index - (len(lines) - 1) / 2) * 2.7
                    paper.draw(x, y, line, align=align)
    paper.rule(LEFT, top + ROW, RIGHT, top + ROW, weight=0.3, grey=QUIET)
