"""When rendered content goes out of date although nothing was written.

Code that renders a time ("4 min", "sign-up is open") says when its text will change; a cached page
expires then.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


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


def age_text(moment: datetime | None) -> str:
    """Return how long ago it was, in short: "<1 min", "4 min", "1 h 5 min"."""
    if moment is None:
        return ""
    minutes = max(0, int((timezone.now() - moment).total_seconds() // 60))
    expire_at(moment + timedelta(minutes=minutes + 1))
    hours, rest = divmod(minutes, 60)
    if hours >= 24:
        days = hours // 24
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}
    return _("%(minutes)s min") % {"minutes": minutes or "<1"}
