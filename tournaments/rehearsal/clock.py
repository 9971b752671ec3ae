"""The demo's own clock, so that its story has happened over the last hours."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from unittest.mock import patch

from django.utils import timezone


class StoryClock:
    """A clock that moves only when it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def set(self, now: datetime) -> None:
        """Set the clock; it never goes back."""
        self.now = max(now, self.now)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make Django's clock, which all commands read, show this clock's time.

        ``timezone.now`` itself stays, because models keep references to it; the ``datetime`` it
        reads is replaced. Nothing else in the program runs while the demo loads.
        """
        clock = self

        class StoryDatetime(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> "StoryDatetime":
                # One microsecond per look keeps events in order.
                clock.now += timedelta(microseconds=1)
                moment = clock.now.astimezone(tz)
                return cls.fromtimestamp(moment.timestamp(), tz)

        with patch.object(timezone, "datetime", StoryDatetime):
            yield
