"""Check-in, and the queue for heats."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_event, lock_registration
from ...core.log import By, record
from ...core.permissions import DIRECT, REGISTER, needs
from ...core.signals import player_left
from ...core.transitions import transition_entry, transition_registration
from ...draws.queries.plan import open_stage
from ...models import Day, Event, HeatEntry, Registration
from ...models.enums import (
    COUNTED_ENTRY_STATUSES,
    EntryStatus,
    LogAction,
    RegistrationStatus,
)
from ...results.queries.players import player_of
from ..queries.door import check_ins
from ..queries.queue import entries_of, kept_turn, still_seated, why_not_enter


@transaction.atomic
@needs(REGISTER)
def check_in(*, registration: Registration, by: By) -> Registration:
    """Check a player in.

    A player new to the event joins the queue, and one who left it a moment ago gets the old place
    back. Refused with ``already_checked_in`` if another helper was faster, and with
    ``disqualified``.
    """
    registration = lock_registration(registration, for_play=True)
    _check_not_disqualified(registration)
    if registration.status == RegistrationStatus.CHECKED_IN:
        first = check_ins([registration.pk]).get(registration.pk)
        raise Refused(
            "already_checked_in",
            _("%(name)s is checked in already, by %(who)s at %(time)s."),
            name=registration.person,
            who=(first and first.who) or "–",
            time=first.clock if first else "–",
        )
    transition_registration(registration, RegistrationStatus.CHECKED_IN)
    registration.checked_in_at = timezone.now()
    registration.save(update_fields=["status", "checked_in_at"])
    record(LogAction.CHECKED_IN, registration, by)
    entries = entries_of(registration)
    new = all(entry.status == EntryStatus.WITHDRAWN for entry in entries)
    if new or kept_turn(registration, entries):
        _enter(registration, by, entries)
    return registration


@transaction.atomic
@needs(REGISTER)
def undo_check_in(*, registration: Registration, by: By, reason: str = "") -> Registration:
    """Undo a check-in at an open event; the player leaves the queue.

    Refused with ``in_open_heat``.
    """
    registration = lock_registration(registration, for_play=True)
    if registration.entries.seated().exists():
        raise still_seated(registration)
    transition_registration(registration, RegistrationStatus.REGISTERED)
    registration.checked_in_at = None
    registration.save(update_fields=["status", "checked_in_at"])
    record(LogAction.CHECK_IN_UNDONE, registration, by, reason=reason)
    for entry in registration.entries.waiting():
        _leave(entry, by)
    player_left.send(Registration, event=registration.event, by=by)
    return registration


@transaction.atomic
@needs(REGISTER)
def begin_part(*, event: Event, part: Day, by: By) -> int:
    """Begin the check-in of a day or part: nobody is here, and all are checked in anew.

    Who sits at a table stays, and on the same date who waits for a heat; so does everybody in the
    first part. Waiting entries keep their turn until their players are here again. Return how many
    are no longer checked in. Refused with ``part_begun`` if it has begun already.
    """
    event = lock_event(event, for_play=True)
    part = event.timetable.get(pk=part.pk)
    if part.begun_at is not None:
        raise Refused("part_begun", _("The check-in of %(part)s has begun already."), part=part)
    earlier = event.timetable.filter(starts_at__lt=part.starts_at).last()
    part.begun_at = timezone.now()
    part.save(update_fields=["begun_at"])
    gone = []
    if earlier is not None:
        stay = [EntryStatus.SEATED]
        if timezone.localdate(earlier.starts_at) == timezone.localdate(part.starts_at):
            stay.append(EntryStatus.WAITING)
        rows = event.registrations.filter(status=RegistrationStatus.CHECKED_IN)
        for row in rows.exclude(entries__status__in=stay).select_related("person"):
            transition_registration(row, RegistrationStatus.REGISTERED)
            row.checked_in_at = None
            row.save(update_fields=["status", "checked_in_at"])
            gone.append(row.number)
    record(LogAction.PART_BEGUN, event, by, label=part.name, after={"numbers": gone})
    if gone:
        player_left.send(Registration, event=event, by=by)
    return len(gone)


@transaction.atomic
@needs(REGISTER)
def enter_heat(*, registration: Registration, by: By, actor: str = "") -> HeatEntry:
    """Put the player in the queue with the next numbered entry.

    Players who come back within the event's time keep their old place. Refused if the player is not
    checked in, is waiting or playing, has qualified, or has no entries left.
    """
    registration = lock_registration(registration, for_play=True)
    return _enter(registration, by, entries_of(registration), actor)


def _enter(
    registration: Registration, by: By, entries: Sequence[HeatEntry], actor: str = ""
) -> HeatEntry:
    refused = why_not_enter(player_of(registration))
    if refused is not None:
        raise refused
    counted = (entry.number for entry in entries if entry.status in COUNTED_ENTRY_STATUSES)
    entry = HeatEntry.objects.create(
        registration=registration,
        stage=open_stage(registration.event),
        number=max(counted, default=0) + 1,
        entered_at=kept_turn(registration, entries) or timezone.now(),
    )
    record(LogAction.ENTERED, entry, by, actor=actor, after={"entry": entry.number})
    return entry


def _check_not_disqualified(registration: Registration) -> None:
    if registration.status == RegistrationStatus.DISQUALIFIED:
        raise Refused(
            "disqualified",
            _("%(name)s is disqualified and cannot play here."),
            name=registration.person,
        )


@transaction.atomic
@needs(REGISTER)
def leave_queue(*, registration: Registration, by: By, reason: str = "") -> None:
    """Withdraw a waiting entry; refused with ``not_waiting``."""
    registration = lock_registration(registration)
    entry = registration.entries.waiting().first()
    if entry is None:
        raise Refused(
            "not_waiting", _("%(name)s is not waiting for a heat."), name=registration.person
        )
    _leave(entry, by, reason)


@transaction.atomic
@needs(DIRECT)
def empty_queue(*, event: Event, by: By) -> int:
    """Withdraw every waiting entry, as at the end of a day; return how many there were."""
    event = lock_event(event)
    waiting = HeatEntry.objects.waiting().filter(registration__event=event)
    waiting = waiting.select_related("registration__person")
    for entry in waiting:
        entry.registration.event = event
        _leave(entry, by)
    return len(waiting)


def _leave(entry: HeatEntry, by: By, reason: str = "") -> None:
    transition_entry(entry, EntryStatus.WITHDRAWN)
    entry.ended_at = timezone.now()
    entry.save(update_fields=["status", "ended_at"])
    record(LogAction.LEFT_QUEUE, entry, by, before={"entry": entry.number}, reason=reason)
