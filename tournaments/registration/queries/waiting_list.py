"""Free places, and positions on the waiting list."""

from django.db.models import Q

from ...models import Event, Registration
from ...models.enums import RegistrationStatus

#: Statuses that take a place. A disqualified player's is not given away during play.
TAKES_UP_CAPACITY = (
    RegistrationStatus.REGISTERED,
    RegistrationStatus.CHECKED_IN,
    RegistrationStatus.DISQUALIFIED,
)


def capacity_left(event: Event) -> int | None:
    """Return how many places are free, or None without a limit."""
    if event.capacity is None:
        return None
    return max(0, event.capacity - event.registrations.filter(status__in=TAKES_UP_CAPACITY).count())


def waiting_number(registration: Registration) -> int | None:
    """Return the position on the waiting list, from 1, or None if the player is not on it."""
    if registration.status != RegistrationStatus.WAIT_LISTED:
        return None
    earlier = Q(registered_at__lt=registration.registered_at) | Q(
        registered_at=registration.registered_at, number__lt=registration.number
    )
    waiting = Registration.objects.filter(
        event=registration.event_id, status=RegistrationStatus.WAIT_LISTED
    )
    return waiting.filter(earlier).count() + 1


def status_of_newcomer(event: Event) -> RegistrationStatus:
    """Return the status of somebody registering now; nobody overtakes the waiting list."""
    left = capacity_left(event)
    if left is None:
        return RegistrationStatus.REGISTERED
    waiting = event.registrations.wait_listed().exists()
    return RegistrationStatus.WAIT_LISTED if waiting or not left else RegistrationStatus.REGISTERED
