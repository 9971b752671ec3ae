"""Free places of an event and of its parts, and positions on the waiting lists."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q

from scoring.models import AskedOften, Blank

from ...models import Day, Event, Registration
from ...models.enums import RegistrationStatus

#: Statuses that take a place. A disqualified player's is not given away during play.
TAKES_UP_CAPACITY = (
    RegistrationStatus.REGISTERED,
    RegistrationStatus.CHECKED_IN,
    RegistrationStatus.DISQUALIFIED,
)

_PARTS = AskedOften(lambda: Day.objects.filter(event=Blank(), places__isnull=False))


def parts_of(event: Event) -> list[Day]:
    """Return the parts of days that players choose: those with places (one query)."""
    return _PARTS.rows(event.pk)


@dataclass(frozen=True)
class Room:
    """How many places are free: ``left`` of all (None without a limit), and of each part."""

    left: int | None
    parts: Mapping[int, int]

    def fits(self, part: int | None) -> bool:
        """Return whether somebody fits who wants this part, or any."""
        return self.left != 0 and (part is None or self.parts.get(part, 1) > 0)

    def without(self, part: int | None) -> "Room":
        """Return what is left when somebody takes a place."""
        left = None if self.left is None else max(0, self.left - 1)
        parts = {key: max(0, free - (key == part)) for key, free in self.parts.items()}
        return Room(left, parts)


def room_of(event: Event) -> Room:
    """Return the free places (two queries).

    Players who want any part take places of the whole: those of the event, or of all its parts
    together if there are fewer.
    """
    parts = parts_of(event)
    limits = [event.capacity, sum(part.places or 0 for part in parts) if parts else None]
    limit = min((each for each in limits if each is not None), default=None)
    if limit is None:
        return Room(None, {})
    rows = event.registrations.filter(status__in=TAKES_UP_CAPACITY)
    taken = dict(rows.values_list("part").annotate(count=Count("pk")).order_by())
    return Room(
        max(0, limit - sum(taken.values())),
        {part.pk: max(0, (part.places or 0) - taken.get(part.pk, 0)) for part in parts},
    )


def waiting_number(registration: Registration) -> int | None:
    """Return the position on the part's waiting list, from 1, or None if the player is not on it.

    Who wants any part waits behind everybody who came before.
    """
    if registration.status != RegistrationStatus.WAIT_LISTED:
        return None
    earlier = Q(registered_at__lt=registration.registered_at) | Q(
        registered_at=registration.registered_at, number__lt=registration.number
    )
    waiting = Registration.objects.filter(
        event=registration.event_id, status=RegistrationStatus.WAIT_LISTED
    )
    if registration.part_id is not None:
        waiting = waiting.filter(Q(part=registration.part_id) | Q(part=None))
    return waiting.filter(earlier).count() + 1


def status_of_newcomer(event: Event, part: Day | None = None) -> RegistrationStatus:
    """Return the status of somebody registering now; nobody overtakes the waiting list."""
    room, wanted = room_of(event), part.pk if part else None
    if room.left is None:
        return RegistrationStatus.REGISTERED
    waiting = event.registrations.wait_listed()
    if room.parts:
        waiting = waiting.filter(Q(part=wanted) | Q(part=None))
    fits = room.fits(wanted) and not waiting.exists()
    return RegistrationStatus.REGISTERED if fits else RegistrationStatus.WAIT_LISTED
