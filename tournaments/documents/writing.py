"""Write an event as a chicago-event document.

Players are named by their number in the event, as text, in `players`, `seats`, draws and results.
Every heat has all fields of a heat file, and every game is a valid game record or totals document,
so that ``python -m engine heat``, ``replay`` and ``totals`` can check each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q

from scoring.enums import SheetStatus
from scoring.models import Sheet, Table
from scoring.reading.names import shown_entry
from scoring.reading.ranking import counted_flip_flops
from scoring.reading.records import (
    game_records,
    heat_penalties,
    latest_flip_flops,
    row_histories,
    statements_of_games,
)

from ..core.names import registration_name, shown_text
from ..core.times import stored_days, stored_times
from ..models import Draw, Event, Heat, HeatEntry, HeatResult, Registration, Stage, StagePlayer
from ..models.alphabet import split_name
from ..models.enums import (
    DrawStatus,
    EntryStatus,
    HeatStatus,
    StageKind,
    StagePlayerSource,
)
from ..results.queries.ranking import final_ranking
from .penalties import penalty_rows

FORMAT = "chicago-event"
VERSION = 1

#: The event's fields that an import needs and that have no place of their own.
SETTINGS = (
    "venue",
    "games_per_heat",
    "advance_per_heat",
    "out_points",
    "table_size",
    "ends_with_heats",
    "room_plan",
    "playoff_advance",
    "playoff_games",
    "final_games",
    "playoff_grouping",
    "no_show_rule",
    "penalty_ladder",
    "penalties_per_offence",
    "reentry_limit",
    "acceptance",
    "results_need_director",
    "sign_up_opens_at",
    "sign_up_closes_at",
    "capacity",
    "keep_turn_minutes",
    "currency",
    "buy_in",
    "fee",
    "prizes",
    "prize_added",
    "minutes_per_heat",
    "time_rule",
    "shot_clock_seconds",
    "colour",
    "paper_size",
)

Document = dict[str, Any]
Text = Callable[[str], str]


def event_document(
    event: Event, *, anonymous: bool = False, history: bool = False, heads: bool = False
) -> Document:
    """Return the whole event as a document (a fixed number of queries).

    ``anonymous`` leaves out all names. ``history`` adds every row of the sheets with its hash,
    including what was voided or replaced. Free text, such as reasons, also shows only public names;
    a history row changed by that no longer matches its hash. ``heads`` adds each sheet's number of
    rows and last hash, to be kept where the database's owner cannot change them. Heads belong to
    this database; without them, the document of an imported copy is the same.
    """
    registrations = list(event.registrations.select_related("person", "part").order_by("number"))
    text = shown_text(registrations, anonymous=anonymous)
    heats = list(
        Heat.objects.filter(event=event).select_related("table", "draw").order_by("number")
    )
    tables = [heat.table for heat in heats if heat.table is not None]
    writer = _HeatWriter(event, tables, text)
    document: Document = {
        "format": FORMAT,
        "version": VERSION,
        "name": event.name,
        "slug": event.slug,
        "starts_on": event.starts_on.isoformat(),
        "ends_on": event.ends_on.isoformat(),
        "status": event.status,
        "rules": event.rules,
        "rules_digest": event.rules_digest,
        "game_points": event.game_points,
        "ties": event.tie_chain,
        "settings": {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name in SETTINGS
            for value in [getattr(event, name)]
        },
        "registrations": _registrations(event, registrations, anonymous=anonymous),
        "queue": _queue(event),
        "stages": [_stage(stage, heats, writer) for stage in event.stages.order_by("number")],
        "qualifiers": [
            str(number)
            for number in event.qualifications.valid()
            .order_by("order")
            .values_list("registration__number", flat=True)
        ],
        "lucky_losers": [
            str(number)
            for number in StagePlayer.objects.filter(
                stage__event=event,
                source__in=[StagePlayerSource.LUCKY_LOSER, StagePlayerSource.REPLACEMENT],
            )
            .order_by("stage__number", "order")
            .values_list("registration__number", flat=True)
        ],
        "penalties": [
            dict(shown_entry(row, text)) for row in penalty_rows(event, heats, writer.games)
        ],
        "result": [{"place": each.place, "id": each.player_id} for each in final_ranking(event)],
    }
    days = stored_days(list(event.timetable.all()))
    if days:
        document["timetable"] = days
    sheets = _with_rows(tables) if heads or history else {}
    if heads:
        document["heads"] = _heads(sheet for each in sheets.values() for sheet in each)
    if history:
        rows = row_histories(tables)
        document["history"] = [
            {
                "heat": str(heat.number),
                "game": sheet.number,
                "rows": [_row(row, text) for row in rows.get(sheet.pk, [])],
            }
            for heat in heats
            for sheet in sheets.get(heat.table_id or 0, ())
        ]
    return document


def _with_rows(tables: Iterable[Table]) -> dict[int, list[Sheet]]:
    """Return the sheets by table, with those of games that never began but have rows, too.

    A device may have written in a game that had been closed again; its rows are kept as voided.
    """
    found: dict[int, list[Sheet]] = {}
    begun = Q(started_at__isnull=False) | Q(version__gt=0)
    for sheet in Sheet.objects.filter(begun, table__in=tables).order_by("table", "number"):
        found.setdefault(sheet.table_id, []).append(sheet)
    return found


def _heads(sheets: Iterable[Sheet]) -> Document:
    """Return, by the sheets' public ids, the number of rows and the last hash."""
    return {str(sheet.public_id): [sheet.version, sheet.chain] for sheet in sheets}


def _registrations(
    event: Event, registrations: Iterable[Registration], *, anonymous: bool
) -> list[Document]:
    paid = HeatEntry.objects.paid().filter(registration__event=event)
    entries = Counter(paid.values_list("registration", flat=True))
    rows = []
    for registration in registrations:
        row: Document = {"id": registration.player_id}
        if not anonymous:
            row["name"] = name = registration_name(registration)
            person = registration.person
            named = (person.given_name, person.family_name)
            if name == person.legal_name and "," not in name and named != split_name(name):
                row["family_name"] = person.family_name
        row["status"] = registration.status
        row["entries"] = entries[registration.pk]
        if registration.fixed_table is not None:
            row["fixed_table"] = registration.fixed_table
        if registration.part is not None:
            row["part"] = registration.part.name
        if registration.free_starts:
            row["free_starts"] = registration.free_starts
        rows.append(row)
    return rows


def _queue(event: Event) -> list[str]:
    waiting = HeatEntry.objects.filter(registration__event=event, status=EntryStatus.WAITING)
    return [
        str(number)
        for number in waiting.order_by("entered_at", "pk").values_list(
            "registration__number", flat=True
        )
    ]


def _stage(stage: Stage, heats: Iterable[Heat], writer: "_HeatWriter") -> Document:
    document: Document = {
        "kind": stage.kind,
        "number": stage.number,
        "round": stage.round,
        # Part of the format; the days of the timetable have names.
        "label": "",
        "status": stage.status,
        "advance": stage.advance,
        "games": stage.games,
    }
    if stage.rounds_left is not None:
        document["rounds_left"] = stage.rounds_left
    if stage.kind != StageKind.QUALIFYING:
        document["players"] = [
            {
                "id": row.registration.player_id,
                "source": row.source,
                "absent": row.absent,
                "replaces": row.replaces.registration.player_id if row.replaces else None,
                "basis": _basis(row.basis, writer.text),
            }
            for row in stage.players.select_related(
                "registration", "replaces__registration"
            ).order_by("order")
        ]
    document["draws"] = [_draw(draw, writer.text) for draw in stage.draws.order_by("number")]
    document["heats"] = [writer.heat(heat) for heat in heats if heat.stage_id == stage.pk]
    return document


def _decided_otherwise(event: Event) -> dict[int, list[str]]:
    """Return who went on from a heat where a director decided against its corrected sheets."""
    rows: dict[int, list[tuple[str, bool, int]]] = {}
    for heat, number, advances, places in (
        HeatResult.objects.filter(
            heat__event=event, heat__status=HeatStatus.FINISHED, disqualified=False
        )
        .order_by("heat", "order")
        .values_list("heat", "entry__registration__number", "advances", "heat__advance")
    ):
        rows.setdefault(heat, []).append((str(number), advances, places))
    went = {
        heat: [player_id for player_id, advances, _places in found if advances]
        for heat, found in rows.items()
    }
    return {
        heat: went[heat]
        for heat, found in rows.items()
        if went[heat] != [player_id for player_id, _advances, _places in found][: found[0][2]]
    }


def _row(row: Document, text: Text) -> Document:
    entry = shown_entry(row["entry"], text) if row["entry"] else row["entry"]
    return {**row, "entry": entry, "reason": text(row["reason"])}


def _basis(basis: Document, text: Text) -> Document:
    return basis | {"by_hand": text(basis["by_hand"])} if basis.get("by_hand") else basis


def _draw(draw: Draw, text: Text) -> Document:
    reply = {
        name: getattr(draw, name)
        for name in (
            "number",
            "status",
            "seed",
            "method",
            "label",
            "candidates",
            "sizes",
            "history",
            "queue",
            "drawn",
            "groups",
            "adjustments",
        )
    }
    reply["adjustments"] = [dict(shown_entry(each, text)) for each in draw.adjustments]
    if draw.wanted and draw.status == DrawStatus.DRAFT:
        reply["wanted"] = draw.wanted
    return reply | stored_times(draw)


class _HeatWriter:
    """Writes heats from a few queries for all of them."""

    def __init__(self, event: Event, tables: list[Table], text: Text) -> None:
        self.event = event
        self.text = text
        self.games = game_records(tables)
        self.flip_flops = latest_flip_flops(tables)
        self.penalties = heat_penalties(tables)
        sheets = (sheet for games in self.games.values() for sheet, _record in games)
        self.statements = statements_of_games(sheets)
        self.went_on = _decided_otherwise(event)
        self.unplayed: dict[int, list[Sheet]] = {}
        # Seats may have been changed in a game that was never played.
        for sheet in Sheet.objects.filter(
            table__in=tables, status=SheetStatus.VOID, last_entry_at__isnull=True
        ).order_by("number"):
            self.unplayed.setdefault(sheet.table_id, []).append(sheet)

    def heat(self, heat: Heat) -> Document:
        """Return a heat's document: its own fields and those of a heat file."""
        table = heat.table
        assert table is not None
        games = self.games[table.pk]
        taken = self.penalties.get(table.pk, [])
        flip_flops = self.flip_flops.get(table.pk, [])
        orders = counted_flip_flops(
            table=table,
            sheets=[sheet for sheet, _record in games],
            flip_flops=[row.order for row in flip_flops],
            penalties=taken,
        )
        document: Document = {
            "id": str(heat.number),
            "label": f"Heat {heat.number}",
            "draw": {
                "number": heat.draw.number if heat.draw else None,
                "seed": heat.draw.seed if heat.draw else heat.seed,
                "method": heat.method,
                "seats": heat.seed,
            },
            "status": heat.status,
            "meta": {"table": heat.table_number, "auditor": table.auditor},
            "format": "chicago-heat",
            "version": 1,
            "rules": table.rules,
            "players": table.players,
            "games": [self._shown(record) for _sheet, record in games],
            "games_planned": heat.games_planned,
            "advance": heat.advance,
        }
        if orders:
            document["flip_flops"] = [list(order) for order in orders]
            seeds = {frozenset(row.order): row.seed for row in flip_flops}
            lots = [seeds[frozenset(order)] for order in orders]
            if any(lots):
                document["meta"]["lots"] = lots
        if taken:
            document["penalties"] = [
                {
                    "player": row.player,
                    "game_points": str(row.game_points),
                    "reason": self.text(row.reason),
                }
                for row in taken
            ]
        for name, rows in self.statements.get(table.pk, {}).items():
            document[name] = [self._statement(row) for row in rows]
        unplayed = [sheet.number for sheet in self.unplayed.get(table.pk, ())]
        if unplayed and heat.status == HeatStatus.FINISHED:
            document["unplayed"] = unplayed
        if heat.pk in self.went_on:
            document["went_on"] = self.went_on[heat.pk]
        return document | stored_times(heat)

    def _statement(self, row: Document) -> Document:
        typed: Document = {"text": self.text(row["text"])} if "text" in row else {}
        if "reason" in (answer := row.get("answer", {})):
            typed["answer"] = {**answer, "reason": self.text(answer["reason"])}
        return {**row, **typed}

    def _shown(self, record: Document) -> Document:
        if "entries" not in record:
            return record  # totals, entered from paper
        return {**record, "entries": [dict(shown_entry(e, self.text)) for e in record["entries"]]}
