"""Metrics in the text format of Prometheus.

They are read from the database and the disk on request, so all processes and machines give the same
answer.
"""

import json
import shutil
from collections.abc import Iterator, Mapping

from django.conf import settings
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.models import SheetEntry
from tournaments.models import Chore, Event, Heat, Job, LogEntry
from tournaments.models.enums import JobStatus
from tournaments.verify.queries import CHECK

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
    found = dict(Job.objects.values_list("status").annotate(n=Count("pk")).order_by())
    jobs = {status: found.get(status, 0) for status in JobStatus.values}
    yield "jobs", "gauge", "Long jobs by status.", _labelled("status", jobs)
    yield "queue_age_seconds", "gauge", "How long the oldest job has waited.", {"": queue_age()}
    # Without those of single events: the check of each round holds their findings.
    chores = list(Chore.objects.exclude(name__startswith=f"{CHECK} ").order_by("name"))
    ended = {each.name: each.ended_at.timestamp() for each in chores if each.ended_at}
    failed = {each.name: bool(each.failure) for each in chores}
    findings = {each.name: len(each.found) for each in chores}
    yield "chore_ended_seconds", "gauge", "When a chore last ended.", _labelled("name", ended)
    yield "chore_failed", "gauge", "Whether a chore itself failed.", _labelled("name", failed)
    yield (
        "chore_findings",
        "gauge",
        "Number of problems that a chore found.",
        _labelled("name", findings),
    )
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
