"""Day 1 by player: who has qualified, who still plays, who could enter again."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.ranking.overall import Result, equal_groups
from scoring.models import AskedOften, Blank
from scoring.words import status_name

from ...core.names import NAME_COLUMNS, shown_player, told_apart
from ...models import Event, Registration, Stage
from ...models.enums import EventStatus, RegistrationStatus, StageKind, StageStatus
from ...models.titles import heat_title
from .players import (
    CHAMPION,
    FINALIST,
    KNOCKED_OUT,
    NO_SHOW,
    PLAYOFF_ENDS,
    player_state,
    players_of,
    playoff_ends,
    search,
    with_states,
)
from .ranking import FinishedRow, finished_rows, stages_of

#: A player's states, in the order of the table.
QUALIFIED, WON, PLAYING, WAITING, AGAIN, FIRST, OUT, BARRED = (
    "qualified",
    "won",
    "playing",
    "waiting",
    "again",
    "first",
    "out",
    "disqualified",
)
STATES: dict[str, Any] = {
    CHAMPION: PLAYOFF_ENDS[CHAMPION],
    FINALIST: PLAYOFF_ENDS[FINALIST],
    QUALIFIED: pgettext_lazy("player", "qualified"),
    WON: pgettext_lazy("player", "has won a heat"),
    KNOCKED_OUT: PLAYOFF_ENDS[KNOCKED_OUT],
    NO_SHOW: PLAYOFF_ENDS[NO_SHOW],
    PLAYING: pgettext_lazy("player", "playing"),
    WAITING: pgettext_lazy("player", "waits for a heat"),
    AGAIN: pgettext_lazy("player", "could enter again"),
    FIRST: pgettext_lazy("player", "has not played yet"),
    OUT: status_name("out"),
    BARRED: status_name("disqualified"),
}
ORDER = tuple(STATES)
#: What comes next in these states.
_NEXT = {
    QUALIFIED: gettext_lazy("the play-offs"),
    WAITING: gettext_lazy("the next draw"),
    AGAIN: gettext_lazy("can enter at the desk"),
    FIRST: gettext_lazy("can enter at the desk"),
}
#: Only in events with play-offs, and only in those without.
OF_PLAYOFFS, OF_HEATS = {CHAMPION, FINALIST, QUALIFIED, KNOCKED_OUT, NO_SHOW}, {WON}

#: What the table needs of :func:`players_of`.
_STATE_COLUMNS = (
    "status",
    "open_status",
    "open_heat",
    "open_title",
    "open_table",
    "entries_used",
    "qualified",
    "went_on",
)


def _shown(players: QuerySet[Registration]) -> QuerySet[Registration, Any]:
    """Return plain values of what the rows show; they are sorted afterwards."""
    return players.order_by().values_list(*NAME_COLUMNS, *_STATE_COLUMNS, named=True)


_ALL: AskedOften[Any] = AskedOften(
    lambda: _shown(
        with_states(Registration.objects.filter(event=Blank()), Stage.objects.filter(event=Blank()))
    )
)


@dataclass(frozen=True)
class PlayerStandingsRow:
    """A player's state, and the best closed heat so far.

    ``share`` compares heats of three and of four players: game points as a share of an average
    player's at that table (engine.ranking.overall); None before the first closed heat. ``went_on``
    are those who qualified, with the ``order`` of it, and those taken into the play-offs besides.
    """

    number: int
    name: str
    state: str
    club: str = ""
    went_on: bool = False
    order: int | None = None
    heat_now: int | None = None
    #: The current heat's name and table.
    heat_name: str = ""
    table_now: int | None = None
    #: The play-off round in which the player went out or was missing.
    out_in: str = ""
    entries: int = 0
    left: int | None = None
    result: Result | None = None
    best_heat: int | None = None
    seats: int = 0
    #: The place of that heat among the best of all.
    place: int = 0

    @property
    def next_step(self) -> str:
        """What comes next for the player, in words."""
        if self.state == PLAYING and self.table_now:
            words = {"heat": self.heat_name, "table": self.table_now}
            return _("%(heat)s, table %(table)s") % words
        if self.state == PLAYING:
            return self.heat_name
        return str(_NEXT.get(self.state, ""))

    @property
    def share(self) -> Fraction | None:
        """Return the share of the best heat."""
        return self.result.share if self.result else None

    @property
    def rank(self) -> tuple[Any, ...]:
        """Sort key: those who have qualified, in that order, whatever came of it, then
        those taken in besides; the others by state and best heat."""
        went_on = self.went_on and self.state not in (OUT, BARRED)
        return (
            ORDER.index(QUALIFIED if went_on else self.state),
            self.order is None,
            self.order or 0,
            self.result is None,
            self.place,
            self.number,
        )


def standings_title(*, has_rounds: bool) -> str:
    """Return the title; once there are play-off rounds, the result has another order."""
    if has_rounds:
        return _("Standings of the qualifying")
    return _("Standings")


def player_standings_of(event: Event, text: str = "", state: str = "") -> list[PlayerStandingsRow]:
    """Return the players who are here or have played, in the table's order (five queries)."""
    stages = stages_of(event)
    finished = finished_rows(event)
    best = best_results(finished)
    groups = equal_groups(result for result, _heat, _players in best.values())
    places = {player_id: place for place, group in enumerate(groups) for player_id in group}
    ends = playoff_ends(event, stages, finished)
    # An evening without play-offs ends while its heats' stage is still open.
    can_enter = event.status == EventStatus.OPEN and any(
        stage.kind == StageKind.QUALIFYING and stage.status == StageStatus.OPEN for stage in stages
    )
    rows = []
    players: list[Any] = (
        list(_shown(search(players_of(event), text, staff=False)))
        if text.strip()
        else _ALL.rows(event.pk)
    )
    shown = [shown_player(*player[: len(NAME_COLUMNS)]) for player in players]
    names, clubs = told_apart(shown), {each.number: each.club for each in shown}
    for player in players:
        player_id = str(player.number)
        found = best.get(player_id)
        where = _state(player, event, can_enter)
        if where is None:
            continue
        if where == QUALIFIED and event.ends_with_heats:
            where = WON
        end = ends.get(player_id)
        if where == QUALIFIED and end is not None:
            where = end.state
        used = player.entries_used
        limit = event.reentry_limit
        rows.append(
            PlayerStandingsRow(
                number=player.number,
                name=names[player_id],
                club=clubs[player.number],
                state=where,
                went_on=player.went_on,
                order=player.qualified,
                heat_now=player.open_heat if where == PLAYING else None,
                heat_name=heat_title(player.open_title, player.open_heat)
                if where == PLAYING
                else "",
                table_now=player.open_table if where == PLAYING else None,
                out_in=end.stage if end is not None and where in (KNOCKED_OUT, NO_SHOW) else "",
                entries=used,
                left=max(0, limit - used) if limit is not None else None,
                result=found[0] if found else None,
                best_heat=found[1] if found else None,
                seats=found[2] if found else 0,
                place=places.get(player_id, 0),
            )
        )
    if state in ORDER:
        rows = [row for row in rows if row.state == state]
    return sorted(rows, key=lambda row: row.rank)


def _state(player: Any, event: Event, can_enter: bool) -> str | None:
    """Return the player's state on day 1; None for one who never came."""
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


def best_results(finished: Iterable[FinishedRow]) -> dict[str, tuple[Result, int, int]]:
    """Return, by reference, the best closed qualifying heat: result, heat, players.

    A heat in which the player was disqualified does not count.
    """
    best: dict[str, tuple[Result, int, int]] = {}
    for row in finished:
        if row.disqualified or row.stage_kind != StageKind.QUALIFYING:
            continue
        result = row.result
        known = best.get(result.player)
        if known is None or result.beats(known[0]):
            best[result.player] = (result, row.heat_number, len(result.place_points))
    return best
