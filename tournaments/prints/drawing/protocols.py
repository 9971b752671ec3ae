"""The protocols of all finished heats."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from scoring import paper

from ...core.days import day_of
from ...models import Day, Event, Heat
from ._lists import AFTER, Order, heat_label

LABEL = _("All finished protocols")
WHEN = AFTER


def can_print(event: Event) -> bool:
    """Return whether a heat is finished."""
    return with_tables(event.heats.finished()).exists()


def pdf(order: Order) -> bytes:
    """Return all protocols, each on a new page."""
    heats = list(with_tables(order.event.heats.finished()))
    days = list(order.event.timetable.all())
    return paper.protocols_pdf(
        ((heat.table_id or 0, labels(order, heat, days)) for heat in order.each(heats)),
        language=order.language,
        title=order.event.name,
    )


def with_tables(heats: QuerySet[Heat]) -> QuerySet[Heat]:
    """Return the heats that have score sheets."""
    return heats.filter(table__isnull=False).select_related("table", "stage").order_by("number")


def labels(order: Order, heat: Heat, days: Iterable[Day]) -> paper.Labels:
    """Return the heading of a protocol that an order prints."""
    page = f"{order.site}/e/{order.event.slug}/heats/{heat.number}/" if order.site else ""
    return heading(order.event, heat, days, page)


def heading(event: Event, heat: Heat, days: Iterable[Day], page: str = "") -> paper.Labels:
    """Return a protocol's heading; ``page`` is the heat's public address."""
    return paper.Labels(
        event_name=event.name,
        day=day_of_play(heat, days),
        heat_label=heat_label(heat),
        table_label=str(heat.table_number or ""),
        public_url=page,
        sheet=event.paper_size,
    )


def day_of_play(heat: Heat, days: Iterable[Day]) -> str:
    """Return when the heat is played, as planned or else drawn: "1A, 14 November 2026"."""
    moment = heat.starts_at or heat.opened_at
    day = day_of(days, moment)
    date = date_format(timezone.localtime(moment), "DATE_FORMAT")
    return f"{day.name}, {date}" if day else date
