"""What a heat's stored results should be, by its sheets."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.ranking.heat import Ranking
from scoring.enums import SheetStatus
from scoring.models import AskedOften, Blank, Sheet
from scoring.reading.history import Step
from scoring.reading.ranking import heat_ranking

from ...models import (
    GameHands,
    GameResult,
    Heat,
    HeatEntry,
    HeatGame,
    HeatResult,
)
from ...models.enums import HeatStatus
from .told import told_by

#: The version of a game without results.
NO_VERSION = -1

_GAMES = AskedOften(lambda: HeatGame.objects.filter(heat=Blank()).order_by("number"))
_WITH_SHEETS = AskedOften(
    lambda: HeatGame.objects.filter(heat=Blank()).select_related("sheet__table").order_by("number")
)
_OF_SHEET = AskedOften(
    lambda: (
        HeatGame.objects.filter(heat__in=HeatGame.objects.filter(sheet=Blank()).values("heat"))
        .select_related("sheet", "heat__table")
        .order_by("number")
    )
)
_ENTRIES = AskedOften(lambda: HeatEntry.objects.filter(heat=Blank()).select_related("registration"))
_STORED = AskedOften(lambda: GameResult.objects.filter(game__heat=Blank()).order_by("game", "seat"))
_HANDS = AskedOften(lambda: GameHands.objects.filter(game__heat=Blank()))
_RESULTS = AskedOften(lambda: HeatResult.objects.filter(heat=Blank()).order_by("order"))


class Keys(NamedTuple):
    """The keys of the rows of a player in a heat."""

    entry: int
    registration: int


def results_match(
    heat: Heat,
    went_on: Sequence[str] | None = None,
    sheets: Sequence[Sheet] = (),
    steps: Mapping[int, Sequence[Step]] | None = None,
) -> bool:
    """Return whether a heat's stored results are what its sheets give; nothing is written.

    ``went_on``: who advances instead of the best, as decided when the heat was closed. ``sheets``:
    the table's, if they have been read; ``steps``: of those that have been replayed, by their keys.
    """
    games, entries = games_of(heat, sheets), keys_of(entries_in(heat))
    played = steps or {}
    ranking, wanted = ranking_and_results(heat, games, entries)
    if went_on is not None:
        for ranked, row in zip(ranking.rows, wanted, strict=False):
            row.advances = ranked.player in went_on
    stored: dict[int, list[GameResult]] = {game.pk: [] for game in games}
    for each in _STORED.rows(heat.pk):
        stored[each.game_id].append(each)
    hands = {each.game_id: values_of(each) for each in _HANDS.rows(heat.pk)}
    return all(
        game.result_version == result_version_of(game.sheet)
        and _stored_as(
            game_rows(game, entries, played.get(game.sheet_id)), stored[game.pk], hands.get(game.pk)
        )
        for game in games
    ) and [values_of(row) for row in stored_results(heat)] == [values_of(row) for row in wanted]


def _stored_as(
    wanted: tuple[list[GameResult], list[GameHands]],
    results: list[GameResult],
    hands: tuple[object, ...] | None,
) -> bool:
    return hands == next(map(values_of, wanted[1]), None) and [
        values_of(row) for row in results
    ] == [values_of(row) for row in wanted[0]]


def games_of(heat: Heat, sheets: Sequence[Sheet] = ()) -> list[HeatGame]:
    """Return the heat's games with their sheets and table, in order (one query).

    ``sheets``: the table's, if they have been read.
    """
    if not sheets:
        return _WITH_SHEETS.rows(heat.pk)
    read = {sheet.pk: sheet for sheet in sheets}
    games = _GAMES.rows(heat.pk)
    for game in games:
        game.sheet = read[game.sheet_id]
    return games


def games_beside(sheet_id: int) -> list[HeatGame]:
    """Return the games of a sheet's heat with their sheets, heat and table, in order (one query).

    There are none for a casual table's sheet.
    """
    games = _OF_SHEET.rows(sheet_id)
    for game in games:
        assert game.heat.table is not None
        game.sheet.table = game.heat.table
    return games


def stored_results(heat: Heat) -> list[HeatResult]:
    """Return a heat's stored results in their order (one query)."""
    return _RESULTS.rows(heat.pk)


def entries_in(heat: Heat) -> list[HeatEntry]:
    """Return the entries into a heat with their players (one query)."""
    return _ENTRIES.rows(heat.pk)


def keys_of(entries: Iterable[HeatEntry]) -> dict[str, Keys]:
    """Return the keys of each player's rows in a heat by the player's reference."""
    return {
        entry.registration.player_id: Keys(entry.pk, entry.registration_id) for entry in entries
    }


def result_version_of(sheet: Sheet) -> int:
    return sheet.version if sheet.status == SheetStatus.FINISHED else NO_VERSION


def game_rows(
    game: HeatGame, entries: dict[str, Keys], steps: Sequence[Step] | None = None
) -> tuple[list[GameResult], list[GameHands]]:
    """Return a game's results, by seat, and its hands; there are none before it is finished.

    ``steps``: the game's if they are known; otherwise its rows are replayed.
    """
    if game.sheet.status != SheetStatus.FINISHED:
        return [], []
    state = game.sheet.state
    places = place_numbers(state["places"])
    told = told_by(game, steps)
    results = [
        GameResult(
            game=game,
            entry_id=entries[player_id].entry,
            seat=seat,
            score=state["scores"][seat],
            executed=state["executed"][seat],
            asterisks=state["asterisks"][seat],
            status=state["status"][seat],
            place=places[seat],
            game_points=Fraction(state["game_points"][seat]),
            came=dict(told.own[seat]),
            zeroed=told.zeroed[seat],
        )
        for seat, player_id in enumerate(game.sheet.seats)
    ]
    kept = {field.name for field in GameHands._meta.concrete_fields}
    hands = GameHands(
        game=game,
        players=len(game.sheet.seats),
        length=told.length,
        seconds=told.seconds,
        **{name: times for name, times in told.came.items() if name in kept},
    )
    return results, [hands]


def ranking_and_results(
    heat: Heat,
    games: Sequence[HeatGame],
    entries: dict[str, Keys],
    ranking: Ranking | None = None,
) -> tuple[Ranking, list[HeatResult]]:
    """Return the ranking so far, if it is not given, and its rows in their order."""
    assert heat.table is not None
    sheets = [game.sheet for game in games]
    ranking = ranking or heat_ranking(table=heat.table, sheets=sheets)
    counted = sum(sheet.status == SheetStatus.FINISHED for sheet in sheets)
    goes_on = set(ranking.advances) if heat.status == HeatStatus.FINISHED else set()
    rows = ranking.rows if counted else ()
    given = sum((row.game_points + row.penalty for row in rows), Fraction(0))
    return ranking, [
        HeatResult(
            heat=heat,
            entry_id=entries[row.player].entry,
            order=number,
            place=row.place,
            game_points=row.game_points,
            penalty=row.penalty,
            score_points=row.score_points,
            asterisks=row.asterisks,
            games=counted,
            disqualified=row.disqualified,
            decided_by=row.decided_by or "",
            ahead_of_id=entries[rows[number].player].registration if row.decided_by else None,
            own_value="" if row.own_value is None else str(row.own_value),
            next_value="" if row.next_value is None else str(row.next_value),
            table_points=given,
            advances=row.player in goes_on,
        )
        for number, row in enumerate(rows, start=1)
    ]


def values_of(row: HeatResult | GameResult | GameHands) -> tuple[object, ...]:
    return tuple(
        getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    )


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
