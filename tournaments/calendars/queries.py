"""Calendar entries of organisers, events and players: one for each day of the timetable.

Nothing of them is stored. The log says how often something changed, which is SEQUENCE, and which
days were public and are gone, which are cancelled.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.dateparse import parse_datetime

from scoring.reading.words import points_text

from ..core.days import days_of, times_of
from ..core.names import registration_name
from ..models import Day, Event, HeatResult, LogEntry, Organiser, Registration
from ..models.enums import GONE, DrawStatus, EventStatus, LogAction, RegistrationStatus
from .texts import CANCELLED, CONFIRMED, TENTATIVE, Entry

_NAMESPACE = UUID("3a1f43f2-63a5-4c0e-8c1b-6f2c2d1f52a7")
#: The name of the entry for an event's whole days, while it has no timetable.
_WHOLE = ""
#: What is said of an event in a calendar.
_FIELDS = {"name", "venue", "starts_on", "ends_on", "contact"}
_OF_EVENT = (LogAction.EVENT_CHANGED, LogAction.EVENT_STATUS, LogAction.TIMETABLE)
_OF_PLAYER = (
    LogAction.SIGNED_UP,
    LogAction.REGISTERED,
    LogAction.WAIT_LISTED,
    LogAction.MOVED_UP,
    LogAction.PART_CHOSEN,
    LogAction.WITHDRAWN,
    LogAction.REINSTATED,
)


@dataclass(frozen=True, slots=True)
class News:
    """An entry of a feed; ``key`` names it on its page, and never changes."""

    key: str
    title: str
    text: str
    path: str
    at: datetime


#: So many of the latest stand in a feed.
_LATEST = 30


def news_of_organiser(organiser: Organiser) -> list[News]:
    """Return an organiser's public events, the newest first (one query)."""
    events = organiser.events.exclude(status=EventStatus.DRAFT).order_by("-created_at", "-pk")
    return [
        News(
            "event",
            event.name,
            " · ".join(filter(None, (days_of(event), event.venue))),
            event.get_absolute_url(),
            event.created_at,
        )
        for event in events[:_LATEST]
    ]


def news_of_event(event: Event) -> list[News]:
    """Return the draws and the closed heats of an event, the newest first (three queries)."""
    draws = event.draws.filter(status=DrawStatus.PUBLISHED).order_by("-made_at", "-pk")
    news = [
        News("draw", str(draw), "", reverse("tournaments:draw", args=[event.slug, draw.number]), at)
        for draw in draws[:_LATEST]
        if (at := draw.made_at)
    ]
    heats = list(event.heats.finished().order_by("-finished_at", "-pk")[:_LATEST])
    standing: dict[int, list[str]] = {}
    for row in (
        HeatResult.objects.filter(heat__in=heats)
        .select_related("entry__registration__person")
        .order_by("heat", "order")
    ):
        name = registration_name(row.entry.registration)
        line = f"{row.place}. {name} {points_text(row.game_points)}"
        standing.setdefault(row.heat_id, []).append(line)
    for heat in heats:
        path = reverse("tournaments:heat", args=[event.slug, heat.number])
        text = " · ".join(standing.get(heat.pk, ()))
        news.append(News("closed", str(heat), text, path, heat.finished_at or heat.created_at))
    return sorted(news, key=lambda each: each.at, reverse=True)[:_LATEST]


def entries_of_organiser(organiser: Organiser, site: str) -> list[Entry]:
    """Return the entries of all events that are or were public; ``site`` begins their addresses."""
    return _entries(organiser.events.all(), site)


def entries_of_event(event: Event, site: str) -> list[Entry]:
    """Return an event's entries; none if it was never public."""
    return _entries(Event.objects.filter(pk=event.pk), site)


def entries_of_player(player: Registration, site: str) -> list[Entry]:
    """Return the days that concern a player, named by the person, with UIDs of their own.

    A place on the waiting list is tentative, as are several parts while none is chosen. Days are
    cancelled once the player has withdrawn or chosen another part.
    """
    about = Q(object_type="registration", object_id=str(player.pk), action__in=_OF_PLAYER)
    [past] = _pasts(Event.objects.filter(pk=player.event_id), about, since=player.registered_at)
    parts = {day.name for day in past.days if day.places}
    left = _parts_left(past.log)
    entries = []
    for name in past.names():
        status = past.status(name)
        if status != CANCELLED:
            status = _for_player(player, name, parts)
        if status or name in left or _WHOLE in left:
            title = f"{past.title(name)} ({player.person.legal_name})"
            entries.append(past.entry(name, site, status or CANCELLED, title, player.player_id))
    return entries


def _for_player(player: Registration, name: str, parts: set[str]) -> str:
    """Return the status of a day for a player, "" if it is another part."""
    if name in parts and player.part is not None and player.part.name != name:
        return ""
    if player.status in GONE:
        return CANCELLED
    undecided = name in parts and player.part is None and len(parts) > 1
    waits = player.status == RegistrationStatus.WAIT_LISTED
    return TENTATIVE if waits or undecided else CONFIRMED


def _parts_left(log: Iterable[LogEntry]) -> set[str]:
    """Return the parts that a player once had, :data:`_WHOLE` for any of them."""
    return {(row.before or {})["part"] for row in log if row.action == LogAction.PART_CHOSEN}


def _entries(events: QuerySet[Event], site: str) -> list[Entry]:
    return [
        past.entry(name, site, past.status(name), past.title(name))
        for past in _pasts(events)
        for name in past.names()
    ]


@dataclass(frozen=True, slots=True)
class _Past:
    """An event with its days and those log rows that concern its calendar, oldest first."""

    event: Event
    days: Sequence[Day]
    log: Sequence[LogEntry]
    #: Each day that was ever public, as stored last (``core/times.py``).
    public: Mapping[str, Mapping[str, Any]]

    def names(self) -> list[str]:
        """Return the names of entries: the public days of today in order, then those before."""
        now = [day.name for day in self.days] or [_WHOLE]
        return [name for name in now if name in self.public] + [
            name for name in self.public if name not in now
        ]

    def status(self, name: str) -> str:
        is_there = any(day.name == name for day in self.days) or (name == _WHOLE and not self.days)
        is_open = self.event.status != EventStatus.DRAFT
        return CONFIRMED if is_there and is_open else CANCELLED

    def title(self, name: str) -> str:
        """Return "SM 2026 · 1A"; nothing of what is a draft again."""
        if self.event.status == EventStatus.DRAFT:
            return ""
        title = next((day.title for day in self.days if day.name == name), name)
        return f"{self.event.name} · {title}" if title else self.event.name

    def entry(self, name: str, site: str, status: str, title: str, player: str = "") -> Entry:
        event, last = self.event, self.log[-1].at if self.log else self.event.created_at
        day = next((day for day in self.days if day.name == name), None) or _day(self.public[name])
        said = event.status != EventStatus.DRAFT
        text = [times_of(day) if day else "", event.contact]
        return Entry(
            uid=_uid(event, name, player),
            revision=len(self.log),
            changed_at=max(last, event.created_at),
            title=title if said else "",
            starts=day.starts_at if day else event.starts_on,
            ends=day.ends_at if day else event.ends_on,
            status=status,
            place=event.venue if said else "",
            text="\n".join(each for each in text if each and said),
            address=site + reverse("tournaments:event", args=[event.slug]) if site and said else "",
        )


def _uid(event: Event, name: str, player: str) -> str:
    """Return an identifier that stays (RFC 7986 §5.3), whatever the event's name and address."""
    return str(uuid5(_NAMESPACE, f"{event.pk} {event.created_at.timestamp():.6f} {player} {name}"))


def _day(stored: Mapping[str, Any]) -> Day | None:
    """Return a day that is gone, as it was; None for the event's whole days."""
    if not stored:
        return None
    times: dict[str, datetime | None] = {
        key: parse_datetime(stored[key]) if key in stored else None
        for key in ("doors_at", "starts_at", "ends_at")
    }
    return Day(name=stored["name"], **times)


def _pasts(
    events: QuerySet[Event], also: Q | None = None, *, since: datetime | None = None
) -> list[_Past]:
    """Return the past of events; ``also`` chooses further rows of their logs.

    With ``since`` days that were gone by then are left out.
    """
    rows = LogEntry.objects.filter(Q(action__in=_OF_EVENT) | (also or Q(pk=None)))
    asked = events.prefetch_related(
        "timetable", Prefetch("log_entries", rows.order_by("at", "pk"), to_attr="of_calendar")
    )
    return [
        _Past(
            event, days, log, _public(event, days, [r for r in log if not since or r.at >= since])
        )
        for event in asked
        for days in [list(event.timetable.all())]
        for log in [[row for row in event.of_calendar if _concerns(row)]]
    ]


def _concerns(row: LogEntry) -> bool:
    return row.action != LogAction.EVENT_CHANGED or bool(_FIELDS & set(row.after or {}))


def _public(
    event: Event, days: Sequence[Day], log: Sequence[LogEntry]
) -> dict[str, Mapping[str, Any]]:
    """Return each day that was ever public, as stored last; those of today are in ``days``."""
    tables = [row for row in log if row.action == LogAction.TIMETABLE]
    now: list[Mapping[str, Any]] = [{"name": day.name} for day in days]
    table = (tables[0].before or {})["timetable"] if tables else now
    statuses = [row for row in log if row.action == LogAction.EVENT_STATUS]
    status = (statuses[0].before or {})["status"] if statuses else event.status
    found: dict[str, Mapping[str, Any]] = {}

    def note() -> None:
        if status != EventStatus.DRAFT:
            found.update({day["name"]: day for day in table} or {_WHOLE: {}})

    note()
    for row in log:
        if row.action == LogAction.TIMETABLE:
            table = (row.after or {})["timetable"]
        elif row.action == LogAction.EVENT_STATUS:
            status = (row.after or {})["status"]
        note()
    return found
