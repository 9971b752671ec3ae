"""Announce something, and take it back."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.writing import show_again

from ...core.errors import Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...core.permissions import DIRECT, needs
from ...floor.commands.clocks import GO_ON, PAUSE, set_clocks
from ...models import Announcement, Event
from ...models.enums import Audience, LogAction
from ..queries.announcements import break_of

MAX_LETTERS = 160


@transaction.atomic
@needs(DIRECT)
def announce(
    *,
    event: Event,
    texts: Mapping[str, str],
    by: By,
    audience: Audience = Audience.ALL,
    table: int | None = None,
    ends_at: datetime | None = None,
) -> Announcement:
    """Announce one line, by language, to all or some.

    Refused with ``nothing_said``, ``past`` if it would have ended already, and ``no_table``.
    """
    event = lock_event(event)
    said = {code: text for code, text in texts.items() if text}
    if not said:
        raise Refused("nothing_said", _("Write what is to be announced."))
    if (audience == Audience.TABLE) != (table is not None):
        raise Refused("no_table", _("Say to which table."))
    return _made(event, said, by, audience=audience, table=table, ends_at=ends_at)


@transaction.atomic
@needs(DIRECT)
def announce_break(
    *, event: Event, ends_at: datetime, texts: Mapping[str, str], by: By
) -> Announcement:
    """Stop all clocks until a time and say so; refused with ``past`` and ``break_is_on``."""
    event = lock_event(event)
    if break_of(event) is not None:
        raise Refused("break_is_on", _("There is a break already. End it first."))
    made = _made(event, dict(texts), by, ends_at=ends_at, is_break=True)
    _set_clocks(made, event, PAUSE, by)
    return made


def _made(event: Event, texts: Mapping[str, str], by: By, **fields: object) -> Announcement:
    now = timezone.now()
    ends_at = fields.get("ends_at")
    if isinstance(ends_at, datetime) and ends_at <= now:
        raise Refused("past", _("That time has passed."))
    made = Announcement.objects.create(event=event, texts=dict(texts), made_at=now, **fields)
    after = {"texts": made.texts, "audience": made.audience, "table": made.table}
    after["ends_at"] = made.ends_at.isoformat() if made.ends_at else None
    record(LogAction.ANNOUNCED, made, by, after=after)
    _show_at_tables(event)
    return made


@transaction.atomic
@needs(DIRECT)
def take_back(*, event: Event, number: int, by: By) -> Announcement:
    """Take an announcement back everywhere; clocks that its break stopped go on.

    Refused with ``no_announcement`` if it has ended or been taken back.
    """
    event = lock_event(event)
    found = event.announcements.filter(pk=number, taken_back_at__isnull=True).first()
    now = timezone.now()
    if found is None or (found.ends_at is not None and found.ends_at <= now):
        raise Refused("no_announcement", _("This announcement no longer holds."))
    found.taken_back_at = now
    found.save(update_fields=["taken_back_at"])
    record(LogAction.ANNOUNCEMENT_BACK, found, by, before={"texts": found.texts})
    _show_at_tables(event)
    if found.is_break:
        _set_clocks(found, event, GO_ON, by)
    return found


def end_due() -> int:
    """End the announcements whose time has come; return how many.

    Tables' phones stop showing them; clocks that a break stopped go on, counted from its end.
    """
    now = timezone.now()
    over = Announcement.objects.filter(taken_back_at__isnull=True, ends_at__lte=now)
    ended = 0
    for row in over.select_related("event"):
        with transaction.atomic():
            event = lock_event(row.event)
            # Another worker, or the director, may have been first.
            mine = Announcement.objects.filter(pk=row.pk, taken_back_at__isnull=True)
            if not mine.update(taken_back_at=row.ends_at):
                continue
            if row.is_break:
                _set_clocks(row, event, GO_ON, None, at=row.ends_at)
            _show_at_tables(event)
            ended += 1
    return ended


def _set_clocks(
    row: Announcement, event: Event, what: str, by: By, *, at: datetime | None = None
) -> None:
    """Stop the clocks for a break, or let those that it stopped go on."""
    if event.minutes_per_heat is not None:
        since = row.made_at if what == GO_ON else None
        set_clocks(event=event, what=what, by=by, at=at, stopped_since=since)


def _show_at_tables(event: Event) -> None:
    """Make the phones of the tables being played look again."""
    for table_id in event.heats.open().order_by("pk").values_list("table", flat=True):
        show_again(table_id=table_id or 0)
