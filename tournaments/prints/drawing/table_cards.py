"""A card for each table of the room: its number, and a code that opens whatever is played there."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.paper.fonts import BOLD
from scoring.paper.paper import PAGE_HEIGHT, PAGE_WIDTH, QUIET, Paper

from ...draws.queries.plan import tables_of_room
from ...models import Event, Job
from ._lists import paper_of
from ._when import BEFORE

LABEL = gettext_lazy("Table cards")
WHEN = BEFORE

#: A6, four on a page, in millimetres.
CARD_WIDTH, CARD_HEIGHT = PAGE_WIDTH / 2, PAGE_HEIGHT / 2
CODE = 62.0


def can_print(event: Event) -> bool:
    """Say yes: tables can be numbered before anybody has come."""
    return True


def pdf(job: Job) -> bytes:
    """Return the cards on A4, to be cut into four."""
    event = job.event
    paper = paper_of(job, LABEL)
    tables = tables_of_room(event)
    with paper.tags.group("Document"):
        for start in range(0, len(tables), 4):
            _cuts(paper)
            for index, number in enumerate(tables[start : start + 4]):
                row, column = divmod(index, 2)
                _card(paper, job, number, column * CARD_WIDTH, row * CARD_HEIGHT)
            paper.end_page()
    return paper.finish()


def _cuts(paper: Paper) -> None:
    paper.rule(CARD_WIDTH, 0, CARD_WIDTH, PAGE_HEIGHT, weight=0.3, grey=QUIET)
    paper.rule(0, CARD_HEIGHT, PAGE_WIDTH, CARD_HEIGHT, weight=0.3, grey=QUIET)


def _card(paper: Paper, job: Job, number: int, left: float, top: float) -> None:
    path = reverse("tournaments:room_table", args=[job.event.slug, number])
    middle, room = left + CARD_WIDTH / 2, CARD_WIDTH - 20
    label = _("Table %(number)s") % {"number": number}
    with paper.tags.content("P"):
        paper.text(middle, top + 14, job.event.name, size=10, align="centre", room=room)
    with paper.tags.content("H1"):
        paper.text(middle, top + 38, label, face=BOLD, size=44, align="centre", room=room)
    paper.qr(middle - CODE / 2, top + 46, CODE, job.site + path, label)
    lines = [
        _("Scan to see the sheet or to keep the score."),
        _("The floor tells you the four-digit code."),
    ]
    with paper.tags.content("P"):
        for index, line in enumerate(lines):
            paper.text(middle, top + 118 + index * 5, line, size=10, align="centre", room=room)
        paper.text(
            middle, top + 133, job.site + path, size=8, align="centre", room=room, grey=QUIET
        )
