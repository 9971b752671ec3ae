"""How long an event keeps its players' contacts, and who has looked at them."""

from calendar import monthrange
from datetime import date, timedelta

from django.db.models import Q
from django.utils import timezone

from ..models import ContactsSeen, Event, Registration
from ..models.enums import ContactsWhere
from .log import By, actor_for

#: What is deleted once an event's time is over, and only staff sees.
CONTACTS = ("email", "phone", "note")
#: A time that was just set or shortened deletes nothing sooner.
NOTICE = timedelta(days=14)
#: The same account sees the same again.
_AGAIN = timedelta(hours=1)


def has_contacts(path: str = "") -> Q:
    """Return a query for registrations with an address, a telephone number or a note."""
    empty = Q(**{f"{path}{name}": "" for name in CONTACTS})
    return ~empty


def contacts_until(event: Event) -> date | None:
    """Return the day on which the event's contacts are deleted; None if they are kept."""
    organiser = event.organiser
    if organiser.contacts_months is None:
        return None
    day = months_after(event.ends_on, organiser.contacts_months)
    announced = organiser.contacts_set_on
    return max(day, announced + NOTICE) if announced else day


def months_after(day: date, months: int) -> date:
    """Return the day so many months later, or the last one of a shorter month.

    >>> months_after(date(2026, 11, 30), 3)
    datetime.date(2027, 2, 28)
    """
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def note_look(
    *, event: Event, by: By, where: ContactsWhere, registration: Registration | None = None
) -> None:
    """Note that an account sees contacts, unless it has seen the same within the hour."""
    if registration is not None:
        if not any(getattr(registration, name) for name in CONTACTS):
            return
    elif not event.registrations.filter(has_contacts()).exists():
        return
    seen = {"event": event, "actor": actor_for(by), "where": where, "registration": registration}
    since = timezone.now() - _AGAIN
    if not ContactsSeen.objects.filter(**seen, at__gt=since).exists():
        ContactsSeen.objects.create(**seen)
