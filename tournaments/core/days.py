"""The timetable in words, and the day that a moment belongs to."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from ..models import Day
from .moments import holds_until


def day_of(days: Iterable[Day], moment: datetime | None) -> Day | None:
    """Return the day whose doors opened last before the moment."""
    if moment is None:
        return None
    begun = [day for day in days if (day.doors_at or day.starts_at) <= moment]
    return max(begun, key=lambda day: day.starts_at, default=None)


def next_day(days: Sequence[Day]) -> Day | None:
    """Return the day now being played, or else the next one."""
    now = timezone.now()
    for day in sorted(days, key=lambda day: day.starts_at):
        end = day.ends_at or day.starts_at
        if now < end or timezone.localdate(end) == timezone.localdate(now):
            holds_until(end if now < end else None)
            return day
    return None


def times_of(day: Day) -> str:
    """Return the times in words: "Saturday 14 November, doors 11:00, start 12:00, until 18:00"."""
    start = timezone.localtime(day.starts_at)
    parts = [date_format(start, "l j F")]
    if day.doors_at:
        parts.append(_("doors %(time)s") % {"time": _time(day.doors_at)})
    parts.append(_("start %(time)s") % {"time": _time(day.starts_at)})
    if day.ends_at:
        parts.append(_("until %(time)s") % {"time": _time(day.ends_at)})
    return ", ".join(parts)


def _time(moment: datetime) -> str:
    return time_format(timezone.localtime(moment), "H:i")
