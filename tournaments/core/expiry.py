"""When rendered content goes out of date although nothing was written.

Code that renders a time ("4 min", "sign-up is open") says when its text will change; a cached page
expires then.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta

from django.utils import timezone


def midnight_after(day: date) -> datetime:
    """Return the end of the day in local time."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


class Expiry:
    """The earliest moment at which the rendered content changes, if any."""

    def __init__(self) -> None:
        self.at: datetime | None = None


_collecting: ContextVar[Expiry | None] = ContextVar("expiry", default=None)


@contextmanager
def collect_expiry() -> Iterator[Expiry]:
    """Yield the expiry of what is rendered inside."""
    expiry = Expiry()
    token = _collecting.set(expiry)
    try:
        yield expiry
    finally:
        _collecting.reset(token)


def expire_at(moment: datetime | None) -> None:
    """Declare that what is being rendered changes at this moment."""
    expiry = _collecting.get()
    if expiry is not None and moment is not None:
        expiry.at = moment if expiry.at is None else min(expiry.at, moment)
