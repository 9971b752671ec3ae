"""What monitoring asks: is the program alive, and can it serve?"""

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

from tournaments.core.mail import MAIL
from tournaments.models import Job
from tournaments.models.enums import JobStatus
from tournaments.verify.queries import checks

from .serving import LIVE

#: The least free disk space, in bytes.
MIN_FREE = 100_000_000
#: A job that waits for longer means that no worker is running.
MAX_WAIT = timedelta(minutes=5)
#: The same holds for sheets and results that have not been checked for this long.
MAX_UNCHECKED = timedelta(minutes=20)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer without asking any other part."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Report part by part what works; 503 if pages cannot be served or entries not be stored.

    Without the cache, the worker or the stream the pages still work, and the answer says so.
    """
    needed = {"database": _database(), "disk": _disk()}
    others: dict[str, str | int] = {"cache": _cache(), "stream": _stream()}
    if needed["database"] == "ok":
        others |= {"queue": _queue(), "queue_age": queue_age(), "check": _check()}
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
    return "ok" if shutil.disk_usage(settings.DATA_DIR).free >= MIN_FREE else "full"


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
    return "late" if queue_age() > MAX_WAIT.total_seconds() else "ok"


def queue_age() -> int:
    """Return for how many seconds a job has been due; mails may wait for their server."""
    waiting = Job.objects.filter(status=JobStatus.WAITING).exclude(kind=MAIL)
    first = waiting.order_by("due_at").first()
    return max(0, int((timezone.now() - first.due_at).total_seconds())) if first else 0


def _check() -> str:
    """Return the result of the worker's last check of sheets and results (``manage.py verify``)."""
    check = checks().filter(event=None).first()
    if check is None or check.ended_at is None:
        return "none"
    if check.failure:
        return "failed"
    if check.result:
        return "broken"
    return "late" if timezone.now() - check.ended_at > MAX_UNCHECKED else "ok"
