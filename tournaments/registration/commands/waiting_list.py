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
from ...core.permissions import DIRECT, REGISTER, needs
from ...core.transitions import transition_registration
from ...models import Day, Event, Registration
from ...models.enums import GONE, EventStatus, LogAction, MailKind, RegistrationStatus
from ..queries.waiting_list import room_of


@transaction.atomic
def promote_from_waiting_list(*, event: Event, by: By) -> list[Registration]:
    """Give free places to those who have waited longest for them; return and log who moved up."""
    if event.status == EventStatus.FINISHED:
        return []
    waiting = event.registrations.wait_listed().order_by("registered_at", "number")
    room, moved = room_of(event), []
    for registration in waiting.select_related("person"):
        if room.left == 0:
            break
        if room.fits(registration.part_id):
            _move(registration, by)
            moved.append(registration)
            room = room.without(registration.part_id)
    return moved


@transaction.atomic
@needs(REGISTER)
def choose_part(
    *, registration: Registration, part: Day | None, by: By, actor: str = "", beyond: bool = False
) -> Registration:
    """Move a player to another part, or to any; on the waiting list, to that part's.

    Refused with ``part_full`` where no place is free, unless ``beyond``, with ``no_part`` for
    another event's, and with ``gone`` for a player who has left.
    """
    event = lock_event(registration.event)
    fresh = event.registrations.select_related("person").get(pk=registration.pk)
    if part is not None and part.event_id != event.pk:
        raise Refused("no_part", _("This part does not exist."))
    wanted = part.pk if part else None
    if fresh.part_id == wanted:
        return fresh
    if fresh.status in GONE:
        raise Refused("gone", _("%(name)s has left the event."), name=fresh.person)
    waits = fresh.status == RegistrationStatus.WAIT_LISTED
    if part is not None and not (waits or beyond or room_of(event).parts.get(part.pk, 1)):
        raise Refused(
            "part_full",
            _("All places of %(part)s are taken. %(name)s keeps the place as before."),
            part=part,
            name=fresh.person,
        )
    before = fresh.part.name if fresh.part else ""
    fresh.part = part
    fresh.save(update_fields=["part"])
    record(
        LogAction.PART_CHOSEN,
        fresh,
        by,
        before={"part": before},
        after={"part": part.name if part else ""},
        actor=actor,
    )
    promote_from_waiting_list(event=event, by=by)
    fresh.refresh_from_db(fields=["status"])
    return fresh


def _move(registration: Registration, by: By) -> None:
    transition_registration(registration, RegistrationStatus.REGISTERED)
    registration.save(update_fields=["status"])
    record(LogAction.MOVED_UP, registration, by)
    ask_for_mail(registration, MailKind.PROMOTED)


@transaction.atomic
@needs(DIRECT)
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
