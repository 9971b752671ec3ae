"""Appending rows to a locked sheet, with their sequence, chain and cached state."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.sheet.state import State

from ..chain import row_body, row_hash
from ..enums import RowKind, SheetStatus
from ..errors import ScoringError
from ..models import Author, Link, Sheet, SheetEntry, author_fields, author_text
from ..reading.history import Folds
from ..reading.rows import keep_state
from .status import transition

#: With more rows than this a link can write no more: a game has a few hundred, and each correction
#: replays them all. The director still can, to put right what somebody filled with entries.
MAX_ROWS = 3000


def append_row(sheet: Sheet, *, target: SheetEntry | None = None, **fields: Any) -> SheetEntry:
    """Write the next row and advance the sheet's version and chain; the caller saves the sheet.

    Takes what :func:`next_row` does, and raises as that does.
    """
    row = SheetEntry(
        **next_row(
            sheet,
            target=target.sequence if target else None,
            target_id=target.pk if target else None,
            **fields,
        )
    )
    row.save()
    return row


def next_row(
    sheet: Sheet,
    *,
    kind: RowKind,
    client_id: uuid.UUID,
    author: Author,
    at: datetime,
    answer: Mapping[str, Any],
    entry: Mapping[str, Any] | None = None,
    target: int | None = None,
    target_id: int | None = None,
    reason: str = "",
    confirmed: bool = False,
) -> dict[str, Any]:
    """Advance the sheet's version and chain by a row; return its values, to be inserted.

    ``target`` and ``target_id`` are the sequence and the key of the row that it refers to. Raises
    :class:`ScoringError` ``sheet_full``.
    """
    sequence = sheet.version + 1
    if sequence > MAX_ROWS and isinstance(author, Link):
        raise ScoringError("sheet_full", most=MAX_ROWS)
    body = row_body(
        sequence=sequence,
        client_id=client_id,
        kind=kind,
        target=target,
        entry=entry,
        author=author_text(author),
        reason=reason,
        confirmed=confirmed,
        at=at,
    )
    previous, chain = sheet.chain, row_hash(sheet.chain, body)
    sheet.version, sheet.chain = sequence, chain
    if kind != RowKind.RESEAT and sheet.status in (SheetStatus.RUNNING, SheetStatus.FINISHED):
        sheet.last_entry_at = at
    return {
        # By keys, since setting a related row costs as much as hashing this one.
        "sheet_id": sheet.pk,
        "sequence": sequence,
        "client_id": client_id,
        "kind": kind,
        "target_id": target_id,
        "entry": entry,
        **author_fields(author),
        "reason": reason,
        "confirmed": confirmed,
        "created_at": at,
        "previous_hash": previous,
        "hash": chain,
        "answer": answer,
    }


def settle_state(
    sheet: Sheet, state: State, *, at: datetime, document: Mapping[str, Any] | None = None
) -> None:
    """Store the state after the sheet's last row, with the status that follows from it.

    ``document``: the state's, if the caller has made it.
    """
    keep_state(sheet, state)
    sheet.state = document or state.as_json()
    if state.finished and sheet.status == SheetStatus.RUNNING:
        transition(sheet, SheetStatus.FINISHED, at=at)
    elif not state.finished and sheet.status == SheetStatus.FINISHED:
        transition(sheet, SheetStatus.RUNNING, at=at)


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
