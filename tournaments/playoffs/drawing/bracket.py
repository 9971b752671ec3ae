"""Lay out the bracket: left to right for screens and paper, top to bottom for phones."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.pictures.shapes import Box, Link, Picture, Shape, Stroke, Text
from scoring.reading.words import points_text

from ..queries.bracket import Bracket, BracketTable, Round, Seat

ROW, HEAD, FOOT = 25.0, 27.0, 5.0
GAP, TITLE, PAD = 16.0, 52.0, 11.0
COLUMN, GUTTER, SUB_GUTTER = 240.0, 62.0, 14.0
PHONE = 336.0
PLAQUE = 70.0
NAME, SMALL = 14.5, 12.5
#: Where names begin, after the place.
INDENT = 22.0

Address = Callable[[int], str]


@dataclass
class Column:
    """Where a column is, and the top and bottom of each block in it, from the top."""

    left: float
    right: float
    blocks: list[tuple[float, float]] = field(default_factory=list)


@dataclass
class Canvas:
    """Shapes in two layers: lines behind, boxes and texts in front."""

    ways: list[Shape] = field(default_factory=list)
    front: list[Shape] = field(default_factory=list)
    #: (round, player) -> left end, right end and height of the player's row
    rows: dict[tuple[int, str], tuple[float, float, float]] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)


def marks() -> dict[str, tuple[str, str]]:
    """Return the sign and the meaning of each mark."""
    return {
        "lucky_loser": (pgettext("mark in the bracket", "LL"), _("lucky loser")),
        "replacement": (pgettext("mark in the bracket", "R"), _("in place of a no-show")),
        "by_hand": (pgettext("mark in the bracket", "D"), _("taken in by the director")),
    }


def used_marks(rounds: Iterable[Round]) -> list[tuple[str, str]]:
    """Return the signs used in these rounds, with their meanings."""
    there = {
        seat.mark
        for each in rounds
        for seats in (each.waiting, *(table.seats for table in each.tables))
        for seat in seats
    }
    return [both for mark, both in marks().items() if mark in there]


def wide(bracket: Bracket, title: str, address: Address, fold: float | None = None) -> Picture:
    """Return the bracket laid out from left to right.

    ``fold``: the maximum height of a column; a round with more tables takes several columns.
    """
    if not bracket.rounds:
        return _empty(title)
    canvas = Canvas()
    columns = [_columns(each, fold) for each in bracket.rounds]
    plaques = [
        _plaque_height(bracket) if index == len(columns) - 1 else 0.0
        for index in range(len(columns))
    ]
    height = max(
        (
            _height_of(blocks) + plaque
            for parts, plaque in zip(columns, plaques, strict=True)
            for blocks in parts
        ),
        default=ROW,
    )
    x = 1.0
    for index, (each, parts) in enumerate(zip(bracket.rounds, columns, strict=True)):
        width = len(parts) * COLUMN + (len(parts) - 1) * SUB_GUTTER
        canvas.front += heading(each, x, 0, width)
        for part, blocks in enumerate(parts):
            left = x + part * (COLUMN + SUB_GUTTER)
            inner = _height_of(blocks) + plaques[index]
            y = TITLE + (height - inner) / 2
            if plaques[index]:
                canvas.front += _plaque(bracket, left, y, COLUMN)
                y += plaques[index]
            canvas.columns.append(Column(left, left + COLUMN))
            for block in blocks:
                top = y
                y = block.draw(canvas, index, left, y, COLUMN, address)
                canvas.columns[-1].blocks.append((top, y))
                y += GAP
        x += width + GUTTER
    _ways(canvas, bracket)
    # Ways may pass below a column.
    below = GAP if len(canvas.columns) > len(columns) else 2
    return Picture(
        max(x - GUTTER + 1, COLUMN), TITLE + height + below, (*canvas.ways, *canvas.front), title
    )


def tall(bracket: Bracket, title: str, address: Address) -> Picture:
    """Return the bracket laid out from top to bottom, one column wide."""
    if not bracket.rounds:
        return _empty(title)
    canvas = Canvas()
    y = 0.0
    for index, each in enumerate(bracket.rounds):
        if index:
            middle = PHONE / 2
            canvas.ways += [
                Stroke(middle - 9, y, middle, y + 9, "champion"),
                Stroke(middle, y + 9, middle + 9, y, "champion"),
            ]
            y += 18
        canvas.front += heading(each, 1, y, PHONE - 2)
        y += TITLE
        for block in blocks_of(each):
            y = block.draw(canvas, index, 1, y, PHONE - 2, address) + GAP
    if bracket.champions:
        canvas.front += _plaque(bracket, 1, y, PHONE - 2)
        y += _plaque_height(bracket)
    return Picture(PHONE, max(y - GAP, 0) + 3, (*canvas.ways, *canvas.front), title)


def _empty(title: str) -> Picture:
    text = Text(PHONE / 2, 30, _("There are no play-offs yet."), "quiet", NAME, PHONE, "middle")
    return Picture(PHONE, 50, (text,), title)


# --- blocks: parts of a column, from top to bottom ---------------------------------------------


@dataclass(frozen=True)
class _TableBlock:
    table: BracketTable
    is_final: bool

    @property
    def height(self) -> float:
        return HEAD + ROW * self.table.size + FOOT

    def split(self, height: float) -> list["Block"]:
        """Return the block as parts of at most this height; a table is never split."""
        return [self]

    def draw(
        self, canvas: Canvas, index: int, x: float, y: float, width: float, address: Address
    ) -> float:
        """Draw the table; return its lower edge."""
        table = self.table
        bottom = y + self.height
        if table.heat is None:
            canvas.front.append(Box(x, y, width, self.height, "ghost"))
            canvas.front.append(Text(x + PAD, y + 18, table.title, "quiet", SMALL, width - 2 * PAD))
            for row in range(table.size):
                line = y + HEAD + ROW * (row + 1) - 7
                canvas.front.append(Stroke(x + PAD, line, x + width - PAD, line, "rule"))
            return bottom
        shapes: list[Shape] = [
            Box(x, y, width, self.height, "final" if self.is_final else "table"),
            Text(x + PAD, y + 18, table.title, "quiet", SMALL, width / 2),
        ]
        if table.room_table:
            where = _("table %(number)s") % {"number": table.room_table}
            shapes.append(
                Text(x + width - PAD, y + 18, where, "quiet", SMALL, width / 2 - PAD, "end")
            )
        for row, seat in enumerate(table.seats):
            top = y + HEAD + ROW * row
            shapes += _row(seat, x, top, width, is_final=self.is_final)
            canvas.rows[index, seat.player_id] = (x, x + width, top + ROW / 2)
        canvas.front.append(Link(address(table.heat), table.title, tuple(shapes)))
        return bottom


@dataclass(frozen=True)
class _ListBlock:
    """Names below a heading: players not drawn yet."""

    heading: str
    seats: tuple[Seat, ...]

    @property
    def height(self) -> float:
        return HEAD + ROW * len(self.seats)

    def split(self, height: float) -> list["Block"]:
        """Return the block as parts of at most this height."""
        size = int((height - HEAD) / ROW)
        return [
            _ListBlock(self.heading, self.seats[start : start + size])
            for start in range(0, len(self.seats), size)
        ]

    def draw(
        self, canvas: Canvas, index: int, x: float, y: float, width: float, address: Address
    ) -> float:
        """Draw the list; return its lower edge."""
        canvas.front.append(Text(x + PAD, y + 18, self.heading, "quiet", SMALL, width - 2 * PAD))
        for row, seat in enumerate(self.seats):
            canvas.front += _row(seat, x, y + HEAD + ROW * row, width, is_final=False)
            canvas.rows.setdefault(
                (index, seat.player_id), (x, x + width, y + HEAD + ROW * (row + 0.5))
            )
        return y + self.height


@dataclass(frozen=True)
class _NoteBlock:
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return 19.0 * len(self.lines)

    def split(self, height: float) -> list["Block"]:
        """Return the block as parts of at most this height."""
        size = int(height / 19)
        return [
            _NoteBlock(self.lines[start : start + size])
            for start in range(0, len(self.lines), size)
        ]

    def draw(
        self, canvas: Canvas, index: int, x: float, y: float, width: float, address: Address
    ) -> float:
        """Draw the lines; return their lower edge."""
        for row, text in enumerate(self.lines):
            line = Text(x + PAD, y + 13 + 19 * row, text, "quiet", SMALL, width - 2 * PAD)
            canvas.front.append(line)
        return y + self.height


Block = _TableBlock | _ListBlock | _NoteBlock


def blocks_of(each: Round) -> list[Block]:
    """Return what stands below a round's heading."""
    blocks: list[Block] = []
    if each.waiting:
        blocks.append(_ListBlock(_("Not drawn yet"), each.waiting))
    else:
        blocks += [_TableBlock(table, each.is_final) for table in each.tables]
    if each.absent:
        lines: list[str] = []
        for one in each.absent:
            lines.append(_("No-show: %(name)s") % {"name": one.name})
            if one.instead:
                lines.append(_("instead: %(name)s") % {"name": one.instead})
        blocks.append(_NoteBlock(tuple(lines)))
    return blocks


def _columns(each: Round, fold: float | None) -> list[list[Block]]:
    """Return a round's blocks in as many columns as their height requires, evenly filled."""
    blocks = blocks_of(each)
    whole = _height_of(blocks)
    if fold is None or whole <= fold or len(blocks) < 2:
        return [blocks]
    wanted = -(-int(whole) // max(int(fold), 1))
    share = -(-len(blocks) // min(wanted, len(blocks)))
    return [blocks[start : start + share] for start in range(0, len(blocks), share)]


def _height_of(blocks: Sequence[Block]) -> float:
    return sum(block.height for block in blocks) + GAP * max(len(blocks) - 1, 0)


# --- parts -------------------------------------------------------------------------------------


def heading(each: Round, x: float, y: float, width: float) -> list[Shape]:
    """Return a round's title, its day, and how many advance."""
    room = width - 2 * PAD
    shapes: list[Shape] = [Text(x + PAD, y + 18, each.title, "title", 16, room)]
    notes = [each.when] if each.when else []
    if each.advance:
        note = ngettext("%(count)s advances", "%(count)s advance", each.advance)
        notes.append(note % {"count": each.advance})
    if notes:
        shapes.append(Text(x + PAD, y + 37, " · ".join(notes), "quiet", SMALL, room))
    return shapes


def _row(seat: Seat, x: float, y: float, width: float, *, is_final: bool) -> list[Shape]:
    shapes: list[Shape] = []
    best = seat.goes_on or (is_final and seat.place == 1)
    if best:
        shapes.append(Box(x + 4, y + 1, width - 8, ROW - 2, "on", 4))
    base = y + 17.5
    if seat.place is not None:
        shapes.append(Text(x + PAD + 12, base, str(seat.place), "quiet", SMALL, 14, "end"))
    right = x + width - PAD
    if seat.points is not None:
        points = points_text(seat.points)
        shapes.append(Text(right, base, points, "strong" if best else "ink", NAME, 52, "end"))
        right -= 10 + 8.2 * len(points)
    left = x + PAD + INDENT
    if seat.mark:
        sign = marks()[seat.mark][0]
        wide_mark = 9 + 8.0 * len(sign)
        shapes.append(Box(right - wide_mark, y + 4, wide_mark, ROW - 8, "mark", 8))
        shapes.append(Text(right - wide_mark / 2, y + 16.5, sign, "mark", 11, wide_mark, "middle"))
        right -= wide_mark + 6
    shapes.append(
        Text(left, base, seat.name, "strong" if best else "ink", NAME, max(right - left, 20))
    )
    return shapes


def _plaque_height(bracket: Bracket) -> float:
    if not bracket.champions:
        return 0.0
    return PLAQUE + 26 * (len(bracket.champions) - 1) + GAP


def _plaque(bracket: Bracket, x: float, y: float, width: float) -> list[Shape]:
    names = [seat.name for seat in bracket.champions]
    height = _plaque_height(bracket) - GAP
    word = ngettext("Champion", "Champions", len(names))
    middle = x + width / 2
    shapes: list[Shape] = [
        Box(x, y, width, height, "plaque", 8),
        Text(middle, y + 24, word, "plaque", SMALL, width - 2 * PAD, "middle"),
    ]
    for row, name in enumerate(names):
        shapes.append(
            Text(middle, y + 50 + 26 * row, name, "plaque-name", 19, width - 2 * PAD, "middle")
        )
    return shapes


def _ways(canvas: Canvas, bracket: Bracket) -> None:
    """Draw lines from all who advance to their next table; the champion's come last, on top."""
    best = {seat.player_id for seat in bracket.champions}
    ways: list[_Way] = []
    for index, each in enumerate(bracket.rounds[:-1]):
        for table in each.tables:
            for seat in table.seats:
                start = canvas.rows.get((index, seat.player_id))
                end = canvas.rows.get((index + 1, seat.player_id))
                if seat.goes_on and start is not None and end is not None:
                    points = [start[1:], end[::2]]
                    ways.append(_Way(seat.player_id in best, points))
    for column in canvas.columns:
        _pass_by(column, ways)
    canvas.ways += [
        Stroke(*start, *end, "champion" if way.is_best else "way")
        for way in sorted(ways, key=lambda way: way.is_best)
        for start, end in pairwise(way.points)
    ]


@dataclass
class _Way:
    """The line of somebody who advances, point by point."""

    is_best: bool
    points: list[tuple[float, float]]


def _pass_by(column: Column, ways: Iterable[_Way]) -> None:
    """Lead the ways that cross a column of a folded round through the gaps between its blocks."""
    # Above the first block is the heading, below the last one nothing.
    edges = [column.blocks[0][0] - GAP * 0.7, *(y for block in column.blocks for y in block)]
    edges.append(edges[-1] + GAP)
    gaps = list(zip(edges[::2], edges[1::2], strict=True))
    through: dict[tuple[float, float], list[_Way]] = {}
    for way in ways:
        (start, y), (end, _target) = way.points[-2:]
        if start < column.left and column.right < end:
            nearest = min(gaps, key=lambda gap: abs(sum(gap) / 2 - y))
            through.setdefault(nearest, []).append(way)
    for (top, bottom), found in through.items():
        found.sort(key=lambda way: way.points[-2][1])
        for number, way in enumerate(found, start=1):
            y = top + (bottom - top) * number / (len(found) + 1)
            way.points[-1:-1] = [(column.left, y), (column.right, y)]
