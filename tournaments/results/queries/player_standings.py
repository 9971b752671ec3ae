"""Day 1 by player: who is through, who still plays, who could enter again."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import pgettext_lazy

from engine.ranking.overall import Result

from ...core.names import registration_name
from ...models import Event
from ...models.enums import RegistrationStatus
from .players import player_state, players_of, search
from .ranking import finished_rows, result_of

#: What a player is to day 1, in the order of the table.
QUALIFIED, PLAYING, WAITING, AGAIN, FIRST, OUT, BARRED = (
    "qualified",
    "playing",
    "waiting",
    "again",
    "first",
    "out",
    "disqualified",
)
#: In the table's order.
STATES: dict[str, Any] = {
    QUALIFIED: pgettext_lazy("player", "through"),
    PLAYING: pgettext_lazy("player", "playing"),
    WAITING: pgettext_lazy("player", "waits for a heat"),
    AGAIN: pgettext_lazy("player", "could enter again"),
    FIRST: pgettext_lazy("player", "has not played yet"),
    OUT: pgettext_lazy("player", "out"),
    BARRED: pgettext_lazy("player", "disqualified"),
}
ORDER = tuple(STATES)


@dataclass(frozen=True)
class PlayerStandingsRow:
    """One player: where it stands, and the best closed heat so far.

    ``share`` compares heats of three and of four players: game points as a share of an average
    player's at that table (engine.ranking.overall); None before the first closed heat. ``order``
    is the order of qualifying.
    """

    number: int
    name: str
    state: str
    order: int | None = None
    heat_now: int | None = None
    entries: int = 0
    left: int | None = None
    result: Result | None = None
    best_heat: int | None = None
    seats: int = 0

    @property
    def share(self) -> Fraction | None:
        """Return the share of the best heat."""
        return self.result.share if self.result else None

    @property
    def rank(self) -> tuple[Any, ...]:
        """Sort key: through in their order, then the others by state and best heat."""
        best = self.result.key if self.result else (Fraction(-1),) * 3
        return (
            ORDER.index(self.state),
            self.order or 0,
            *(-value for value in best),
            self.number,
        )


def player_standings_of(event: Event, text: str = "", state: str = "") -> list[PlayerStandingsRow]:
    """Return the players who are here or have played, in the table's order (four queries)."""
    best = best_results(event)
    can_enter = event.stages.qualifying().open().exists()
    rows = []
    players: Iterable[Any] = search(players_of(event), text, staff=False)
    for player in players:
        found = best.get(player.player_id)
        where = _state(player, event, can_enter)
        if where is None:
            continue
        used = player.entries_used
        limit = event.reentry_limit
        rows.append(
            PlayerStandingsRow(
                number=player.number,
                name=registration_name(player),
                state=where,
                order=player.qualified,
                heat_now=player.open_heat if where == PLAYING else None,
                entries=used,
                left=max(0, limit - used) if limit is not None else None,
                result=found[0] if found else None,
                best_heat=found[1] if found else None,
                seats=found[2] if found else 0,
            )
        )
    if state in ORDER:
        rows = [row for row in rows if row.state == state]
    return sorted(rows, key=lambda row: row.rank)


def _state(player: Any, event: Event, can_enter: bool) -> str | None:
    """Return what a player is to day 1; None for somebody who never came."""
    key = player_state(player)
    if key in {QUALIFIED, PLAYING, WAITING, BARRED}:
        return key
    if key == "registered" and not player.entries_used:
        return None
    if key == "withdrawn" and not player.entries_used:
        return None
    limit = event.reentry_limit
    may = limit is None or player.entries_used < limit
    if can_enter and may and player.status == RegistrationStatus.CHECKED_IN:
        return AGAIN if player.entries_used else FIRST
    return OUT


def best_results(event: Event) -> dict[str, tuple[Result, int, int]]:
    """Return by reference the best closed qualifying heat: result, heat, players (two queries).

    A heat in which the player was disqualified does not count.
    """
    stages = event.stages.qualifying()
    best: dict[str, tuple[Result, int, int]] = {}
    for row in finished_rows(event, stages):
        if row.disqualified:
            continue
        result = result_of(row)
        known = best.get(result.player)
        if known is None or result.key > known[0].key:
            best[result.player] = (result, row.heat.number, row.seats)  # type: ignore[attr-defined]
    return best
