"""The written protocol of one heat, drawn from plain values."""

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.messages import MINUS, join, marks_text

from ..reading.acceptance import AcceptedGame
from ..reading.words import not_begun_texts, points_text
from ..reasons import reason_text
from ..words import lang
from . import deals, fonts, grid, layout, page, ranking, texts
from .data import Printout
from .paper import BOLD, BOTTOM, INK, LEFT, PT, REGULAR, RIGHT, Paper

NOTE_SIZE, NOTE_LEADING = 7.6, 3.15


class _List(NamedTuple):
    """What may need more than a line; ``elsewhere`` says how many are on another page."""

    label: str
    lines: list[str]
    elsewhere: str


def title(data: Printout) -> str:
    """Return the document's title: ``Protocol, Heat 12, Spring Festival``."""
    parts = [_("Chicago protocol"), _heat_label(data)[1], data.labels.event_name]
    return ", ".join(part for part in parts if part)


def draw(paper: Paper, data: Printout, *, with_deals: bool) -> None:
    """Draw one heat."""
    with paper.tags.group("Sect"):
        paper.bookmark(
            texts.mark(data.labels.table_label, data.labels.heat_label)
            if data.directed
            else data.labels.heat_label
        )
        _heat(paper, data, with_deals)


def _heat(paper: Paper, data: Printout, with_deals: bool) -> None:
    top = page.head(paper, _head(data))
    feet = page.Feet(paper)
    foot_text = _(
        "Circled name: %(executed)s. *: a Chicago won. ●: first dealer. "
        "Dashed line: the target; dotted: no exchange from here."
    ) % {"executed": marks_text(executed=True, asterisks=0, lang=lang())}

    def turn() -> float:
        feet.turn(foot_text)
        return _running_head(paper, data)

    notes = _notes(data)
    lists = _lists(data)
    signers = _signers(data)
    sign = page.signatures_height(len(signers))
    rank = ranking.ranking_height(max(len(data.ranking), 1))
    least = rank + 1.5 + NOTE_LEADING * (len(notes) + len(lists)) + sign + layout.FOOT
    # Use less space between the games if that keeps the heat on one page.
    all_games = sum(blocks_height(game.seats) for game in data.games)
    tight = top + all_games + layout.GAP * len(data.games) + least > BOTTOM
    gap = layout.MIN_GAP if tight else layout.GAP
    for game in data.games:
        if top + blocks_height(game.seats) > BOTTOM - layout.FOOT:
            top = turn()
        grid.game(paper, top, game, target=data.target, limit=data.limit)
        top += blocks_height(game.seats) + gap
    if top + least > BOTTOM:
        top = turn()
    top = _ranking(paper, top, data) + 1.5 + 2.2
    for label, text in notes:
        top = _note(paper, top, label, text)
    floor = BOTTOM - layout.FOOT - sign
    elsewhere = []
    for number, each in enumerate(lists, 1):
        # A line is left for each list to come.
        room = max(1, int((floor - 0.4 - top) / NOTE_LEADING) + 1 - (len(lists) - number))
        top, complete = _listed(paper, top, each, room)
        if with_deals or not complete:
            elsewhere.append((each.label, each.lines))
    right = RIGHT
    if data.code:
        right = RIGHT - layout.QR - 5
        _code(paper, data)
    page.signatures(paper, floor, signers, right=right)
    if with_deals or elsewhere:
        feet.turn(foot_text)
        foot_text = ""
        deals.draw(
            paper,
            data,
            lists=elsewhere,
            with_deals=with_deals,
            head=lambda: _running_head(paper, data),
            turn=feet.turn,
        )
    feet.close(foot_text)


def blocks_height(seats: Sequence[object]) -> float:
    """Return the height in mm of a game with these seats."""
    return layout.block_height(len(seats))


def _heat_label(data: Printout) -> tuple[str, str]:
    if not data.directed:
        return data.labels.heat_label, data.labels.heat_label
    return texts.labelled(pgettext("head", "Heat"), data.labels.heat_label)


def _table_label(data: Printout) -> tuple[str, str]:
    return texts.labelled(pgettext("head", "Table"), data.labels.table_label)


def _head(data: Printout) -> page.Head:
    return page.Head(
        event=data.labels.event_name,
        heat=_heat_label(data)[0] or "\u2013",
        table=_table_label(data)[0] or "\u2013",
        day=data.labels.day or "\u2013",
        auditor=data.auditor,
        casual=not data.directed,
        rules=data.rules,
        stamp=_("Provisional") if data.provisional else "",
    )


def _running_head(paper: Paper, data: Printout) -> float:
    """Draw the short head of a later page; return where its content begins (mm)."""
    parts = [
        data.labels.event_name or _("Chicago protocol"),
        _heat_label(data)[1],
        _table_label(data)[1],
        data.labels.day,
    ]
    text = " \u00b7 ".join(part for part in parts if part)
    return page.running_head(paper, text, data.code)


def _ranking(paper: Paper, top: float, data: Printout) -> float:
    name = _("Standing so far")
    if not data.provisional:
        name = _("Ranking of the heat") if data.directed else _("Result")
    games = max(len(data.games), 1)
    if data.ranking:
        return ranking.ranking(
            paper, top, data.ranking, games=games, title=name, is_final=data.is_final
        )
    with paper.tags.content("H2"):
        paper.text(LEFT, top + 4.0, name, face=BOLD, size=11)
    paper.rule(LEFT, top + layout.TITLE_BAND, RIGHT, top + layout.TITLE_BAND, weight=0.9)
    with paper.tags.content("P"):
        paper.text(LEFT, top + layout.TITLE_BAND + 5, _("No game is finished yet."), size=9)
    return top + ranking.ranking_height(1)


def _notes(data: Printout) -> list[tuple[str, str]]:
    notes = []
    check = _checksum(data)
    if check:
        notes.append((_("Checksum of game points"), check))
    if data.needs_flip_flop:
        groups = "; ".join(join([texts.short(n) for n in g], lang()) for g in data.needs_flip_flop)
        notes.append((_("Flip Flop still to be played"), groups))
    if data.not_begun:
        notes.append(not_begun_texts(data.not_begun))
    for penalty in data.penalties:
        taken = f"{texts.short(penalty.name)} {MINUS}{points_text(penalty.game_points)}"
        notes.append((_("Penalty in game points"), f"{taken} ({reason_text(penalty.reason)})"))
    for game in data.accepted:
        if game.accepted:
            label = _("Game %(number)s accepted by") % {"number": game.number}
            notes.append((label, _words(game)))
    if data.by_director_at:
        notes.append((_("Signed off by the director"), _time(data.by_director_at)))
    if data.protest:
        notes.append((_("Signed off under protest"), data.protest))
    values = [seat.game_points for game in data.games for seat in game.seats]
    values += [row.game_points for row in data.ranking]
    cut = sorted({value for value in values if value is not None and texts.exact(value)})
    if cut:
        shown = ", ".join(f"{points_text(value)} {texts.exact(value)}" for value in cut[:6])
        more = "\u2026" if len(cut) > 6 else ""
        notes.append((_("Cut after two decimals, counted exactly"), shown + more))
    return notes


def _time(at: datetime) -> str:
    return time_format(timezone.localtime(at), "H:i")


def _words(game: AcceptedGame) -> str:
    """Return who accepted a game, and when."""
    return ", ".join(
        f"{texts.short(word.name)} {_time(word.at)}" + (f" ({word.how})" if word.is_late else "")
        for word in game.accepted
        if word.at
    )


def _checksum(data: Printout) -> str:
    """Return the sums of the finished games with a check mark, or name the wrong ones."""
    done = [game for game in data.games if game.points_sum is not None]
    if not done:
        return ""
    sums = [game.points_sum or Fraction(0) for game in done]
    total = sum(sums, Fraction(0))
    text = points_text(total)
    if len(sums) > 1:
        text = f"{' + '.join(points_text(each) for each in sums)} = {text}"
    short_ones = [
        _("game %(game)d hands out %(sum)s of %(all)s")
        % {
            "game": game.number,
            "sum": points_text(game.points_sum),
            "all": points_text(game.points_expected),
        }
        for game in done
        if game.points_sum != game.points_expected
    ]
    if short_ones:
        return f"{text} \u2013 {', '.join(short_ones)}"
    return f"{text} \u2713"


def _note(paper: Paper, y: float, label: str, text: str) -> float:
    with paper.tags.content("P"):
        used = paper.text(LEFT, y, label, face=BOLD, size=NOTE_SIZE)
        paper.text(LEFT + used + 2, y, text, size=NOTE_SIZE, room=RIGHT - LEFT - used - 2)
    return y + NOTE_LEADING


def _lists(data: Printout) -> list[_List]:
    rulings = [texts.ruling(item) for item in data.rulings]
    corrections = [texts.correction(item) for item in data.corrections]
    lists = [
        _List(
            _("Rulings"),
            rulings,
            ngettext(
                "%(count)d ruling, see the next page",
                "%(count)d rulings, see the next page",
                len(rulings),
            ),
        ),
        _List(
            _("Corrections"),
            corrections,
            ngettext(
                "%(count)d correction, see the next page",
                "%(count)d corrections, see the next page",
                len(corrections),
            ),
        ),
    ]
    return [each for each in lists if each.lines]


def _listed(paper: Paper, y: float, each: _List, room: int) -> tuple[float, bool]:
    """Draw a list in at most ``room`` lines; return where the next line is, and if all fitted."""
    used = fonts.width(each.label, BOLD, NOTE_SIZE) * PT + 2
    whole = "; ".join(each.lines)
    available = (RIGHT - LEFT - used) / PT
    needed = fonts.wrap(whole, REGULAR, NOTE_SIZE, available, 1000)
    complete = len(needed) <= room and not whole.endswith(fonts.ELLIPSIS) and len(whole) <= 400
    if not complete:
        whole = each.elsewhere % {"count": len(each.lines)}
        needed = fonts.wrap(whole, REGULAR, NOTE_SIZE, available, 1)
    with paper.tags.content("P"):
        paper.text(LEFT, y, each.label, face=BOLD, size=NOTE_SIZE)
        for line in needed:
            paper.draw(LEFT + used, y, line)
            y += NOTE_LEADING
    return y, complete


def _signers(data: Printout) -> list[str]:
    players = [seat.name for seat in (data.games[0].seats if data.games else ())]
    if not data.directed:
        return players
    auditor = _("Auditor")
    if data.auditor:
        auditor = f"{auditor}: {data.auditor}"
    return [*players, auditor, _("Tournament director")]


def _code(paper: Paper, data: Printout) -> None:
    x, y = RIGHT - layout.QR, BOTTOM - layout.FOOT - layout.QR - 2.6
    content = f"{data.labels.public_url}#{data.code}" if data.labels.public_url else data.code
    alt = pgettext("QR code", "Verification code %(code)s") % {"code": data.code}
    paper.qr(x, y, layout.QR, content, alt)
    with paper.tags.content("P"):
        paper.text(
            x + layout.QR / 2,
            BOTTOM - layout.FOOT + 0.4,
            data.code,
            face=BOLD,
            size=7.4,
            align="centre",
            room=layout.QR,
            smallest=5,
            grey=INK,
        )
