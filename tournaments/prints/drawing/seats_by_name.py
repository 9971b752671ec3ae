"""Seats by name, for the wall: the open heats."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ...core.names import distinct_names, family_name_first, in_order
from ...models import Event, HeatEntry, Job
from ...models.enums import EntryStatus, HeatStatus
from ._lists import Column, heat_label, wall_list
from ._when import DAY

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


def pdf(job: Job) -> bytes:
    """Return the list, in alphabetical order of the names shown."""
    entries = list(seated(job.event))
    names = distinct_names(entry.registration for entry in entries)
    rows = [
        (
            family_name_first(names[entry.registration.player_id], entry.registration),
            str(entry.heat.table_number or ""),
            heat_label(entry.heat),
        )
        for entry in sorted(entries, key=lambda entry: in_order(entry.registration, job.language))
        if entry.heat is not None
    ]
    count = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    columns = [
        Column(_("Player"), 7),
        Column(_("Table"), 1.5, right=True, bold=True),
        Column(_("Heat"), 1.5, right=True),
    ]
    return wall_list(job, LABEL, columns, [[row] for row in rows], note=count)
