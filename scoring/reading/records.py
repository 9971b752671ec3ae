"""Sheets as public game records (game-record.md), for exports."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.sheet.facts import ScoreChanged
from engine.totals.totals import FORMAT

from ..chain import stamp
from ..enums import RowKind, SheetStatus
from ..models import (
    FlipFlop,
    GameAcceptance,
    HeatPenalty,
    Objection,
    ObjectionAnswer,
    Sheet,
    SheetEntry,
    Table,
)
from .history import Row, marks_from_paper, play, slots_of
from .rules import rules_of

Record = dict[str, Any]


def game_records(tables: Iterable[Table]) -> dict[int, list[tuple[Sheet, Record]]]:
    """Return the begun games of each table with their records, in order (two queries in all).

    Seats are the players' references. The entries are the effective ones: without those taken back,
    and with corrections applied. A game with only totals from paper is a totals document. ``meta``
    holds the digest of the table's rules, and for a game from paper whether it was compared. Games
    of voided tables are included as far as they were played.
    """
    found = {table.pk: table for table in tables}
    begun = Sheet.objects.filter(table__in=list(found), started_at__isnull=False)
    sheets = begun.order_by("table", "number")
    games: dict[int, list[tuple[Sheet, Record]]] = {pk: [] for pk in found}
    rows = _rows(sheets)
    for sheet in sheets:
        table = found[sheet.table_id]
        own = rows.get(sheet.pk, [])
        slots, seats = slots_of(own, sheet.drawn_seats)
        meta: dict[str, Any] = {"rules_digest": table.rules_digest}
        if marks_from_paper(own):
            meta["paper"] = {"checked": own[-1].kind == RowKind.CHECKED}
        counted = [slot for slot in slots if not slot.voided]
        whole = counted[0].entry if counted and counted[0].totals else None
        record: Record = {
            "format": FORMAT if whole else "chicago-game-record",
            "version": 1,
            "rules": table.rules,
            "seats": _named(whole, seats) if whole else seats,
            "dealer": sheet.dealer,
            "game": sheet.number,
            "meta": meta,
            "entries": [dict(slot.entry) for slot in counted],
        }
        if whole:
            del record["dealer"], record["entries"]
            record |= {key: whole[key] for key in ("winner", "win") if key in whole}
        games[sheet.table_id].append((sheet, record))
    return games


def _named(entry: Mapping[str, Any], seats: Sequence[str]) -> list[Record]:
    return [{"name": name, **seat} for name, seat in zip(seats, entry["seats"], strict=True)]


def counted_entries(client_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, dict[str, Any]]:
    """Return what counts today in place of these rows; entries taken back are left out.

    Seats are the sheet's current seats (two queries).
    """
    written: dict[int, dict[int, uuid.UUID]] = {}
    sheets: dict[int, Sheet] = {}
    for row in SheetEntry.objects.filter(client_id__in=list(client_ids)).select_related("sheet"):
        sheets[row.sheet_id] = row.sheet
        written.setdefault(row.sheet_id, {})[row.sequence] = row.client_id
    rows = _rows(sheets.values())
    found: dict[uuid.UUID, dict[str, Any]] = {}
    for pk, sheet in sheets.items():
        slots, _seats = slots_of(rows[pk], sheet.drawn_seats)
        for slot in slots:
            if slot.sequence in written[pk] and not slot.voided:
                found[written[pk][slot.sequence]] = dict(slot.entry)
    return found


def points_given(client_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Return how many points the rulings in these rows actually gave their seats (two queries).

    A floor or the target may have reduced them; they are negative for points taken.
    """
    written = {
        (row.sheet_id, row.sequence): row
        for row in SheetEntry.objects.filter(client_id__in=list(client_ids)).select_related(
            "sheet__table"
        )
    }
    sheets = {row.sheet_id: row.sheet for row in written.values()}
    rows = _rows(sheets.values()) if sheets else {}
    given: dict[uuid.UUID, int] = {}
    for pk, sheet in sheets.items():
        slots, seats = slots_of(rows[pk], sheet.drawn_seats)
        for step in play(rules_of(sheet.table), len(seats), sheet.dealer, slots).steps:
            row = written.get((pk, step.slot.sequence))
            if row is not None:
                seat = step.slot.entry.get("seat")
                given[row.client_id] = sum(
                    fact.gain
                    for fact in step.after.facts
                    if isinstance(fact, ScoreChanged)
                    and (fact.seat, fact.cause) == (seat, "ruling")
                )
    return given


def _rows(sheets: Iterable[Sheet]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for sheet, sequence, kind, entry, target in (
        SheetEntry.objects.filter(sheet__in=[sheet.pk for sheet in sheets])
        .order_by("sheet", "sequence")
        .values_list("sheet", "sequence", "kind", "entry", "target__sequence")
    ):
        found.setdefault(sheet, []).append(Row(sequence, kind, entry, target))
    return found


def row_histories(tables: Iterable[Table]) -> dict[int, list[dict[str, Any]]]:
    """Return every row of each sheet as it is hashed, with its hash (one query)."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in (
        SheetEntry.objects.filter(sheet__table__in=[table.pk for table in tables])
        .select_related("target")
        .order_by("sheet", "sequence")
    ):
        found.setdefault(row.sheet_id, []).append(
            {
                "sequence": row.sequence,
                "kind": row.kind,
                "target": row.target.sequence if row.target else None,
                "entry": row.entry,
                "id": str(row.client_id),
                "at": stamp(row.created_at),
                "by": row.author,
                "reason": row.reason,
                "confirmed": row.confirmed,
                "hash": row.hash,
            }
        )
    return found


def latest_flip_flops(tables: Iterable[Table]) -> Mapping[int, list[FlipFlop]]:
    """Return the flip-flops of each table that count, one per tied group, in order (one query)."""
    found: dict[int, list[FlipFlop]] = {}
    for row in FlipFlop.objects.filter(table__in=[table.pk for table in tables]).order_by("pk"):
        found.setdefault(row.table_id, []).append(row)
    return {table: one_per_group(rows) for table, rows in found.items()}


def one_per_group(flip_flops: Iterable[FlipFlop]) -> list[FlipFlop]:
    """Return the latest of each group of players."""
    return list({frozenset(row.order): row for row in flip_flops}.values())


def statements_of_games(sheets: Iterable[Sheet]) -> dict[int, dict[str, list[Record]]]:
    """Return, by table, who accepted which game in its current form, and the objections.

    Oldest first, by the table's current players, and only for tables where something was said (two
    queries).
    """
    of = {sheet.pk: sheet for sheet in sheets}
    found: dict[int, dict[str, list[Record]]] = {}

    def add(name: str, row: GameAcceptance | Objection, more: Record) -> None:
        sheet = of[row.sheet_id]
        if row.player not in sheet.seats:
            return
        statement = {"game": sheet.number, "player": row.player, "at": stamp(row.created_at)}
        found.setdefault(sheet.table_id, {}).setdefault(name, []).append(statement | more)

    for accepted in GameAcceptance.objects.filter(sheet__in=list(of)).order_by("pk"):
        sheet = of[accepted.sheet_id]
        if sheet.status == SheetStatus.FINISHED and accepted.chain == sheet.chain:
            add("acceptances", accepted, {"means": accepted.means})
    for row in Objection.objects.filter(sheet__in=list(of)).select_related("answer").order_by("pk"):
        more: Record = {"deal": row.deal, "text": row.text}
        answer: ObjectionAnswer | None = getattr(row, "answer", None)
        if answer is not None:
            more["answer"] = {"at": stamp(answer.created_at)}
            more["answer"] |= {} if answer.withdrawn else {"reason": answer.reason}
        add("objections", row, more)
    return found


def heat_penalties(tables: Iterable[Table]) -> Mapping[int, list[HeatPenalty]]:
    """Return the game point penalties in force, by table and in order (one query)."""
    found: dict[int, list[HeatPenalty]] = {}
    for row in HeatPenalty.objects.in_force().filter(table__in=[table.pk for table in tables]):
        found.setdefault(row.table_id, []).append(row)
    return found
