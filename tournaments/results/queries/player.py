"""What everybody may see of one player at an event."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, Sum

from scoring.pictures.shapes import Picture

from ...core.names import club_of, registration_name
from ...models import Event, GameResult, HeatResult
from ...models.enums import HeatStatus, Visibility
from .players import End, player_state_label, players_of, playoff_ends
from .road import road_of
from .standings import PlayedGame, games_of_results
from .stood import told_history


@dataclass(frozen=True)
class HeatOfPlayer:
    """A heat of a player: the result so far, what is to be said of it, and its games."""

    result: HeatResult
    told: Sequence[str]
    games: Sequence[PlayedGame]


@dataclass(frozen=True)
class PublicPlayer:
    """A player's page: heats newest first, and what its games add up to.

    ``player`` is a row of ``players_of``. The sums are of closed heats.
    """

    player: Any
    name: str
    club: str
    state: str
    heats: tuple[HeatOfPlayer, ...]
    games: int
    won: int
    chicagos: int
    best: int | None

    @property
    def road(self) -> Picture | None:
        """The picture of the player's heats, the first one first."""
        return road_of([each.result for each in reversed(self.heats)])

    @property
    def history(self) -> tuple[tuple[HeatResult, Sequence[str]], ...]:
        """The heats, each with what is to be said of it: why it ranks there, who decided what."""
        return tuple((each.result, each.told) for each in self.heats)


def public_player(event: Event, number: int) -> PublicPlayer | None:
    """Return a player who shows their name, None for anybody else (a fixed number of queries)."""
    player: Any = players_of(event).filter(number=number).first()
    if player is None or player.shown_as == Visibility.HIDDEN:
        return None
    history = told_history(player)
    games = games_of_results([row for row, _told in history])
    sums = GameResult.objects.filter(
        entry__registration=player, game__heat__status=HeatStatus.FINISHED
    ).aggregate(
        games=Count("pk"),
        won=Count("pk", filter=Q(place=1)),
        chicagos=Sum("asterisks"),
        best=Max("score"),
    )
    end: End | None = playoff_ends(event).get(player.player_id)
    return PublicPlayer(
        player=player,
        name=registration_name(player),
        club=club_of(player),
        state=player_state_label(player, end),
        heats=tuple(HeatOfPlayer(row, told, games.get(row.entry_id, [])) for row, told in history),
        games=sums["games"],
        won=sums["won"],
        chicagos=sums["chicagos"] or 0,
        best=sums["best"],
    )
