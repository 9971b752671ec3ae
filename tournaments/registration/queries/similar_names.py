"""Suggest known persons while a name is being typed."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
)
from django.utils.translation import gettext as _

from ...models import Event, Person, Registration
from ...models.enums import EventStatus, RegistrationStatus, Visibility
from ...models.search import plain

#: More suggestions than anybody reads, and more names than are compared letter by letter.
MAX_SHOWN = 6
_COMPARED = 5000
#: Minimum similarity, 0 to 1, of names to suggest: about one wrong letter in ten.
_ALIKE = 0.86
#: The typed text is the whole name, in either order.
_WHOLE = frozenset({"same", "swapped"})


@dataclass(frozen=True)
class Suggestion:
    """A known person, why they are suggested, and their registration at this event, if any.

    ``why``: ``same`` (name), ``swapped`` (first and last name), ``close`` (a letter or two differ)
    or ``contains`` (the text typed so far).
    """

    person: Person
    why: str
    registration: Registration | None = None

    @property
    def is_namesake(self) -> bool:
        """Whether the whole name was typed, in either order."""
        return self.why in _WHOLE

    @property
    def label(self) -> str:
        """Why it is suggested, in words; empty for ``contains``, which the page shows."""
        return {
            "same": _("same name"),
            "swapped": _("first and last name swapped"),
            "close": _("nearly the same"),
        }.get(self.why, "")


def closeness(one: str, other: str) -> str:
    """Return how two plain names are alike: ``same``, ``swapped``, ``close`` or an empty string.

    >>> closeness("anna ek", "ek anna"), closeness("anna ek", "ana ek"), closeness("bo", "cia")
    ('swapped', 'close', '')
    """
    if one == other:
        return "same"
    turned, other_turned = _in_order(one), _in_order(other)
    if turned == other_turned:
        return "swapped"
    if abs(len(one) - len(other)) > 3 or min(len(one), len(other)) < 4:
        return ""
    near = _near(one, other) or _near(turned, other_turned)
    return "close" if near else ""


def _in_order(name: str) -> str:
    """Return the words of a name in alphabetical order."""
    return " ".join(sorted(name.replace(",", " ").split()))


def _near(one: str, other: str) -> bool:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def known_persons(event: Event) -> QuerySet[Person]:
    known = Person.objects.filter(organiser=event.organiser_id, merged_into__isnull=True)
    return known.filter(erased_at__isnull=True)


def _openly(event: Event) -> ExpressionWrapper:
    """Return an expression: whether the event's staff may see the person's name."""
    here = Registration.objects.filter(event=event, person=OuterRef("pk"))
    seen = Q(visibility=Visibility.PUBLIC) | Q(Exists(here))
    return ExpressionWrapper(seen, BooleanField())


def other_events_of(registration: Registration) -> list[str]:
    """Return the names of the public events at which this person is known, too (one query)."""
    elsewhere = Event.objects.filter(registrations__person=registration.person_id)
    found = elsewhere.exclude(pk=registration.event_id).exclude(status=EventStatus.DRAFT)
    return list(found.order_by("starts_on", "pk").values_list("name", flat=True))


def namesakes_of(event: Event) -> dict[int, int]:
    """Return, by number, the first other player with the same name (one query)."""
    rows = event.registrations.filter(merged_into=None, person__erased_at=None)
    rows = rows.exclude(status=RegistrationStatus.WITHDRAWN)
    numbers: dict[str, list[int]] = {}
    for number, name in rows.order_by("number").values_list("number", "person__legal_name"):
        numbers.setdefault(plain(name), []).append(number)
    return {
        number: next(other for other in found if other != number)
        for found in numbers.values()
        if len(found) > 1
        for number in found
    }


def namesakes(event: Event, typed: str) -> list[Suggestion]:
    """Return the known persons with exactly the name typed, in either order."""
    return [each for each in suggestions(event, typed) if each.is_namesake]


def suggestions(event: Event, typed: str, *, leave_out: int | None = None) -> list[Suggestion]:
    """Return known persons whose name resembles the one typed, most likely first.

    At most three queries. A person whose name is not public and who is not registered here is
    suggested only if the whole name was typed.
    """
    name = plain(typed)
    words = name.split()
    if len(name.replace(" ", "")) < 2:
        return []
    known = known_persons(event).exclude(pk=leave_out or 0).annotate(openly=_openly(event))
    found: dict[int, str] = {}
    containing = Q()
    for word in words:
        containing &= Q(search_text__contains=word)
    for pk, legal, shown, openly in known.filter(containing).values_list(
        "pk", "legal_name", "display_name", "openly"
    )[:50]:
        why = closeness(name, plain(legal)) or closeness(name, plain(shown)) or "contains"
        if openly or closeness(name, plain(legal)) in _WHOLE:
            found[pk] = why
    if len(name) >= 4:
        # Any letter may be wrong, so all names are candidates. But the first letter, or that of the
        # last name, is nearly always right, which leaves few.
        near = Q()
        for word in words:
            near |= Q(search_text__startswith=word[0]) | Q(search_text__contains=f" {word[0]}")
        for pk, legal, shown in (
            known.filter(near, openly=True)
            .exclude(pk__in=found)
            .order_by("-pk")
            .values_list("pk", "legal_name", "display_name")[:_COMPARED]
        ):
            why = closeness(name, plain(legal)) or (shown and closeness(name, plain(shown)))
            if why:
                found[pk] = why
    order = {"same": 0, "swapped": 1, "close": 2, "contains": 3}
    best = sorted(found, key=lambda pk: (order[found[pk]], pk))[:MAX_SHOWN]
    here = Prefetch("registrations", Registration.objects.filter(event=event), to_attr="here")
    rows = {row.pk: row for row in Person.objects.filter(pk__in=best).prefetch_related(here)}
    return [
        Suggestion(rows[pk], found[pk], next(iter(rows[pk].here), None))
        for pk in best
        if pk in rows
    ]
