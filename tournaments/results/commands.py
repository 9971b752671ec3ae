"""Results of games and heats, computed from the score sheets and never typed.

Results are a cache of what replaying the sheets gives; everything here can be run again at any time
with the same outcome. They are written in the transaction of the entry that changes them
(``receivers.py``); ``manage.py check_results`` compares all of them with the sheets.

To write a heat's results, its table's row must be locked, which is last in the order of locks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from django.db import connection, transaction

from engine.bots import chance
from engine.ranking.heat import Ranking
from scoring.models import insert_all
from scoring.reading.rows import kept_steps
from scoring.writing.locks import locked_sheets

from ..core.locks import lock_heat
from ..models import (
    Event,
    GameHands,
    GameResult,
    Heat,
    HeatEntry,
    HeatGame,
    HeatResult,
    SharedPicture,
    SimulatedHands,
)
from .queries.from_sheets import (
    NO_VERSION,
    Keys,
    entries_in,
    game_rows,
    games_beside,
    games_of,
    keys_of,
    ranking_and_results,
    result_version_of,
    stored_results,
    values_of,
)

if TYPE_CHECKING:
    # It loads what draws pictures, which no command needs.
    from .queries.share import Wanted


@transaction.atomic(savepoint=False)
def refresh_sheet(*, sheet_id: int) -> None:
    """Update the results of a sheet's heat if they are out of date.

    Runs in the transaction that wrote on the sheet, in which its table's row is locked.
    """
    games = games_beside(sheet_id)
    for game in games:
        if game.sheet_id == sheet_id and game.result_version != result_version_of(game.sheet):
            write_results(heat=game.heat, games=games)
            return


@transaction.atomic
def refresh_heat(*, heat: Heat) -> Ranking:
    """Write the results of a heat's finished games, and its ranking so far."""
    heat = lock_heat(heat)
    sheets = locked_sheets(heat.table_id or 0)
    return write_results(heat=heat, games=games_of(heat, sheets))


@transaction.atomic(savepoint=False)
def write_results(
    *,
    heat: Heat,
    games: Sequence[HeatGame] = (),
    entries: Sequence[HeatEntry] = (),
    ranking: Ranking | None = None,
) -> Ranking:
    """Write a heat's results; the caller has locked the table's row.

    ``games``: all of the heat's with their sheets, if the caller has read them, ``entries`` with
    their players, and the ``ranking`` that the games give, if it has ranked them.
    """
    games = games or games_of(heat)
    keys = keys_of(entries or entries_in(heat))
    _write_games(games, keys)
    ranking, wanted = ranking_and_results(heat, games, keys, ranking)
    stored = stored_results(heat)
    if [values_of(row) for row in stored] != [values_of(row) for row in wanted]:
        if stored:
            heat.results.all().delete()
        insert_all(HeatResult, wanted)
    return ranking


def _write_games(games: Sequence[HeatGame], entries: dict[str, Keys]) -> None:
    """Write the results of those games that have changed since."""
    changed = [game for game in games if game.result_version != result_version_of(game.sheet)]
    again = [game for game in changed if game.result_version != NO_VERSION]
    if again:
        GameResult.objects.filter(game__in=again).delete()
        GameHands.objects.filter(game__in=again).delete()
    rows = [game_rows(game, entries, kept_steps(game.sheet)) for game in changed]
    insert_all(GameResult, (row for results, _hands in rows for row in results))
    insert_all(GameHands, (row for _results, hands in rows for row in hands))
    for game in changed:
        game.result_version = result_version_of(game.sheet)
    if changed:
        with connection.cursor() as cursor:
            # Raw SQL: each game passes here twice.
            cursor.executemany(
                "UPDATE tournaments_heatgame SET result_version = %s WHERE id = %s",
                [(game.result_version, game.pk) for game in changed],
            )


@transaction.atomic
def forget_results(*, heat: Heat) -> None:
    """Delete a heat's results, so that ``refresh_heat`` makes all of them again."""
    GameResult.objects.filter(game__heat=heat).delete()
    GameHands.objects.filter(game__heat=heat).delete()
    heat.games.update(result_version=NO_VERSION)
    heat.results.all().delete()


@transaction.atomic
def add_simulated(
    *, rules: str, players: int, first: int, games: int, came: Mapping[chance.What, int]
) -> None:
    """Add what ``games`` simulated games gave, which follow ``first`` others; else do nothing."""
    SimulatedHands.objects.get_or_create(
        rules=rules, players=players, defaults={"seed": chance.SEED}
    )
    row = SimulatedHands.objects.select_for_update(no_key=True).get(rules=rules, players=players)
    if row.games == first:
        counts = Counter({(phase, what): times for phase, what, times in row.counts})
        counts.update(came)
        row.counts = sorted([phase, what, times] for (phase, what), times in counts.items())
        row.games += games
        row.save()


@transaction.atomic
def mark_advancing(*, heat: Heat, player_ids: Sequence[str]) -> None:
    """Store that these players of a heat advance, whatever its ranking: a director's decision."""
    rows = HeatResult.objects.filter(heat=heat)
    rows.update(advances=False)
    rows.filter(
        entry__registration__number__in=[int(player_id) for player_id in player_ids]
    ).update(advances=True)


@transaction.atomic
def store_shared(
    *, event: Event, wanted: Wanted, language: str, digest: str, content: bytes
) -> None:
    """Store a picture to share in place of an older one."""
    SharedPicture.objects.update_or_create(
        event=event,
        kind=wanted.kind,
        number=wanted.number,
        language=language,
        defaults={"version": wanted.version, "digest": digest, "content": content},
    )


@transaction.atomic
def forget_shared(*, event: Event, kept: Collection[Wanted]) -> None:
    """Delete an event's pictures to share of what nobody sees any more."""
    shown = {(each.kind, each.number) for each in kept}
    rows = event.shared_pictures.values_list("pk", "kind", "number")
    old = [pk for pk, kind, number in rows if (kind, number) not in shown]
    event.shared_pictures.filter(pk__in=old).delete()
