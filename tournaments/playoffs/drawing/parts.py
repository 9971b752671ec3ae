"""A bracket too large for one sheet: its first rounds in parts, its last rounds on a page.

Tables of a part name where those who advance play next, instead of drawing lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.pictures.shapes import Picture, Text

from ..queries.bracket import Bracket, Round
from .bracket import (
    COLUMN,
    GAP,
    SMALL,
    SUB_GUTTER,
    TITLE,
    Address,
    Block,
    Canvas,
    blocks_of,
    heading,
)

#: The columns of a part, and the room beside each for where its players go.
COLUMNS, BESIDE = 3, 180.0
#: As high as five tables of four.
HEIGHT = 725.0


def part_pages(bracket: Bracket, index: int, title: str, address: Address) -> list[Picture]:
    """Return a round of a bracket as pages."""
    columns = list(_columns(blocks_of(bracket.rounds[index])))
    pages = [columns[start : start + COLUMNS] for start in range(0, len(columns), COLUMNS)]
    return [
        _page(bracket, index, page, (number, len(pages)), title, address)
        for number, page in enumerate(pages, start=1)
    ]


def _page(
    bracket: Bracket,
    index: int,
    columns: Sequence[Sequence[Block]],
    part: tuple[int, int],
    title: str,
    address: Address,
) -> Picture:
    each, width = bracket.rounds[index], COLUMN + BESIDE + SUB_GUTTER
    canvas = Canvas()
    if part[1] > 1:
        words = {"round": each.title, "part": f"{part[0]}/{part[1]}"}
        each = replace(each, title=_("%(round)s, part %(part)s") % words)
    canvas.front += heading(each, 1, 0, COLUMNS * width)
    for number, blocks in enumerate(columns):
        y = TITLE
        for block in blocks:
            y = block.draw(canvas, index, 1 + number * width, y, COLUMN, address) + GAP
    where = _next_tables(bracket.rounds[index + 1])
    canvas.front += [
        Text(right + 6, middle + 4.5, f"→ {where[player_id]}", "quiet", SMALL, BESIDE - 6)
        for (_index, player_id), (_left, right, middle) in canvas.rows.items()
        if player_id in where
    ]
    return Picture(COLUMNS * width, TITLE + HEIGHT, tuple(canvas.front), title)


def _columns(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks of each column."""
    column: list[Block] = []
    height = 0.0
    for block in (part for whole in blocks for part in whole.split(HEIGHT)):
        if column and height + block.height > HEIGHT:
            yield column
            column, height = [], 0.0
        column.append(block)
        height += block.height + GAP
    if column:
        yield column


def _next_tables(following: Round) -> dict[str, str]:
    """Return the title of the table in the next round by player."""
    return {seat.player_id: table.title for table in following.tables for seat in table.seats}
