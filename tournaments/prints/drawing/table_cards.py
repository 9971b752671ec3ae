"""A card for each table of the room: its number, and a code for whatever is played there."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.paper.fonts import BOLD
from scoring.paper.paper import QUIET, Paper

from ...draws.queries.plan import tables_with_cards
from ...models import Event
from ._cards import draw_cards
from ._lists import BEFORE, Order, paper_of

LABEL = gettext_lazy("Table cards")
WHEN = BEFORE

#: In millimetres, on a card of A6.
CODE = 62.0


def can_print(event: Event) -> bool:
    """Return True: tables can be numbered before anybody has come."""
    return True


def amount(event: Event) -> str:
    """Return for how many tables there are cards."""
    count = len(tables_with_cards(event))
    return ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}


def what_decides(event: Event) -> tuple[str, str] | None:
    """Return where to say how many tables there are (address, label), until that is said."""
    if event.room_plan:
        return None
    address = reverse("tournaments:seating_constraints", args=[event.slug])
    return f"{address}#room-head", _("Enter a room plan")


def pdf(order: Order) -> bytes:
    """Return the cards, four to a page of A4."""
    paper = paper_of(order, LABEL)

    def card(
        paper: Paper, number: int, left: float, top: float, width: float, height: float
    ) -> None:
        _card(paper, order, number, left, top, width)

    with paper.tags.group("Document"):
        draw_cards(paper, order, tables_with_cards(order.event), 2, card)
    return paper.finish()


def _card(paper: Paper, order: Order, number: int, left: float, top: float, width: float) -> None:
    path = reverse("tournaments:room_table", args=[order.event.slug, number])
    middle, room = left + width / 2, width - 20
    label = _("Table %(number)s") % {"number": number}
    with paper.tags.content("P"):
        paper.text(middle, top + 14, order.event.name, size=10, align="centre", room=room)
    with paper.tags.content("H1"):
        paper.text(middle, top + 38, label, face=BOLD, size=44, align="centre", room=room)
    paper.qr(middle - CODE / 2, top + 46, CODE, order.site + path, label)
    lines = [
        _("Scan to see the sheet or to keep the score."),
        _("The floor tells you the four-digit code."),
    ]
    with paper.tags.content("P"):
        for index, line in enumerate(lines):
            paper.text(middle, top + 118 + index * 5, line, size=10, align="centre", room=room)
        paper.text(
            middle, top + 133, order.site + path, size=8, align="centre", room=room, grey=QUIET
        )
