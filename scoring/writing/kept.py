"""Restoring entries that a device still has but the server lost, after a backup was restored."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError, SheetConflict
from scoring.models import Author, Sheet, SheetEntry
from scoring.reasons import needs_director
from scoring.writing.revise import revise_entry
from scoring.writing.tables import open_next_sheet
from scoring.writing.write import write_entry


@dataclass(frozen=True, slots=True)
class KeptTap:
    """An acknowledged action: an entry, or taking back the last one (no entry), with its place.

    ``place`` is deal, stage and phase, so that an entry of deal 1 is never written in deal 2.
    """

    client_id: uuid.UUID
    game: int
    place: tuple[int, str, int]
    entry: Mapping[str, Any] | None


def lacking(*, table_id: int, client_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return the ids that no sheet of the table has (one query)."""
    rows = SheetEntry.objects.filter(sheet__table=table_id, client_id__in=client_ids)
    known = set(rows.values_list("client_id", flat=True))
    return [client_id for client_id in client_ids if client_id not in known]


def write_kept(
    *, table_id: int, kept: Sequence[KeptTap], author: Author, device: str
) -> ScoringError | None:
    """Write the missing entries in order, each like any other entry; return the error, if any.

    The first refused entry ends it, since the later ones build on it. Confirmations are not asked
    for again.
    """
    wanted = set(lacking(table_id=table_id, client_ids=[each.client_id for each in kept]))
    try:
        for each in kept:
            if each.client_id in wanted:
                _write(table_id, each, author, device)
    except ScoringError as error:
        return error
    return None


def _write(table_id: int, kept: KeptTap, author: Author, device: str) -> None:
    sheet = Sheet.objects.select_related("table").filter(table=table_id, number=kept.game).first()
    if sheet is None:
        raise ScoringError("malformed")
    if sheet.status == SheetStatus.WAITING:
        sheet = open_next_sheet(table_id=table_id, by=author, number=kept.game)
    if tuple(sheet.state[name] for name in ("deal", "stage", "phase")) != kept.place:
        raise SheetConflict(seen=sheet.version, version=sheet.version, state=sheet.state)
    if kept.entry is None:
        revise_entry(
            kind=RowKind.VOID,
            sheet_id=sheet.pk,
            client_id=kept.client_id,
            seen_version=sheet.version,
            author=author,
            device=device,
        )
        return
    if sheet.table.directed and needs_director(kept.entry):
        raise ScoringError("ruling_only_director")
    write_entry(
        sheet_id=sheet.pk,
        client_id=kept.client_id,
        seen_version=sheet.version,
        entry=kept.entry,
        author=author,
        device=device,
        confirmed=True,
    )
