"""The parts that the written and the empty protocol share: head, game, ranking, signatures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.messages import MINUS, SUITS, number_text
from scoring.paper import fonts, layout, pencil, texts
from scoring.paper.data import PrintedGame, RankingRow, SeatRow
from scoring.paper.paper import BOLD, BOTTOM, FAINT, INK, ITALIC, LEFT, PT, QUIET, RIGHT, TOP, Paper
from scoring.reading.words import points_text, sum_text

CAPTION = 6.6


@dataclass(frozen=True, slots=True)
class Head:
    """What stands at the top of the page; empty fields become lines to write on."""

    event: str = ""
    heat: str = ""
    table: str = ""
    day: str = ""
    auditor: str = ""
    rules: str = ""
    stamp: str = ""


def head(paper: Paper, content: Head) -> float:
    """Draw the page's head; return where the first game begins (mm)."""
    right = RIGHT
    with paper.tags.artifact():
        right -= paper.text(
            RIGHT, TOP + 6.3, " ".join(SUITS.values()), face=BOLD, size=13, align="right"
        )
    name = _("Chicago protocol")
    if content.event:
        with paper.tags.content("P"):
            right -= 3 + paper.text(right - 3, TOP + 6.3, name, size=9.5, align="right")
    if content.stamp:
        line = fonts.line(content.stamp.upper(), BOLD, 8)
        width = line.width * PT + 5
        right -= width + 4
        paper.box(right, TOP + 1.9, width, 5.6, radius=1, weight=1.1)
        with paper.tags.content("P"):
            paper.draw(right + 2.5, TOP + 5.75, line)
    title = content.event or name
    with paper.tags.content("H1"):
        paper.text(LEFT, TOP + 6.4, title, face=BOLD, size=17, room=right - LEFT - 4, smallest=10)
    paper.rule(LEFT, TOP + 9.4, RIGHT, TOP + 9.4, weight=1.6)
    fields = (
        (pgettext("head", "Heat"), content.heat, 30.0),
        (pgettext("head", "Table"), content.table, 26.0),
        (pgettext("head", "Day"), content.day, 45.0),
        (pgettext("head", "Auditor"), content.auditor, 48.0),
        (pgettext("head", "Rules"), content.rules, 36.0),
    )
    x = LEFT
    for label, value, room in fields:
        with paper.tags.content("P"):
            paper.text(x, TOP + 12.8, label, size=CAPTION, grey=QUIET, room=room - 3)
            if value:
                paper.text(x, TOP + 17.6, value, size=10.5, face=BOLD, room=room - 5, smallest=7)
        if not value:
            paper.rule(x, TOP + 18.6, x + room - 3, TOP + 18.6, weight=0.5, grey=QUIET)
        x += room
    return layout.first_top()


def running_head(paper: Paper, text: str, right: str) -> float:
    """Draw the short head of a further page; return where its content begins (mm)."""
    with paper.tags.content("P"):
        paper.text(LEFT, TOP + 3.6, text, face=BOLD, size=9.5, room=RIGHT - LEFT - 45)
    if right:
        with paper.tags.content("P"):
            paper.text(RIGHT, TOP + 3.6, right, size=8, align="right", room=40)
    paper.rule(LEFT, TOP + 5.4, RIGHT, TOP + 5.4, weight=1.6)
    return TOP + 9.0


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
    """Draw the lines of a game whose top is the page's."""
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
    """Return the scale's figures with their type sizes, those of target and limit smaller."""
    marks = [(mark, CAPTION) for mark in layout.SCALE]
    for mark in (limit or 0, target):
        apart = min(abs(mark - each) for each, _size in marks) * unit
        if 0 < mark * unit < layout.FENCE - layout.FENCE_PAD and apart >= 2.6:
            marks.append((mark, 5.4))
    return sorted(marks)


def fives(paper: Paper, first: float, seats: int) -> None:
    """Draw small ticks where a fence ends between two lines of the scale: a pencil's help."""

    def ticks() -> None:
        for row in range(1, seats + 1):
            y = row * layout.row_height(seats)
            for mark in range(5, layout.CAPACITY, 5):
                x = layout.X_FENCE + layout.FENCE_PAD + mark * layout.UNIT
                paper.rule(x, y - 1.3, x, y, weight=0.4, grey=QUIET)

    with paper.tags.artifact():
        paper.stamp(0, first, (("fives", seats), ticks))


def captions(paper: Paper, top: float, *, unit: float, target: int, limit: int | None) -> None:
    """Draw the column heads of a game, the scale among them, as the first row of its table."""
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
            paper.text(x, base, name, size=CAPTION, grey=QUIET, room=layout.NAME - 6)
        with paper.tags.content("TH", scope="Column"):
            for mark, size in _labelled_marks(target, limit, unit):
                grey = INK if size == CAPTION else QUIET
                paper.text(zero + mark * unit, base, mark, size=size, align="centre", grey=grey)
        for label, x, width in columns:
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    x + width / 2,
                    base,
                    label,
                    size=CAPTION,
                    align="centre",
                    grey=QUIET,
                    room=width - 0.5,
                    smallest=5,
                )


def block_unit(seats: Sequence[SeatRow]) -> float:
    """Return the width of one point (mm): the usual one, less where a score would not fit."""
    most = max(
        (
            5 * -(-abs(score) // 5) + (4 if score < 0 else 0)
            for seat in seats
            for score in (seat.score, *(zeroed.score_before for zeroed in seat.zeroed))
            if abs(score) <= layout.MOST_TALLIED
        ),
        default=0,
    )
    return layout.UNIT * min(1.0, layout.CAPACITY / max(most, 1))


def game(paper: Paper, top: float, content: PrintedGame, *, target: int, limit: int | None) -> None:
    """Draw one game with everything that its sheet says."""
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
    """Set a player's name for a row: one line, or more and smaller ones, but all of it (mm)."""
    least = size * 0.84
    one = fonts.fit(name, face, size, room / PT, smallest=least)
    if one.text == fonts.clean(name):
        return [one]
    more = ((0.84, 2), (0.75, 2), (0.67, 3), (0.6, 3), (0.53, 4), (0.5, 5))
    return fonts.whole(name, face, room / PT, [(size * share, most) for share, most in more])


def seat_number(paper: Paper, y: float, index: int, *, deals: bool) -> None:
    """Draw the seat's number; the first dealer has a dot."""
    with paper.tags.artifact():
        paper.text(LEFT + 0.6, y + 3.1, index + 1, size=CAPTION, grey=QUIET)
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
        if abs(score) > layout.MOST_TALLIED:
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
        elif seat.zeroed and 0 < seat.zeroed[-1].score_before <= layout.MOST_TALLIED:
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
            # The scale's lines stop for the words.
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
        shown = texts.place(seat.places)
        won = content.status == "finished" and index in content.winners
        if won:
            # White on black: the winner is found at a glance, on a photocopy too.
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


# --- the heat's ranking -------------------------------------------------------------------------


def ranking_height(rows: int, row: float = layout.RANK_ROW) -> float:
    """Return the height of the ranking with its title in mm."""
    return layout.TITLE_BAND + layout.CAPTION_BAND + rows * row


def ranking(
    paper: Paper,
    top: float,
    rows: Sequence[RankingRow],
    *,
    games: int,
    blank_rows: int = 0,
    title: str,
) -> float:
    """Draw the heat's ranking, or ``blank_rows`` rows to fill in; return where it ends (mm)."""
    with paper.tags.content("H2"):
        paper.text(LEFT, top + 4.0, title, face=BOLD, size=11)
    paper.rule(LEFT, top + layout.TITLE_BAND, RIGHT, top + layout.TITLE_BAND, weight=0.9)
    shown = min(games, 5)
    widths = [
        layout.RANK_PLACE,
        layout.RANK_NAME,
        *([layout.RANK_GAME * min(1.0, 3 / max(shown, 1)) if shown else 0.0] * shown),
        layout.RANK_SUM,
        layout.RANK_SCORE,
        layout.RANK_STARS,
    ]
    starts = [LEFT]
    for width in widths:
        starts.append(starts[-1] + width)
    labels = [
        pgettext("column", "Place"),
        pgettext("column", "Name"),
        *(_("Game %(number)d") % {"number": n + 1} for n in range(shown)),
        pgettext("column", "Game points"),
        pgettext("column", "Sheet points"),
        "*",
    ]
    base = top + layout.TITLE_BAND + 2.5
    height = layout.RANK_ROW if rows else layout.RANK_ROW_BLANK
    first = top + layout.TITLE_BAND + layout.CAPTION_BAND
    end = first + (len(rows) or blank_rows) * height
    with paper.tags.group("Table"):
        with paper.tags.group("TR"):
            for i, label in enumerate(labels):
                _column_head(paper, starts[i], widths[i], base, label, left=i == 1)
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    starts[-1] + 2, base, pgettext("column", "Decided by"), size=CAPTION, grey=QUIET
                )
        y = first
        for index in range(len(rows) or blank_rows):
            paper.rule(LEFT, y, RIGHT, y, weight=0.45, grey=QUIET)
            if rows:
                below = rows[index + 1] if index + 1 < len(rows) else None
                sharing = sum(each.place == rows[index].place for each in rows)
                with paper.tags.group("TR"):
                    _ranking_row(paper, y, rows[index], below, sharing, starts, widths, shown)
            y += height
    if not rows:
        # Lines between the columns help a pencil; printed figures stand in columns by themselves.
        for x in starts[1:]:
            paper.rule(x, first, x, end, weight=0.4, grey=QUIET)
    paper.rule(LEFT, end, RIGHT, end, weight=0.9)
    return end


def _column_head(
    paper: Paper, x: float, width: float, base: float, label: str, *, left: bool
) -> None:
    with paper.tags.content("TH", scope="Column"):
        paper.text(
            x + 1 if left else x + width / 2,
            base,
            label,
            size=CAPTION,
            align="left" if left else "centre",
            grey=QUIET,
            room=width - 0.6,
            smallest=4.5,
        )


def _ranking_row(
    paper: Paper,
    y: float,
    row: RankingRow,
    below: RankingRow | None,
    sharing: int,
    starts: Sequence[float],
    widths: Sequence[float],
    shown: int,
) -> None:
    base = y + 4.7
    centres = [x + w / 2 for x, w in zip(starts, widths, strict=False)]

    def cell(column: int, text: str, *, face: str = fonts.REGULAR, size: float = 10) -> None:
        with paper.tags.content("TD"):
            paper.text(
                centres[column],
                base,
                text,
                face=face,
                size=size,
                align="centre",
                room=widths[column] - 1.2,
                smallest=5,
            )

    shown_place = texts.place((row.place, row.place + sharing - 1))
    cell(0, shown_place, face=BOLD, size=11 if sharing == 1 else 9.5)
    with paper.tags.content("TH", scope="Row"):
        mark = " \u2192 " + _("goes on") if row.advances else ""
        tail = fonts.width(mark, ITALIC, 7.4) * PT + 1.2 if mark else 0.0
        x, room = starts[1] + 1, widths[1] - 2
        if fonts.width(row.name, BOLD, 7.4) * PT <= room - tail:
            used = paper.text(x, base, row.name, face=BOLD, size=10, room=room - tail, smallest=7)
            if mark:
                paper.text(x + used + 1.2, base, mark, face=ITALIC, size=7.4)
        else:
            # A long name takes more lines, and smaller type, before it loses letters.
            settings = ((7.4, 2), (6.6, 2), (5.8, 2), (5.0, 3))
            tail = fonts.width(mark, ITALIC, 6.4) + 0.8 / PT if mark else 0.0
            lines = fonts.whole(row.name, BOLD, room / PT, settings, tail)
            leading = 2.9 if len(lines) < 3 else 2.0
            at = y + (3.0 if len(lines) < 3 else 2.1)
            for line in lines:
                used = paper.draw(x, at, line)
                at += leading
            if mark:
                paper.text(x + used + 0.8, at - leading, mark, face=ITALIC, size=6.4)
    for index in range(shown):
        value = row.points_per_game[index] if index < len(row.points_per_game) else None
        cell(2 + index, points_text(value) if value is not None else "\u2013")
    worth = any(value is not None for value in row.points_per_game) or row.game_points
    total = points_text(row.game_points) if worth else "\u2013"
    with paper.tags.content("TD"):
        cut = ", ".join(filter(None, [sum_text(row), texts.exact(row.game_points)]))
        paper.text(
            centres[2 + shown],
            base - (1.4 if cut else 0),
            total,
            face=BOLD,
            size=9.6 if cut else 11,
            align="centre",
            room=widths[2 + shown] - 1.2,
        )
        if cut:
            paper.text(
                centres[2 + shown],
                base + 1.1,
                cut,
                size=6,
                align="centre",
                room=widths[2 + shown] - 1.2,
            )
    cell(3 + shown, number_text(row.score_points))
    cell(4 + shown, str(row.asterisks))
    with paper.tags.content("TD"):
        x = starts[-1] + 2
        lines = fonts.balanced(texts.reason(row, below), fonts.REGULAR, 7.4, (RIGHT - x) / PT)
        at = y + (4.5 if len(lines) < 2 else 3.1)
        for line in lines:
            paper.draw(x, at, line)
            at += 2.9


# --- the end of the page ----------------------------------------------------------------------


def signatures_height(count: int) -> float:
    """Return the height of the signature lines in mm; the code's corner beside them counts."""
    rows = -(-count // layout.SIGN_COLUMNS)
    return max(rows * layout.SIGN_ROW, layout.QR + 3.2)


def signatures(paper: Paper, top: float, names: Sequence[str], *, right: float = RIGHT) -> None:
    """Draw lines to sign on, the name under each."""
    gap = 5.0
    room = (right - LEFT - gap * (layout.SIGN_COLUMNS - 1)) / layout.SIGN_COLUMNS
    for index, name in enumerate(names):
        row, column = divmod(index, layout.SIGN_COLUMNS)
        x = LEFT + column * (room + gap)
        y = top + row * layout.SIGN_ROW + 6.9
        paper.rule(x, y, x + room, y, weight=0.5)
        with paper.tags.content("P"):
            paper.text(x, y + 2.6, name, size=CAPTION, grey=QUIET, room=room, smallest=5)


class Feet:
    """The foot lines of one protocol: how many pages it takes shows only on the last one."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.waiting: list[tuple[str, str]] = []

    def turn(self, left: str = "") -> None:
        """Finish a page that is not the last; its foot is drawn when all are counted."""
        self.waiting.append((self.paper.later(), left))
        self.paper.end_page()

    def close(self, left: str = "") -> None:
        """Finish the last page, and draw the feet of those before it."""
        pages = len(self.waiting) + 1
        foot(self.paper, left, pages, pages)
        self.paper.end_page()
        for page, (name, text) in enumerate(self.waiting, start=1):
            with self.paper.canvas.form(name):
                foot(self.paper, text, page, pages)


def foot(paper: Paper, left: str, page: int, pages: int) -> None:
    """Draw the foot line."""
    base = BOTTOM - 0.8
    with paper.tags.artifact():
        used = 0.0
        if pages > 1:
            label = _("page %(page)d of %(pages)d") % {"page": page, "pages": pages}
            used = paper.text(RIGHT, base, label, size=CAPTION, align="right", grey=QUIET)
        if left:
            paper.text(LEFT, base, left, size=CAPTION, grey=QUIET, room=RIGHT - LEFT - used - 4)
