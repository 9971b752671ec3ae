"""ETags of events and heats, for conditional polling."""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone, translation

from ..models import Event, EventVersion, Heat


def event_etag(event: Event) -> str:
    """Return an ETag that changes whenever a page of the event may change (one query).

    It changes every minute, too, for ages such as "3 minutes ago".
    """
    version = event_versions([event.pk]).get(event.pk)
    return _mark("event", event.pk, version, per_minute=True)


def event_versions(pks: Iterable[int]) -> dict[int, str]:
    """Return, per event id, a text that changes with every write (one query)."""
    rows = EventVersion.objects.filter(event__in=list(pks)).values_list("event", "number")
    return {pk: str(number) for pk, number in rows}


def heat_etag(heat: Heat) -> str:
    """Return an ETag that changes whenever a page of the heat may change (one query)."""
    revision = heat.table.revision if heat.table else 0
    rows = EventVersion.objects.filter(event=heat.event_id).values_list("directed", flat=True)
    return _mark("heat", heat.pk, rows.first(), revision, per_minute=False)


def _mark(*parts: object, per_minute: bool) -> str:
    now: datetime = timezone.now()
    minute = now.strftime("%d%H%M") if per_minute else ""
    language = translation.get_language()
    return f'"{"-".join(str(part) for part in (*parts, minute, language))}"'
