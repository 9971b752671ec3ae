"""Seats by table, for the wall: the open heats."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ...core.names import distinct_names, in_order
from ...models import Event
from ._lists import DAY, Column, Order, heat_label, wall_list
from .seats_by_name import seated, when

LABEL = gettext_lazy("Who sits where, by table")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether anybody is seated."""
    return seated(event).exists()


def pdf(order: Order) -> bytes:
    """Return the list by table number, each table's players together."""
    entries = list(seated(order.event))
    times = when(entries)
    names = distinct_names(entry.registration for entry in entries)
    tables: dict[tuple[int, int], list[str]] = {}
    heats: dict[int, str] = {}
    for entry in sorted(entries, key=lambda entry: in_order(entry.registration, order.language)):
        assert entry.heat is not None
        key = (entry.heat.table_number or 0, entry.heat.number)
        heats[entry.heat.number] = heat_label(entry.heat)
        tables.setdefault(key, []).append(names[entry.registration.player_id])
    groups = [
        [
            (
                str(table or "") if not index else "",
                heats[heat] if not index else "",
                name,
                *(times.cells[heat] if not index else ["" for _column in times.columns]),
            )
            for index, name in enumerate(players)
        ]
        for (table, heat), players in sorted(tables.items())
    ]
    count = ngettext("%(count)s table", "%(count)s tables", len(groups)) % {"count": len(groups)}
    columns = [
        Column(_("Table"), 1.5, bold=True),
        Column(_("Heat"), 1.5),
        Column(_("Player"), 7),
        *times.columns,
    ]
    note = f"{count} · {times.shared}" if times.shared else count
    return wall_list(order, LABEL, columns, groups, note=note)
