"""What erasing a player would take away and leave, and what stands against doing it at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...cash.queries.ledger import balances_of
from ...cash.queries.prizes import prizes_at
from ...core.errors import Refused
from ...models import Event, Person, Registration
from ...models.enums import GONE, EventStatus


def refuse_erased(person: Person) -> None:
    """Refuse with ``erased`` what would give an erased person a name or a place again."""
    if person.erased_at is not None:
        raise Refused(
            "erased",
            gettext_lazy("This player has been erased: nothing can be written about them again."),
        )


def without_contacts(value: Any) -> Any:
    """Return what a merge has carried over without what was known of the player."""
    if isinstance(value, list):
        return [without_contacts(each) for each in value]
    if isinstance(value, dict):
        emptied: dict[str, Any] = dict.fromkeys(("email", "phone", "note", "reason"), "")
        emptied |= {"fixed_table": None}
        return {key: emptied.get(key, without_contacts(each)) for key, each in value.items()}
    return value


def whole_person(person: Person) -> list[Person]:
    """Return the person that others were merged into, and all of these (a query for each step)."""
    while person.merged_into is not None:
        person = person.merged_into
    found = [person]
    further = [person]
    while further:
        further = list(Person.objects.filter(merged_into__in=further).order_by("pk"))
        found += further
    return found


def registrations_of(persons: Iterable[Person]) -> list[Registration]:
    """Return all their registrations, with the events, oldest event first (one query)."""
    rows = Registration.objects.filter(person__in=[person.pk for person in persons])
    rows = rows.select_related("event__organiser", "person")
    return list(rows.order_by("event__starts_on", "event", "number"))


def is_expected(registration: Registration) -> bool:
    """Return whether the event is not over and still counts on this player."""
    over = registration.event.status == EventStatus.FINISHED
    return not over and registration.status not in GONE


@dataclass(frozen=True)
class Erasing:
    """What a page says before a player is erased; ``against`` is why the desk has to do it."""

    person: Person
    events: tuple[str, ...]
    against: tuple[str, ...]

    @property
    def is_asked(self) -> bool:
        """Whether the player has asked for it and waits for the desk."""
        return self.person.erase_asked_at is not None and self.person.erased_at is None


def erasing_of(registration: Registration) -> Erasing:
    """Return what erasing this player concerns: every event of the organiser (few queries)."""
    persons = whole_person(registration.person)
    rows = [row for row in registrations_of(persons) if row.merged_into_id is None]
    events = tuple(dict.fromkeys(str(row.event) for row in rows))
    return Erasing(persons[0], events, tuple(why_not_at_once(rows)))


def why_not_at_once(rows: Iterable[Registration]) -> list[str]:
    """Return what the desk has to see to first: events that are not over, and money."""
    found = []
    for row in rows:
        if is_expected(row):
            found.append(_("%(event)s is not over.") % {"event": row.event})
            continue
        [balance] = balances_of(row.event, [row])
        if balance.owes or _prize_due(row):
            found.append(_("A payment is open at %(event)s.") % {"event": row.event})
    return found


def _prize_due(row: Registration) -> int:
    """Return what the player still gets of the event's prizes, or has to give back."""
    if not row.event.prizes:
        return 0
    return sum(prize.due for prize in prizes_at(row.event).rows if prize.number == row.number)


def asking(event: Event) -> QuerySet[Registration]:
    """Return the event's players who have asked to be erased and wait for the desk."""
    rows = event.registrations.filter(person__erased_at=None, merged_into=None)
    return rows.exclude(person__erase_asked_at=None).select_related("person").order_by("number")
