"""An event's places and its waiting list.

Callers hold the event's lock; so if two people take the last place at once, one gets it and the
other goes on the waiting list.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...core.mail import ask_for_mail
from ...core.transitions import transition_registration
from ...models import Event, Registration
from ...models.enums import EventStatus, LogAction, MailKind, RegistrationStatus
from ..queries.waiting_list import capacity_left


@transaction.atomic
def promote_from_waiting_list(*, event: Event, by: By) -> list[Registration]:
    """Give free places to those who have waited longest; return and log who moved up."""
    if event.status == EventStatus.FINISHED:
        return []
    waiting = event.registrations.wait_listed().order_by("registered_at", "number")
    left = capacity_left(event)
    moved = list(waiting.select_related("person")[:left] if left is not None else waiting)
    for registration in moved:
        _move(registration, by)
    return moved


def _move(registration: Registration, by: By) -> None:
    transition_registration(registration, RegistrationStatus.REGISTERED)
    registration.save(update_fields=["status"])
    record(LogAction.MOVED_UP, registration, by)
    ask_for_mail(registration, MailKind.PROMOTED)


@transaction.atomic
def admit(*, registration: Registration, by: By) -> Registration:
    """Register a player from the waiting list, out of turn and beyond the places."""
    event = lock_event(registration.event)
    if event.status == EventStatus.FINISHED:
        raise Refused("event_over", _("The event is over."))
    fresh = event.registrations.select_related("person").get(pk=registration.pk)
    if fresh.status != RegistrationStatus.WAIT_LISTED:
        raise Refused(
            "not_wait_listed", _("%(name)s is not on the waiting list."), name=fresh.person
        )
    _move(fresh, by)
    return fresh
