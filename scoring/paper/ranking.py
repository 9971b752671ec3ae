"""The ranking of a heat's players on its protocol."""

from collections.abc import Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.messages import advance_text, number_text, place_text, step_text

from ..reading.words import points_text, sum_text
from ..words import lang
from . import fonts, layout, texts
from .data import RankingRow
from .paper import BOLD, ITALIC, LEFT, PT, QUIET, RIGHT, Paper


def ranking_height(rows: int, row: float = layout.RANK_ROW) -> float:
    """Return the height of the ranking in mm, title included."""
    return layout.TITLE_BAND + layout.CAPTION_BAND + rows * row


def ranking(
    paper: Paper,
    top: float,
    rows: Sequence[RankingRow],
    *,
    games: int,
    blank_rows: int = 0,
    title: str,
    is_final: bool = False,
) -> float:
    """Draw the heat's ranking, or ``blank_rows`` rows to fill in; return where it ends (mm).

    ``is_final``: nobody advances from here.
    """
    mark = " " + ("" if is_final else "\u2192 ") + advance_text(lang(), final=is_final)
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
        capfirst(step_text("score_points", lang())),
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
                    starts[-1] + 2,
                    base,
                    pgettext("column", "Decided by"),
                    size=layout.CAPTION,
                    grey=QUIET,
                )
        y = first
        for index in range(len(rows) or blank_rows):
            paper.rule(LEFT, y, RIGHT, y, weight=0.45, grey=QUIET)
            if rows:
                below = rows[index + 1] if index + 1 < len(rows) else None
                sharing = sum(each.place == rows[index].place for each in rows)
                with paper.tags.group("TR"):
                    _ranking_row(paper, y, rows[index], below, sharing, starts, widths, shown, mark)
            y += height
    if not rows:
        # Lines between the columns guide a pencil; printed numbers do not need them.
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
            size=layout.CAPTION,
            align="left" if left else "centre",
            grey=QUIET,
            room=width - 0.6,
            smallest=4,
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
    mark: str,
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

    shown_place = place_text(row.place, row.place + sharing - 1)
    cell(0, shown_place, face=BOLD, size=11 if sharing == 1 else 9.5)
    with paper.tags.content("TH", scope="Row"):
        mark = mark if row.advances else ""
        tail = fonts.width(mark, ITALIC, 7.4) * PT + 1.2 if mark else 0.0
        x, room = starts[1] + 1, widths[1] - 2
        if fonts.width(row.name, BOLD, 7.4) * PT <= room - tail:
            used = paper.text(x, base, row.name, face=BOLD, size=10, room=room - tail, smallest=7)
            if mark:
                paper.text(x + used + 1.2, base, mark, face=ITALIC, size=7.4)
        else:
            # A long name gets more lines and smaller type before it loses letters.
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
        leading = 2.9 if len(lines) < 3 else 2.0
        at = y + {1: 4.5, 2: 3.1}.get(len(lines), 2.1)
        for line in lines:
            paper.draw(x, at, line)
            at += leading
