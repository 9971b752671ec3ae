"""Restoring what a device still has but the server lost, after a backup was restored."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from ..enums import RowKind, SheetStatus
from ..errors import ScoringError, SheetConflict
from ..models import Author, Sheet, SheetEntry
from ..reading.names import names_of
from ..reading.recover import lacking, position_of, seatings_of
from ..reading.rows import is_dealt, later_begun
from ..reasons import coded, needs_director, with_words
from .absence import fold_now
from .acceptance import sign_off
from .chicago import declare_chicago
from .correct import correct_entry
from .players import confirm_seats
from .tables import call_td, open_next_sheet, return_to_previous
from .write import write_entry


@dataclass(frozen=True, slots=True)
class RecoveredTap:
    """An acknowledged action and its position, so that none of deal 1 is written in deal 2.

    ``position`` is deal, stage and phase; ``seating`` is who sat where (empty from older scripts),
    ``names`` the same in names, if the device knows the heat from another server; ``away`` are the
    seats that folded the deal, called away by the floor.
    """

    client_id: uuid.UUID
    game: int
    position: tuple[int, str, int]
    seating: str
    away: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecoveredSignOff:
    """The Auditor's sign-off of the table."""

    client_id: uuid.UUID


@dataclass(frozen=True, slots=True)
class RecoveredEntry(RecoveredTap):
    """An entry, or taking back the last one (no entry)."""

    entry: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class RecoveredChicago(RecoveredTap):
    """A declared Chicago, or taking it back (no seat)."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class RecoveredCorrection(RecoveredTap):
    """A line corrected at the table; ``later`` is whether later entries were taken back with it."""

    kind: RowKind
    target: uuid.UUID
    entry: Mapping[str, Any] | None
    later: bool


@dataclass(frozen=True, slots=True)
class RecoveredSeats(RecoveredTap):
    """A game's seats, changed at the table before its first entry."""

    seats: tuple[str, ...]


def write_recovered(
    *, table_id: int, taps: Sequence[RecoveredTap | RecoveredSignOff], author: Author, device: str
) -> ScoringError | None:
    """Write the missing actions in order, each like any other; return the error, if any.

    The first refused one ends it, since the later ones build on it. Confirmations are not asked
    for again. In a heat drawn again because the server has lost it, a game in which nothing has
    been entered gets the seats in which the device knows its players.
    """
    wanted = set(lacking(table_id=table_id, client_ids=[each.client_id for each in taps]))
    try:
        for each in taps:
            if each.client_id not in wanted:
                continue
            if isinstance(each, RecoveredSignOff):
                sign_off(table_id=table_id, by=author, device=device)
            else:
                _write(table_id, each, author, device)
    except ScoringError as error:
        return error
    return None


@transaction.atomic
def call_for_lost_decisions(*, table_id: int, told: Sequence[str]) -> None:
    """Call the director with what a device knows of decisions that the server has lost."""
    call_td(table_id=table_id, reason=with_words(coded("call_restored"), "; ".join(told)))


@transaction.atomic
def _write(table_id: int, tap: RecoveredTap, author: Author, device: str) -> None:
    sheet = Sheet.objects.select_related("table").filter(table=table_id, number=tap.game).first()
    if sheet is None:
        raise ScoringError("malformed")
    if sheet.status == SheetStatus.WAITING:
        # Refused if the device has no lines of the game before it: it came from paper, or is void.
        sheet = open_next_sheet(table_id=table_id, by=author, number=tap.game)
    later = Sheet.objects.filter(table=table_id, number=tap.game + 1, status=SheetStatus.RUNNING)
    if sheet.status == SheetStatus.FINISHED and any(not each.is_written for each in later):
        # The table went back to this game.
        sheet = return_to_previous(table_id=table_id, number=tap.game + 1)
    if isinstance(tap, RecoveredSeats):
        confirm_seats(
            table_id=table_id,
            seen_version=sheet.version,
            by=author,
            device=device,
            order=tap.seats,
            game=tap.game,
            client_id=tap.client_id,
        )
        return
    if tap.seating not in seatings_of(sheet):
        sheet = _sit_as_named(sheet, tap.names, author, device)
    if position_of(sheet.state) != tap.position:
        raise SheetConflict(seen=sheet.version, version=sheet.version, state=sheet.state)
    away = [sheet.seats[seat] for seat in tap.away if seat < len(sheet.seats)]
    fold_now(sheet, by=author, away=away)
    _write_tap(sheet, tap, author, device)
    fold_now(sheet, by=author, away=away)


def _sit_as_named(sheet: Sheet, names: Sequence[str], author: Author, device: str) -> Sheet:
    """Return the sheet if its players sit as named, or do so now; raise ``other_seats``."""
    known = {name: player_id for player_id, name in names_of(sheet.table).items()}
    seats = [known.get(name, "") for name in names]
    if seats == sheet.seats:
        return sheet
    if is_dealt(sheet) or sorted(seats) != sorted(sheet.seats):
        raise ScoringError("other_seats")
    confirm_seats(
        table_id=sheet.table_id,
        seen_version=sheet.version,
        by=author,
        device=device,
        order=seats,
        game=sheet.number,
    )
    return Sheet.objects.select_related("table").get(pk=sheet.pk)


def _write_tap(sheet: Sheet, tap: RecoveredTap, author: Author, device: str) -> None:
    if isinstance(tap, RecoveredChicago):
        declare_chicago(
            sheet_id=sheet.pk,
            client_id=tap.client_id,
            deal=tap.position[0],
            seat=tap.seat,
            author=author,
            device=device,
        )
    elif isinstance(tap, RecoveredCorrection):
        _correct(sheet, tap, author, device)
    elif isinstance(tap, RecoveredEntry) and tap.entry is not None:
        _refuse_ruling(sheet, tap.entry)
        write_entry(
            sheet_id=sheet.pk,
            client_id=tap.client_id,
            seen_version=sheet.version,
            entry=tap.entry,
            author=author,
            device=device,
            confirmed=True,
        )
    else:
        correct_entry(
            kind=RowKind.VOID,
            sheet_id=sheet.pk,
            client_id=tap.client_id,
            seen_version=sheet.version,
            author=author,
            device=device,
        )


def _correct(sheet: Sheet, tap: RecoveredCorrection, author: Author, device: str) -> None:
    """Correct the line with the target's id: its sequence may differ on a restored server."""
    rows = SheetEntry.objects.filter(sheet=sheet, client_id=tap.target)
    sequence = rows.values_list("sequence", flat=True).first()
    if sequence is None or later_begun(sheet):
        raise ScoringError("entry_gone")
    if tap.kind == RowKind.VOID:
        entry = None
    elif tap.entry is None:
        raise ScoringError("malformed")
    else:
        entry = tap.entry
        _refuse_ruling(sheet, entry)
    correct_entry(
        kind=tap.kind,
        sheet_id=sheet.pk,
        client_id=tap.client_id,
        seen_version=sheet.version,
        sequence=sequence,
        entry=entry,
        author=author,
        device=device,
        reason=coded("mended_at_table"),
        with_later=tap.later,
    )


def _refuse_ruling(sheet: Sheet, entry: Mapping[str, Any]) -> None:
    if sheet.table.directed and needs_director(entry):
        raise ScoringError("ruling_only_director")
