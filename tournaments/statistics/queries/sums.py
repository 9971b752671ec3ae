"""The counts and records of many events: what is stored of each, added up."""

from dataclasses import dataclass

from django.db.models import F, Q

from ...models import EventSummary, Organiser, Series
from ...models.enums import EventStatus
from ...results.queries.tally import Tally, added, tally_from


@dataclass(frozen=True)
class Summed:
    """A tally over ``events``; ``is_stale``: one of them has changed and is being counted again."""

    tally: Tally
    events: int
    is_stale: bool


def of_series(series: Series) -> Summed:
    """Return what the events of a series that are over gave (one query)."""
    return _summed(Q(event__in_series__series=series, event__in_series__agreed_at__isnull=False))


def of_organiser(organiser: Organiser) -> Summed:
    """Return what an organiser's events that are over gave (one query)."""
    return _summed(Q(event__organiser=organiser))


def _summed(which: Q) -> Summed:
    rows = (
        EventSummary.objects.filter(which, is_over=True)
        .exclude(event__status=EventStatus.DRAFT)
        .order_by("event__ends_on", "event")
        .annotate(now=F("event__version__directed"))
        .values_list("tally", "version", "now")
    )
    found = list(rows)
    return Summed(
        added(tally_from(tally) for tally, _version, _now in found),
        len(found),
        any(version != now for _tally, version, now in found),
    )


def shown_organiser(slug: str) -> Organiser | None:
    """Return an organiser that has an event which everybody can see."""
    found = Organiser.objects.filter(slug=slug).first()
    seen = found is not None and found.events.exclude(status=EventStatus.DRAFT).exists()
    return found if seen else None
