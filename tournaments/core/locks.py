"""Row locks, always taken in this order: event, heat, sheets, table.

An entry locks only its sheet and table, but writes results that refer to the heat. The locks above
are therefore taken without locking keys (``no_key``), so they do not block it.
"""

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models import AskedOften, Blank

from ..models import Event, Heat, Organiser, Person, Registration, Stage
from ..models.enums import (
    EventStatus,
    HeatStatus,
    StageKind,
    StageStatus,
)
from .errors import Refused

_EVENT = AskedOften(
    lambda: (
        Event.objects.select_for_update(of=("self",), no_key=True)
        .select_related("organiser")
        .filter(pk=Blank())
    )
)
_HEAT = AskedOften(
    lambda: (
        Heat.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage", "table")
        .filter(pk=Blank())
    )
)
_REGISTRATION = AskedOften(lambda: Registration.objects.select_related("person").filter(pk=Blank()))


def lock_event(event: Event, *, for_play: bool = False) -> Event:
    """Return the event's row, locked until the end of the transaction.

    ``for_play``: raise ``Refused`` unless the event is open.
    """
    return _lock_event(event.pk, for_play=for_play)


def _lock_event(key: int, *, for_play: bool = False) -> Event:
    locked = _EVENT.row(key)
    if for_play and locked.status != EventStatus.OPEN:
        raise event_not_open(locked)
    return locked


def event_not_open(event: Event) -> Refused:
    """Return why nobody can play at this event."""
    return Refused(
        "event_not_open", _("%(event)s is not open. Open the event first."), event=event.name
    )


def lock_events_of(*persons: Person, also: Event | None = None) -> list[Event]:
    """Return all events at which these persons are registered, locked in the order of their keys.

    A change to a person shows at each of them.
    """
    theirs = Q(pk__in=Registration.objects.filter(person__in=persons).values("event"))
    if also is not None:
        theirs |= Q(pk=also.pk)
    return list(Event.objects.select_for_update(no_key=True).filter(theirs).order_by("pk"))


def lock_heat(heat: Heat) -> Heat:
    """Return the heat, locked after its event."""
    event = _lock_event(heat.event_id)
    locked = _HEAT.row(heat.pk)
    locked.event = event
    return locked


def lock_registration(registration: Registration, *, for_play: bool = False) -> Registration:
    """Return the registration as it is now, with its event locked."""
    event = _lock_event(registration.event_id, for_play=for_play)
    fresh = _REGISTRATION.row(registration.pk)
    fresh.event = event
    return fresh


def lock_planned_round(stage: Stage) -> Stage:
    """Return a planned play-off round without a draft, locked after its event, or refuse."""
    event = _lock_event(stage.event_id, for_play=True)
    stage = Stage.objects.select_for_update().get(pk=stage.pk)
    stage.event = event
    if stage.status != StageStatus.PLANNED or stage.kind == StageKind.QUALIFYING:
        raise Refused("round_drawn", _("Already drawn: %(stage)s."), stage=stage)
    if stage.draws.drafts().exists():
        raise Refused(
            "draft_exists", _("There is already a draft. Publish it or throw it away first.")
        )
    return stage


def lock_open_heat(heat: Heat) -> Heat:
    """Return the heat, locked; refuse with ``heat_not_open`` unless it is open."""
    heat = lock_heat(heat)
    if heat.status != HeatStatus.OPEN:
        raise Refused(
            "heat_not_open",
            _("%(heat)s is “%(status)s”; this can be done only while it is played."),
            heat=heat,
            status=HeatStatus(heat.status).label,
        )
    return heat


def lock_organiser(organiser: Organiser) -> Organiser:
    """Return the organiser's row, locked until the end of the transaction."""
    return Organiser.objects.select_for_update(no_key=True).get(pk=organiser.pk)
