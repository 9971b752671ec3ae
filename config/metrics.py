"""Metrics in the text format of Prometheus.

They are read from the database and the disk on request, so all processes and machines give the same
answer.
"""

import json
import shutil
from collections.abc import Iterator, Mapping

from django.conf import settings
from django.db.models import Count, F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.models import SheetEntry
from tournaments.models import Event, Heat, Job, LogEntry

from .health import queue_age, readyz

#: Name, kind, help, and values by their labels.
Metric = tuple[str, str, str, dict[str, float]]


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to a client with the token."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "")
    if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponseForbidden("The token is missing or wrong.\n", "text/plain")
    lines = []
    for name, kind, about, values in _metrics(request):
        lines += [f"# HELP chicago_{name} {about}", f"# TYPE chicago_{name} {kind}"]
        lines += [f"chicago_{name}{labels} {value:.17g}" for labels, value in values.items()]
    return HttpResponse(
        "\n".join(lines) + "\n", content_type="text/plain; version=0.0.4; charset=utf-8"
    )


def _metrics(request: HttpRequest) -> Iterator[Metric]:
    readiness = json.loads(readyz(request).content)
    yield "ready", "gauge", "Whether pages can be served.", {"": readiness["ready"]}
    parts = {name: value == "ok" for name, value in readiness.items() if isinstance(value, str)}
    yield "part_ok", "gauge", "Whether a part of /readyz is ok.", _labelled("part", parts)
    free = shutil.disk_usage(settings.DATA_DIR).free
    yield "disk_free_bytes", "gauge", "Free disk space for data.", {"": free}
    if readiness["database"] != "ok":
        return
    counted = Job.objects.values_list("kind", "status").annotate(n=Count("pk")).order_by("kind")
    jobs = {f'{{kind="{kind}",status="{status}"}}': float(n) for kind, status, n in counted}
    yield "jobs", "gauge", "Jobs by kind and status.", jobs
    yield "queue_age_seconds", "gauge", "For how long a job has been due.", {"": queue_age()}
    tasks = list(Job.objects.filter(key=F("kind")).order_by("kind"))
    ended = {each.kind: each.ended_at.timestamp() for each in tasks if each.ended_at}
    failed = {each.kind: bool(each.failure) for each in tasks}
    findings = {each.kind: len(each.result or []) for each in tasks}
    yield "task_ended_seconds", "gauge", "When a periodic task ended.", _labelled("name", ended)
    yield "task_failed", "gauge", "Whether a periodic task failed.", _labelled("name", failed)
    yield "task_findings", "gauge", "Problems that it found.", _labelled("name", findings)
    yield "entries_total", "counter", "Rows of all sheets.", {"": SheetEntry.objects.count()}
    yield "log_rows_total", "counter", "Rows of the log.", {"": LogEntry.objects.count()}
    yield (
        "open_events",
        "gauge",
        "Events that are open.",
        {"": Event.objects.filter(status="open").count()},
    )
    yield "open_heats", "gauge", "Heats being played.", {"": Heat.objects.open().count()}


def _labelled(label: str, values: Mapping[str, float]) -> dict[str, float]:
    return {f'{{{label}="{name}"}}': float(value) for name, value in values.items()}
