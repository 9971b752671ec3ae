"""What watches the program asks: is it alive, and can it serve?"""

import os
import shutil
import socket
import time
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.serving import LIVE
from tournaments.models import Job
from tournaments.models.enums import JobStatus

#: Bytes that the disk must have left.
LEAST_FREE = 100_000_000
#: A job that waits longer than this has no worker.
LONGEST_WAIT = timedelta(minutes=5)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that the process answers; it asks nobody else."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Say part by part what works: 503 where pages cannot be served or entries not be kept.

    Without the cache, the worker or the stream the pages go on; the answer says so.
    """
    needed = {"database": _database(), "disk": _disk()}
    others = {"cache": _cache(), "stream": _stream()}
    if needed["database"] == "ok":
        others["queue"] = _queue()
    ready = set(needed.values()) == {"ok"}
    return JsonResponse({"ready": ready, **needed, **others}, status=200 if ready else 503)


def _database() -> str:
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "away"
    return "not migrated" if plan else "ok"


def _disk() -> str:
    return "ok" if shutil.disk_usage(settings.DATA_DIR).free >= LEAST_FREE else "full"


def _cache() -> str:
    cache.get("readyz")
    return "away" if getattr(cache, "away_until", 0.0) > time.monotonic() else "ok"


def _stream() -> str:
    if not os.environ.get(LIVE):
        return "ok" if settings.LIVE_URL else "none"
    host, port = os.environ[LIVE].split()
    try:
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        socket.create_connection((here, int(port)), timeout=1).close()
    except OSError:
        return "away"
    return "ok"


def _queue() -> str:
    late = timezone.now() - LONGEST_WAIT
    waiting = Job.objects.filter(status=JobStatus.WAITING, made_at__lt=late).exists()
    return "late" if waiting else "ok"
