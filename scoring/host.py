"""What scoring asks of the program around it; a casual evening needs none of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.errors import ScoringError


@dataclass(frozen=True)
class Clock:
    """The time of a table: when it is up, or how many seconds are left while it stands still.

    ``state`` is ``ready`` (the director has not started it), ``running``, ``paused`` or ``over``.
    """

    state: str
    left: int
    ends_at: datetime | None = None

    @property
    def minutes(self) -> int:
        """The whole minutes that are left, rounded up."""
        return -(-self.left // 60)

    @property
    def left_text(self) -> str:
        """What is left as a clock shows it.

        >>> Clock("paused", 3905).left_text
        '65:05'
        """
        return f"{max(0, self.left) // 60}:{max(0, self.left) % 60:02}"

    @property
    def counted(self) -> str:
        """The minutes and seconds beside the words; a page's script counts them while they run."""
        return self.left_text if self.state == "paused" else ""

    @property
    def words(self) -> str:
        """What the clock says besides."""
        if self.state == "ready":
            return _("%(minutes)s min; the clock has not started") % {"minutes": self.minutes}
        if self.state == "running" and self.ends_at is not None:
            return _("until %(time)s") % {"time": localtime(self.ends_at).strftime("%H:%M")}
        return _("left; the clock stands still") if self.state == "paused" else _("Time is up")


@dataclass(frozen=True)
class AtTable:
    """What the pages of a table show beside its sheets; no label means its own."""

    label: str = ""
    clock: Clock | None = None
    #: Whether nobody goes on from here: who is first has won it all.
    is_final: bool = False
    #: Whether nothing is written any more: the heat is closed, or void.
    is_closed: bool = False
    #: The shot clock of an exchange or a card, None where the event has none.
    shot_seconds: int | None = None


class Host:
    """The answers of a program without tournaments; another one registers its own."""

    def names(self, table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
        """Return for each table the display names of the references that are known."""
        return {}

    def text(self, table_id: int) -> Callable[[str], str]:
        """Return what takes names out of a typed text that readers of a table may not see."""
        return str

    def page(self, table_id: int) -> str:
        """Return the path where everybody reads a table's results; empty where there is none."""
        return ""

    def at_table(self, table_id: int) -> AtTable:
        """Return what the pages of a table show beside its sheets."""
        return AtTable()

    def acceptance(self, table_id: int) -> str:
        """Return whose acceptance the table's games need (``scoring.enums.Acceptance``)."""
        return "auditor"

    def with_pin(self, table_id: int) -> Collection[str]:
        """Return which players can accept with a PIN."""
        return ()

    def check_pin(self, table_id: int, player_id: str, pin: str) -> None:
        """Refuse a PIN that is not the player's: ``wrong_pin``, ``too_many_pins``, ``no_pin``."""
        raise ScoringError("no_pin")

    def choose_pin(self, table_id: int, player_id: str, pin: str) -> None:
        """Keep a player's first PIN: refused with ``bad_pin``, ``pin_chosen`` or ``no_pin``."""
        raise ScoringError("no_pin")

    def too_slow(self, table_id: int, player_id: str) -> str:
        """Take note that a player's time ran out; return with what reason to call, if at all."""
        return ""

    def lock(self, table_id: int) -> None:
        """Take the locks that come before a table's sheets, for what listeners do at a sign-off."""


_host = Host()


def register(host: Host) -> Host:
    """Let this host answer from now on; returns the one before."""
    global _host
    before, _host = _host, host
    return before


def host() -> Host:
    """Return the host."""
    return _host
