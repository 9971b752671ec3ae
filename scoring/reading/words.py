"""Games and rankings in the reader's language, and names for where room is short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from os.path import commonprefix
from typing import Any

from django.utils.translation import gettext, pgettext

from engine import messages
from engine.messages import SUITS
from engine.sheet.entries import ACTIONS

from ..enums import RowKind, SheetStatus
from ..reasons import FOLD, coded, is_away, reason_text, ruling_reason
from ..words import lang
from .history import TOTALS


def category_label(key: str) -> str:
    """Return the name of a hand, capitalised."""
    text = messages.category_text(key, lang())
    return text[:1].upper() + text[1:]


def entry_text(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return an entry in words, e.g. "Anna: flush"."""
    if entry["kind"] == TOTALS:
        return gettext("the totals, from paper")
    if FOLD.items() <= entry.items():
        # The Auditor wrote it, and its reason needs no words.
        entry = {**entry, "action": "fold", "reason": ""}
    elif is_away(entry):
        entry = {**entry, "action": "fold", "reason": ruling_reason(entry)}
    elif entry["kind"] == "ruling":
        entry = {**entry, "reason": ruling_reason(entry)}
    return messages.entry_text(entry, lang(), names)


def win_text(game: Any) -> str:
    """Return how the winners won a game, e.g. "won at 53 in deal 12"."""
    if game.win is None:
        return ""
    entries = [row.entry for deal in game.deals for row in deal.entries]
    hands = [entry for entry in entries if entry["kind"] == "hand"]
    return messages.win_text(
        game.win,
        lang(),
        deal=0 if game.from_paper and game.from_paper.totals else game.deal,
        score=game.seats[game.winners[0]].score if game.winners else 0,
        suit=SUITS.get(str(hands[-1].get("suit")), "") if hands else "",
        shared=len(game.winners) > 1,
    )


def outcome_text(game: Any, winners: Sequence[str]) -> str:
    """Return how ``winners`` won a game, or how far it has got."""
    if game.status == SheetStatus.WAITING:
        return pgettext("game", "not started")
    if game.status == SheetStatus.VOID:
        return pgettext("game", "void, does not count")
    if game.status != SheetStatus.FINISHED:
        return gettext("under way, deal %(deal)d") % {"deal": game.deal}
    return f"{messages.join(list(winners), lang())} {win_text(game)}" if winners else ""


def not_begun_texts(numbers: Sequence[int]) -> tuple[str, str]:
    """Return that games had not begun when the time was up, and which."""
    games = messages.join([str(number) for number in numbers], lang())
    return reason_text(coded("not_begun")), gettext("game %(games)s") % {"games": games}


def declared_text(name: str) -> str:
    """Return that a player has declared a Chicago."""
    return gettext("%(name)s plays Chicago") % {"name": name}


def stopped_text(names: str) -> str:
    """Return whose exchange is stopped by the score."""
    return f"{names}: {status_text('discardless')}"


def place_text(places: Sequence[int] | None) -> str:
    """Return a place, or the range of places that several share; empty without one."""
    return messages.place_text(*places) if places else ""


def from_paper_text(paper: Any) -> str:
    """Return that a game was entered from paper, and who compared it; empty for other games."""
    if paper is None:
        return ""
    if paper.checked_by:
        return gettext("from paper, compared with it by %(name)s") % {"name": paper.checked_by}
    if paper.checked_at:
        return gettext("from paper, compared with it by a second person")
    return gettext("from paper, not compared yet")


def ruled_text(game: Any) -> str:
    """Return the points that rulings gave or took, if a paper sheet records them: "Bo −5"."""
    ruled = zip(game.seats, game.from_paper.ruled if game.from_paper else (), strict=False)
    given = [(seat.name, points) for seat, points in ruled if points]
    return ", ".join(f"{name} {messages.signed(points)}" for name, points in given)


def ruling_choices() -> list[tuple[str, str]]:
    """Return the director's rulings as choices."""
    return [(action, messages.ruling_text(action, lang())) for action in ACTIONS]


def status_text(status: str, *, short: bool = False) -> str:
    """Return a seat's status in a game, e.g. "out" or "may not exchange"."""
    return messages.status_text(status, lang(), short=short)


def marks_text(row: Any) -> str:
    """Return what the circle and the asterisks of a name say; empty for a name without."""
    return messages.marks_text(row.executed, row.asterisks, lang())


def correction_text(item: Any) -> str:
    """Return the old entry of a correction, and after an arrow the current one."""
    if item.kind == "reseat":
        return ", ".join(item.seats)
    if item.kind == RowKind.FROM_PAPER:
        return entry_text(item.entry, item.seats)
    before = [] if item.kind == "insert" else [item.entry]
    after = [item.replacement] if item.replacement and item.kind != "void" else []
    return " → ".join(entry_text(entry, item.seats) for entry in (*before, *after))


def zeroed_text(zeroed: Any) -> str:
    """Return which score was struck out, why and in which deal."""
    return messages.zeroed_text(zeroed.score_before, zeroed.cause, zeroed.deal, lang())


def rank_text(row: Any, below: Any) -> str:
    """Return why a player is ahead of the next one in a ranking; empty for the last."""
    if below is None:
        return ""
    step = row.decided_by or ("level" if row.place == below.place else "")
    if not step:
        return ""
    own, other = row.own_value, row.next_value
    if own is None:
        own, other = (getattr(each, step, 0) for each in (row, below))
    return messages.rank_text(step, below.name, own, other, lang())


def points_text(points: Fraction | None) -> str:
    """Return game points as the festival prints them, e.g. 11.66; empty for ``None``."""
    return "" if points is None else messages.points_text(points, lang())


def sum_text(row: Any) -> str:
    """Return how a penalty lowers a ranking row's game points, e.g. "47 − 5"; empty without one."""
    if not row.penalty:
        return ""
    won = row.game_points + row.penalty
    return f"{points_text(won)} {messages.MINUS} {points_text(row.penalty)}"


def short_names(names: Sequence[str]) -> list[str]:
    """Return names for where room is short: first names, longer only where two would be equal.

    >>> short_names(["Anna Berg", "Anna Dahl", "Bo Ek"])
    ['Anna B', 'Anna D', 'Bo']
    >>> short_names(["Eva Berg", "Eva Berg-Ek"])
    ['Eva Berg', 'Eva Berg-E']
    >>> short_names(["von Ek", "Bo Ek"])
    ['von Ek', 'Bo']
    """
    parts = [_parted(name) for name in names]
    tails = [" ".join(words[1:]) for words in parts]
    # Numbers are never cut off: "Player 12" is neither "Player" nor "Player 1".
    whole = [bool(_WHOLE.search(tail)) for tail in tails]
    result = [
        name if kept else words[0] for words, name, kept in zip(parts, names, whole, strict=True)
    ]
    for length in range(1, max(map(len, tails), default=0) + 1):
        alike = {name for name in result if result.count(name) > 1}
        if not alike:
            break
        result = [
            f"{words[0]} {tail[:length]}".rstrip(" -'’") if short in alike and not kept else short
            for words, tail, short, kept in zip(parts, tails, result, whole, strict=True)
        ]
    if len(set(result)) < len(result):
        return list(names)
    return result


def _parted(name: str) -> list[str]:
    """Return a name's words, of which the first is what it is shortened to.

    A particle is no name: what follows it stays with it.
    """
    words = name.split() or [name]
    named = next((at for at, word in enumerate(words) if not word[:1].islower()), 0)
    return [" ".join(words[: named + 1]), *words[named + 1 :]]


#: Names that begin alike for more letters than this are told apart by their ends.
_ALIKE = 4


def split_name(name: str, names: Iterable[str], room: int | None = None) -> tuple[str, str]:
    """Return a name in two parts: what may be cut off, and the end that tells it from the others.

    They differ within the first ``room`` letters of the end.

    >>> split_name("Alexandra-Maria", ["Alexandra-Maria", "Alexandra-Marie", "Bo"])
    ('Alexandra-', 'Maria')
    >>> split_name("Bo", ["Alexandra-Maria", "Alexandra-Marie", "Bo"])
    ('Bo', '')
    >>> split_name("Maria-Magdalena", ["Maria-Magdalena", "Maria-Magdalina"], 5)
    ('Maria-Magdal', 'ena')
    """
    others = (other for other in names if other != name)
    # Letters are meant here, not parts of a path.
    shared = max((len(commonprefix([name, other])) for other in others), default=0)  # noqa: RUF071
    if shared <= _ALIKE:
        return name, ""
    end = min(shared, len(name) - 1)
    # Of a word, or a number, everything.
    whole = max(name.rfind(" ", 0, end), name.rfind("-", 0, end)) + 1 or end
    if room is None or end - whole < room:
        end = whole
    return name[:end], name[end:]


#: Matches before a consonant followed by a vowel, with three letters on either side.
_BREAK = re.compile(r"(?<=\w{3})(?=[^\W\daeiouyåäöüéèóáíø][aeiouyåäöüéèóáíø]\w)", re.IGNORECASE)
_LONG = 8
_WHOLE = re.compile(r"[^-\w '’]|\d")


def softened(name: str) -> str:
    """Return a name whose long words have soft hyphens between syllables.

    >>> softened("Bartholomäus Ek").replace("\u00ad", "-")
    'Bart-ho-lo-mäus Ek'
    """
    return " ".join(
        _BREAK.sub("\u00ad", word) if len(word) > _LONG - 1 else word for word in name.split(" ")
    )
