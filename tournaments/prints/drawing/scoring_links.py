"""The scoring links of all open heats on one sheet; whoever scans one keeps that table's score."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.paper.fonts import BOLD
from scoring.paper.paper import QUIET, Paper

from ...heats.commands import make_link
from ...heats.queries.links import scoring_path
from ...models import Event, Heat
from ._cards import draw_cards
from ._lists import DAY, Order, paper_of
from .protocols import with_tables

LABEL = gettext_lazy("Scoring links of the open heats")
WHEN = DAY

#: In millimetres.
CODE = 52.0


def can_print(event: Event) -> bool:
    """Return whether a heat is being played."""
    return with_tables(event.heats.open()).exists()


def pdf(order: Order) -> bytes:
    """Return the links, six to a page of A4; a heat without a link gets one."""
    heats = []
    for heat in order.each(sorted(with_tables(order.event.heats.open()), key=_place)):
        make_link(heat=heat, by=order.by)
        heats.append((heat, order.site + scoring_path(heat)))
    paper = paper_of(order, LABEL)

    def card(
        paper: Paper, both: tuple[Heat, str], left: float, top: float, width: float, height: float
    ) -> None:
        heat, address = both
        middle, room = left + width / 2, width - 16
        label = _("Table %(number)s") % {"number": heat.table_number} if heat.table_number else ""
        with paper.tags.content("H2"):
            paper.text(
                middle, top + 16, label or str(heat), face=BOLD, size=20, align="centre", room=room
            )
        with paper.tags.content("P"):
            title = f"{heat} · {order.event.name}" if label else order.event.name
            paper.text(middle, top + 22.5, title, size=9, align="centre", room=room)
        paper.qr(middle - CODE / 2, top + 28, CODE, address, f"{label} {heat}")
        with paper.tags.content("P"):
            text = _("For the Auditor of this heat only.")
            paper.text(middle, top + 87, text, size=8, align="centre", room=room, grey=QUIET)

    with paper.tags.group("Document"):
        draw_cards(paper, order, heats, 3, card)
    return paper.finish()


def _place(heat: Heat) -> tuple[int, int]:
    return heat.table_number or 0, heat.number
