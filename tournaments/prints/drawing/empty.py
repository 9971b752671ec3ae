"""Empty protocols of the open heats with their seats as drawn, to be filled in with a pencil."""

from django.utils.translation import gettext_lazy as _

from scoring import paper

from ...models import Event
from ._lists import DAY, Order
from .protocols import labels, with_tables

LABEL = _("Empty protocols of the open heats")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether a heat is being played."""
    return with_tables(event.heats.open()).exists()


def pdf(order: Order) -> bytes:
    days = list(order.event.timetable.all())
    return paper.empty_protocols_pdf(
        [
            paper.paper_heat_of(heat.table_id or 0, labels(order, heat, days))
            for heat in order.each(list(with_tables(order.event.heats.open())))
        ],
        language=order.language,
    )
