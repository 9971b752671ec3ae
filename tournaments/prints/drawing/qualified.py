"""The qualified players, in the order of qualifying, for the wall."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ...core.names import distinct_names
from ...models import Event
from ...results.queries.player_standings import STATES
from ...results.queries.players import NO_SHOW
from ...results.queries.standings import qualified_of
from ._lists import DAY, Column, Order, heat_label, wall_list

LABEL = gettext_lazy("Qualified players")
WHEN = DAY
PLAY_OFFS = True


def can_print(event: Event) -> bool:
    """Return whether anybody has qualified."""
    return qualified_of(event).exists()


def pdf(order: Order) -> bytes:
    rows: list[Any] = list(qualified_of(order.event))
    names = distinct_names(row.registration for row in rows)
    missing = STATES[NO_SHOW]
    groups = [
        [
            (
                str(row.order),
                names[row.registration.player_id] + (f" · {missing}" if row.no_show else ""),
                heat_label(row.heat) if row.heat else "",
            )
        ]
        for row in rows
    ]
    count = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    columns = [
        Column("", 1, right=True),
        Column(_("Player"), 8, bold=True),
        Column(_("Heat"), 1.5, right=True),
    ]
    return wall_list(order, LABEL, columns, groups, note=count)
