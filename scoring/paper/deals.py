"""Additional pages of a protocol: every deal with its entries, all rulings and corrections."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from engine.messages import number_text, stage_text
from engine.sheet.state import EXCHANGE, FINAL_HAND, TRICKS

from ..reading.words import short_names
from ..words import lang
from . import fonts, texts
from .data import DealRow, PrintedGame, Printout
from .fonts import TextLine
from .paper import BOLD, BOTTOM, LEFT, PT, QUIET, REGULAR, RIGHT, Paper

_DEAL, _SCORE = 21.0, 12.0
_SIZE, _LEADING, _PAD = 7.2, 3.05, 1.5
_LOWEST = BOTTOM - 5.0


@dataclass(slots=True)
class _Pages:
    """The page and position of the next line; a full page is turned."""

    paper: Paper
    head: Callable[[], float]
    turn: Callable[[], None]
    y: float = field(init=False)

    def __post_init__(self) -> None:
        self.y = self.head()

    def need(self, height: float) -> bool:
        """Turn the page if less than ``height`` mm is left; return whether it was turned."""
        if self.y + height <= _LOWEST:
            return False
        self.turn()
        self.y = self.head()
        return True


def draw(
    paper: Paper,
    data: Printout,
    *,
    lists: Sequence[tuple[str, Sequence[str]]],
    with_deals: bool,
    head: Callable[[], float],
    turn: Callable[[], None],
) -> None:
    """Draw the deals (if requested) and these ``lists``, by heading; leave the last page open."""
    pages = _Pages(paper, head, turn)
    if with_deals:
        for game in data.games:
            if game.deals:
                _game(pages, game)
    for heading, listed in lists:
        pages.need(14)
        with paper.tags.content("H2"):
            paper.text(LEFT, pages.y + 4, heading, face=BOLD, size=11)
        pages.y += 8
        for text in listed:
            lines = fonts.wrap(text, REGULAR, 8, (RIGHT - LEFT) / PT, 3)
            pages.need(3.5 * len(lines))
            with paper.tags.content("P"):
                for line in lines:
                    paper.draw(LEFT, pages.y + 1, line)
                    pages.y += 3.5
        pages.y += 2


def _game(pages: _Pages, game: PrintedGame) -> None:
    names = short_names([seat.name for seat in game.seats])
    phases = max(
        (
            int(row.entry.get("phase", 0))
            for deal in game.deals
            for row in deal.entries
            if isinstance(row.entry.get("phase"), int)
        ),
        default=2,
    )
    columns = max(phases, 2) + 1
    width = (RIGHT - LEFT - _DEAL - _SCORE * len(names)) / columns
    pages.need(26)
    paper = pages.paper
    with paper.tags.content("H2"):
        used = paper.text(LEFT, pages.y + 4, texts.game_title(game), face=BOLD, size=11)
    with paper.tags.content("P"):
        paper.text(
            LEFT + used + 3.2,
            pages.y + 4,
            texts.outcome(game),
            size=9,
            room=RIGHT - LEFT - used - 4,
            smallest=6,
        )
    pages.y += 5.4
    with paper.tags.group("Table"):
        _column_heads(pages, names, columns, width)
        for deal in game.deals:
            _deal(pages, deal, names, columns, width)
    paper.rule(LEFT, pages.y, RIGHT, pages.y, weight=0.9)
    pages.y += 4


def _column_heads(pages: _Pages, names: Sequence[str], columns: int, width: float) -> None:
    paper = pages.paper
    paper.rule(LEFT, pages.y, RIGHT, pages.y, weight=0.9)
    base = pages.y + 2.7
    labels = [
        *(capfirst(stage_text(EXCHANGE, n + 1, lang())) for n in range(columns - 2)),
        *(capfirst(stage_text(stage, None, lang())) for stage in (TRICKS, FINAL_HAND)),
    ]
    with paper.tags.group("TR"):
        with paper.tags.content("TH", scope="Column"):
            paper.text(
                LEFT, base, _("Deal, dealer"), size=6.6, grey=QUIET, room=_DEAL - 1, smallest=5
            )
        for i, label in enumerate(labels):
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    LEFT + _DEAL + i * width, base, label, size=6.6, grey=QUIET, room=width - 1
                )
        for i, name in enumerate(names):
            with paper.tags.content("TH", scope="Column"):
                paper.text(
                    RIGHT - _SCORE * (len(names) - i - 1) - 0.8,
                    base,
                    name,
                    size=6.6,
                    grey=QUIET,
                    align="right",
                    room=_SCORE - 1.4,
                    smallest=5,
                )
    pages.y += 3.5


def _cells(deal: DealRow, names: Sequence[str], columns: int, width: float) -> list[list[TextLine]]:
    """Sort the deal's entries into the columns.

    An entry without a phase goes with the next one that has a phase, in the order of the game.
    """
    cells: list[list[TextLine]] = [[] for _column in range(columns)]
    waiting: list[TextLine] = []
    at = 0
    for row in deal.entries:
        text = texts.entry_with_points(row, names)
        if row.replaced:
            text += " (" + _("corrected") + ")"
        waiting += fonts.wrap(text, REGULAR, _SIZE, (width - 2.0) / PT, 4)
        kind, phase = row.entry.get("kind"), row.entry.get("phase")
        if kind in ("hand", "none") and isinstance(phase, int):
            at = columns - 1 if phase >= columns - 1 else max(phase - 1, 0)
        elif kind in ("chicago", "last_trick", "revoke"):
            at = columns - 2
        else:
            continue
        cells[at] += waiting
        waiting = []
    cells[at] += waiting
    return cells


def _deal(pages: _Pages, deal: DealRow, names: Sequence[str], columns: int, width: float) -> None:
    cells = _cells(deal, names, columns, width)
    # A deal with very many rulings is cut into rows that each fit on a page.
    lines = min(max([1, *(len(cell) for cell in cells)]), 60)
    height = lines * _LEADING + _PAD
    if pages.need(height):
        _column_heads(pages, names, columns, width)
    paper, y = pages.paper, pages.y
    paper.rule(LEFT, y, RIGHT, y, weight=0.4, grey=QUIET)
    base = y + 2.95
    with paper.tags.group("TR"):
        with paper.tags.content("TH", scope="Row"):
            used = paper.text(LEFT, base, deal.number, face=BOLD, size=8)
            dealer = names[deal.dealer] if 0 <= deal.dealer < len(names) else ""
            paper.text(
                LEFT + max(used + 1.2, 5.0), base, dealer, size=_SIZE, room=_DEAL - 6.5, smallest=5
            )
        for i, cell in enumerate(cells):
            with paper.tags.content("TD"):
                for j, line in enumerate(cell[:lines]):
                    paper.draw(LEFT + _DEAL + i * width, base + j * _LEADING, line)
        for i, score in enumerate(deal.scores[: len(names)]):
            with paper.tags.content("TD"):
                paper.text(
                    RIGHT - _SCORE * (len(names) - i - 1) - 0.8,
                    base,
                    number_text(score),
                    size=8,
                    align="right",
                    room=_SCORE - 1,
                    smallest=4,
                )
    pages.y += height
