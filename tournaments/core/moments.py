"""Until when what is shown stays true although nobody writes anything.

Whatever words a time ("4 min", "the sign-up is open") says when it will be another;
what is kept of the page is then made anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta

from django.utils import timezone


def midnight_after(day: date) -> datetime:
    """Return the moment at which a day is over here."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


class Moment:
    """The earliest moment at which something that was shown will be another."""

    def __init__(self) -> None:
        self.at: datetime | None = None


_noted: ContextVar[Moment | None] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[Moment]:
    """Note until when what is made inside holds."""
    noted = Moment()
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def holds_until(moment: datetime | None) -> None:
    """Say that what is being made will be another at this moment."""
    noted = _noted.get()
    if noted is not None and moment is not None:
        noted.at = moment if noted.at is None else min(noted.at, moment)
