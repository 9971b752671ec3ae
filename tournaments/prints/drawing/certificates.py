"""Certificates for the first four, one page each."""

import io

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from PIL import Image

from scoring.paper import fonts
from scoring.paper.fonts import BOLD, ITALIC
from scoring.paper.paper import BOTTOM, INK, PAGE_HEIGHT, PAGE_WIDTH, PT, QUIET, Paper

from ...core.days import days_of
from ...models import Event, EventPicture
from ...results.queries.final import LAST, RankedPlayer, full_ranking, is_over
from ._lists import AFTER, Order, page_number, paper_of

LABEL = gettext_lazy("Certificates for the first four")
WHEN = AFTER

#: The places that get one; a shared place makes more pages.
PLACES = 4
MIDDLE, ROOM = PAGE_WIDTH / 2, 160.0
#: The most that the event's picture takes, in millimetres.
PICTURE = (120.0, 42.0)
#: Sizes of a name, in points, and the most lines of each.
NAME = ((44, 1), (38, 1), (32, 1), (26, 1), (22, 2), (18, 3))


def can_print(event: Event) -> bool:
    """Return whether the winners are known."""
    return is_over(event) and event.heats.finished().exists()


def pdf(order: Order) -> bytes:
    ranking = full_ranking(order.event)
    best = [
        row
        for row in ranking.rows
        if row.place is not None and row.place <= PLACES and row.section != LAST
    ]
    paper = paper_of(order, LABEL)
    picture = EventPicture.objects.filter(event=order.event).first()
    with paper.tags.group("Document"):
        for number, row in enumerate(best, start=1):
            paper.bookmark(f"{row.place} {row.name}")
            _page(paper, order, row, len(ranking.rows), picture)
            # Small and outside the frame: the page is to be hung up.
            page_number(paper, number, len(best), size=5, base=PAGE_HEIGHT - 7)
            paper.end_page()
    return paper.finish()


def _page(
    paper: Paper, order: Order, row: RankedPlayer, players: int, picture: EventPicture | None
) -> None:
    event = order.event
    colour = "" if order.plain else event.colour
    for inset, weight in ((12.0, 3.0), (14.5, 0.8)):
        paper.box(
            inset, inset, PAGE_WIDTH - 2 * inset, PAGE_HEIGHT - 2 * inset,
            weight=weight, colour=colour,
        )  # fmt: skip
    with paper.tags.content("P"):
        paper.text(
            MIDDLE, 48, event.name, face=BOLD, size=22, align="centre", room=ROOM, smallest=10
        )
        where = ", ".join(filter(None, (event.venue, days_of(event))))
        paper.text(MIDDLE, 57, where, size=12, align="centre", room=ROOM)
    if picture is None:
        _suits(paper, 88, colour)
    else:
        _picture(paper, 64, picture, plain=order.plain)
    with paper.tags.content("P"):
        title = _("Champion") if row.place == 1 else _("Place %(place)s") % {"place": row.place}
        paper.text(MIDDLE, 122, title, face=ITALIC, size=26, align="centre", room=ROOM)
    with paper.tags.content("H1"):
        lines = fonts.whole(row.name, BOLD, ROOM / PT, NAME)
        for index, line in enumerate(lines):
            base = 146 + 8 * (index - (len(lines) - 1) / 2)
            paper.draw(MIDDLE, base, line, align="centre", colour=colour)
    with paper.tags.content("P"):
        if row.club:
            paper.text(MIDDLE, 159, row.club, size=18, align="centre", room=ROOM)
        among = ngettext("of %(count)s player", "of %(count)s players", players)
        text = among % {"count": players}
        if row.shared:
            text += " · " + _("shared")
        paper.text(MIDDLE, 174, text, size=13, align="centre", room=ROOM, grey=QUIET)
    signers = [_("Tournament director"), event.organiser.name]
    for x, label in (
        zip((62.0, 148.0), signers, strict=True) if all(signers) else [(MIDDLE, signers[0])]
    ):
        paper.rule(x - 32, BOTTOM - 48, x + 32, BOTTOM - 48, weight=0.6)
        with paper.tags.content("P"):
            paper.text(x, BOTTOM - 42, label, size=10, align="centre", room=64, grey=QUIET)


def _picture(paper: Paper, top: float, picture: EventPicture, *, plain: bool) -> None:
    scale = min(PICTURE[0] / picture.width, PICTURE[1] / picture.height)
    width, height = picture.width * scale, picture.height * scale
    content = bytes(picture.content)
    if plain:
        grey = io.BytesIO()
        Image.open(io.BytesIO(content)).convert("L").save(grey, "JPEG", quality=90)
        content = grey.getvalue()
    y = top + (PICTURE[1] - height) / 2
    paper.picture(MIDDLE - width / 2, y, width, height, content, str(picture.event))


def _suits(paper: Paper, top: float, colour: str) -> None:
    with paper.tags.artifact():
        for index, suit in enumerate("♠♥♦♣"):
            red = suit in "♥♦" and colour
            paper.text(
                MIDDLE + (index - 1.5) * 18, top, suit, size=34, align="centre", grey=INK,
                colour="#b3261e" if red else "",
            )  # fmt: skip
