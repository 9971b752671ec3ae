"""A card for each player, with a QR code that leads to their own page."""

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.paper import fonts
from scoring.paper.fonts import BOLD
from scoring.paper.paper import PT, QUIET, Paper

from ...core.names import by_staff_name
from ...models import Event, Registration
from ...models.enums import RegistrationStatus
from ...registration.queries.about import when_text
from ...registration.queries.player_links import token_of
from ._cards import draw_cards
from ._lists import BEFORE, Order, paper_of

LABEL = gettext_lazy("Player cards with personal links")
WHEN = BEFORE

#: In millimetres.
CODE, EDGE = 44.0, 8.0
#: Sizes of a name, in points, and the most lines of each.
NAME = ((11, 2), (9, 2), (9, 3), (7, 3))


def can_print(event: Event) -> bool:
    """Return whether anybody is registered."""
    return _players(event).exists()


def _players(event: Event) -> QuerySet[Registration]:
    here = (RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN)
    known = event.registrations.filter(status__in=here, person__erased_at=None)
    return known.select_related("person")


def pdf(order: Order) -> bytes:
    """Return the cards by family name, eight to a page of A4."""
    players = list(_players(order.event).order_by(by_staff_name(language=order.language), "number"))
    paper = paper_of(order, LABEL)
    when = when_text(order.event)

    def card(
        paper: Paper, player: Registration, left: float, top: float, width: float, height: float
    ) -> None:
        address = order.site + reverse("tournaments:player_page", args=[token_of(player)])
        x = left + EDGE + CODE + 5
        room = width - 2 * EDGE - CODE - 5
        label = _("Page of player %(number)s") % {"number": player.number}
        paper.qr(left + EDGE, top + (height - CODE) / 2, CODE, address, label)
        with paper.tags.content("H2"):
            paper.text(x, top + 19, str(player.number), face=BOLD, size=26)
        with paper.tags.content("P"):
            name = fonts.whole(player.person.legal_name, BOLD, room / PT, NAME)
            for index, line in enumerate(name):
                paper.draw(x, top + 27 + 4.2 * index, line)
            paper.paragraph(
                x, top + 40, _("Where do I sit, how do I stand? Scan the code. It is yours alone."),
                size=8, leading=3.5, room=room, lines=4,
            )  # fmt: skip
            paper.paragraph(x, top + 52.5, when, size=8, leading=3.5, room=room, lines=3)
            paper.paragraph(
                x, top + 63, order.event.name, size=7, leading=3, grey=QUIET, room=room, lines=2
            )

    with paper.tags.group("Document"):
        draw_cards(paper, order, players, 4, card)
    return paper.finish()
