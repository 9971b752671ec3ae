"""Players who are not at the table while a game runs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from scoring.enums import SheetStatus
from scoring.models import Author, Sheet
from scoring.reasons import coded
from scoring.writing.write import write_entry


def sit_out(sheet: Sheet, player_ids: Sequence[str], *, by: Author, reason: str) -> None:
    """Rule that these players sit out a running game, as long as it runs and they are in."""
    for player_id in player_ids:
        sheet.refresh_from_db()
        seat = sheet.seats.index(player_id)
        if sheet.status != SheetStatus.RUNNING or sheet.state["status"][seat] != "in":
            continue
        write_entry(
            sheet_id=sheet.pk,
            client_id=uuid.uuid5(sheet.public_id, f"absent {player_id} {sheet.version}"),
            seen_version=sheet.version,
            entry={
                "kind": "ruling",
                "action": "sit_out_game",
                "seat": seat,
                "reason": reason.strip()[:200] or coded("not_at_table"),
            },
            author=by,
            confirmed=True,
        )
