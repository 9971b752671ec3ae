"""Versions of events, heats and series: ETags for conditional polling, and what caches go by."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import connection
from django.db.models import F, Sum
from django.utils import timezone, translation

from ..models import Event, EventVersion, Heat, Series

#: Versions are microseconds since 1970, of which SQLite cannot add up some five thousand: sums are
#: of those since this one (2023).
_SINCE = 1_700_000_000_000_000


def summed(column: str) -> str:
    """Return the SQL of a sum of versions."""
    return f"SUM({column} - {_SINCE})"


def sum_of(path: str) -> Sum:
    """Return the same sum for a queryset."""
    return Sum(F(path) - _SINCE)


#: How many games have been simulated, with which hands are compared.
SIMULATED = "(SELECT SUM(games) FROM tournaments_simulatedhands)"
#: Of several events the sums: each number only grows, and one that joins or leaves raises another.
SUMS = f"COUNT(*), {summed('v.directed')}, {summed('y.version')}, {SIMULATED}"
JOINED = (
    "LEFT JOIN tournaments_seriesversion c ON c.series_id = s.id "
    "LEFT JOIN tournaments_seriesevent j ON j.series_id = s.id "
    "LEFT JOIN tournaments_eventversion v ON v.event_id = j.event_id "
    "LEFT JOIN tournaments_eventsummary y ON y.event_id = j.event_id"
)
OF_SERIES = (
    f"SELECT {SUMS}, {summed('c.number')} FROM tournaments_series s {JOINED} WHERE s.slug = %s"
)


def event_etag(event: Event) -> str:
    """Return an ETag that changes whenever a page of the event may change.

    It changes every minute, too, for ages such as "3 minutes ago". No query where the event was
    read with its version; as that was before all else, a page is never newer than its mark says.
    """
    version = _version_of(event)
    return _mark("event", event.pk, version and version.number, per_minute=True)


def _version_of(event: Event) -> EventVersion | None:
    try:
        found: EventVersion = event.version
    except EventVersion.DoesNotExist:
        return None
    return found


def event_versions(pks: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return, per event id, what changes with every write, and with all but play (one query)."""
    rows = EventVersion.objects.filter(event__in=list(pks))
    found = rows.values_list("event", "number", "directed")
    return {pk: (str(number), str(directed)) for pk, number, directed in found}


def heat_etag(heat: Heat) -> str:
    """Return an ETag that changes whenever a page of the heat may change (as for an event)."""
    revision = heat.table.revision if heat.table else 0
    version = _version_of(heat.event)
    return _mark("heat", heat.pk, version and version.directed, revision, per_minute=False)


def _mark(*parts: object, per_minute: bool) -> str:
    now: datetime = timezone.now()
    minute = now.strftime("%d%H%M") if per_minute else ""
    language = translation.get_language()
    return f'"{"-".join(str(part) for part in (*parts, minute, language))}"'


def series_version(series: Series) -> str:
    """Return a text that changes with every write that a series' pages may show (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(OF_SERIES, [series.slug])
        return joined_text(cursor.fetchone()) or ""


def joined_text(row: Sequence[object] | None) -> str | None:
    """Return what such a statement found as a text; None if it is of nothing."""
    return "-".join(map(str, row)) if row and row[0] else None
