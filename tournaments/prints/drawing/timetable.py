"""The timetable for the wall in large type: doors, start and end of each day."""

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ...models import Event
from ._lists import BEFORE, Column, Order, wall_list

LABEL = gettext_lazy("Timetable")
WHEN = BEFORE


def can_print(event: Event) -> bool:
    """Return whether the event has a timetable."""
    return event.timetable.exists()


def pdf(order: Order) -> bytes:
    """Return the list, each day's lines together, with the event's address."""
    groups = []
    for day in order.event.timetable.all():
        date = capfirst(date_format(timezone.localtime(day.starts_at), "l j F"))
        moments = [
            (_("Doors"), day.doors_at),
            (pgettext("of play", "Start"), day.starts_at),
            (_("End of play"), day.ends_at),
        ]
        times = [
            (time_format(timezone.localtime(moment), "H:i"), str(label))
            for label, moment in moments
            if moment is not None
        ]
        groups.append(
            [
                (day.title if not index else "", date if not index else "", time, label)
                for index, (time, label) in enumerate(times)
            ]
        )
    columns = [
        Column(_("Part"), 4, bold=True),
        Column(_("Day"), 4),
        Column(_("Time"), 1.5, right=True, bold=True),
        Column("", 3),
    ]
    return wall_list(order, LABEL, columns, groups, note=order.event.venue, size=16)
