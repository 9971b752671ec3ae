"""When what is shown goes out of date although nothing was written.

Code that renders a time ("4 min", "sign-up is open") says when its text will change; the cached
page is then rendered again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta

from django.utils import timezone


def midnight_after(day: date) -> datetime:
    """Return the end of the day in local time."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


class Moment:
    """The earliest moment at which the rendered content changes."""

    def __init__(self) -> None:
        self.at: datetime | None = None


_noted: ContextVar[Moment | None] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[Moment]:
    """Collect, from the code inside, when the content changes."""
    noted = Moment()
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def holds_until(moment: datetime | None) -> None:
    """Note that what is being rendered changes at this moment."""
    noted = _noted.get()
    if noted is not None and moment is not None:
        noted.at = moment if noted.at is None else min(noted.at, moment)
