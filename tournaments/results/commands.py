"""Results of games and heats, computed from the score sheets and never typed.

Results are a cache of what replaying the sheets gives; everything here can be run again at any time
with the same outcome. They are written in the transaction of the entry that changes them
(``receivers.py``); ``manage.py check_results`` compares all of them with the sheets.

To write a heat's results, its table's row must be locked, which is last in the order of locks.
"""

from collections.abc import Sequence
from fractions import Fraction

from django.db import transaction
from django.db.models import F, Q

from engine.ranking.heat import Ranking
from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.ranking import heat_ranking
from scoring.writing.tables import locked_sheets

from ..core.locks import lock_heat
from ..models import GameResult, Heat, HeatEntry, HeatGame, HeatResult
from ..models.enums import HeatStatus

#: The version of a game without results.
NO_VERSION = -1


def stale_games() -> Q:
    """Return the condition for games whose stored results do not match their sheet."""
    finished = Q(sheet__status=SheetStatus.FINISHED)
    return (finished & ~Q(result_version=F("sheet__version"))) | (
        ~finished & ~Q(result_version=NO_VERSION)
    )


def refresh_sheet(*, sheet_id: int) -> None:
    """Update the results of a sheet's heat if they are out of date.

    Runs in the transaction that wrote on the sheet, in which its table's row is locked.
    """
    # Runs after every tap, usually with nothing to do, so it reads as little as possible.
    behind = HeatGame.objects.filter(stale_games(), sheet=sheet_id).order_by()
    for game in behind.select_related("heat__event", "heat__table"):
        write_results(game.heat)


@transaction.atomic
def refresh_heat(*, heat: Heat) -> Ranking:
    """Write the results of a heat's finished games, and its ranking so far."""
    heat = lock_heat(heat)
    locked_sheets(heat.table_id or 0)
    return write_results(heat)


def write_results(heat: Heat) -> Ranking:
    """Write a heat's results; the caller has locked the table's row."""
    games, entries = _played(heat)
    for game in games:
        _write_game(game, entries)
    ranking, wanted = _ranked(heat, games, entries)
    stored = list(heat.results.all())
    if [_values(row) for row in stored] != [_values(row) for row in wanted]:
        if stored:
            heat.results.all().delete()
        HeatResult.objects.bulk_create(wanted)
    return ranking


def results_match(heat: Heat, went_on: Sequence[str] | None = None) -> bool:
    """Return whether a heat's stored results are what its sheets give; nothing is written.

    ``went_on``: who goes on instead of the best, as decided when the heat was closed.
    """
    games, entries = _played(heat)
    _ranking, wanted = _ranked(heat, games, entries)
    if went_on is not None:
        for row in wanted:
            row.advances = row.entry.registration.player_id in went_on
    stored: dict[int, list[GameResult]] = {game.pk: [] for game in games}
    for each in GameResult.objects.filter(game__heat=heat).order_by("seat"):
        stored[each.game_id].append(each)
    return all(
        game.result_version == _version(game.sheet)
        and [_values(row) for row in stored[game.pk]]
        == [_values(row) for row in _game_results(game, entries)]
        for game in games
    ) and [_values(row) for row in heat.results.all()] == [_values(row) for row in wanted]


def _played(heat: Heat) -> tuple[list[HeatGame], dict[str, HeatEntry]]:
    games = list(heat.games.select_related("sheet").order_by("number"))
    entries = heat.entries.select_related("registration")
    return games, {entry.registration.player_id: entry for entry in entries}


def _version(sheet: Sheet) -> int:
    return sheet.version if sheet.status == SheetStatus.FINISHED else NO_VERSION


def _write_game(game: HeatGame, entries: dict[str, HeatEntry]) -> None:
    version = _version(game.sheet)
    if game.result_version == version:
        return
    if game.result_version != NO_VERSION:
        game.results.all().delete()
    GameResult.objects.bulk_create(_game_results(game, entries))
    game.result_version = version
    game.save(update_fields=["result_version"])


def _game_results(game: HeatGame, entries: dict[str, HeatEntry]) -> list[GameResult]:
    """Return the rows of a game, by seat; there are none before it is finished."""
    if game.sheet.status != SheetStatus.FINISHED:
        return []
    state = game.sheet.state
    places = place_numbers(state["places"])
    return [
        GameResult(
            game=game,
            entry=entries[player_id],
            seat=seat,
            score=state["scores"][seat],
            executed=state["executed"][seat],
            asterisks=state["asterisks"][seat],
            status=state["status"][seat],
            place=places[seat],
            game_points=Fraction(state["game_points"][seat]),
        )
        for seat, player_id in enumerate(game.sheet.seats)
    ]


def place_numbers(groups: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return seat → place from the engine's groups: ``[[0], [1, 3], [2]]`` gives 1, 2, 4, 2.

    >>> sorted(place_numbers([[0], [1, 3], [2]]).items())
    [(0, 1), (1, 2), (2, 4), (3, 2)]
    """
    places: dict[int, int] = {}
    for group in groups:
        place = len(places) + 1
        places.update(dict.fromkeys(group, place))
    return places


def _ranked(
    heat: Heat, games: Sequence[HeatGame], entries: dict[str, HeatEntry]
) -> tuple[Ranking, list[HeatResult]]:
    """Return the ranking so far, and its rows in their order."""
    assert heat.table is not None
    sheets = [game.sheet for game in games]
    ranking = heat_ranking(table=heat.table, sheets=sheets)
    counted = sum(sheet.status == SheetStatus.FINISHED for sheet in sheets)
    goes_on = set(ranking.advances) if heat.status == HeatStatus.FINISHED else set()
    rows = ranking.rows if counted else ()
    given = sum((row.game_points + row.penalty for row in rows), Fraction(0))
    return ranking, [
        HeatResult(
            heat=heat,
            entry=entries[row.player],
            order=number,
            place=row.place,
            game_points=row.game_points,
            penalty=row.penalty,
            score_points=row.score_points,
            asterisks=row.asterisks,
            games=counted,
            disqualified=row.disqualified,
            decided_by=row.decided_by or "",
            ahead_of=entries[rows[number].player].registration if row.decided_by else None,
            own_value="" if row.own_value is None else str(row.own_value),
            next_value="" if row.next_value is None else str(row.next_value),
            table_points=given,
            advances=row.player in goes_on,
        )
        for number, row in enumerate(rows, start=1)
    ]


def mark_advancing(*, heat: Heat, player_ids: Sequence[str]) -> None:
    """Store that these players of a heat go on, whatever its ranking: a director's decision."""
    rows = HeatResult.objects.filter(heat=heat)
    rows.update(advances=False)
    rows.filter(
        entry__registration__number__in=[int(player_id) for player_id in player_ids]
    ).update(advances=True)


def _values(row: HeatResult | GameResult) -> tuple[object, ...]:
    return tuple(
        getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    )
