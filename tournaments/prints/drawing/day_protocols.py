"""The protocols of a day, or of a part of it such as 1A."""

from datetime import date
from itertools import groupby
from operator import itemgetter

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from scoring import paper

from ...core.days import NIGHT, day_of
from ...models import Day, Event, Heat
from ._lists import DAY, Order
from .protocols import labels, with_tables

LABEL = gettext_lazy("The day’s protocols")
WHEN = DAY

#: A finished heat with the date of its day, and its part in the timetable.
Played = tuple[date, Day | None, Heat]


def can_print(event: Event) -> bool:
    """Return whether a heat is finished."""
    return with_tables(event.heats.finished()).exists()


def days(event: Event) -> list[tuple[str, str]]:
    """Return what can be chosen, the last day first: days, and their parts if there are several."""
    found = []
    of_a_day = groupby(_played(event), key=itemgetter(0))
    for day, played in reversed([(day, list(played)) for day, played in of_a_day]):
        parts = list(dict.fromkeys(part for _day, part, _heat in played if part))
        name = capfirst(date_format(day, "l j F"))
        found.append((day.isoformat(), f"{name} · {parts[0]}" if len(parts) == 1 else name))
        if len(parts) > 1:
            found += [(str(part.pk), f"{name} · {part}") for part in parts]
    return found


def pdf(order: Order) -> bytes:
    """Return that day's protocols, each on a new page with a bookmark."""
    played = _played(order.event)
    timetable = list(order.event.timetable.all())
    wanted = order.day or played[-1][0].isoformat()
    heats = [
        heat
        for day, part, heat in played
        if wanted in (day.isoformat(), str(part.pk) if part else "")
    ]
    return paper.protocols_pdf(
        ((heat.table_id or 0, labels(order, heat, timetable)) for heat in order.each(heats)),
        language=order.language,
        title=order.event.name,
    )


def _played(event: Event) -> list[Played]:
    """Return the finished heats in the order of their days, those past midnight too."""
    parts = list(event.timetable.all())
    found: list[Played] = []
    for heat in with_tables(event.heats.finished()):
        if heat.finished_at:
            part = day_of(parts, heat.starts_at or heat.opened_at)
            moment = part.starts_at if part else heat.finished_at - NIGHT
            found.append((timezone.localdate(moment), part, heat))
    return sorted(found, key=lambda each: (each[0], each[2].number))
