"""An event's finished games for downloads: a row for each player of a game, and for each fact."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.messages import mixed_text
from engine.sheet.record import read_record
from engine.totals.totals import FORMAT as TOTALS
from scoring.enums import SheetStatus
from scoring.reading.records import game_records
from scoring.words import step_name

from ...core.listing import cut
from ...core.names import club_of, registration_name, shown_columns
from ...core.workbook import Sheet
from ...models import Event, GameResult, Heat
from ...models.enums import HeatStatus

#: Facts about one player (docs/formats/facts.md): of all, what the column *To* holds.
_OF_PLAYERS: Mapping[str, str] = {
    "score": "to", "executed": "on", "asterisk": "on", "discardless": "on", "status": "to",
}  # fmt: skip


def games_sheet(event: Event) -> Sheet:
    """Return a row for each player of each finished game (one query)."""
    found = (
        GameResult.objects.filter(game__heat__event=event)
        .exclude(game__heat__status=HeatStatus.VOID)
        .select_related("game__heat__stage", "entry__registration__person")
        .order_by("game__heat__number", "game__number", "place", "seat")
    )
    rows = [
        [
            row.game.heat.number,
            row.game.heat.title and str(row.game.heat),
            row.game.number,
            row.seat + 1,
            *_player(row.entry.registration),
            row.place,
            row.score,
            cut(row.game_points),
            mixed_text(row.game_points),
            row.executed,
            row.asterisks,
            row.status,
        ]
        for row in found
    ]
    return Sheet(_("Games"), [*_game(), _("Seat"), *_who(), *_outcome()], rows)


def _game() -> list[str]:
    return [_("Heat"), _("Name of the heat"), _("Game")]


def _who() -> list[str]:
    return [_("Player's number"), _("Player"), _("Club")]


def _outcome() -> list[str]:
    return [
        pgettext("column", "Place"),
        capfirst(str(step_name("score_points"))),
        pgettext("column", "Game points"),
        _("Game points, exactly"),
        _("Chicago played"),
        _("Chicagos"),
        _("Status"),
    ]


def facts_sheet(event: Event) -> Sheet:
    """Return a row for each fact of the deals of finished games (a fixed number of queries).

    Fact, cause and hand are the codes of docs/formats/facts.md and of the rules, the same in every
    language. A game of which only the totals are known has no deals.
    """
    heats = (
        Heat.objects.filter(event=event, table__isnull=False)
        .exclude(status=HeatStatus.VOID)
        .select_related("table", "stage")
        .order_by("number")
    )
    people = {
        row.player_id: _player(row)
        for row in event.registrations.select_related("person").only(*shown_columns())
    }
    games = game_records(heat.table for heat in heats if heat.table is not None)
    rows = [
        [heat.number, heat.title and str(heat), sheet.number, *fact]
        for heat in heats
        for sheet, record in games[heat.table_id or 0]
        if sheet.status == SheetStatus.FINISHED and record["format"] != TOTALS
        for fact in _facts(record, people)
    ]
    headers = [
        *_game(),
        _("Deal"),
        _("Exchange"),
        _("Line"),
        *_who(),
        _("Fact"),
        _("Cause"),
        _("Scored hand"),
        _("From"),
        _("To"),
    ]
    return Sheet(_("Deals"), headers, rows)


def _facts(record: Mapping[str, Any], people: Mapping[str, list[Any]]) -> Iterator[list[Any]]:
    read = read_record(record)
    for step in read.replay().steps:
        entry = step.entry.as_json()
        where = [step.before.deal + 1, entry.get("phase", ""), step.index + 1]
        for fact in step.facts:
            told: Any = fact.as_json()
            if (shown := _OF_PLAYERS.get(str(told["fact"]))) is None:
                continue
            yield [
                *where,
                *people[read.seats[told["seat"]]],
                told["fact"],
                told.get("cause", ""),
                entry.get("category", ""),
                told.get("from", ""),
                told[shown],
            ]


def _player(registration: Any) -> list[Any]:
    return [registration.number, registration_name(registration), club_of(registration)]
