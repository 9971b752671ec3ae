"""The history that draws use: meetings, tables of three, and players to keep apart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from engine.draws.draw import TABLE_MIN
from engine.draws.pairing import Division, Pair, fair_split, pair_of

from ...models import Event, HeatEntry, KeepApart
from ...models.enums import HeatStatus
from ...models.titles import heat_title


@dataclass(frozen=True)
class DrawHistory:
    """Meetings per pair, tables of three per player, and pairs to keep apart."""

    meetings: dict[Pair, int]
    tables_of_three: dict[str, int]
    kept_apart: list[Pair]

    def as_json(self) -> dict[str, Any]:
        """Return it as stored with a draw, so that the draw can be repeated."""
        return {
            "met": [[a, b, times] for (a, b), times in sorted(self.meetings.items())],
            "threes": dict(sorted(self.tables_of_three.items())),
            "apart": [list(pair) for pair in self.kept_apart],
        }

    def divide(
        self, seed: str, players: Sequence[str], sizes: Sequence[int], label: str
    ) -> Division:
        """Draw the tables, as they are drawn and as anybody repeats it."""
        return fair_split(
            seed,
            players,
            sizes,
            meetings=self.meetings,
            tables_of_three=self.tables_of_three,
            kept_apart=self.kept_apart,
            label=label,
        )


def history_from_json(data: dict[str, Any]) -> DrawHistory:
    """Read what :meth:`DrawHistory.as_json` wrote."""
    return DrawHistory(
        meetings={pair_of(a, b): times for a, b, times in data.get("met", [])},
        tables_of_three=dict(data.get("threes", {})),
        kept_apart=[pair_of(a, b) for a, b in data.get("apart", [])],
    )


def tables_so_far(event: Event, before: int | None = None) -> dict[str, list[str]]:
    """Return the players of each heat, by its name, leaving out void heats (one query).

    ``before``: only heats with a lower number, as things stood when that one was drawn.
    """
    rows = HeatEntry.objects.filter(heat__event=event).exclude(heat__status=HeatStatus.VOID)
    if before is not None:
        rows = rows.filter(heat__number__lt=before)
    tables: dict[str, list[str]] = {}
    for title, heat, number in rows.order_by("heat__number", "pk").values_list(
        "heat__title", "heat__number", "registration__number"
    ):
        tables.setdefault(heat_title(title, heat), []).append(str(number))
    return tables


def tables_of_three_by_player(event: Event) -> dict[str, int]:
    """Return how often each player has sat at a table of three (one query)."""
    tables = tables_so_far(event).values()
    return dict(
        Counter(player_id for table in tables if len(table) == TABLE_MIN for player_id in table)
    )


def history_of(event: Event, players: Sequence[str]) -> DrawHistory:
    """Return the history of these players in the event so far (two queries).

    Void heats do not count, as nobody finished them.
    """
    wanted = set(players)
    tables = tables_so_far(event)
    meetings: Counter[Pair] = Counter()
    tables_of_three: Counter[str] = Counter()
    for table in tables.values():
        here = [player_id for player_id in table if player_id in wanted]
        meetings.update(pair_of(a, b) for a, b in combinations(here, 2))
        if len(table) == TABLE_MIN:
            tables_of_three.update(here)
    kept_apart = [
        pair_of(str(one), str(other))
        for one, other in KeepApart.objects.filter(event=event).values_list(
            "one__number", "other__number"
        )
        if str(one) in wanted and str(other) in wanted
    ]
    return DrawHistory(dict(meetings), dict(tables_of_three), sorted(kept_apart))
