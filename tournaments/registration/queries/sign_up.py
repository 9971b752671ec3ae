"""Whether people can sign up now, and if not, why."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...core.expiry import expire_at, midnight_after
from ...models import Booking, Event, Registration
from ...models.enums import EventStatus, RegistrationStatus
from ...results.queries.final import is_over

NONE, LATER, OPEN, CLOSED = "none", "later", "open", "closed"


def sign_up_state(event: Event, now: datetime | None = None) -> str:
    """Return the state of the sign-up (at most one query).

    ``none`` (there is none), ``later``, ``open`` or ``closed``.
    """
    if event.sign_up_opens_at is None or event.status == EventStatus.DRAFT:
        return NONE
    now = now or timezone.now()
    for moment in (event.sign_up_opens_at, event.sign_up_closes_at):
        if moment is not None and moment > now:
            expire_at(moment)
    end = midnight_after(event.ends_on)
    if now < end:
        expire_at(end)
    closes = event.sign_up_closes_at
    over = now >= end or (closes is not None and now >= closes)
    if over or event.status == EventStatus.FINISHED or event.stages.playoffs().exists():
        return CLOSED
    return OPEN if now >= event.sign_up_opens_at else LATER


def closed_text(event: Event, state: str) -> str:
    """Return why nobody can sign up now; empty if it is open."""
    if state == LATER and event.sign_up_opens_at is not None:
        opens = timezone.localtime(event.sign_up_opens_at)
        return _("Sign-up opens on %(time)s.") % {"time": date_format(opens, "j F Y, H:i")}
    if state == CLOSED and is_over(event):
        return _("The event is over.")
    if state == CLOSED and event.stages.playoffs().exists():
        return _("The play-offs have begun.")
    return {
        NONE: _("This event has no public sign-up. The organisers register the players."),
        CLOSED: _("Sign-up is closed. Ask at the desk whether there is a place."),
    }.get(state, "")


#: A family signs up from one address; a hall behind one router does, too.
MIN_PER_SOURCE = 5


@dataclass(frozen=True, slots=True)
class SignUpSource:
    """The public sign-ups from one address of people who are not here yet, by number."""

    players: Sequence[Registration]
    #: The numbers of those who have paid something.
    paid: Collection[int]

    @property
    def can_be_undone(self) -> bool:
        """Whether somebody among them has paid nothing."""
        return len(self.paid) < len(self.players)


def undoable_sign_ups(event: Event) -> QuerySet[Registration]:
    """Return the public sign-ups of people who are not here yet, paid or not, by number."""
    coming = (RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED)
    found = event.registrations.filter(status__in=coming, merged_into=None)
    return found.exclude(signed_up_from="").select_related("person").order_by("number")


def sign_up_sources(event: Event) -> list[SignUpSource]:
    """Return the addresses with several sign-ups, those with most first (two queries)."""
    by_source = defaultdict[str, list[Registration]](list)
    for player in undoable_sign_ups(event):
        by_source[player.signed_up_from].append(player)
    many = [players for players in by_source.values() if len(players) >= MIN_PER_SOURCE]
    those = [player.pk for players in many for player in players]
    booked = Booking.objects.filter(registration__in=those)
    paid = set(booked.values_list("registration__number", flat=True))
    found = [SignUpSource(players, paid & {each.number for each in players}) for players in many]
    return sorted(found, key=lambda source: -len(source.players))
