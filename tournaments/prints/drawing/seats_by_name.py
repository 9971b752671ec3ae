"""Seats by name, for the wall: the open heats."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from ...core.days import times_of
from ...core.names import distinct_names, family_name_first, in_order
from ...models import Event, HeatEntry
from ...models.enums import EntryStatus, HeatStatus
from ._lists import CLOSE, DAY, Column, Order, heat_label, wall_list

LABEL = gettext_lazy("Who sits where, by name")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether anybody is seated."""
    return seated(event).exists()


def seated(event: Event) -> QuerySet[HeatEntry]:
    """Return the entries of the open heats."""
    return HeatEntry.objects.filter(
        heat__event=event, heat__status=HeatStatus.OPEN, status=EntryStatus.SEATED
    ).select_related("heat__stage", "registration__person")


@dataclass(frozen=True)
class When:
    """When heats are to be played: in words if all share it, otherwise in columns."""

    shared: str
    columns: list[Column]
    cells: dict[int, list[str]]


def when(entries: Sequence[HeatEntry]) -> When:
    """Return when the heats are to be played, with the cells of each by its number."""
    heats = {entry.heat.number: entry.heat for entry in entries if entry.heat}
    found = {times_of(heat) for heat in heats.values()}
    if len(found) < 2:
        return When(next(iter(found), ""), [], {number: [] for number in heats})
    columns = [
        Column(_("Doors"), 1.7, right=True),
        Column(pgettext("of play", "Start"), 2.4, right=True),
        Column(_("End of play"), 1.7, right=True),
    ]
    cells = {
        number: [
            _time(heat.doors_at, "H:i"),
            _time(heat.starts_at, "D H:i"),
            _time(heat.ends_at, "H:i"),
        ]
        for number, heat in heats.items()
    }
    return When("", columns, cells)


def _time(moment: datetime | None, form: str) -> str:
    return date_format(timezone.localtime(moment), form) if moment else ""


def pdf(order: Order) -> bytes:
    """Return the list, in alphabetical order of the names shown."""
    entries = list(seated(order.event))
    times = when(entries)
    names = distinct_names(entry.registration for entry in entries)
    rows = [
        (
            family_name_first(names[entry.registration.player_id], entry.registration),
            str(entry.heat.table_number or ""),
            heat_label(entry.heat),
            *times.cells[entry.heat.number],
        )
        for entry in sorted(entries, key=lambda entry: in_order(entry.registration, order.language))
        if entry.heat is not None
    ]
    count = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    columns = [
        # Side by side: whoever has found the name reads the table without a ruler.
        Column(_("Player"), CLOSE),
        Column(_("Table"), CLOSE, right=True, bold=True),
        Column(_("Heat"), 1.5, right=True),
        *times.columns,
    ]
    note = f"{count} · {times.shared}" if times.shared else count
    return wall_list(order, LABEL, columns, [[row] for row in rows], note=note, size=18)
