"""Players who are called away fold every deal until the floor calls them back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import step
from engine.sheet.state import IN, State
from scoring.enums import RowKind
from scoring.models import Author, Sheet
from scoring.reasons import AWAY
from scoring.writing.rows import append_row

Folds = tuple[Mapping[str, Any], ...]


def folds_of(state: State, seats: Sequence[str], away: Sequence[str] | None) -> tuple[State, Folds]:
    """Return the state after folding for players who are away at a deal's start, and the folds.

    There are none if nobody else is in the game, since somebody has to play it.
    ``static/scoring/predict.js`` does the same.
    """
    folds: list[Mapping[str, Any]] = []
    playing = {seats[seat] for seat, status in enumerate(state.status) if status == IN}
    if not away or playing <= set(away):
        return state, ()
    deal = -1
    # If penalties make all others sit out, the deal closes by itself; then fold the next one too.
    while not state.finished and state.deal != deal:
        deal = state.deal
        for seat, player_id in enumerate(seats):
            if player_id in away and state.deal == deal and state.plays(seat):
                fold = {**AWAY, "seat": seat}
                state = step(state, entry_from_json(fold))
                folds.append(fold)
    return state, tuple(folds)


def append_folds(
    sheet: Sheet,
    folds: Folds,
    *,
    author: Author,
    at: datetime,
    client_id: uuid.UUID,
    answer: Mapping[str, Any],
) -> None:
    """Append the folds after the row of ``client_id``; the caller settles the state."""
    for number, fold in enumerate(folds):
        append_row(
            sheet,
            kind=RowKind.ENTRY,
            client_id=uuid.uuid5(client_id, f"away {number}"),
            author=author,
            at=at,
            answer=answer,
            entry=fold,
        )
