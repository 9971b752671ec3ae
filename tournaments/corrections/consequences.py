"""What a correction would change, as its preview shows it and the log keeps it."""

from dataclasses import dataclass
from typing import Any

from ..models import Heat, HeatResult, Stage


@dataclass(frozen=True)
class Seat:
    """A player in the corrected game: score, place and game points before and after."""

    player_id: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def changed(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after


@dataclass(frozen=True)
class RoundEffect:
    """A play-off round whose players change: who goes, who comes, which tables have begun."""

    stage: Stage
    out: tuple[str, ...]
    into: tuple[str, ...]
    begun: tuple[Heat, ...]


@dataclass(frozen=True)
class Consequences:
    """Everything that a correction changes; players are references.

    ``needs`` holds the decisions that are missing: ``with_later``, ``end_game``, ``flip_flop``,
    ``round``, ``instead`` (one of ``stand_ins``). ``drafts`` are thrown away with it; ``stale``
    ones, of the queue, have to be drawn again because somebody in them waits no longer.
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
