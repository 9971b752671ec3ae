"""The consequences of a correction, as its preview shows them."""

from dataclasses import dataclass
from typing import Any

from ..models import Heat, HeatResult, Stage


@dataclass(frozen=True)
class Seat:
    """A player's score, place, game points and status in the corrected game, before and after."""

    player_id: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class RoundEffect:
    """A play-off round whose players change.

    Who leaves, who comes in, and which heats have begun.
    """

    stage: Stage
    out: tuple[str, ...]
    into: tuple[str, ...]
    begun: tuple[Heat, ...]


@dataclass(frozen=True)
class Consequences:
    """Everything that a correction changes; players are given by reference.

    ``needs`` lists the missing decisions: ``with_later``, ``end_game``, ``flip_flop``, ``round``,
    ``instead`` (one of ``stand_ins``). ``drafts`` are discarded with it; ``stale`` drafts of the
    queue must be redrawn, as a player in them no longer waits.
    """

    heat: Heat
    seats: tuple[Seat, ...]
    ranking_before: tuple[HeatResult, ...]
    ranking_after: tuple[HeatResult, ...]
    lost: tuple[str, ...] = ()
    won: tuple[str, ...] = ()
    left_queue: tuple[str, ...] = ()
    playing_now: tuple[tuple[str, int], ...] = ()
    later: tuple[tuple[int, str], ...] = ()
    flip_flop_groups: tuple[tuple[str, ...], ...] = ()
    drafts: tuple[int, ...] = ()
    stale: tuple[int, ...] = ()
    round: RoundEffect | None = None
    payouts: tuple[tuple[str, int, str], ...] = ()
    needs: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
