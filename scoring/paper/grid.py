"""One game of a protocol: its grid and its contents."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import pgettext

from engine.messages import MINUS, number_text

from ..reading.words import place_text, points_text
from . import fonts, layout, pencil, texts
from .data import PrintedGame, SeatRow
from .paper import BOLD, FAINT, INK, ITALIC, LEFT, PT, QUIET, RIGHT, Paper


def game_frame(
    paper: Paper,
    top: float,
    *,
    title: str,
    note: str,
    seats: int,
    unit: float,
    target: int,
    limit: int | None,
) -> float:
    """Draw a game's title, captions, scale and rules; return where its first row begins (mm)."""
    with paper.tags.content("H2"):
        used = paper.text(LEFT, top + 4.0, title, face=BOLD, size=11)
    if note:
        with paper.tags.content("P"):
            paper.text(
                LEFT + used + 3.2, top + 4.0, note, size=9, room=RIGHT - LEFT - used - 4, smallest=6
            )
    with paper.tags.artifact():
        key = ("grid", seats, round(unit, 4), target, limit)
        lines = partial(_grid, paper, seats=seats, unit=unit, target=target, limit=limit)
        paper.stamp(0, top, (key, lines))
    return top + layout.TITLE_BAND + layout.CAPTION_BAND


def _grid(paper: Paper, *, seats: int, unit: float, target: int, limit: int | None) -> None:
    """Draw the lines of a game whose top is the top of the page."""
    paper.rule(LEFT, layout.TITLE_BAND, RIGHT, layout.TITLE_BAND, weight=0.9)
    first = layout.TITLE_BAND + layout.CAPTION_BAND
    height = layout.row_height(seats)
    bottom = first + seats * height
    zero = layout.X_FENCE + layout.FENCE_PAD
    for mark in layout.SCALE:
        x = zero + mark * unit
        paper.rule(x, first, x, bottom, weight=0.4, grey=FAINT)
    for mark, dash in ((target, (2.2, 1.6)), (limit or 0, (0.5, 1.9))):
        if 0 < mark * unit < layout.FENCE - layout.FENCE_PAD and mark not in layout.SCALE:
            x = zero + mark * unit
            paper.rule(x, first, x, bottom, weight=0.55, grey=QUIET, dash=dash)
    for row in range(seats + 1):
        y = first + row * height
        last = row == seats
        paper.rule(LEFT, y, RIGHT, y, weight=0.9 if last else 0.45, grey=INK if last else QUIET)
    for x in (layout.X_FENCE, layout.X_SCORE, layout.X_PLACE, layout.X_POINTS):
        paper.rule(x, first, x, bottom, weight=0.45, grey=QUIET)


def _labelled_marks(target: int, limit: int | None, unit: float) -> list[tuple[int, float]]:
    """Return the numbers on the scale with their type sizes; target and limit are smaller."""
    marks = [(mark, layout.CAPTION) for mark in layout.SCALE]
    for mark in (limit or 0, target):
        distance = min(abs(mark - each) for each, _size in marks) * unit
        if 0 < mark * unit < layout.FENCE - layout.FENCE_PAD and distance >= 2.6:
            marks.append((mark, 5.4))
    return sorted(marks)


def fives(paper: Paper, first: float, seats: int) -> None:
    """Draw small ticks where fences end between two lines of the scale, to guide a pencil."""

    def ticks() -> None:
        for row in range(1, seats + 1):
            y = row * layout.row_height(seats)
            for mark in range(5, layout.CAPACITY, 5):
                x = layout.X_FENCE + layout.FENCE_PAD + mark * layout.UNIT
                paper.rule(x, y - 1.3, x, y, weight=0.4, grey=QUIET)

    with paper.tags.artifact():
        paper.stamp(0, first, (("fives", seats), ticks))


def captions(paper: Paper, top: float, *, unit: float, target: int, limit: int | None) -> None:
    """Draw the column heads of a game, including the scale, as the first row of its table."""
    base = top + layout.TITLE_BAND + 2.5
    zero = layout.X_FENCE + layout.FENCE_PAD
    columns = (
        (pgettext("column", "Score"), layout.X_SCORE, layout.SCORE),
        (pgettext("column", "Place"), layout.X_PLACE, layout.PLACE),
        (pgettext("column", "Game points"), layout.X_POINTS, layout.POINTS),
    )
    with paper.tags.group("TR"):
        with paper.tags.content("TH", scope="Column"):
            name = pgettext("column", "Name")
            x = LEFT + layout.SEAT_NUMBER
            paper.text(x, base, name, size=layout.CAPTION, grey=QUIET, room=layout.NAME - 6)
        with paper.tags.content("TH", scope="Column"):
            for mark, size in _labelled_marks(target, limit, unit):
                grey = INK if size == layout.CAPTION else QUIET
                paper.text(zero + mark * unit, base, mark, size=size, align="centre", grey=grey)
        for label, x, width in columns:
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    x + width / 2,
                    base,
                    label,
                    size=layout.CAPTION,
                    align="centre",
                    grey=QUIET,
                    room=width - 0.5,
                    smallest=4,
                )


def block_unit(seats: Sequence[SeatRow]) -> float:
    """Return the width of one point (mm): the usual one, or less if a score would not fit."""
    most = max(
        (
            5 * -(-abs(score) // 5) + (4 if score < 0 else 0)
            for seat in seats
            for score in (seat.score, *(zeroed.score_before for zeroed in seat.zeroed))
            if abs(score) <= layout.MAX_TALLIED
        ),
        default=0,
    )
    return layout.UNIT * min(1.0, layout.CAPACITY / max(most, 1))


def game(paper: Paper, top: float, content: PrintedGame, *, target: int, limit: int | None) -> None:
    """Draw one game with everything on its sheet."""
    count = len(content.seats)
    unit = block_unit(content.seats)
    first = game_frame(
        paper,
        top,
        title=texts.game_title(content),
        note=texts.outcome(content),
        seats=count,
        unit=unit,
        target=target,
        limit=limit,
    )
    height = layout.row_height(count)
    with paper.tags.group("Table"):
        captions(paper, top, unit=unit, target=target, limit=limit)
        for index, seat in enumerate(content.seats):
            with paper.tags.group("TR"):
                y = first + index * height
                seed = f"{content.number}/{index}/{seat.name}"
                _name(paper, y, height, seat, index, content.dealer == index, seed)
                _fences(paper, y, height, seat, unit, content, seed)
                _results(paper, y, height, seat, content, index)


def _name(
    paper: Paper, y: float, height: float, seat: SeatRow, index: int, deals: bool, seed: str
) -> None:
    middle = y + height / 2
    seat_number(paper, y, index, deals=deals)
    stars = seat.asterisks
    stars_text = "*" * stars if stars <= 3 else "*"
    many = fonts.line(stars if stars > 3 else "", BOLD, 9)
    stars_width = (fonts.width(stars_text, BOLD, 15) + many.width) * PT + 1.3 if stars else 0.0
    x = LEFT + layout.SEAT_NUMBER
    pad = 1.6
    room = layout.NAME - layout.SEAT_NUMBER - stars_width - 2 * pad - 0.6
    lines = name_lines(seat.name, BOLD, 10.5, room)
    leading = lines[0].size * 0.42
    with paper.tags.content("TH", scope="Row"):
        base = middle + min(1.25, lines[0].size * 0.14) - (len(lines) - 1) * leading / 2
        for line in lines:
            paper.draw(x + pad - 0.6, base, line)
            base += leading
        width = max((line.width * PT for line in lines), default=0.0)
        if seat.executed:
            high = (
                7.0 if len(lines) == 1 else min(max(9.8, len(lines) * leading + 2.2), height - 0.8)
            )
            pencil.ring(
                paper,
                x=x - 0.8,
                y=middle - high / 2,
                width=min(width + 2 * pad + 0.6, layout.NAME - layout.SEAT_NUMBER - stars_width),
                height=high,
                seed=seed,
            )
        if stars:
            end = layout.X_FENCE - 0.9
            used = paper.text(end, middle + 3.1, stars_text, face=BOLD, size=15, align="right")
            paper.draw(end - used, middle + 1.25, many, align="right")


def name_lines(name: str, face: str, size: float, room: float) -> list[fonts.TextLine]:
    """Set a player's full name for a row, in one line or in several smaller ones (mm)."""
    least = size * 0.84
    one = fonts.fit(name, face, size, room / PT, smallest=least)
    if one.text == fonts.clean(name):
        return [one]
    more = ((0.84, 2), (0.75, 2), (0.67, 3), (0.6, 3), (0.53, 4), (0.5, 5))
    return fonts.whole(name, face, room / PT, [(size * share, most) for share, most in more])


def seat_number(paper: Paper, y: float, index: int, *, deals: bool) -> None:
    """Draw the seat's number, with a dot for the first dealer."""
    with paper.tags.artifact():
        paper.text(LEFT + 0.6, y + 3.1, index + 1, size=layout.CAPTION, grey=QUIET)
        if deals:
            paper.text(LEFT + 2.3, y + 3.1, "\u25cf", size=5.4, grey=INK)


def _fences(
    paper: Paper,
    y: float,
    height: float,
    seat: SeatRow,
    unit: float,
    content: PrintedGame,
    seed: str,
) -> None:
    running = content.status == "running"
    note = texts.seat_note(seat, running=running)
    top = y + (1.1 if note else (height - layout.TALLY) / 2)
    bottom = top + layout.TALLY
    zero = layout.X_FENCE + layout.FENCE_PAD
    alt = texts.tally_alt(seat, running=running)
    with paper.tags.group("TD"), paper.tags.content("Figure", alt=alt):
        score = seat.score
        if abs(score) > layout.MAX_TALLIED:
            paper.text(zero + 1, y + height / 2 + 1.4, number_text(score), size=11, room=80)
        elif score > 0:
            pencil.tally(
                paper, x=zero, top=top, bottom=bottom, unit=unit, count=score, seed=seed, grey=0.16
            )
        elif score < 0:
            paper.text(zero + unit, (top + bottom) / 2 + 1.8, MINUS, face=BOLD, size=15)
            pencil.tally(
                paper,
                x=zero + 4 * unit,
                top=top,
                bottom=bottom,
                unit=unit,
                count=-score,
                seed=seed,
            )
        elif seat.zeroed and 0 < seat.zeroed[-1].score_before <= layout.MAX_TALLIED:
            lost = seat.zeroed[-1].score_before
            pencil.tally(
                paper, x=zero, top=top, bottom=bottom, unit=unit, count=lost, seed=seed, grey=0.5
            )
            pencil.struck(
                paper,
                x=zero - 0.4,
                top=top,
                bottom=bottom,
                length=min(5 * -(-lost // 5) * unit + 0.6, layout.FENCE - layout.FENCE_PAD - 0.4),
                seed=seed,
                grey=0.16,
            )
        if note:
            line = fonts.fit(note, ITALIC, 7, (layout.FENCE - 2) / PT, smallest=5)
            width = line.width * PT
            # Interrupt the scale's lines for the words.
            paper.box(layout.X_SCORE - 1.4 - width, y + height - 3.1, width + 0.8, 2.7, fill=1.0)
            paper.draw(layout.X_SCORE - 1.0, y + height - 0.95, line, align="right")


def _results(
    paper: Paper, y: float, height: float, seat: SeatRow, content: PrintedGame, index: int
) -> None:
    base = y + height / 2 + 1.9
    started = content.status != "waiting"
    with paper.tags.content("TD"):
        if started:
            paper.text(
                layout.X_SCORE + layout.SCORE / 2,
                base,
                number_text(seat.score),
                face=BOLD,
                size=15,
                align="centre",
                room=layout.SCORE - 1.4,
                smallest=4,
            )
    with paper.tags.content("TD"):
        centre = layout.X_PLACE + layout.PLACE / 2
        shown = place_text(seat.places)
        won = content.status == "finished" and index in content.winners
        if won:
            # White on black: the winner is easy to find, even on a photocopy.
            paper.box(centre - 3.2, y + height / 2 - 3.2, 6.4, 6.4, radius=1.2, fill=0.0)
        paper.text(
            centre,
            base - 0.2,
            shown,
            face=BOLD,
            size=13 if len(shown) == 1 else 9.5,
            align="centre",
            room=5.6 if won else layout.PLACE - 1,
            smallest=4,
            grey=1.0 if won else INK,
        )
    with paper.tags.content("TD"):
        centre = layout.X_POINTS + layout.POINTS / 2
        if seat.game_points is not None:
            cut = texts.exact(seat.game_points)
            paper.text(
                centre,
                base - (1.3 if cut else 0.2),
                points_text(seat.game_points),
                size=12.5,
                align="centre",
                room=layout.POINTS - 2,
            )
            if cut:
                paper.text(
                    centre,
                    base + 2.0,
                    cut,
                    size=7,
                    align="centre",
                    room=layout.POINTS - 2,
                )
