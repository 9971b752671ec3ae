"""Write a series as a chicago-series document (docs/formats/series.md)."""

from collections import defaultdict
from typing import Any

from engine.ranking.series import PointRules, Result
from engine.ranking.series_record import FORMAT, VERSION

from ...models import Series
from .standing import Column, shown_names, standing_of


def document_of(series: Series) -> dict[str, Any]:
    """Return rules, events with everybody's results, and the standing (eight queries).

    Players have numbers by their place in the standing, and names as everybody may read them.
    """
    standing = standing_of(series)
    ids = {line.player: str(number) for number, line in enumerate(standing.lines, start=1)}
    names = shown_names(standing, standing.lines)
    results: dict[int, list[tuple[Result, str]]] = defaultdict(list)
    for line in standing.lines:
        for each in line.results:
            results[each.event].append((each, ids[line.player]))
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": series.name,
        "slug": series.slug,
        "starts_on": series.starts_on.isoformat(),
        "ends_on": series.ends_on.isoformat(),
        "finished": standing.is_over,
        "rules": _rules(standing.rules),
        "players": [{"id": ids[key], "name": names[key][0]} for key in ids],
        "events": [_event(column, results[column.number - 1]) for column in standing.columns],
        "standing": [
            {"place": line.place, "id": ids[line.player], "points": str(line.total)}
            for line in standing.lines
        ],
    }


def _rules(rules: PointRules) -> dict[str, Any]:
    return {
        "points": [str(points) for points in rules.points],
        "rest": str(rules.rest),
        "size_by": str(rules.size_by),
        "factors": [[size, str(factor)] for size, factor in rules.factors],
        "best_of": rules.best_of,
        "bonus": {
            "chicago": str(rules.bonus_chicago),
            "heat": str(rules.bonus_heat),
            "start": str(rules.bonus_start),
        },
        "ties": list(rules.ties),
    }


def _event(column: Column, rows: list[tuple[Result, str]]) -> dict[str, Any]:
    rows.sort(key=lambda row: (row[0].place, int(row[1])))
    return {
        "name": column.name,
        "event": column.slug or None,
        "day": column.day.isoformat(),
        "over": column.is_over,
        # A list from elsewhere is as large as it is long.
        "size": rows[0][0].size if rows else column.size,
        "results": [_result(each, player) for each, player in rows],
    } | ({"stale": True} if column.is_stale else {})


def _result(result: Result, player: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": player,
        "place": result.place,
        "shared": result.shared,
        "heats_won": result.heats_won,
        "chicagos": result.chicagos,
    }
    if result.given is not None:
        found["points"] = str(result.given)
    return found
