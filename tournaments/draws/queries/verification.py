"""Repeating a draw from what is stored with it, here and on anybody's own computer."""

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
#: The line of the script that the draw's own data take the place of.
_EMPTY = 'DRAW = json.loads("{}")'


@dataclass(frozen=True)
class DrawVerification:
    """What came out when a draw was made again.

    ``groups`` is None where the method is not known here or its data are damaged. ``label`` is
    the label of the attempt that was taken, ``mended`` whether players were swapped after it.
    """

    groups: list[list[str]] | None
    same: bool
    label: str = ""
    cost: Cost = pairing.NOTHING
    mended: bool = False

    @property
    def title(self) -> str:
        """What came of it."""
        if self.same:
            return _("Repeated just now: the same came out")
        if self.groups:
            return _("Repeated just now: something else came out")
        return _("This page cannot repeat the draw")

    @property
    def text(self) -> str:
        """What that means."""
        if self.same:
            return _(
                "Made again from the seed, the players and the table sizes below; "
                "nothing else went into it."
            )
        if self.groups:
            return _(
                "What is stored with this draw does not give the tables that were published. "
                "Ask the director."
            )
        return _("Its method is not known here, or what is stored with it is damaged.")


def published_groups(draw: Draw) -> list[list[str]]:
    """Return what the draw gave before any change by hand."""
    return [list(group) for group in draw.drawn or draw.groups]


def repeat(draw: Draw) -> DrawVerification:
    """Make a draw again from its seed, label, players, sizes and history."""
    try:
        groups, label, cost, mended = _again(draw)
    except (ChicagoError, ValueError, TypeError, KeyError):
        return DrawVerification(None, same=False)
    if groups is None:
        return DrawVerification(None, same=False)
    return DrawVerification(groups, groups == published_groups(draw), label, cost, mended)


def _again(draw: Draw) -> tuple[list[list[str]] | None, str, Cost, bool]:
    players, sizes, label = draw.candidates, draw.sizes, draw.label
    if draw.method == plain.METHOD:
        groups = plain.split_heats(draw.seed, players, sizes, label=label)
        return groups, label, pairing.NOTHING, False
    if draw.method == SNAKE_METHOD:
        return playoff.snake_groups(players), "", _cost(draw, playoff.snake_groups(players)), False
    if draw.method != pairing.METHOD:
        return None, "", pairing.NOTHING, False
    history = history_from_json(draw.history)
    division = pairing.fair_split(
        draw.seed,
        players,
        sizes,
        meetings=history.meetings,
        tables_of_three=history.tables_of_three,
        kept_apart=history.kept_apart,
        label=label,
    )
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
    """Return what the script needs: what went into the draw, and what came out."""
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
    """Return a stand-alone Python script that makes this draw again and compares."""
    # As one literal of ASCII characters: nothing that somebody typed can become code.
    data = repr(json.dumps(draw_data(draw)))
    source = SCRIPT.read_text(encoding="utf-8")
    assert _EMPTY in source
    return source.replace(_EMPTY, f"DRAW = json.loads(\n    {data}\n)")


#: The name of the method that puts a ranking into tables without any lot.
SNAKE_METHOD = "snake-1"
