"""The event's result, for the wall and for the club's binder."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...models import Event
from ...results.queries.final import full_ranking
from ._lists import AFTER, Column, Order, wall_list

LABEL = gettext_lazy("Result")
WHEN = AFTER


def can_print(event: Event) -> bool:
    """Return whether a heat is finished."""
    return event.heats.finished().exists()


def pdf(order: Order) -> bytes:
    """Return every place, with how far the player came."""
    ranking = full_ranking(order.event)
    groups = [[(str(row.place or ""), row.name, row.club, row.how_far)] for row in ranking.rows]
    columns = [
        Column(_("Place"), 1.2, right=True),
        Column(_("Player"), 6, bold=True),
        Column(_("Club"), 3),
        Column(_("Got as far as"), 3.6),
    ]
    note = "" if ranking.is_final else _("Not final: the event is being played.")
    return wall_list(order, LABEL, columns, groups, note=note)
