"""Results of games and heats, computed from the score sheets and never typed.

Results are a cache of what replaying the sheets gives; everything here can be run again at any time
with the same outcome. They are written in the transaction of the entry that changes them
(``receivers.py``); ``manage.py check_results`` compares all of them with the sheets.

To write a heat's results, its table's row must be locked, which is last in the order of locks.
"""

from collections.abc import Sequence

from django.db import transaction

from engine.ranking.heat import Ranking
from scoring.writing.locks import locked_sheets

from ..core.locks import lock_heat
from ..models import GameHands, GameResult, Heat, HeatGame, HeatResult
from .queries.from_sheets import (
    NO_VERSION,
    Keys,
    game_hands,
    game_results,
    games_and_entries,
    ranking_and_results,
    result_version_of,
    values_of,
)


@transaction.atomic(savepoint=False)
def refresh_sheet(*, sheet_id: int) -> None:
    """Update the results of a sheet's heat if they are out of date.

    Runs in the transaction that wrote on the sheet, in which its table's row is locked.
    """
    games = HeatGame.objects.filter(sheet=sheet_id)
    for game in games.select_related("sheet", "heat__table"):
        if game.result_version != result_version_of(game.sheet):
            write_results(heat=game.heat)


@transaction.atomic
def refresh_heat(*, heat: Heat) -> Ranking:
    """Write the results of a heat's finished games, and its ranking so far."""
    heat = lock_heat(heat)
    locked_sheets(heat.table_id or 0)
    return write_results(heat=heat)


@transaction.atomic(savepoint=False)
def write_results(*, heat: Heat) -> Ranking:
    """Write a heat's results; the caller has locked the table's row."""
    games, entries = games_and_entries(heat)
    for game in games:
        _write_game(game, entries)
    ranking, wanted = ranking_and_results(heat, games, entries)
    stored = list(heat.results.all())
    if [values_of(row) for row in stored] != [values_of(row) for row in wanted]:
        if stored:
            heat.results.all().delete()
        HeatResult.objects.bulk_create(wanted)
    return ranking


def _write_game(game: HeatGame, entries: dict[str, Keys]) -> None:
    version = result_version_of(game.sheet)
    if game.result_version == version:
        return
    if game.result_version != NO_VERSION:
        game.results.all().delete()
        GameHands.objects.filter(game=game).delete()
    GameResult.objects.bulk_create(game_results(game, entries))
    GameHands.objects.bulk_create(game_hands(game))
    game.result_version = version
    game.save(update_fields=["result_version"])


@transaction.atomic
def forget_results(*, heat: Heat) -> None:
    """Delete a heat's results, so that ``refresh_heat`` makes all of them again."""
    GameResult.objects.filter(game__heat=heat).delete()
    GameHands.objects.filter(game__heat=heat).delete()
    heat.games.update(result_version=NO_VERSION)
    heat.results.all().delete()


@transaction.atomic
def mark_advancing(*, heat: Heat, player_ids: Sequence[str]) -> None:
    """Store that these players of a heat advance, whatever its ranking: a director's decision."""
    rows = HeatResult.objects.filter(heat=heat)
    rows.update(advances=False)
    rows.filter(
        entry__registration__number__in=[int(player_id) for player_id in player_ids]
    ).update(advances=True)
