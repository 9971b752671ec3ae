"""The protocol's words and numbers, in English; ``locale/scoring`` has the other languages."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.messages import (
    MINUS,
    changes_text,
    exact_text,
    language,
    number_text,
)

from ..enums import RowKind
from ..reading import words
from ..reading.words import from_paper_text, rank_text, zeroed_text
from ..words import lang
from .data import CorrectionRow, EntryRow, PrintedGame, RankingRow, RulingRow, SeatRow


@contextmanager
def speaking(tag: str) -> Iterator[str]:
    """Use a language for the sentences made inside; yield its code."""
    with translation.override(language(tag)):
        yield language(tag)


def exact(value: Fraction | None) -> str:
    """Return the exact value if the shown one is truncated: ``= 11 2/3``."""
    text = exact_text(value) if value is not None else ""
    return f"= {text}" if text else ""


def short(name: str, most: int = 24) -> str:
    """Return a name for use inside a sentence, shortened if very long."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "\u2026"


def labelled(caption: str, value: str) -> tuple[str, str]:
    """Return a label without and with its caption: ``12`` and ``Heat 12`` for either.

    A label that is a name of its own (``Kitchen evening``) is the same in both.
    """
    value = value.strip()
    start = caption.casefold() + " "
    bare = value[len(start) :].strip() if value.casefold().startswith(start) else value
    return bare, f"{caption} {bare}" if bare[:1].isdigit() else bare


def mark(table: str, heat: str) -> str:
    """Return a protocol's line in the document's outline: ``Table 7 · Heat 12``."""
    parts = [
        labelled(pgettext("head", "Table"), table)[1],
        labelled(pgettext("head", "Heat"), heat)[1],
    ]
    return " \u00b7 ".join(part for part in parts if part) or _("Chicago protocol")


def game_title(game: PrintedGame) -> str:
    """Return ``Game 2``."""
    return _("Game %(number)d") % {"number": game.number}


def outcome(game: PrintedGame) -> str:
    """Return how the game was won, or how far it has got."""
    names = [short(game.seats[seat].name) for seat in game.winners]
    parts = (words.outcome_text(game, names), from_paper_text(game.from_paper))
    return " \u00b7 ".join(part for part in parts if part)


def seat_note(seat: SeatRow, *, running: bool) -> str:
    """Return what the score alone does not show: set to zero, out, may not exchange …"""
    parts = [zeroed_text(zeroed) for zeroed in seat.zeroed]
    if len(parts) > 2:
        hidden = len(parts) - 1
        parts = [
            ngettext("set to zero once before", "set to zero %(count)d times before", hidden)
            % {"count": hidden},
            parts[-1],
        ]
    if seat.status != "in":
        parts.append(words.status_text(seat.status))
    elif seat.discardless and running:
        parts.append(words.status_text("discardless"))
    return " \u00b7 ".join(parts)


def tally_alt(seat: SeatRow, *, running: bool) -> str:
    """Return the screen reader's text for the fences."""
    note = seat_note(seat, running=running)
    text = ngettext("%(count)s point", "%(count)s points", abs(seat.score)) % {
        "count": number_text(seat.score)
    }
    return f"{text}, {note}" if note else text


def reason(row: RankingRow, below: RankingRow | None) -> str:
    """Return why a player is ahead of the next one (§5)."""
    return rank_text(row, replace(below, name=short(below.name, 22)) if below else None)


def entry_text(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return one entry as a note in the margin."""
    return words.entry_text(entry, [short(name, 18) for name in names])


def entry_with_points(row: EntryRow, names: Sequence[str]) -> str:
    """Return an entry with the changes it made: ``Anna: flush +5``."""
    text = entry_text(row.entry, names)
    if row.entry.get("kind") == "ruling":
        return text
    changed = changes_text(row.facts, lang())
    named = (row.entry.get("seat"), row.entry.get("breaker"))
    changes = ", ".join(changed[seat] for seat in named if seat in changed)
    return f"{text}{' ' if changes[:1] in ('+', MINUS) else ', '}{changes}" if changes else text


def ruling(item: RulingRow) -> str:
    """Return one ruling of the director, and where it stands."""
    return f"{item.text} ({item.where})"


def correction(item: CorrectionRow) -> str:
    """Return one correction as a sentence."""
    names = [short(name, 18) for name in item.seats]
    text = _("game %(game)d, line %(row)d %(kind)s: %(what)s") % {
        "game": item.game,
        "row": item.sequence,
        "kind": str(RowKind(item.kind).label),
        "what": words.correction_text(replace(item, seats=tuple(names))),
    }
    # Entries through a table's link are its Auditor's.
    author = _("Auditor") if item.at_table else item.author
    extra = ", ".join(part for part in (author, item.reason) if part)
    return f"{text} ({extra})" if extra else text
