"""Persons and their registrations."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models import AskedOften, Blank

from ...core.erased_names import all_names_of
from ...core.errors import Refused
from ...core.locks import lock_event, lock_events_of, lock_registration
from ...core.log import By, changed, record, snapshot
from ...core.mail import ask_for_mail
from ...core.permissions import DIRECT, EDIT_PERSON, OWN_ORGANISER, REGISTER, needs
from ...core.signals import player_left
from ...core.transitions import transition_entry, transition_registration
from ...models import Event, Organiser, Person, Registration
from ...models.enums import EntryStatus, LogAction, MailKind, RegistrationStatus, Visibility
from ..queries.erasing import refuse_erased
from ..queries.queue import still_seated
from ..queries.similar_names import namesakes
from ..queries.waiting_list import status_of_newcomer
from .pins import show_tables_again
from .waiting_list import promote_from_waiting_list

_LAST = AskedOften(
    lambda: (
        Registration.objects.filter(event=Blank())
        .order_by("-number")
        .values_list("number", flat=True)[:1]
    )
)

#: What an organiser knows of a person, across events.
OF_PERSON = ("given_name", "family_name", "display_name", "visibility", "club")
#: What one event keeps of a player; no other event can read it.
OF_PLAYER = ("email", "phone", "note", "visibility", "pictures")


def _visibility(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name == "visibility"}


def _logged(values: dict[str, Any]) -> dict[str, Any]:
    """Return what the log keeps of new values: which fields, and no name and no contact itself."""
    fields = sorted(values.keys() - {"visibility"})
    return _visibility(values) | ({"fields": fields} if fields else {})


@transaction.atomic
def create_person(
    *, organiser: Organiser, by: By, event: Event | None = None, actor: str = "", **fields: Any
) -> Person:
    """Create a person; raise ``ValidationError`` for invalid fields.

    ``actor``: for the log, who did it if not an account.
    """
    person = Person(organiser=organiser, **fields)
    nickname = person.visibility == Visibility.NICKNAME
    # The fields' own checks say all but this, without asking the database.
    person.full_clean(exclude=["organiser"], validate_unique=False, validate_constraints=nickname)
    person.save()
    record(
        LogAction.PERSON_CREATED,
        person,
        by,
        event=event,
        after=_visibility(snapshot(person, OF_PERSON)),
        actor=actor,
    )
    return person


@transaction.atomic
def change_person(
    *,
    person: Person,
    by: By,
    event: Event | None = None,
    actor: str = "",
    reason: str = "",
    **fields: Any,
) -> Person:
    """Change a person's name, club or visibility; logged at each of their events.

    Does not check whether more of the name may be shown: :func:`change_player` does.
    """
    events = lock_events_of(person, also=event)
    person = Person.objects.select_for_update().get(pk=person.pk)
    refuse_erased(person)
    before, names = snapshot(person, OF_PERSON), all_names_of(person)
    if "legal_name" in fields:
        person.given_name = person.family_name = ""
    for field, value in fields.items():
        setattr(person, field, value)
    person.full_clean()
    old, new = changed(before, snapshot(person, OF_PERSON))
    if new:
        if new.keys() - {"club", "visibility"}:
            # Texts keep the old ones: should the name be erased, these go, too.
            person.erased_names = names
        person.save()
        for each in events or (None,):
            record(
                LogAction.PERSON_CHANGED,
                person,
                by,
                event=each,
                before=_visibility(old),
                after=_logged(new),
                actor=actor,
                reason=reason,
            )
        show_tables_again(registrations=person.registrations.all())
    return person


def _why_not_loosen(
    registration: Registration, by: By, *, visibility: str, here: str, display_name: str
) -> Refused | None:
    """Return why this account may not show the name like this, or None.

    Staff may only hide more; showing more is up to the player, by their own link, and the
    organiser's owner. ``visibility`` is the person's new one, ``here`` the event's.
    """
    person, organiser = registration.person, registration.event.organiser
    if by is None or by.has_perm(OWN_ORGANISER, organiser):
        return None
    looser = Visibility.strictest(visibility, person.visibility) != visibility
    here_looser = registration.visibility and (
        Visibility.strictest(here or visibility, registration.visibility) != (here or visibility)
    )
    # The nickname shown instead, at any event, is the player's choice, too.
    renamed = display_name != person.display_name and Visibility.NICKNAME in {
        person.visibility,
        *person.registrations.values_list("visibility", flat=True),
    }
    if not (looser or here_looser or renamed):
        return None
    return Refused(
        "only_the_person",
        _(
            "Only the player, by their own link, and the organiser's owner can let more of the "
            "name be seen or change the nickname shown instead."
        ),
    )


@transaction.atomic
@needs(EDIT_PERSON)
def change_player(*, registration: Registration, by: By, here: str = "", **fields: Any) -> None:
    """Change a player: the person, and what only this event keeps.

    ``here`` is the stricter visibility at this event. Refused with ``only_the_person`` if more of a
    name would be shown than the player allowed.
    """
    lock_events_of(registration.person, also=registration.event)
    registration = lock_registration(registration)
    person = registration.person
    refused = _why_not_loosen(
        registration,
        by,
        visibility=fields.get("visibility", person.visibility),
        here=here,
        display_name=fields.get("display_name", person.display_name),
    )
    if refused is not None:
        raise refused
    of_person = {name: value for name, value in fields.items() if name in OF_PERSON}
    change_person(person=person, by=by, event=registration.event, **of_person)
    rest = {name: value for name, value in fields.items() if name not in OF_PERSON}
    keep_of_player(registration=registration, by=by, visibility=here, **rest)


@transaction.atomic
def keep_of_player(
    *, registration: Registration, by: By, actor: str = "", reason: str = "", **fields: Any
) -> None:
    """Change what the event keeps of a player; the caller holds the event's lock."""
    before = snapshot(registration, OF_PLAYER)
    for field, value in fields.items():
        setattr(registration, field, value)
    registration.clean_fields(exclude=["event", "person"])
    old, new = changed(before, snapshot(registration, OF_PLAYER))
    if new:
        registration.save(update_fields=list(new))
        record(
            LogAction.CONTACT_CHANGED,
            registration,
            by,
            before=_visibility(old),
            after=_logged(new),
            actor=actor,
            reason=reason,
        )
        if "visibility" in new:
            show_tables_again(registrations=[registration])


@transaction.atomic
def hide_here(
    *,
    registrations: Iterable[Registration],
    visibility: str,
    by: By,
    actor: str = "",
    reason: str,
) -> None:
    """Limit how much of the name these events show; the caller holds their locks."""
    if visibility != Visibility.PUBLIC:
        for row in registrations:
            stricter = Visibility.strictest(visibility, row.visibility)
            keep_of_player(registration=row, by=by, visibility=stricter, actor=actor, reason=reason)


@transaction.atomic
@needs(REGISTER)
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
    """Register a known person, or a new one made from ``fields`` (``legal_name=…``).

    Contacts, and for a known person a stricter visibility, are stored with the registration. If all
    places are taken, the player is put on the waiting list, unless ``beyond``: staff lets a late
    player in. A withdrawn registration is reinstated. Refused with ``no_person`` if the event's
    organiser does not know the person, ``already_registered``, or ``merged`` if the person was
    merged into another. A new player gets ``number``, if it is given and free, else the next one.
    """
    event = lock_event(event)
    wanted_number = fields.pop("number", None)
    contact = {"email", "phone", "note", "part", "pictures"} & fields.keys()
    kept: dict[str, Any] = {name: fields.pop(name) for name in contact}
    registered = None
    if person is None:
        person = create_person(organiser=event.organiser, by=by, event=event, actor=actor, **fields)
    else:
        # Read again, as the person may have been merged meanwhile.
        known = Person.objects.select_for_update(no_key=True)
        person = known.filter(pk=person.pk, organiser=event.organiser_id).first()
        if person is None:
            raise Refused("no_person", _("There is no such person."))
        refuse_erased(person)
        if person.merged_into_id is not None:
            raise Refused(
                "merged",
                _("%(name)s has been merged with another person. Choose that one."),
                name=person,
            )
        wanted = fields.get("visibility") or person.visibility
        if Visibility.strictest(wanted, person.visibility) != person.visibility:
            kept["visibility"] = wanted
        registered = event.registrations.filter(person=person).select_related("person").first()
    if registered is not None:
        if registered.status != RegistrationStatus.WITHDRAWN:
            raise Refused(
                "already_registered",
                _("%(name)s is already registered, as number %(number)s."),
                name=person,
                number=registered.number,
            )
        if "part" in kept:
            registered.part = kept.pop("part")
            registered.save(update_fields=["part"])
        again = reinstate(registration=registered, by=by, beyond=beyond, reason=reason)
        if "visibility" in kept:
            # What was hidden here before stays hidden.
            kept["visibility"] = Visibility.strictest(kept["visibility"], registered.visibility)
        keep_of_player(
            registration=again, by=by, **{name: value for name, value in kept.items() if value}
        )
        return again
    last = max(_LAST.rows(event.pk), default=0)
    registration = Registration(
        event=event,
        person=person,
        number=_free_number(event, wanted_number) or last + 1,
        status=RegistrationStatus.REGISTERED
        if beyond
        else status_of_newcomer(event, kept.get("part")),
        **kept,
    )
    registration.clean_fields(exclude=["event", "person"])
    registration.save()
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


def _free_number(event: Event, wanted: int | None) -> int | None:
    taken = event.registrations.filter(number=wanted).exists() if wanted else True
    return None if taken else wanted


@transaction.atomic
@needs(REGISTER)
def register_typed(
    *, event: Event, by: By, legal_name: str, somebody_else: bool = False, **fields: Any
) -> Registration:
    """Register somebody whose name was typed at the desk.

    Refused with ``same_name`` if the organiser knows somebody of this name, unless
    ``somebody_else``. ``fields`` as for :func:`register_person`.
    """
    event = lock_event(event)
    if not somebody_else and namesakes(event, legal_name):
        raise Refused(
            "same_name",
            _(
                "%(name)s is already known. "
                "Choose the person below, or tick that it is somebody else."
            ),
            name=legal_name,
        )
    return register_person(event=event, by=by, legal_name=legal_name, **fields)


@transaction.atomic
@needs(DIRECT)
def withdraw(
    *, registration: Registration, by: By, reason: str = "", actor: str = ""
) -> Registration:
    """Withdraw a registration with its waiting entry; refused with ``in_open_heat`` during a heat.

    The free place goes to the first on the waiting list.
    """
    registration = lock_registration(registration)
    before = registration.status
    leave_event(registration, by=by, reason=reason, actor=actor)
    ask_for_mail(registration, MailKind.WITHDRAWN)
    promote_from_waiting_list(event=registration.event, by=by)
    if before == RegistrationStatus.CHECKED_IN:
        player_left.send(Registration, event=registration.event, by=by)
    return registration


def leave_event(registration: Registration, *, by: By, reason: str = "", actor: str = "") -> None:
    """Withdraw a locked registration and leave its place free; refused with ``in_open_heat``."""
    if registration.entries.seated().exists():
        raise still_seated(registration)
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


@transaction.atomic
@needs(DIRECT)
def reinstate(
    *, registration: Registration, by: By, reason: str = "", beyond: bool = False
) -> Registration:
    """Undo a withdrawal; if all places are taken, put the player last on the waiting list.

    ``beyond``: register even beyond the places.
    """
    registration = lock_registration(registration)
    before = registration.status
    if before != RegistrationStatus.WITHDRAWN:
        # The transition also allows other moves to "registered", but they do not undo a withdrawal.
        raise Refused("not_withdrawn", _("%(name)s is not withdrawn."), name=registration.person)
    if registration.merged_into_id is not None:
        raise Refused(
            "merged",
            _("%(name)s has been merged with another person. Choose that one."),
            name=registration.person,
        )
    refuse_erased(registration.person)
    to = (
        RegistrationStatus.REGISTERED
        if beyond
        else status_of_newcomer(registration.event, registration.part)
    )
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
    waits = to == RegistrationStatus.WAIT_LISTED
    ask_for_mail(registration, MailKind.WAIT_LISTED if waits else MailKind.SIGNED_UP)
    return registration
