"""Cards to be cut: so many on a page of A4, thin lines where to cut."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from scoring.paper.paper import PAGE_HEIGHT, PAGE_WIDTH, QUIET, Paper

Card = TypeVar("Card")

#: Draws one card into its place: left, top, width, height.
Draw = Callable[[Paper, Card, float, float, float, float], None]


def draw_cards(paper: Paper, cards: Sequence[Card], columns: int, rows: int, draw: Draw) -> None:
    """Draw the cards, page by page; none is one empty page."""
    width, height = PAGE_WIDTH / columns, PAGE_HEIGHT / rows
    for start in range(0, max(1, len(cards)), columns * rows):
        for column in range(1, columns):
            paper.rule(column * width, 0, column * width, PAGE_HEIGHT, weight=0.3, grey=QUIET)
        for row in range(1, rows):
            paper.rule(0, row * height, PAGE_WIDTH, row * height, weight=0.3, grey=QUIET)
        for index, card in enumerate(cards[start : start + columns * rows]):
            row, column = divmod(index, columns)
            draw(paper, card, column * width, row * height, width, height)
        paper.end_page()
