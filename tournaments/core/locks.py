"""Locks, always taken in the same order: the event, the heat, then the sheets, then their table.

An entry takes only its sheet and the table, and writes results there. So whatever a director's
action locks above must not keep rows from referring to it: no key is locked.
"""

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ..models import Event, Heat, Person, Registration
from ..models.enums import EventStatus
from .errors import Refused


def lock_event(event: Event, *, for_play: bool = False) -> Event:
    """Return the event's row, locked until the end of the transaction.

    ``for_play``: refuse unless the event is open.
    """
    locked = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    if for_play and locked.status != EventStatus.OPEN:
        raise Refused(
            "event_not_open",
            _("%(event)s is not open. Open the event first."),
            event=locked.name,
        )
    return locked


def lock_events_of(*persons: Person, also: Event | None = None) -> list[Event]:
    """Return the events at which these persons are registered, all locked, by their keys.

    Whatever is changed of a person can be read at each of them.
    """
    theirs = Q(pk__in=Registration.objects.filter(person__in=persons).values("event"))
    if also is not None:
        theirs |= Q(pk=also.pk)
    return list(Event.objects.select_for_update(no_key=True).filter(theirs).order_by("pk"))


def lock_heat(heat: Heat) -> Heat:
    """Return the heat, locked after its event."""
    lock_event(heat.event)
    return (
        Heat.objects.select_for_update(of=("self",), no_key=True)
        .select_related("event", "stage", "table")
        .get(pk=heat.pk)
    )


def lock_registration(registration: Registration, *, for_play: bool = False) -> Registration:
    """Return the registration as it is now, with its event locked."""
    event = lock_event(registration.event, for_play=for_play)
    fresh = event.registrations.select_related("person").get(pk=registration.pk)
    fresh.event = event
    return fresh
