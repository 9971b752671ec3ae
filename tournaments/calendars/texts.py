"""A calendar file (RFC 5545), in local time with the zone's changes of the clock.

The library folds by octets and escapes; the zone is written here, as its own generator puts the
beginning of summer time an hour late.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar
from django.conf import settings

#: Status of an entry (RFC 5545 §3.8.1.11).
CONFIRMED, TENTATIVE, CANCELLED = "CONFIRMED", "TENTATIVE", "CANCELLED"
#: Methods of a calendar that is sent (RFC 5546 §3.2); a feed has none.
PUBLISH, CANCEL = "PUBLISH", "CANCEL"
_PROGRAM = "-//Chicago//Chicago//EN"
#: How often programs should look at a feed again.
_AGAIN = timedelta(hours=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a calendar.

    ``uid`` never changes; ``revision`` (SEQUENCE) and ``changed_at`` only grow, so that a program
    moves the entry it knows. ``starts`` and ``ends`` are times with a zone, or dates for whole
    days, the last one included; without ``ends`` the end is not known.
    """

    uid: str
    revision: int
    changed_at: datetime
    title: str
    starts: datetime | date
    ends: datetime | date | None = None
    status: str = CONFIRMED
    place: str = ""
    text: str = ""
    address: str = ""


def calendar_file(
    entries: Iterable[Entry],
    *,
    name: str = "",
    method: str = "",
    organiser: tuple[str, str] | None = None,
) -> bytes:
    """Return the entries as a calendar file, equal to the byte for equal entries.

    ``name`` is a feed's. A calendar that is sent by mail has a ``method`` and needs an
    ``organiser``: name and mail address.
    """
    found = list(entries)
    calendar = icalendar.Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", _PROGRAM)
    if method:
        calendar.add("method", method)
    if name:
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
        calendar.add("refresh-interval", _AGAIN, parameters={"VALUE": "DURATION"})
    moments = [
        each for entry in found for each in (entry.starts, entry.ends) if isinstance(each, datetime)
    ]
    if moments:
        calendar.add_component(_timezone(_zone(), moments))
    for entry in found:
        calendar.add_component(_event(entry, organiser))
    content: bytes = calendar.to_ical()
    return content


def _event(entry: Entry, organiser: tuple[str, str] | None) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", entry.uid)
    event.add("sequence", entry.revision)
    event.add("dtstamp", entry.changed_at.astimezone(UTC))
    event.add("last-modified", entry.changed_at.astimezone(UTC))
    event.add("dtstart", _written(entry.starts))
    if isinstance(entry.ends, datetime):
        event.add("dtend", _written(entry.ends))
    elif entry.ends is not None:
        event.add("dtend", entry.ends + _DAY)
    event.add("status", entry.status)
    # Whole days are no reason to be shown as busy.
    event.add("transp", "OPAQUE" if isinstance(entry.starts, datetime) else "TRANSPARENT")
    for field, text in (
        ("summary", entry.title),
        ("location", entry.place),
        ("description", entry.text),
    ):
        if text:
            event.add(field, text)
    if entry.address:
        event.add("url", icalendar.vUri(entry.address))
    if organiser is not None:
        name, address = organiser
        event.add("organizer", icalendar.vCalAddress(f"mailto:{address}"), {"CN": name})
    return event


def _zone() -> ZoneInfo:
    return ZoneInfo(settings.TIME_ZONE)


def _written(moment: datetime | date) -> datetime | date:
    """Return a moment as it is written: local time, but UTC for an hour that comes again.

    Local time means the first of two such hours (RFC 5545 §3.3.5).
    """
    if not isinstance(moment, datetime):
        return moment
    local = moment.astimezone(_zone())
    return moment.astimezone(UTC) if local.fold else local


def _timezone(zone: ZoneInfo, moments: Sequence[datetime]) -> icalendar.Timezone:
    """Return the zone's changes of the clock in the years of these moments (RFC 5545 §3.6.5)."""
    first = datetime.combine(date(min(moments).year - 1, 1, 1), time(), UTC)
    last = datetime.combine(date(max(moments).year + 1, 12, 31), time(), UTC)
    found = icalendar.Timezone()
    found.add("tzid", zone.key)
    for moment, before in [(first, first), *_changes(zone, first, last)]:
        after, earlier = moment.astimezone(zone), before.astimezone(zone)
        offset = earlier.utcoffset() or timedelta()
        part = icalendar.TimezoneDaylight() if after.dst() else icalendar.TimezoneStandard()
        # The onset in the time that held until then.
        part.add("dtstart", (moment + offset).replace(tzinfo=None))
        part.add("tzoffsetfrom", offset)
        part.add("tzoffsetto", after.utcoffset())
        part.add("tzname", after.tzname())
        found.add_component(part)
    return found


def _changes(
    zone: ZoneInfo, first: datetime, last: datetime
) -> Iterator[tuple[datetime, datetime]]:
    """Yield each change of the clock, to the minute, and a moment before it, both in UTC."""
    moment = first
    while moment < last:
        following = moment + _DAY
        if following.astimezone(zone).utcoffset() != moment.astimezone(zone).utcoffset():
            low, high = moment, following
            while high - low > timedelta(minutes=1):
                middle = low + (high - low) // timedelta(minutes=2) * timedelta(minutes=1)
                same = middle.astimezone(zone).utcoffset() == moment.astimezone(zone).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            yield high, low
        moment = following
