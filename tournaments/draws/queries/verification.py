"""Repeat a draw from what is stored with it, here or in a script on any computer."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from engine.draws import draw as plain
from engine.draws import pairing
from engine.draws.pairing import Cost, History
from engine.errors import ChicagoError
from engine.ranking import playoff

from ...models import Draw
from .history import history_from_json

SCRIPT = Path(__file__).resolve().parent.with_name("repeat_draw.py")
#: The line of the script that is replaced by the draw's data.
_EMPTY = 'DRAW = json.loads("{}")'


@dataclass(frozen=True)
class DrawVerification:
    """The outcome of repeating a draw.

    ``groups`` is None if the method is unknown or the data are damaged. ``label`` is that of the
    attempt that was chosen; ``improved`` tells whether players were swapped after it.
    """

    groups: list[list[str]] | None
    same: bool
    label: str = ""
    cost: Cost = pairing.NOTHING
    improved: bool = False

    @property
    def title(self) -> str:
        """The outcome in a few words."""
        if self.same:
            return _("Repeated just now: same outcome")
        if self.groups:
            return _("Repeated just now: different outcome")
        return _("This page cannot repeat the draw")

    @property
    def text(self) -> str:
        """What the outcome means."""
        if self.same:
            return _(
                "Repeated from the seed, the players and the table sizes below; nothing else "
                "went into it."
            )
        if self.groups:
            return _(
                "What is stored with this draw does not give the tables that were published. "
                "Ask the director."
            )
        return _("Its method is unknown here, or the data stored with it are damaged.")


def published_groups(draw: Draw) -> list[list[str]]:
    """Return the draw's groups before any change by hand."""
    return [list(group) for group in draw.drawn or draw.groups]


def repeat(draw: Draw) -> DrawVerification:
    """Repeat a draw from its seed, label, players, sizes and history."""
    try:
        groups, label, cost, improved = _again(draw)
    except (ChicagoError, ValueError, TypeError, KeyError):
        return DrawVerification(None, same=False)
    if groups is None:
        return DrawVerification(None, same=False)
    return DrawVerification(groups, groups == published_groups(draw), label, cost, improved)


def _again(draw: Draw) -> tuple[list[list[str]] | None, str, Cost, bool]:
    players, sizes, label = draw.candidates, draw.sizes, draw.label
    if draw.method == plain.METHOD:
        groups = plain.split_heats(draw.seed, players, sizes, label=label)
        return groups, label, pairing.NOTHING, False
    if draw.method == SNAKE_METHOD:
        return playoff.snake_groups(players), "", _cost(draw, playoff.snake_groups(players)), False
    if draw.method != pairing.METHOD:
        return None, "", pairing.NOTHING, False
    division = history_from_json(draw.history).divide(draw.seed, players, sizes, label)
    groups = [list(group) for group in division.groups]
    used = f"{label} {division.attempt}" if division.attempt else label
    before = plain.split_heats(draw.seed, players, sizes, label=used)
    return groups, used, division.cost, groups != before


def _cost(draw: Draw, groups: list[list[str]]) -> Cost:
    history = history_from_json(draw.history)
    return History(history.meetings, history.tables_of_three, frozenset(history.kept_apart)).total(
        groups
    )


def draw_data(draw: Draw) -> dict[str, Any]:
    """Return the script's data: what went into the draw, and its outcome."""
    return {
        "title": f"{draw.event.name}, draw {draw.number}",
        "method": draw.method,
        "seed": draw.seed,
        "label": draw.label,
        "players": draw.candidates,
        "sizes": draw.sizes,
        "history": draw.history,
        "drawn": published_groups(draw),
    }


def script_of(draw: Draw) -> str:
    """Return a stand-alone Python script that repeats this draw and compares."""
    # A single literal of ASCII characters, so that nothing anybody typed can become code.
    data = repr(json.dumps(draw_data(draw)))
    source = SCRIPT.read_text(encoding="utf-8")
    assert _EMPTY in source
    return source.replace(_EMPTY, f"DRAW = json.loads(\n    {data}\n)")


#: The method that seats a ranking in snake order, without lots.
SNAKE_METHOD = "snake-1"
