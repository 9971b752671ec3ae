"""Cards to cut out, several on a page of A4, with thin cutting lines."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.utils import timezone
from django.utils.formats import date_format

from scoring.paper.paper import PAGE_HEIGHT, PAGE_WIDTH, QUIET, RIGHT, Paper

from ._lists import Order

Card = TypeVar("Card")

#: Draws one card into its place: left, top, width, height.
Draw = Callable[[Paper, Card, float, float, float, float], None]

COLUMNS = 2


def draw_cards(paper: Paper, order: Order, cards: Sequence[Card], rows: int, draw: Draw) -> None:
    """Draw the cards, page by page; without cards, one empty page.

    A line at the bottom names print and page, so that cut cards can be put back in order.
    """
    width, height = PAGE_WIDTH / COLUMNS, PAGE_HEIGHT / rows
    pages = max(1, -(-len(cards) // (COLUMNS * rows)))
    day = date_format(timezone.localtime(), "DATE_FORMAT")
    for page in range(pages):
        start = page * COLUMNS * rows
        for column in range(1, COLUMNS):
            paper.rule(column * width, 0, column * width, PAGE_HEIGHT, weight=0.3, grey=QUIET)
        for row in range(1, rows):
            paper.rule(0, row * height, PAGE_WIDTH, row * height, weight=0.3, grey=QUIET)
        for index, card in enumerate(cards[start : start + COLUMNS * rows]):
            row, column = divmod(index, COLUMNS)
            draw(paper, card, column * width, row * height, width, height)
        with paper.tags.artifact():
            foot = f"{order.event.name} · {day} · {page + 1} / {pages}"
            paper.text(RIGHT, PAGE_HEIGHT - 5.5, foot, size=6, align="right", room=90, grey=QUIET)
        paper.end_page()
