"""Players who are away from the table while a game runs: called away for a time, or gone."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from ..enums import RowKind, SheetStatus
from ..models import Author, Sheet
from ..reading.history import folds_of, slots_of
from ..reading.rows import rows_of, state_of
from ..reasons import coded, is_away
from .correct import correct_entry
from .write import write_entry


def sit_out(sheet: Sheet, player_ids: Sequence[str], *, by: Author, reason: str) -> None:
    """Rule that these players, if still in, sit out the rest of a running game."""
    for player_id in player_ids:
        sheet.refresh_from_db()
        seat = sheet.seats.index(player_id)
        if sheet.status != SheetStatus.RUNNING or sheet.state["status"][seat] != "in":
            continue
        ruling = {
            "kind": "ruling",
            "action": "sit_out_game",
            "seat": seat,
            "reason": reason.strip()[:200] or coded("not_at_table"),
        }
        _rule(sheet, f"absent {player_id}", ruling, by)


def fold_now(sheet: Sheet, *, by: Author, away: Sequence[str] | None = None) -> None:
    """Let players who are away fold the current deal, or the one that begins now.

    ``away`` are other players than the table's own list has.
    """
    sheet.refresh_from_db()
    if sheet.status != SheetStatus.RUNNING:
        return
    away = sheet.table.away if away is None else away
    _state, folds = folds_of(state_of(sheet), sheet.seats, away)
    for fold in folds:
        _rule(sheet, f"away {fold['seat']}", fold, by)
        sheet.refresh_from_db()


def play_now(sheet: Sheet, player_ids: Sequence[str], *, by: Author) -> None:
    """Let returning players play the current deal, if nothing has been entered for it yet."""
    for player_id in player_ids:
        sheet.refresh_from_db()
        if sheet.status != SheetStatus.RUNNING or state_of(sheet).begun:
            return
        slots, seats = slots_of(rows_of(sheet), sheet.drawn_seats)
        for slot in reversed([slot for slot in slots if not slot.voided]):
            if slot.entry.get("kind") != "ruling":
                break
            if is_away(slot.entry) and seats[slot.entry["seat"]] == player_id:
                correct_entry(
                    kind=RowKind.VOID,
                    sheet_id=sheet.pk,
                    client_id=uuid.uuid4(),
                    seen_version=sheet.version,
                    author=by,
                    sequence=slot.sequence,
                    by_director=True,
                )
                break


def _rule(sheet: Sheet, what: str, ruling: Mapping[str, Any], by: Author) -> None:
    write_entry(
        sheet_id=sheet.pk,
        client_id=uuid.uuid5(sheet.public_id, f"{what} {sheet.version}"),
        seen_version=sheet.version,
        entry=ruling,
        author=by,
        confirmed=True,
    )
