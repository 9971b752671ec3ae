"""The demo's own clock, so that its story has happened over the last hours."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from unittest.mock import patch

from django.utils import timezone


class StoryClock:
    """A clock that stands still until it is put forward."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def set(self, now: datetime) -> None:
        """Put the clock to a moment; it never goes back."""
        self.now = max(now, self.now)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make Django's clock, which every domain function reads, show this clock's time.

        ``timezone.now`` itself stays as it is, because models keep references to it; what it
        reads the time from is replaced. Nothing else of the program runs while the demo loads.
        """
        clock = self

        class StoryDatetime(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> "StoryDatetime":
                # A microsecond for each look keeps what happened in the order in which it did.
                clock.now += timedelta(microseconds=1)
                moment = clock.now.astimezone(tz)
                return cls.fromtimestamp(moment.timestamp(), tz)

        with patch.object(timezone, "datetime", StoryDatetime):
            yield
