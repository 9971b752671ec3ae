"""Has anything changed? One short text per thing, for conditional polling."""

from datetime import datetime

from django.db.models import Max, Sum
from django.utils import timezone, translation

from ..models import Event, Heat, LogEntry


def event_mark(event: Event, *, per_minute: bool = True) -> str:
    """Return a text that changes when anything shown of an event may have (two queries).

    Everything a director does leaves a row in the log; everything that happens on a sheet
    raises its table's revision. ``per_minute`` lets ages ("3 minutes ago") move on.
    """
    log = LogEntry.objects.filter(event=event).aggregate(last=Max("pk"))["last"]
    revision = Heat.objects.filter(event=event).aggregate(sum=Sum("table__revision"))["sum"]
    return _mark("event", event.pk, log, revision, per_minute=per_minute)


def heat_mark(heat: Heat) -> str:
    """Return a text that changes when anything shown of a heat may have (one query)."""
    revision = heat.table.revision if heat.table else 0
    log = LogEntry.objects.filter(event=heat.event_id).aggregate(last=Max("pk"))["last"]
    return _mark("heat", heat.pk, log, revision, heat.status, per_minute=False)


def _mark(*parts: object, per_minute: bool) -> str:
    now: datetime = timezone.now()
    minute = now.strftime("%d%H%M") if per_minute else ""
    language = translation.get_language()
    return f'"{"-".join(str(part) for part in (*parts, minute, language))}"'
