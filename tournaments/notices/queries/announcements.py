"""Announcements in force, as their readers see them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.messages import language

from ...core.expiry import expire_at
from ...core.names import shown_text_of
from ...models import Announcement, Event, Registration
from ...models.enums import Audience, EntryStatus, RegistrationStatus

#: More letters than fit on a screen's large lines.
LONG = 100


@dataclass(frozen=True)
class Shown:
    """An announcement in the reader's language; ``to`` is empty where it is to all."""

    pk: int
    text: str
    to: str
    made_at: datetime
    ends_at: datetime | None
    is_break: bool

    @property
    def is_long(self) -> bool:
        """Whether it needs smaller letters on a screen."""
        return len(self.text) > LONG

    @property
    def until(self) -> str:
        """When it ends, in words; empty if it stays until it is taken back, or says so itself."""
        if self.ends_at is None or self.is_break:
            return ""
        return _("until %(time)s") % {"time": time_format(timezone.localtime(self.ends_at), "H:i")}


def in_force(event: Event) -> QuerySet[Announcement]:
    """Return the event's announcements that hold now, newest first."""
    return event.announcements.filter(_holds())


def something_said() -> Exists:
    """Return a column for rows of an event: whether anything is announced there now."""
    return Exists(Announcement.objects.filter(_holds(), event=OuterRef("event")))


def _holds() -> Q:
    now = timezone.now()
    return Q(Q(ends_at__isnull=True) | Q(ends_at__gt=now), taken_back_at__isnull=True)


def to_all(event: Event) -> list[Shown]:
    """Return what everybody may read, newest first (one query, two more if there is any)."""
    return _shown(event, in_force(event).filter(audience=Audience.ALL))


def to_table(event: Event, table_number: int | None) -> list[Shown]:
    """Return what a table's phone shows: what is to all, to those who play, and to the table."""
    mine = Q(audience__in=[Audience.ALL, Audience.PLAYING])
    if table_number is not None:
        mine |= Q(audience=Audience.TABLE, table=table_number)
    return _shown(event, in_force(event).filter(mine))


def to_player(registration: Registration) -> list[Shown]:
    """Return what a player's own page shows (one query, three more if there is any)."""
    found = list(in_force(registration.event))
    groups = groups_of(registration) if found else set()
    return _shown(
        registration.event, [each for each in found if (each.audience, each.table) in groups]
    )


def groups_of(registration: Registration) -> set[tuple[str, int | None]]:
    """Return the audiences that a player belongs to now (two queries)."""
    groups: set[tuple[str, int | None]] = {(Audience.ALL, None)}
    entry = registration.entries.open().select_related("heat").first()
    if entry is not None and entry.status == EntryStatus.WAITING:
        groups.add((Audience.WAITING, None))
    elif entry is not None and entry.heat is not None:
        groups |= {(Audience.PLAYING, None), (Audience.TABLE, entry.heat.table_number)}
    if registration.qualifications.valid().exists():
        groups.add((Audience.THROUGH, None))
    return groups


def players_in(event: Event, audience: str, table: int | None = None) -> QuerySet[Registration]:
    """Return the players whom an audience means now."""
    players = event.registrations.filter(status=RegistrationStatus.CHECKED_IN)
    seated = Q(entries__status=EntryStatus.SEATED)
    meant = {
        Audience.ALL: Q(),
        Audience.PLAYING: seated,
        Audience.TABLE: seated & Q(entries__heat__table_number=table),
        Audience.WAITING: Q(entries__status=EntryStatus.WAITING),
        Audience.THROUGH: Q(qualifications__revoked_at__isnull=True, qualifications__isnull=False),
    }[Audience(audience)]
    return players.filter(meant).distinct()


def announcements_of(event: Event) -> list[Shown]:
    """Return those in force for the desk, which reads them as they were written."""
    return _shown(event, in_force(event), str)


def break_of(event: Event) -> Announcement | None:
    """Return the break that is on, if any (one query)."""
    return in_force(event).filter(is_break=True).order_by("ends_at").first()


def _shown(
    event: Event,
    rows: QuerySet[Announcement] | list[Announcement],
    text: Callable[[str], str] | None = None,
) -> list[Shown]:
    found = []
    for row in rows:
        text = text or shown_text_of(event)
        expire_at(row.ends_at)
        to = ""
        if row.audience == Audience.TABLE:
            to = _("table %(number)s") % {"number": row.table}
        elif row.audience != Audience.ALL:
            to = str(row.get_audience_display())
        found.append(Shown(row.pk, text(text_in(row)), to, row.made_at, row.ends_at, row.is_break))
    return found


def text_in(row: Announcement, code: str | None = None) -> str:
    """Return an announcement in a language, or as it was written first."""
    texts: dict[str, str] = row.texts
    return texts.get(code or language(get_language())) or next(iter(texts.values()), "")
