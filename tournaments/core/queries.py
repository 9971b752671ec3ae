"""Reading the log."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from scoring.reasons import coded

from ..models import (
    Booking,
    Draw,
    Event,
    Heat,
    HeatEntry,
    Invitation,
    LogEntry,
    Penalty,
    Person,
    PersonMerge,
    Qualification,
    Registration,
    Stage,
    StagePlayer,
    TillCount,
)
from ..models.enums import LogAction
from ..models.search import plain
from .names import staff_text_of


def _of_player(row: Any) -> str:
    return str(row.registration)


_REGISTERED = "registration__person"
#: Kinds whose names are said as they are now, in the reader's language, and how; all others keep
#: the name they had when the row was written.
_SAID_NOW: dict[str, tuple[QuerySet[Any], Callable[[Any], str]]] = {
    "booking": (Booking.objects.select_related(_REGISTERED), str),
    "draw": (Draw.objects.all(), str),
    "heat": (Heat.objects.all(), str),
    "heatentry": (HeatEntry.objects.select_related(_REGISTERED), _of_player),
    "invitation": (Invitation.objects.all(), str),
    "penalty": (Penalty.objects.select_related(_REGISTERED), _of_player),
    "person": (Person.objects.all(), str),
    "personmerge": (PersonMerge.objects.select_related("kept", "merged"), str),
    "qualification": (Qualification.objects.select_related(_REGISTERED), _of_player),
    "registration": (Registration.objects.select_related("person"), str),
    "stage": (Stage.objects.all(), str),
    "stageplayer": (StagePlayer.objects.select_related(_REGISTERED), _of_player),
    "tillcount": (TillCount.objects.all(), str),
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


class LogLine(NamedTuple):
    """A row of the log as pages of one thing list it."""

    at: datetime
    text: str
    reason: str
    actor: str


def log_lines(event: Event, rows: Iterable[LogEntry]) -> list[LogLine]:
    """Return rows of the event's log as its staff may read them."""
    shown = staff_text_of(event)
    return [LogLine(row.at, row.text, shown(row.reason_text), row.actor) for row in rows]


def about(event: Event, typed: str) -> Q:
    """Return a query for the event's log rows about what or whom somebody has typed.

    Of players that is their name or, as "№ 7", their number.
    """
    named = Registration.objects.filter(event=event, person__search_text__contains=plain(typed))
    numbers = [f"№ {number}" for number in named.values_list("number", flat=True)]
    persons = Person.objects.filter(registrations__in=named)
    keys = [str(pk) for pk in persons.values_list("pk", flat=True)]
    return (
        Q(object_label__icontains=typed)
        | Q(object_label__in=numbers)
        | Q(object_type="person", object_id__in=keys)
    )


def things_of(rows: Iterable[LogEntry]) -> dict[int, str]:
    """Return the name of each row's object by the row's key (one query for each kind of object)."""
    rows = list(rows)
    reply: dict[tuple[str, str], str] = {}
    for kind in {row.object_type for row in rows} & _SAID_NOW.keys():
        wanted = {int(row.object_id) for row in rows if row.object_type == kind}
        things, said = _SAID_NOW[kind]
        found = things.all().in_bulk(wanted)
        reply |= {(kind, str(pk)): said(thing) for pk, thing in found.items()}
    return {row.pk: reply.get((row.object_type, row.object_id), row.object_label) for row in rows}
