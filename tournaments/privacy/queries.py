"""When contacts are deleted, who has looked at them, and what the installation keeps."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ..core.contacts import contacts_until, has_contacts
from ..core.mail import MAIL
from ..models import ContactsSeen, Event, Job, Organiser, PushSubscription, Registration
from ..models.enums import EventStatus

#: How long it is known who has looked at contacts.
LOOKS_KEPT = timedelta(days=366)
#: How long all of the worker's backups are kept at most (``config.backup``).
BACKUPS_KEPT = timedelta(days=31)


@dataclass(frozen=True)
class Due:
    """An event that keeps contacts, of how many players, and until when; None for ever."""

    event: Event
    players: int
    until: date | None


def with_contacts() -> QuerySet[Any]:
    """Return the events that keep contacts, with the number of players, the oldest first."""
    theirs = Count("registrations", filter=has_contacts("registrations__"))
    events = Event.objects.select_related("organiser").annotate(players=theirs)
    return events.filter(players__gt=0).order_by("ends_on", "pk")


def due_of(organiser: Organiser) -> list[Due]:
    """Return the organiser's events that keep contacts (one query)."""
    events = with_contacts().filter(organiser=organiser)
    return [Due(event, event.players, contacts_until(event)) for event in events]


def overdue() -> list[Event]:
    """Return the events whose contacts, mails or devices are to be deleted (one query).

    Never of an open one: its last day may have been typed wrong.
    """
    today = timezone.localdate()
    here = {"event": OuterRef("pk")}
    kept = Q(Exists(Registration.objects.filter(has_contacts(), **here)))
    kept |= Q(Exists(PushSubscription.objects.filter(registration__event=OuterRef("pk"))))
    kept |= Q(Exists(Job.objects.filter(kind=MAIL, **here)))
    events = Event.objects.filter(kept, organiser__contacts_months__isnull=False)
    events = events.exclude(status=EventStatus.OPEN)
    events = events.select_related("organiser").order_by("ends_on", "pk")
    found = ((event, contacts_until(event)) for event in events.filter(ends_on__lt=today))
    return [event for event, until in found if until is not None and until <= today]


def looks_of(organiser: Organiser) -> QuerySet[ContactsSeen]:
    """Return who has looked at contacts of the organiser's players, the newest first."""
    rows = ContactsSeen.objects.filter(event__organiser=organiser)
    return rows.select_related("event", "registration__person")


@dataclass(frozen=True)
class Kept:
    """What the privacy page says of this installation."""

    organisers: tuple[Organiser, ...]
    contact: str
    backup_days: int
    sends_mail: bool
    sign_in_days: int


def kept() -> Kept:
    """Return what the installation's settings say (one query)."""
    public = Q(events__status__in=[EventStatus.OPEN, EventStatus.FINISHED])
    organisers = Organiser.objects.filter(public).distinct().order_by("name", "pk")
    return Kept(
        organisers=tuple(organisers),
        contact=settings.PRIVACY_CONTACT,
        backup_days=BACKUPS_KEPT.days if settings.BACKUP_HOURS > 0 else 0,
        sends_mail=not settings.PRINTS_EMAIL,
        sign_in_days=settings.SESSION_COOKIE_AGE // 86_400,
    )
