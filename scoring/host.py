"""What scoring asks of the surrounding program; a casual evening needs none of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from .errors import ScoringError
from .reasons import coded, reason_text


@dataclass(frozen=True)
class Clock:
    """A table's clock: when time is up, or the seconds left while it stands still.

    ``state`` is ``ready`` (the director has not started it), ``running``, ``paused`` or ``over``.
    """

    state: str
    left: int
    ends_at: datetime | None = None

    @property
    def minutes(self) -> int:
        """The minutes left, rounded up."""
        return -(-self.left // 60)

    @property
    def left_text(self) -> str:
        """The time left, as a clock shows it.

        >>> Clock("paused", 3905).left_text
        '1:05:05'
        >>> Clock("paused", 3599).left_text
        '59:59'
        """
        minutes, seconds = divmod(max(0, self.left), 60)
        hours, rest = divmod(minutes, 60)
        return f"{hours}:{rest:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    @property
    def counted(self) -> str:
        """The time beside the words while paused; the page's script counts a running clock."""
        return self.left_text if self.state == "paused" else ""

    @property
    def words(self) -> str:
        """The text beside the time."""
        if self.state == "ready":
            return _("%(minutes)s min; the clock has not started") % {"minutes": self.minutes}
        if self.state == "running" and self.ends_at is not None:
            return _("until %(time)s") % {"time": localtime(self.ends_at).strftime("%H:%M")}
        return (
            _("left; the clock is stopped")
            if self.state == "paused"
            else reason_text(coded("time_up"))
        )


@dataclass(frozen=True)
class Warned:
    """A warning in a game: it costs nothing, so it stands on no sheet."""

    game: int
    player_id: str
    reason: str
    at: datetime
    client_id: UUID


@dataclass(frozen=True)
class AtTable:
    """What a table's pages show besides its sheets.

    ``heat``: the name of a heat that is not called by its number.
    """

    heat: str = ""
    clock: Clock | None = None
    #: Whether nobody advances from here: the final, or a heat without play-offs after it.
    is_final: bool = True
    #: Whether the table accepts no more writes: the heat is closed or void.
    is_closed: bool = False
    #: Seconds on the shot clock for an exchange or a card; None if the event has none.
    shot_seconds: int | None = None
    #: What is still played when the clock is over, in sentences.
    time_rule: str = ""
    #: What is announced to this table now.
    said: tuple[str, ...] = ()


class Host:
    """The host without tournaments; another program registers its own subclass."""

    def names(self, table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
        """Return the display names of all known references, by table."""
        return {}

    def text(self, table_id: int) -> Callable[[str], str]:
        """Return a function that removes hidden names from texts typed at a table."""
        return str

    def page(self, table_id: int) -> str:
        """Return the path of a table's public results; empty if there is none."""
        return ""

    def begin(self) -> str:
        """Return the path where anybody begins a game; empty if nowhere."""
        return ""

    def at_table(self, table_id: int) -> AtTable:
        """Return what a table's pages show besides its sheets."""
        return AtTable()

    def warned(self, table_id: int) -> tuple[Warned, ...]:
        """Return the warnings that players got at a table, oldest first."""
        return ()

    def goes_on(self, table_id: int) -> Collection[str] | None:
        """Return who advances from a closed heat, None if its ranking alone decides."""
        return None

    def acceptance(self, table_id: int) -> str:
        """Return who must accept the table's games (``scoring.enums.Acceptance``)."""
        return "auditor"

    def gone(self, table_id: int) -> Collection[str]:
        """Return the players who have withdrawn or been disqualified since."""
        return ()

    def is_auditors(self, table_id: int, device: str) -> bool:
        """Return whether the table's Auditor, if it has one, taps on this device."""
        return True

    def with_pin(self, table_id: int) -> Collection[str]:
        """Return the players who can accept with a PIN."""
        return ()

    def is_late_pin(self, table_id: int, player_id: str) -> bool:
        """Return whether the player's PIN was chosen at a table after its first deal."""
        return False

    def check_pin(self, table_id: int, player_id: str, pin: str) -> None:
        """Raise ``wrong_pin``, ``too_many_pins`` or ``no_pin`` unless this is the player's PIN."""
        raise ScoringError("no_pin")

    def choose_pin(self, table_id: int, player_id: str, pin: str, *, late: bool) -> None:
        """Store a player's first PIN; raise ``bad_pin``, ``pin_chosen`` or ``no_pin``.

        ``late``: after the table's first deal, which is to be seen wherever it is used.
        """
        raise ScoringError("no_pin")

    def too_slow(self, table_id: int, player_id: str, client_id: UUID) -> str:
        """Record that a player ran out of time; return a reason to call the director, if any.

        Nothing happens if ``client_id`` was recorded before.
        """
        return ""

    def lock(self, table_id: int) -> None:
        """Take the locks that listeners to a sign-off need, before the sheets are locked."""


_host = Host()


def register(host: Host) -> Host:
    """Register a host from now on; return the previous one."""
    global _host
    before, _host = _host, host
    return before


def host() -> Host:
    return _host
