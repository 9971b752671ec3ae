"""Has anything changed? One short text per thing, for conditional polling."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Aggregate, Max, QuerySet, Sum
from django.utils import timezone, translation

from ..models import Event, Heat, LogEntry


def event_etag(event: Event, *, per_minute: bool = True) -> str:
    """Return a text that changes when anything shown of an event may have (two queries).

    Everything a director does leaves a row in the log; everything that happens on a sheet
    raises its table's revision. ``per_minute`` lets ages ("3 minutes ago") move on.
    """
    version = event_versions([event.pk])[event.pk]
    return _mark("event", event.pk, version, per_minute=per_minute)


def event_versions(pks: Iterable[int]) -> dict[int, str]:
    """Return per event a text that changes with its log and its sheets (two queries)."""
    pks = list(pks)
    logs = _by_event(LogEntry.objects.filter(event__in=pks), Max("pk"))
    revisions = _by_event(Heat.objects.filter(event__in=pks), Sum("table__revision"))
    return {pk: f"{logs.get(pk)}-{revisions.get(pk)}" for pk in pks}


def _by_event(rows: QuerySet[Any], what: Aggregate) -> dict[int, int]:
    return dict(rows.order_by().values("event").annotate(what=what).values_list("event", "what"))


def heat_etag(heat: Heat) -> str:
    """Return a text that changes when anything shown of a heat may have (one query)."""
    revision = heat.table.revision if heat.table else 0
    log = LogEntry.objects.filter(event=heat.event_id).aggregate(last=Max("pk"))["last"]
    return _mark("heat", heat.pk, log, revision, heat.status, per_minute=False)


def _mark(*parts: object, per_minute: bool) -> str:
    now: datetime = timezone.now()
    minute = now.strftime("%d%H%M") if per_minute else ""
    language = translation.get_language()
    return f'"{"-".join(str(part) for part in (*parts, minute, language))}"'
