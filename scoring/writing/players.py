"""Who sits at a table: mistaken players, and players who are away or gone."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from ..enums import RowKind, SheetStatus
from ..errors import ScoringError
from ..models import Author, FlipFlop, HeatPenalty, Table, author_fields
from ..models.sheet import NEW_SEATS
from ..reading.records import one_per_group
from ..reading.rows import is_dealt
from ..reading.tables import unplayed
from ..reasons import coded
from .absence import fold_now, play_now, sit_out
from .announce import announce_sheet, change_table
from .correct import reseat
from .lease import hold_lease, take_lease
from .locks import locked_sheets
from .rows import append_row
from .tables import create_table, void_sheet
from .write import check_writable


@transaction.atomic
def replace_players(
    *,
    table_id: int,
    replaced: Mapping[str, str],
    by: Author,
    reason: str,
    same_people: bool = False,
) -> Table:
    """Replace a table's players by other people; every line stays with its seat.

    This is for people who sat down at the wrong table: ``replaced`` maps each wrong reference to
    the right one. With ``same_people`` it is for one player with two references: a sign-off stays
    valid, and flip-flops and game point penalties are recorded again under the right reference. The
    change is a row on every sheet. Raises ``ScoringError`` ``missing_reason``, ``bad_seats``
    (somebody would sit twice), ``unknown_player``, and without ``same_people``
    ``flip_flop_recorded`` after a flip-flop, and ``penalty_recorded`` while a player who leaves has
    a game point penalty.
    """
    if not reason.strip():
        raise ScoringError("missing_reason")
    sheets = locked_sheets(table_id)
    table = sheets[0].table
    if not set(replaced) <= set(table.players):
        raise ScoringError("unknown_player")
    players = [replaced.get(player_id, player_id) for player_id in table.players]
    if len(set(players)) != len(players):
        raise ScoringError("bad_seats")
    tossed = one_per_group(FlipFlop.objects.filter(table=table))
    taken = HeatPenalty.objects.in_force().filter(table=table, player__in=list(replaced))
    if tossed and not same_people:
        raise ScoringError("flip_flop_recorded")
    if taken.exists() and not same_people:
        raise ScoringError("penalty_recorded")
    now = timezone.now()
    for flip_flop in tossed:
        _toss_again(flip_flop, replaced)
    for penalty in list(taken):
        _take_again(penalty, replaced[penalty.player], by=by, reason=reason, at=now)
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
        away=[replaced.get(player_id, player_id) for player_id in table.away or ()],
    )
    # Only now do all sheets name the same players.
    for sheet in sheets:
        if sheet.status != SheetStatus.VOID:
            announce_sheet(sheet, unsign=not same_people)
    return table


def _toss_again(flip_flop: FlipFlop, replaced: Mapping[str, str]) -> None:
    """Record a flip-flop once more with the right references; the seed of lots no longer fits."""
    order = [replaced.get(player_id, player_id) for player_id in flip_flop.order]
    if order == flip_flop.order:
        return
    FlipFlop(
        table=flip_flop.table,
        order=order,
        author=flip_flop.author,
        author_link=flip_flop.author_link,
        author_user=flip_flop.author_user,
        created_at=flip_flop.created_at,
    ).save()


def _take_again(
    penalty: HeatPenalty, player_id: str, *, by: Author, reason: str, at: datetime
) -> None:
    """Take a penalty back, and record it once more for the player's right reference."""
    HeatPenalty(
        table=penalty.table,
        player=penalty.player,
        twelfths=penalty.twelfths,
        reason=reason.strip()[:200],
        client_id=uuid.uuid4(),
        takes_back=penalty,
        **author_fields(by),
        created_at=at,
    ).save()
    HeatPenalty(
        table=penalty.table,
        player=player_id,
        twelfths=penalty.twelfths,
        reason=penalty.reason,
        client_id=uuid.uuid4(),
        author=penalty.author,
        author_link=penalty.author_link,
        author_user=penalty.author_user,
        created_at=penalty.created_at,
    ).save()


@transaction.atomic
def confirm_seats(
    *,
    table_id: int,
    seen_version: int,
    by: Author,
    device: str = "",
    order: Sequence[str] | None = None,
    game: int = 1,
    client_id: uuid.UUID | None = None,
) -> Table:
    """Confirm the seats of a game before its first deal, or first correct them to ``order``.

    Only the first game is asked about; confirming again changes nothing. Raises ``ScoringError``
    ``has_entries`` after the first entry, and the errors of :func:`scoring.writing.reseat` and of a
    write.
    """
    sheets = locked_sheets(table_id)
    sheet = next((s for s in sheets if s.number == game), None)
    if sheet is None:
        raise ScoringError("malformed")
    same = order is None or list(order) == sheet.seats
    if same and (game > 1 or sheet.table.seated_at is not None):
        return sheet.table
    check_writable(sheet, seen_version)
    if is_dealt(sheet):
        raise ScoringError("has_entries")
    now = timezone.now()
    hold_lease(sheet, device=device, author=by, at=now)
    sheet.save(update_fields=["lease_device", "lease_author", "lease_since"])
    if order is not None and not same:
        reseat(
            sheet_id=sheet.pk,
            client_id=client_id or uuid.uuid4(),
            seen_version=seen_version,
            author=by,
            seats=order,
            reason=coded("sat_otherwise"),
        )
    return change_table(sheet.table, seated_at=sheet.table.seated_at or now)


@transaction.atomic
def resize_table(
    *,
    table_id: int,
    players: Sequence[str],
    overrides: Mapping[str, Any] | None = None,
    by: Author,
    reason: str,
) -> Table:
    """Return a new table with new seats, replacing one where nothing has been played.

    This is for a latecomer to a table of three, or a missing player at a table of four. The links
    open the new table; its scorer takes over there after seeing the new seats. The old table's
    games become void. Raises ``ScoringError`` ``has_entries`` and ``bad_table``.
    """
    sheets = locked_sheets(table_id)
    old = sheets[0].table
    if not unplayed(table_id):
        raise ScoringError("has_entries")
    new = create_table(
        label=old.label,
        heat_number=old.heat_number,
        rules=old.rules,
        overrides=overrides,
        players=players,
        games_planned=old.games_planned,
        advance=old.advance,
        ties=old.ties,
        seed=old.seed,
        auditor=old.auditor if old.auditor in players else "",
        directed=old.directed,
        by=by,
    )
    for sheet in sheets:
        if sheet.status != SheetStatus.VOID:
            void_sheet(sheet_id=sheet.pk, reason=reason)
    old.links.update(table=new)
    first = new.sheets.get(number=1)
    take_lease(sheet_id=first.pk, device=f"{NEW_SEATS}{new.public_id}", author=by)
    new.refresh_from_db()
    return new


@transaction.atomic
def set_absent(*, table_id: int, player_ids: Sequence[str], by: Author, reason: str) -> Table:
    """Set which of a table's players are gone: they sit out the running game and all later ones.

    A player who returns plays from the next game. Raises ``ScoringError`` ``unknown_player``, and
    the errors of a ruling on the running sheet.
    """
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


@transaction.atomic
def set_away(*, table_id: int, player_ids: Sequence[str], by: Author) -> Table:
    """Set which of a table's players are called away: they fold each deal from the current one.

    A player who returns plays the current deal if it has no entries yet, else the next one. Raises
    ``ScoringError`` ``unknown_player``, and ``nobody_plays`` if no other player is left.
    """
    sheets = locked_sheets(table_id)
    table = sheets[0].table
    if not set(player_ids) <= set(table.players):
        raise ScoringError("unknown_player")
    running = next((s for s in sheets if s.status == SheetStatus.RUNNING), None)
    playing = set(table.players) - set(table.absent)
    if running is not None:
        status = zip(running.seats, running.state["status"], strict=True)
        playing = {player_id for player_id, each in status if each == "in"}
    if player_ids and playing <= set(player_ids):
        raise ScoringError("nobody_plays")
    back = [player_id for player_id in table.away or () if player_id not in player_ids]
    table = change_table(table, away=list(player_ids))
    if running is not None:
        play_now(running, back, by=by)
        fold_now(running, by=by)
    return table
