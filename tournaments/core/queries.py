"""Reading the log."""

from collections.abc import Iterable
from typing import Any

from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from scoring.reasons import coded

from ..models import Booking, Draw, Heat, Invitation, LogEntry, Registration, Stage, TillCount
from ..models.enums import LogAction

#: Kinds whose names are translated into the reader's language and never change. All others keep the
#: name they had when the row was written.
_SAID_NOW: dict[str, QuerySet[Any]] = {
    "booking": Booking.objects.select_related("registration__person"),
    "draw": Draw.objects.all(),
    "heat": Heat.objects.all(),
    "invitation": Invitation.objects.all(),
    "stage": Stage.objects.all(),
    "tillcount": TillCount.objects.all(),
}


def log_of(player: Registration) -> QuerySet[LogEntry]:
    """Return what was done to a player: registration, penalties and rulings (no query yet)."""
    keys = player.penalties.annotate(key=Cast("pk", CharField())).values("key")
    # A penalty's own ruling is named by its offence, and the penalty is there already.
    ruling = Q(action=LogAction.RULING, after__player=player.player_id)
    return LogEntry.objects.filter(
        Q(object_type="registration", object_id=str(player.pk))
        | Q(object_type="penalty", object_id__in=keys)
        | (ruling & ~Q(reason__startswith=coded("offence."))),
        event=player.event_id,
    )


def things_of(rows: Iterable[LogEntry]) -> dict[int, str]:
    """Return the name of each row's object by the row's key (one query per kind, at most six)."""
    rows = list(rows)
    reply: dict[tuple[str, str], str] = {}
    for kind in {row.object_type for row in rows} & _SAID_NOW.keys():
        wanted = {int(row.object_id) for row in rows if row.object_type == kind}
        found = _SAID_NOW[kind].all().in_bulk(wanted)
        reply |= {(kind, str(pk)): str(thing) for pk, thing in found.items()}
    return {row.pk: reply.get((row.object_type, row.object_id), row.object_label) for row in rows}
