"""The board on a table's page: a cell for each seat, and the fields of the running deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards.categories import BY_KEY, Category
from engine.errors import Problem
from engine.messages import say, stage_text
from engine.sheet.entries import Chicago
from engine.sheet.sheet import why_not
from engine.sheet.state import CHICAGO_HAND, EXCHANGE, FINAL_HAND, TRICKS

from ..enums import SheetStatus
from ..models import Declaration
from ..words import lang
from .games import EntryRow, Game, SeatRow
from .question import Question
from .words import (
    entry_text,
    short_names,
    split_name,
    status_text,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One seat on the board: a short name, and why the seat cannot be picked now.

    ``gone`` is why it cannot be picked for any question: it is out of the game.
    """

    row: SeatRow
    short: str
    off: str = ""
    gone: str = ""

    @property
    def score(self) -> str:
        """The score; empty for a seat that is out."""
        return str(self.row.score) if self.row.status == "in" else ""

    @property
    def out(self) -> tuple[str, str]:
        """The text instead of the score of a seat that is out: short to see, full to hear."""
        return status_text(self.row.status, short=True), status_text(self.row.status)

    @property
    def long(self) -> bool:
        """Whether the short name is too long for a quarter of a phone's width."""
        return len(self.short) > 7


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a deal on the sheet: an exchange, the tricks, the last hand.

    ``name`` is who scored it, in the parts of ``split_name``, ``line`` what is written there,
    ``sequence`` the entry's row. ``now`` marks the field that is asked about.
    """

    key: str
    label: str
    now: bool = False
    name: tuple[str, str] = ("", "")
    line: str = ""
    sequence: int = 0


def cells_of(game: Game, shorts: Sequence[str], question: Question | None) -> tuple[Cell, ...]:
    """Return the cells by seat; ``shorts`` are the short names."""
    cells = []
    for row in game.seats:
        gone = ""
        if not row.plays:
            problem = Problem("seat_out", params={"seat": row.seat, "why": row.status})
            gone = say(problem, lang(), game.names)
        off = question.off(row.seat) if question else ""
        cells.append(Cell(row, shorts[row.seat], off or gone, gone))
    return tuple(cells)


def declared_in(game: Game) -> int | None:
    """Return the seat that has declared a Chicago in the current deal, since its last redeal."""
    row = declaration_in(game)
    return row.seat if row else None


def declaration_in(game: Game) -> Declaration | None:
    """Return the declaration of that Chicago."""
    state = game.state
    if state.finished or state.stage != TRICKS or game.status != SheetStatus.RUNNING:
        return None
    rows = Declaration.objects.filter(sheet=game.sheet, deal=state.deal)
    for redeal in _entries_now(game)[:1]:
        if redeal.entry.get("action") == "redeal":
            rows = rows.filter(created_at__gt=redeal.at)
    row = rows.last()
    if row is None or row.seat is None or why_not(state, Chicago(row.seat, won=True)):
        return None
    return row


def _entries_now(game: Game) -> tuple[EntryRow, ...]:
    """Return the entries of the current deal, from its last redeal on."""
    last = game.deals[-1] if game.deals else None
    if last is None or last.number != game.state.deal + 1:
        return ()
    redeals = [at for at, row in enumerate(last.entries) if row.entry.get("action") == "redeal"]
    return last.entries[redeals[-1] :] if redeals else last.entries


def last_hand(game: Game) -> tuple[int, Category] | None:
    """Return who last had the best hand in this deal, and which."""
    hands = [row.entry for row in _entries_now(game) if row.entry["kind"] == "hand"]
    if not hands:
        return None
    return int(hands[-1]["seat"]), BY_KEY[str(hands[-1]["category"])]


def _field_of(entry: Mapping[str, Any], exchanges: int) -> str:
    kind = entry["kind"]
    if kind in ("hand", "none"):
        return "hand" if entry["phase"] == exchanges else str(entry["phase"])
    return "tricks" if kind in ("chicago", "last_trick") else ""


def fields_of(game: Game, declared: int | None) -> tuple[Field, ...]:
    """Return the fields of the running deal; ``declared`` is who plays a Chicago."""
    state, exchanges = game.state, game.state.rules.exchanges
    shorts = short_names(game.names)
    now = {TRICKS: "tricks", FINAL_HAND: "hand", CHICAGO_HAND: "hand"}
    asked = str(state.phase) if state.stage == EXCHANGE else now.get(state.stage, "")
    written = {_field_of(row.entry, exchanges): row for row in _entries_now(game)}
    labels = {
        **{str(phase): str(phase) for phase in range(1, exchanges)},
        "tricks": stage_text(TRICKS, None, lang()),
        "hand": stage_text(FINAL_HAND, None, lang(), short=True),
    }
    fields = []
    for key, label in labels.items():
        row = written.get(key)
        text, line, sequence = "", "", 0
        if row is not None:
            seat = row.entry.get("seat")
            text = "–" if seat is None else shorts[seat]
            line, sequence = entry_text(row.entry, shorts), row.sequence
        elif key == "tricks" and declared is not None:
            text = shorts[declared]
        fields.append(Field(key, label, key == asked, split_name(text, shorts), line, sequence))
    return tuple(fields)
