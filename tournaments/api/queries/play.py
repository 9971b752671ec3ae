"""Draws, heats and games as documents; ``root`` begins every address."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import F, Q, QuerySet

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.games import DealRow, Game, table_games

from ...core.names import registration_name
from ...core.times import times
from ...draws.queries.published import draw_view
from ...draws.queries.verification import draw_data
from ...models import Draw, Event, Heat, HeatEntry, HeatResult, Stage
from ...models.enums import DrawStatus, EntryStatus
from ...results.queries.standings import PlayedGame, games_of_results, reason, standings_of
from .events import Document, address


def stage_document(stage: Stage) -> Document:
    return {"kind": stage.kind, "number": stage.number, "title": str(stage)}


def heats(event: Event) -> QuerySet[Heat]:
    """Return the event's heats with what their documents show."""
    rows = Heat.objects.filter(event=event).select_related("stage", "draw", "changed")
    return rows.defer("draw__candidates", "draw__history", "draw__queue", "draw__drawn")


def heats_since(event: Event, version: int, number: int) -> QuerySet[Heat]:
    """Return the heats that changed after this version of the event, the oldest change first.

    Of those with the very version only heats with a higher ``number`` come: where a page ended.
    """
    later = Q(changed__number__gt=version) | Q(changed__number=version, number__gt=number)
    return heats(event).filter(later).order_by("changed__number", "number")


def heat_documents(event: Event, rows: Sequence[Heat], root: str) -> list[Document]:
    """Return heats with their players and results (three queries, however many)."""
    results: dict[int, HeatResult] = {
        row.entry_id: row for row in standings_of(event).filter(heat__in=rows)
    }
    games = games_of_results(list(results.values()))
    seated: dict[int, list[HeatEntry]] = {}
    for entry in (
        HeatEntry.objects.filter(heat__in=rows)
        .exclude(status=EntryStatus.WITHDRAWN)
        .select_related("registration__person")
        .order_by("entered_at", "pk")
    ):
        seated.setdefault(entry.heat_id or 0, []).append(entry)
    return [_heat(event, heat, seated.get(heat.pk, []), results, games, root) for heat in rows]


def _heat(
    event: Event,
    heat: Heat,
    entries: Iterable[HeatEntry],
    results: dict[int, HeatResult],
    games: dict[int, list[PlayedGame]],
    root: str,
) -> Document:
    def rank(entry: HeatEntry) -> tuple[bool, int]:
        result = results.get(entry.pk)
        return result is None, result.order if result else 0

    return {
        "number": heat.number,
        "title": str(heat),
        "stage": stage_document(heat.stage),
        "status": heat.status,
        "table": heat.table_number,
        "draw": heat.draw.number if heat.draw else None,
        "games_planned": heat.games_planned,
        "advance": heat.advance,
        **times(heat),
        "opened_at": heat.opened_at,
        "finished_at": heat.finished_at,
        "players": [
            _player(entry, results.get(entry.pk), games.get(entry.pk, ()))
            for entry in sorted(entries, key=rank)
        ],
        "page": f"{root}{event.get_absolute_url()}heats/{heat.number}/",
        "address": address(root, "heat", event.slug, heat.number),
    }


def _player(entry: HeatEntry, result: HeatResult | None, games: Iterable[PlayedGame]) -> Document:
    return {
        "number": entry.registration.number,
        "name": registration_name(entry.registration),
        "place": result.place if result else None,
        "game_points": result.game_points if result else None,
        "penalty": result.penalty if result else None,
        "score_points": result.score_points if result else None,
        "asterisks": result.asterisks if result else None,
        "games": [
            {
                "game": row.number,
                "place": row.place,
                "game_points": row.game_points,
                "score": row.score,
                "executed": row.executed,
                "asterisks": row.asterisks,
                "status": row.status,
            }
            for row in games
        ],
        "advances": bool(result and result.advances),
        "disqualified": bool(result and result.disqualified),
        "why": reason(result) if result else "",
    }


def games(event: Event) -> QuerySet[Sheet]:
    """Return the event's games that have begun, with the numbers of their heats."""
    sheets = Sheet.objects.filter(table__heat__event=event, started_at__isnull=False)
    return sheets.exclude(status=SheetStatus.VOID).annotate(heat=F("table__heat__number"))


def game_document(event: Event, sheet: Any, root: str) -> Document:
    """Return a game of :func:`games` as in a list."""
    return {
        "heat": sheet.heat,
        "number": sheet.number,
        "status": sheet.status,
        "started_at": sheet.started_at,
        "finished_at": sheet.finished_at,
        "last_entry_at": sheet.last_entry_at,
        "address": address(root, "game", event.slug, sheet.heat, sheet.number),
    }


def whole_game_document(heat: Heat, number: int, root: str) -> Document | None:
    """Return a game deal by deal, as its page shows it; None if there is none to see."""
    if heat.table is None:
        return None
    sheet = games(heat.event).filter(table=heat.table, number=number).first()
    if sheet is None:
        return None
    read = table_games(heat.table, only=[number])
    [game] = read.games
    return game_document(heat.event, sheet, root) | {
        "rules": heat.table.rules,
        "win": game.win,
        "seats": [_seat(game, index) for index in range(len(game.seats))],
        "deals": [_deal(deal) for deal in game.deals],
    }


def _seat(game: Game, index: int) -> Document:
    seat = game.seats[index]
    return {
        "seat": seat.seat,
        "number": int(seat.player_id),
        "name": seat.name,
        "score": seat.score,
        "executed": seat.executed,
        "asterisks": seat.asterisks,
        "status": seat.status,
        "winner": seat.winner,
        "places": list(seat.places) if seat.places else None,
        "game_points": seat.game_points,
    }


def _deal(deal: DealRow) -> Document:
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "scores": list(deal.scores),
        "entries": [
            {
                "entry": dict(row.entry),
                "at": row.at,
                "scores": list(row.scores),
                "facts": [fact.as_json() for fact in row.facts],
            }
            for row in deal.entries
        ],
    }


def draws(event: Event) -> QuerySet[Draw]:
    """Return the event's draws that everybody may see."""
    return event.draws.exclude(status=DrawStatus.DRAFT).select_related("stage", "event")


def draw_document(draw: Draw, root: str) -> Document:
    """Return a draw as in a list."""
    return {
        "number": draw.number,
        "stage": stage_document(draw.stage),
        "status": draw.status,
        "method": draw.method,
        "seed": draw.seed,
        "made_at": draw.made_at,
        "address": address(root, "draw", draw.event.slug, draw.number),
    }


def whole_draw_document(draw: Draw, root: str) -> Document:
    """Return a draw with its tables and what repeats it."""
    view = draw_view(draw)
    return draw_document(draw, root) | {
        "tables": [
            {
                "title": table.title,
                "heat": table.heat.number if table.heat else None,
                "players": [
                    {"number": int(player.player_id), "name": player.name}
                    for player in table.players
                ],
            }
            for table in view.tables
        ],
        "repeat": draw_data(draw),
        "can_be_repeated": bool(view.repeated.label),
    }
