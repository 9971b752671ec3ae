"""Persons and their registrations."""

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_event, lock_registration
from ...core.log import By, changed, record, snapshot
from ...core.transitions import transition_entry, transition_registration
from ...models import Event, Person, Registration
from ...models.enums import EntryStatus, LogAction, RegistrationStatus
from .waiting_list import promote_from_waiting_list, status_of_newcomer

_LOGGED = ("legal_name", "display_name", "visibility", "email", "phone", "club", "note")


@transaction.atomic
def create_person(*, by: By, event: Event | None = None, actor: str = "", **fields: Any) -> Person:
    """Add a person; raises ``ValidationError`` for an impossible one.

    ``actor``: who did it, for the log, where that is nobody with an account.
    """
    person = Person(**fields)
    person.full_clean()
    person.save()
    record(
        LogAction.PERSON_CREATED,
        person,
        by,
        event=event,
        after=snapshot(person, _LOGGED),
        actor=actor,
    )
    return person


@transaction.atomic
def change_person(
    *, person: Person, by: By, event: Event | None = None, actor: str = "", **fields: Any
) -> Person:
    """Change a person's names, visibility or contact."""
    person = Person.objects.select_for_update().get(pk=person.pk)
    before = snapshot(person, _LOGGED)
    for field, value in fields.items():
        setattr(person, field, value)
    person.full_clean()
    old, new = changed(before, snapshot(person, _LOGGED))
    if new:
        person.save()
        record(
            LogAction.PERSON_CHANGED, person, by, event=event, before=old, after=new, actor=actor
        )
    return person


@transaction.atomic
def register_person(
    *,
    event: Event,
    by: By,
    person: Person | None = None,
    beyond: bool = False,
    actor: str = "",
    reason: str = "",
    action: LogAction = LogAction.REGISTERED,
    **fields: Any,
) -> Registration:
    """Register a known person, or with ``fields`` (``legal_name=…``) a new one.

    Where all places are taken the registration is put on the waiting list, unless ``beyond``: a
    late one that the staff lets in. Refused with ``already_registered``, or with ``merged`` for a
    person who has been merged into another; a withdrawn registration is reinstated instead.
    """
    event = lock_event(event)
    if person is None:
        person = create_person(by=by, event=event, actor=actor, **fields)
    # Read anew: somebody may have merged the person since it was looked up.
    elif Person.objects.filter(pk=person.pk, merged_into__isnull=False).exists():
        raise Refused(
            "merged",
            _("%(name)s has been merged with another person. Take that one."),
            name=person,
        )
    known = event.registrations.filter(person=person).select_related("person").first()
    if known is not None:
        if known.status != RegistrationStatus.WITHDRAWN:
            raise Refused(
                "already_registered",
                _("%(name)s is registered already, as number %(number)s."),
                name=person,
                number=known.number,
            )
        return reinstate(registration=known, by=by, beyond=beyond, reason=reason)
    last = event.registrations.aggregate(last=Max("number"))["last"] or 0
    registration = Registration.objects.create(
        event=event,
        person=person,
        number=last + 1,
        status=RegistrationStatus.REGISTERED if beyond else status_of_newcomer(event),
    )
    waits = registration.status == RegistrationStatus.WAIT_LISTED
    record(
        LogAction.WAIT_LISTED if waits else action,
        registration,
        by,
        after={"number": registration.number},
        actor=actor,
        reason=reason,
    )
    return registration


@transaction.atomic
def withdraw(
    *, registration: Registration, by: By, reason: str = "", actor: str = ""
) -> Registration:
    """Take a registration back; a waiting entry goes with it, a running heat is in the way.

    The place that becomes free goes to the first on the waiting list.
    """
    registration = lock_registration(registration)
    if registration.entries.seated().exists():
        raise Refused(
            "in_open_heat",
            _("%(name)s is playing. Close the heat first."),
            name=registration.person,
        )
    before = registration.status
    transition_registration(registration, RegistrationStatus.WITHDRAWN)
    registration.save(update_fields=["status"])
    for entry in registration.entries.waiting():
        transition_entry(entry, EntryStatus.WITHDRAWN)
        entry.ended_at = timezone.now()
        entry.save(update_fields=["status", "ended_at"])
    record(
        LogAction.WITHDRAWN,
        registration,
        by,
        before={"status": before},
        after={"status": registration.status},
        reason=reason,
        actor=actor,
    )
    promote_from_waiting_list(registration.event, by=by)
    return registration


@transaction.atomic
def reinstate(
    *, registration: Registration, by: By, reason: str = "", beyond: bool = False
) -> Registration:
    """Take a withdrawal back; where all places are taken by now, onto the end of the waiting list.

    ``beyond``: into the event all the same.
    """
    registration = lock_registration(registration)
    before = registration.status
    if before != RegistrationStatus.WITHDRAWN:
        # The gate knows other ways to "registered"; none of them is a withdrawal taken back.
        raise Refused("not_withdrawn", _("%(name)s is not withdrawn."), name=registration.person)
    to = RegistrationStatus.REGISTERED if beyond else status_of_newcomer(registration.event)
    transition_registration(registration, to)
    registration.checked_in_at = None
    registration.registered_at = timezone.now()
    registration.save(update_fields=["status", "checked_in_at", "registered_at"])
    record(
        LogAction.REINSTATED,
        registration,
        by,
        before={"status": before},
        after={"status": registration.status},
        reason=reason,
    )
    return registration
