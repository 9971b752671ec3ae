"""The life of a table: its creation, and game after game."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from engine.draws.draw import seat_order
from engine.rules.ruleset import RuleSet
from engine.sheet.sheet import start

from ..enums import SheetStatus
from ..errors import ScoringError
from ..models import Author, FlipFlop, Sheet, Table, author_fields, author_text
from ..reading.check import head_of
from ..reading.ranking import heat_ranking
from ..reading.rules import resolve
from ..reasons import coded, with_reason
from .absence import fold_now, sit_out
from .announce import announce_sheet, change_table
from .locks import locked_sheet, locked_sheets, locked_table
from .status import transition
from .write import write_entry

_MAX_GAMES = 20
#: The limit for a tournament's table, whatever its rule set allows; a casual one follows the rules.
_MAX_AT_TABLE = 4
_MAX_PLAYERS = 6
#: The reasons of a call, in characters.
_MAX_CALL = 200


@transaction.atomic
def create_table(
    *,
    label: str,
    rules: str,
    players: Sequence[str],
    games_planned: int,
    seed: str,
    by: Author,
    heat_number: int | None = None,
    auditor: str = "",
    advance: int = 1,
    ties: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    seat_plan: Sequence[Sequence[str]] | None = None,
    directed: bool = True,
    seated: bool = False,
) -> Table:
    """Create a table with all its games' sheets; the first runs, the others wait.

    ``label`` names the event, and ``heat_number`` the heat; a casual evening has only a label. The
    seats of every game are drawn by ``engine.draws.draw.seat_order(seed, number, players)``, so
    that anybody can repeat the draw. ``seat_plan`` (one order per game) replaces the draw if the
    director has set seats by hand. Seat 0 deals first. ``directed`` is false for a table without a
    director: its Auditor's link may then enter rulings, and it may seat as many players as the rule
    set allows. ``seated`` tables are not asked to confirm their seats.

    Raises ``ScoringError`` ``bad_table``, ``bad_seats`` or ``unknown_player`` (the Auditor), and
    ``engine.errors.ChicagoError`` (``unknown_rules``, ``bad_seats``).
    """
    players = [str(player) for player in players]
    if (
        not 2 <= len(players) <= (_MAX_AT_TABLE if directed else _MAX_PLAYERS)
        or len(set(players)) != len(players)
        or not all(player.strip() for player in players)
        or not 1 <= games_planned <= _MAX_GAMES
        or not label.strip()
    ):
        raise ScoringError("bad_table", most=_MAX_AT_TABLE if directed else _MAX_PLAYERS)
    if auditor and auditor not in players:
        raise ScoringError("unknown_player")
    if seat_plan is None:
        seat_plan = [seat_order(seed, number, players) for number in range(1, games_planned + 1)]
    if len(seat_plan) != games_planned or any(sorted(s) != sorted(players) for s in seat_plan):
        raise ScoringError("bad_seats")
    ruleset = resolve(rules, overrides or {})
    now = timezone.now()
    table = Table(
        label=label.strip()[:120],
        heat_number=heat_number,
        rules=ruleset.spec,
        overrides=dict(overrides or {}),
        players=players,
        games_planned=games_planned,
        advance=advance,
        ties=list(ties),
        auditor=auditor,
        seed=seed,
        directed=directed,
        created_at=now,
        created_by=author_text(by),
        seated_at=now if seated else None,
    )
    table.rules_digest = ruleset.digest()
    table.ruleset = ruleset.as_json()
    table.save()
    sheets = [
        _new_sheet(table, ruleset, number, list(seats))
        for number, seats in enumerate(seat_plan, start=1)
    ]
    transition(sheets[0], SheetStatus.RUNNING, at=now)
    Sheet.objects.bulk_create(sheets)
    announce_sheet(sheets[0], results=False)
    return table


def _new_sheet(table: Table, ruleset: RuleSet, number: int, seats: list[str]) -> Sheet:
    sheet = Sheet(
        table=table,
        number=number,
        drawn_seats=seats,
        seats=seats,
        dealer=0,
        state=start(ruleset, len(seats), 0).as_json(),
        rules_digest=table.rules_digest,
    )
    sheet.chain = head_of(sheet)
    return sheet


@transaction.atomic
def open_next_sheet(
    *,
    table_id: int,
    by: Author,
    number: int | None = None,
    as_written: Sequence[Mapping[str, Any]] = (),
) -> Sheet:
    """Start the table's next waiting game with its drawn seats.

    ``number`` says which game is meant; if it has begun already, it is returned unchanged, so that
    a repeated request opens only one game; no other is opened in its place.

    Rulings on the new sheet carry things over: players disqualified in an earlier game stay
    disqualified, absent ones sit it out, and those who are away fold. If ``as_written``, a
    document's entries, already contains such a disqualification, it is written there instead.
    Raises ``Table.DoesNotExist`` and ``ScoringError`` ``game_running``, ``no_more_games``,
    ``game_void`` or ``game_order`` (an earlier one waits).
    """
    sheets = locked_sheets(table_id)
    meant = next((s for s in sheets if s.number == number), None)
    if meant and meant.status in {SheetStatus.RUNNING, SheetStatus.FINISHED}:
        return meant
    if meant and meant.status == SheetStatus.VOID:
        raise ScoringError("game_void", game=number)
    if any(sheet.status == SheetStatus.RUNNING for sheet in sheets):
        raise ScoringError("game_running")
    sheet = next((s for s in sheets if s.status == SheetStatus.WAITING), None)
    if sheet is None:
        raise ScoringError("no_more_games")
    if meant and meant != sheet:
        raise ScoringError("game_order")
    transition(sheet, SheetStatus.RUNNING, at=timezone.now())
    # The device that scored the last game continues without being asked.
    before = [s for s in sheets if s.number < sheet.number and s.lease_device]
    if before:
        sheet.lease_device = before[-1].lease_device
        sheet.lease_author = before[-1].lease_author
        sheet.lease_since = sheet.started_at
    sheet.save()
    announce_sheet(sheet, results=False)
    out = _disqualified(sheets, before=sheet.number)
    for player_id, number in out.items():
        _disqualify_again(sheet, player_id, number, by, as_written)
    sit_out(sheet, sheet.table.absent, by=by, reason=coded("not_at_table"))
    if sheet.table.away:
        fold_now(sheet, by=by)
    if out or sheet.table.absent or sheet.table.away:
        sheet.refresh_from_db()
    return sheet


def _disqualified(sheets: Sequence[Sheet], *, before: int) -> dict[str, int]:
    """Return players disqualified in earlier games, with the number of the first such game."""
    found: dict[str, int] = {}
    for sheet in sheets:
        if sheet.number < before and sheet.status == SheetStatus.FINISHED:
            for player_id, status in zip(sheet.seats, sheet.state["status"], strict=True):
                if status == "disqualified":
                    found.setdefault(player_id, sheet.number)
    return found


def _disqualify_again(
    sheet: Sheet, player_id: str, number: int, by: Author, as_written: Sequence[Mapping[str, Any]]
) -> None:
    sheet.refresh_from_db()
    if sheet.status != SheetStatus.RUNNING:
        return  # only one player is left: the game is over before it begins
    ruling = {"kind": "ruling", "action": "disqualify", "seat": sheet.seats.index(player_id)}
    written = (each for each in as_written if ruling.items() <= each.items())
    write_entry(
        sheet_id=sheet.pk,
        client_id=uuid.uuid5(sheet.public_id, f"disqualified {player_id}"),
        seen_version=sheet.version,
        entry=next(written, {**ruling, "reason": coded("disqualified_before", game=number)}),
        author=by,
        confirmed=True,
    )


@transaction.atomic
def return_to_previous(*, table_id: int, number: int | None = None) -> Sheet:
    """Close a game that was just opened and has no entries; return the finished one before it.

    For somebody who says "waiting" right after "next game" was tapped. ``number`` says which game
    is meant; if it is closed already, a repeated request changes nothing. Raises ``ScoringError``
    ``has_entries`` or ``nothing_to_take_back``.
    """
    sheets = locked_sheets(table_id)
    running = next((s for s in sheets if s.status == SheetStatus.RUNNING), None)
    closed = next((s for s in sheets if s.status == SheetStatus.WAITING), None)
    opened = running or closed if number else running
    if opened is None or number not in {None, opened.number}:
        raise ScoringError("nothing_to_take_back")
    before = [s for s in sheets if s.number < opened.number and s.status == SheetStatus.FINISHED]
    if not before:
        raise ScoringError("nothing_to_take_back")
    if running is None:
        return before[-1]
    transition(running, SheetStatus.WAITING, at=timezone.now())
    running.lease_device = running.lease_author = ""
    running.lease_since = None
    running.save()
    announce_sheet(running)
    return before[-1]


@transaction.atomic
def void_sheet(*, sheet_id: int, reason: str) -> Sheet:
    """Declare a game void (as the director); it no longer counts but stays readable.

    Raises ``ScoringError`` ``illegal_move`` or ``missing_reason``.
    """
    sheet = locked_sheet(sheet_id)
    transition(sheet, SheetStatus.VOID, at=timezone.now(), reason=reason)
    sheet.save()
    announce_sheet(sheet, unsign=True)
    return sheet


@transaction.atomic
def set_auditor(*, table_id: int, player_id: str) -> Table:
    """Set the table's Auditor, one of its players; an empty ``player_id`` means nobody."""
    table = locked_table(table_id)
    if player_id and player_id not in table.players:
        raise ScoringError("unknown_player")
    return change_table(table, auditor=player_id)


@transaction.atomic
def call_td(*, table_id: int, reason: str) -> Table:
    """Call the director to the table; a second call keeps the time and reasons of the first."""
    table = locked_table(table_id)
    since = table.call_since or timezone.now()
    reasons = with_reason(table.call_reasons, reason.strip(), _MAX_CALL)
    return change_table(table, call_since=since, call_reason="\n".join(reasons))


@transaction.atomic
def clear_call(*, table_id: int, reason: str | None = None) -> Table:
    """Clear the call: the director has come, or is no longer needed.

    With ``reason`` only that reason is cleared, and the call stays while there is another.
    """
    table = locked_table(table_id)
    left = [each for each in table.call_reasons if reason not in {None, each}]
    if left:
        return change_table(table, call_reason="\n".join(left))
    return change_table(table, call_since=None, call_reason="")


@transaction.atomic
def record_flip_flop(
    *,
    table_id: int,
    order: Sequence[str],
    by: Author,
    by_director: bool = False,
    seed: str | None = None,
) -> FlipFlop:
    """Record the outcome of a flip-flop as the order of one whole tied group, best first.

    ``seed`` is the one from :func:`draw_lots`, if lots made the order; a table draws them once.

    Raises ``ScoringError`` ``games_unfinished``, ``not_a_tie``, or ``signed_off`` once the table
    has signed off (unless ``by_director``, because a table may sign off before its tie is played
    off).
    """
    order = [str(player_id) for player_id in order]
    sheets = locked_sheets(table_id)
    if any(s.status in {SheetStatus.WAITING, SheetStatus.RUNNING} for s in sheets):
        raise ScoringError("games_unfinished")
    table = sheets[0].table
    if not any(s.status == SheetStatus.FINISHED for s in sheets):
        raise ScoringError("games_unfinished")
    if table.signed_at and not by_director:
        raise ScoringError("signed_off")
    asked = heat_ranking(table=table, sheets=sheets, flip_flops=()).needs_flip_flop
    if sorted(order) not in [sorted(group) for group in asked]:
        raise ScoringError("not_a_tie")
    group = sorted(order)
    undecided = heat_ranking(table=table, sheets=sheets).needs_flip_flop
    if seed and not by_director and group not in map(sorted, undecided):
        # A second tap draws no other lots.
        rows = table.flip_flops.order_by("-pk")
        return next(row for row in rows if sorted(row.order) == group)
    row = FlipFlop(
        table=table, order=order, seed=seed, **author_fields(by), created_at=timezone.now()
    )
    row.save()
    change_table(table)
    return row


@transaction.atomic
def show_again(*, table_id: int) -> None:
    """Make the table's pages refresh, because what the host says about it has changed."""
    change_table(locked_table(table_id))


@transaction.atomic
def retell_tables(*, table_ids: Collection[int], text: Callable[[str], str]) -> None:
    """Pass the typed texts of rows that may change through ``text``, which takes out a name."""
    for sheet in Sheet.objects.filter(table__in=table_ids).exclude(void_reason=""):
        told = text(sheet.void_reason)[:200]
        if told != sheet.void_reason:
            Sheet.objects.filter(pk=sheet.pk).update(void_reason=told)
    typed = Q(protest__gt="") | ~Q(call_reason="")
    for table in Table.objects.select_for_update().filter(typed, pk__in=table_ids).order_by("pk"):
        protest = table.protest and text(table.protest)[:200]
        call = "\n".join(map(text, table.call_reasons))[:200]
        if (protest, call) != (table.protest, table.call_reason):
            change_table(table, protest=protest, call_reason=call)
