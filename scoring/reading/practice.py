"""Practice tables: a short guided deal for people who keep the score for the first time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.rules.ruleset import RuleSet

from .games import Game
from .slots import as_value
from .words import entry_text

#: The creator recorded for practice tables.
PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class Lesson:
    """What to do next at a practice table."""

    text: str
    title: str = ""


def lesson_of(game: Game, rules: RuleSet) -> Lesson:
    """Return the next lesson: a guided first deal, then free play."""
    told = guided_deal(rules, len(game.seats))
    written = [row.entry for deal in game.deals for row in deal.entries][: len(told)]
    for entry, meant in zip(written, told, strict=False):
        if as_value(entry) != as_value(meant):
            text = _("It should have been: %(told)s. Take the last line back, under the players.")
            return Lesson(text % {"told": _said(meant, game.names)}, _("Not quite."))
    if len(written) == len(told) or game.finished:
        text = _(
            "The points were counted for you. Take back, correct a line under Deal by deal, or go "
            "on: nothing here counts."
        )
        return Lesson(text, _("That was a deal."))
    meant = told[len(written)]
    return Lesson(_why(meant) % {"what": _said(meant, game.names)})


def _said(meant: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return an entry as the page's buttons say it."""
    return _("Nobody, or equal hands") if meant["kind"] == "none" else entry_text(meant, names)


def guided_deal(rules: RuleSet, seats: int) -> list[Mapping[str, Any]]:
    """Return the entries that the guided first deal leads to."""
    last = rules.exchanges
    first = {"kind": "hand", "phase": 1, "seat": 1, "category": "two_pair"}
    return [
        *([first] if last > 1 else []),
        *({"kind": "none", "phase": phase} for phase in range(2, last)),
        {"kind": "last_trick", "seat": seats - 1},
        {"kind": "hand", "phase": last, "seat": 0, "category": "three_of_a_kind"},
    ]


def _why(meant: Mapping[str, Any]) -> str:
    if meant["kind"] == "none":
        return _("After this exchange the best hands are equal. Write: %(what)s.")
    if meant["kind"] == "last_trick":
        return _("Nobody declares a Chicago, and the tricks are played. Write: %(what)s.")
    if meant["phase"] == 1:
        return _("Everybody has exchanged once and says what they have. Write: %(what)s.")
    return _("Now the hands are shown. Write: %(what)s.")
