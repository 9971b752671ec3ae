"""The empty protocol, for scoring a heat with a pencil."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.rules.ruleset import RuleSet

from . import fonts, grid, layout, page, ranking, texts
from .data import PaperHeat
from .paper import BOLD, BOTTOM, LEFT, PT, REGULAR, RIGHT, Paper

REMINDER_SIZE, REMINDER_LEADING = 7.2, 3.1
#: The height of the line that counts the pages, in millimetres.
PAGE_COUNT = 2.4


def draw(
    paper: Paper,
    *,
    head: page.Head,
    heat: PaperHeat,
    reminder: Sequence[tuple[str, str]],
    checksum: str,
) -> None:
    """Draw one empty protocol."""
    seats, games = len(heat.names), heat.games
    caption = pgettext("head", "Heat")
    label = texts.labelled(caption, head.heat)[1]
    # Identifies a loose second page.
    own = " \u00b7 ".join(
        filter(None, (head.event, head.table, head.day or head.days, head.auditor))
    )

    feet = page.Feet(paper)

    def turn() -> float:
        feet.turn()
        return page.running_head(
            paper, own or _("Chicago protocol"), label or f"{caption} {'_' * 12}"
        )

    with paper.tags.group("Sect"):
        paper.bookmark(texts.mark(head.table, head.heat))
        top = page.head(paper, head)
        for number in range(1, games + 1):
            if top + layout.block_height(seats) > BOTTOM:
                top = turn()
            # The first seat of a draw deals first.
            deals = number <= len(heat.seating)
            _game(paper, top, number, heat.row_names(number), heat.rules, deals=deals)
            top += layout.block_height(seats) + layout.GAP
        signers = [
            *(name or pgettext("signature", "Player") for name in heat.names),
            _("Auditor"),
            _("Tournament director"),
        ]
        rows = [
            fonts.wrap(f"{label} {text}", REGULAR, REMINDER_SIZE, (RIGHT - LEFT) / PT, 3)
            for label, text in reminder
        ]
        below = 2.6 + REMINDER_LEADING * sum(map(len, rows)) + PAGE_COUNT
        sign = -(-len(signers) // layout.SIGN_COLUMNS) * layout.SIGN_ROW
        if top + ranking.ranking_height(seats, layout.RANK_ROW_BLANK) + sign + below + 5 > BOTTOM:
            top = turn()
        end = ranking.ranking(
            paper,
            top,
            (),
            games=games,
            blank_rows=seats,
            title=_("Ranking of the heat"),
        )
        if checksum:
            with paper.tags.content("P"):
                paper.text(LEFT, end + 3.4, checksum, size=REMINDER_SIZE)
        right = RIGHT
        if heat.labels.public_url:
            right -= layout.QR + 5
            alt = pgettext("QR code", "The heat on the web")
            corner = BOTTOM - below - layout.QR
            paper.qr(RIGHT - layout.QR, corner, layout.QR, heat.labels.public_url, alt)
        page.signatures(paper, BOTTOM - below - sign, signers, right=right)
        _reminder(paper, BOTTOM - below + 2.6, reminder)
        feet.close()


def _game(
    paper: Paper,
    top: float,
    number: int,
    names: Sequence[str],
    rules: RuleSet,
    *,
    deals: bool,
) -> None:
    seats, target, limit = len(names), rules.target, rules.discardless
    first = grid.game_frame(
        paper,
        top,
        title=_("Game %(number)d") % {"number": number},
        note="",
        seats=seats,
        unit=layout.UNIT,
        target=target,
        limit=limit,
    )
    grid.fives(paper, first, seats)
    height = layout.row_height(seats)
    with paper.tags.group("Table"):
        grid.captions(paper, top, unit=layout.UNIT, target=target, limit=limit)
        for index, name in enumerate(names):
            y = first + index * height
            grid.seat_number(paper, y, index, deals=deals and index == 0)
            if not name:
                continue
            with paper.tags.group("TR"), paper.tags.content("TH", scope="Row"):
                # At most two thirds of the column: circle and asterisks need the rest.
                room = layout.NAME - layout.SEAT_NUMBER - 10
                lines = grid.name_lines(name, REGULAR, 10, room)
                leading = lines[0].size * 0.45
                base = y + height / 2 + min(1.25, lines[0].size * 0.14)
                base -= (len(lines) - 1) * leading / 2
                for line in lines:
                    paper.draw(LEFT + layout.SEAT_NUMBER + 1.2, base, line)
                    base += leading


def _reminder(paper: Paper, y: float, reminder: Sequence[tuple[str, str]]) -> None:
    y += 1.6
    for label, text in reminder:
        bold = fonts.width(label, BOLD, REMINDER_SIZE) * PT
        with paper.tags.content("P"):
            paper.text(LEFT, y, label, face=BOLD, size=REMINDER_SIZE)
            y = paper.paragraph(
                LEFT + bold + 1.4,
                y,
                text,
                room=RIGHT - LEFT - bold - 1.4,
                lines=2,
                size=REMINDER_SIZE,
                leading=REMINDER_LEADING,
            )
