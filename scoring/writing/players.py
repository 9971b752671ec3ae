"""Who sits at a table: players taken for one another, and players who are gone."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.models import Author, FlipFlop, HeatPenalty, Table
from scoring.writing.absence import sit_out
from scoring.writing.announce import announce_sheet
from scoring.writing.rows import append_row
from scoring.writing.tables import change_table, locked_sheets


def replace_players(
    *, table_id: int, replaced: Mapping[str, str], by: Author, reason: str
) -> Table:
    """Put other people in the places of a table's players; every entry stays with its seat.

    For people who sat down at the wrong table: ``replaced`` gives for each wrong reference the
    right one. The change is a row on every sheet. Raises ``ScoringError`` ``missing_reason``,
    ``bad_seats`` (somebody would sit twice), ``unknown_player`` and, once a Flip Flop is
    recorded, ``flip_flop_recorded``; ``penalty_recorded`` while one of those who go away has a
    penalty in game points.
    """
    if not reason.strip():
        raise ScoringError("missing_reason")
    with transaction.atomic():
        sheets = locked_sheets(table_id)
        table = sheets[0].table
        if not set(replaced) <= set(table.players):
            raise ScoringError("unknown_player")
        players = [replaced.get(player_id, player_id) for player_id in table.players]
        if len(set(players)) != len(players):
            raise ScoringError("bad_seats")
        if FlipFlop.objects.filter(table=table).exists():
            raise ScoringError("flip_flop_recorded")
        if HeatPenalty.objects.in_force().filter(table=table, player__in=list(replaced)).exists():
            raise ScoringError("penalty_recorded")
        now = timezone.now()
        for sheet in sheets:
            if sheet.status == SheetStatus.VOID:
                continue
            sheet.seats = [replaced.get(player_id, player_id) for player_id in sheet.seats]
            append_row(
                sheet,
                kind=RowKind.RESEAT,
                client_id=uuid.uuid4(),
                author=by,
                at=now,
                answer={
                    "sequence": sheet.version + 1,
                    "version": sheet.version + 1,
                    "state": sheet.state,
                    "warnings": [],
                },
                entry={"seats": sheet.seats, "follow": "seat"},
                reason=reason.strip()[:200],
            )
            sheet.save()
        table = change_table(
            table,
            players=players,
            auditor=replaced.get(table.auditor, table.auditor),
            absent=[replaced.get(player_id, player_id) for player_id in table.absent],
        )
        # Only now do all sheets name the same players.
        for sheet in sheets:
            if sheet.status != SheetStatus.VOID:
                announce_sheet(sheet, unsign=True)
    return table


def set_absent(*, table_id: int, player_ids: Sequence[str], by: Author, reason: str) -> Table:
    """Say who of a table's players is gone: they sit out the running game and all later ones.

    A player who comes back plays from the next game on. Raises ``ScoringError``
    ``unknown_player``, and what a ruling on the running sheet raises.
    """
    with transaction.atomic():
        sheets = locked_sheets(table_id)
        table = sheets[0].table
        if not set(player_ids) <= set(table.players):
            raise ScoringError("unknown_player")
        newly = [player_id for player_id in player_ids if player_id not in table.absent]
        table = change_table(table, absent=list(player_ids))
        running = next((s for s in sheets if s.status == SheetStatus.RUNNING), None)
        if running is not None:
            sit_out(running, newly, by=by, reason=reason)
    return table
