"""The timetable in words, and the day that a moment belongs to."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import zip_longest

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from ..models import Day, Event, Planned
from ..models.enums import SessionKind
from .expiry import expire_at, midnight_after

#: What is played up to this long after midnight belongs to the day before.
NIGHT = timedelta(hours=6)


def day_of(days: Iterable[Day], moment: datetime | None) -> Day | None:
    """Return the day whose doors opened last before the moment, if it lasted until then.

    On a date before all doors open, it is the first day of that date.
    """
    if moment is None:
        return None
    later = []
    for day in sorted(days, key=lambda day: day.starts_at, reverse=True):
        if moment < (day.doors_at or day.starts_at):
            later.append(day)
        elif moment < _until(day):
            return day
        else:
            break
    today = timezone.localdate(moment)
    return next((day for day in later[::-1] if timezone.localdate(day.starts_at) == today), None)


def date_of_play(event: Event, days: Iterable[Day], moment: datetime) -> date:
    """Return the date under which a moment is kept: the till's day, when somebody came.

    It is the date of the day or part that was being played. Without a timetable the hours after
    midnight belong to the evening before, if the event had begun then.
    """
    day = day_of(days, moment)
    if day is not None:
        return timezone.localdate(day.starts_at)
    evening = timezone.localdate(moment - NIGHT)
    return evening if event.starts_on <= evening <= event.ends_on else timezone.localdate(moment)


def _until(day: Day) -> datetime:
    night = midnight_after(timezone.localdate(day.starts_at)) + NIGHT
    return max(night, day.ends_at or night)


def next_day(days: Sequence[Day]) -> Day | None:
    """Return the day now being played, or else the next one.

    One that is over keeps its date until the doors of the date's next one open.
    """
    now = timezone.now()
    ordered = sorted(days, key=lambda day: day.starts_at)
    for day, later in zip_longest(ordered, ordered[1:]):
        end = day.ends_at or day.starts_at
        if now < end:
            expire_at(end)
            return day
        opens = (later.doors_at or later.starts_at) if later else None
        if timezone.localdate(end) == timezone.localdate(now) and (opens is None or now < opens):
            expire_at(opens)
            return day
    return None


_ROUNDS = {0: SessionKind.FINAL, 1: SessionKind.SEMI_FINALS, 2: SessionKind.QUARTER_FINALS}


def day_for(days: Iterable[Day], left: int | None) -> Day | None:
    """Return the day that the timetable names for a play-off round, None where it names none.

    ``left`` rounds follow it, None if not known. The round's own day comes before one on which
    play-offs are played; of several it is the one now being played, or else the next.
    """
    days = list(days)
    for kind in (_ROUNDS.get(left) if left is not None else None, SessionKind.PLAYOFFS):
        named = [day for day in days if kind and day.session_kind == kind]
        if named:
            return next_day(named) or max(named, key=lambda day: day.starts_at)
    return None


def playoff_day(days: Sequence[Day], *, entering: bool, left: int | None = None) -> Day | None:
    """Return the day on which the play-offs continue; None if the timetable names none.

    Where it names none for the next round: while heats are entered the last day, as 1B may come
    before it; then the day now being played, or else the next one.
    """
    named = day_for(days, left)
    rest = [day for day in days if not day.session_kind]
    if named is not None or len(days) < 2 or not rest:
        return named
    return max(rest, key=lambda day: day.starts_at) if entering else next_day(rest)


def starts_later(planned: Planned) -> bool:
    """Return whether a start is set and still to come; the page holds until then."""
    if planned.starts_at is None or planned.starts_at <= timezone.now():
        return False
    expire_at(planned.starts_at)
    return True


def start_of(day: Day, *, timed: bool = True) -> str:
    """Return when a day begins: "2: Sunday 15 November 12:00"; without the name of a round.

    Not ``timed`` for a round that follows another one on that day: its own start is not known.
    """
    when = date_format(timezone.localtime(day.starts_at), "l j F")
    when += f" {_time(day.starts_at)}" if timed else ""
    return when if day.name == day.get_session_kind_display() else f"{day.name}: {when}"


def times_of(planned: Planned, *, dated: bool = True) -> str:
    """Return the times in words: "Saturday 14 November, doors 11:00, start 12:00, until 18:00".

    Empty where none are planned. Not ``dated``: without the date on that day.
    """
    if planned.starts_at is None:
        return ""
    day = timezone.localdate(planned.starts_at)
    parts = [date_format(day, "l j F")] if dated or not _is_today(day) else []
    if planned.doors_at:
        parts.append(_("doors %(time)s") % {"time": _time(planned.doors_at)})
    parts.append(_("start %(time)s") % {"time": _time(planned.starts_at)})
    if planned.ends_at:
        parts.append(_("until %(time)s") % {"time": _time(planned.ends_at)})
    return ", ".join(parts)


def days_of(event: Event) -> str:
    """Return the event's days: "5 June 2027", "5–6 June 2027", "30 May – 2 June 2027"."""
    first, last = event.starts_on, event.ends_on
    whole = date_format(last, "j F Y")
    if first == last:
        return whole
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{whole}"
    return f"{date_format(first, 'j F')} – {whole}"


def _is_today(day: date) -> bool:
    today = timezone.localdate()
    if today <= day:
        expire_at(midnight_after(today))
    return day == today


def _time(moment: datetime) -> str:
    return time_format(timezone.localtime(moment), "H:i")
