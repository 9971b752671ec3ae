"""Series, the events that are part of them, and results from elsewhere."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_organiser
from ...core.log import By, changed, record, snapshot
from ...core.organisers import where_owner
from ...models import (
    Event,
    Organiser,
    OutsideResult,
    Person,
    Series,
    SeriesEvent,
)
from ...models.enums import EventStatus, LogAction, Visibility
from ..queries.outside import Typed

#: Events of a series, those from elsewhere included.
MAX_EVENTS = 100


def _lock(series: Series) -> Series:
    return Series.objects.select_for_update(no_key=True).get(pk=series.pk)


@transaction.atomic
def create_series(*, organiser: Organiser, by: By, **fields: Any) -> Series:
    """Create a series of this organiser; its address is made of its name."""
    organiser = lock_organiser(organiser)
    series = Series(organiser=organiser, **fields)
    first = slugify(series.name)[:50] or "series"
    slug, number = first, 1
    while Series.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{first}-{number}"
    series.slug = slug
    series.full_clean()
    series.save()
    record(LogAction.SERIES_CREATED, series, by, after=_snapshot(series))
    return series


@transaction.atomic
def change_series(*, series: Series, by: By, **fields: Any) -> Series:
    series = _lock(series)
    before = _snapshot(series)
    for name, value in fields.items():
        setattr(series, name, value)
    series.full_clean()
    old, new = changed(before, _snapshot(series))
    if new:
        series.save()
        if not series.is_public:
            series.pictures.all().delete()
        record(LogAction.SERIES_CHANGED, series, by, before=old, after=new)
    return series


def _snapshot(series: Series) -> dict[str, Any]:
    found = snapshot(series)
    return {
        name: str(value) if isinstance(value, date | Fraction) else value
        for name, value in found.items()
    }


@transaction.atomic
def add_event(*, series: Series, event: Event, by: By) -> SeriesEvent:
    """Make an event part of a series, or ask its organiser, whoever that is.

    The account owns the series' organiser. If it owns the event's, too, both agree at once.
    """
    series = _lock(series)
    if series.joined.count() >= MAX_EVENTS:
        raise Refused("series_full", _("A series has at most %(most)s events."), most=MAX_EVENTS)
    if series.joined.filter(event=event).exists():
        raise Refused("in_series", _("%(event)s is part of it already."), event=event)
    both = by is None or where_owner(by).filter(pk=event.organiser_id).exists()
    if event.status == EventStatus.DRAFT and not both:
        # Nobody else may learn that it exists.
        raise Refused("no_event", _("There is no such event."))
    row = SeriesEvent.objects.create(
        series=series, event=event, asked_by=by, agreed_at=timezone.now() if both else None
    )
    _log(LogAction.SERIES_JOINED if both else LogAction.SERIES_ASKED, row, by)
    return row


@transaction.atomic
def agree(*, row: SeriesEvent, by: By) -> None:
    """Let one's own event be part of somebody else's series."""
    row = _locked(row)
    if row.agreed_at is None:
        row.agreed_at = timezone.now()
        row.save(update_fields=["agreed_at"])
        _log(LogAction.SERIES_JOINED, row, by)


@transaction.atomic
def remove_event(*, row: SeriesEvent, by: By) -> None:
    """Take an event, or results from elsewhere, out of a series; either organiser may."""
    row = _locked(row)
    _log(LogAction.SERIES_LEFT, row, by)
    row.delete()


def _locked(row: SeriesEvent) -> SeriesEvent:
    _lock(row.series)
    found = SeriesEvent.objects.select_related("series", "event").filter(pk=row.pk).first()
    if found is None:
        raise Refused("not_in_series", _("It is no longer part of the series."))
    return found


def _log(action: LogAction, row: SeriesEvent, by: By) -> None:
    """Log it with the series, and where it is an event with the event, too."""
    record(action, row.series, by, after={"event": str(row)})
    if row.event is not None:
        record(action, row.event, by, after={"series": str(row.series)})


@transaction.atomic
def add_outside(
    *,
    series: Series,
    name: str,
    played_on: date,
    rows: Sequence[Typed],
    by: By,
    named: bool = False,
) -> SeriesEvent:
    """Add results that were never played here; they count in the series and nowhere else.

    A name that exactly one of the organiser's persons has is that person; any other name becomes a
    new one, who can be merged with somebody later. Nobody has asked these; they are hidden, unless
    the organiser says that they may be ``named``.
    """
    series = _lock(series)
    if series.joined.count() >= MAX_EVENTS:
        raise Refused("series_full", _("A series has at most %(most)s events."), most=MAX_EVENTS)
    of = SeriesEvent(
        series=series, name=name, played_on=played_on, asked_by=by, agreed_at=timezone.now()
    )
    of.full_clean()
    of.save()
    known = _known(series.organiser, [row.name for row in rows])
    for row in rows:
        person = known.get(row.name)
        if person is None:
            shown = Visibility.PUBLIC if named else Visibility.HIDDEN
            person = Person(organiser=series.organiser, legal_name=row.name, visibility=shown)
            person.full_clean()
            person.save()
            record(LogAction.PERSON_CREATED, person, by)
        OutsideResult.objects.create(of=of, person=person, place=row.place, points=row.points)
    record(
        LogAction.OUTSIDE_RESULTS,
        series,
        by,
        after={"event": name, "results": len(rows), "named": named},
    )
    return of


def _known(organiser: Organiser, names: Sequence[str]) -> Mapping[str, Person]:
    found: dict[str, list[Person]] = {}
    same = Person.objects.filter(
        organiser=organiser, legal_name__in=names, merged_into__isnull=True
    )
    for person in same:
        found.setdefault(person.legal_name, []).append(person)
    return {name: persons[0] for name, persons in found.items() if len(persons) == 1}
