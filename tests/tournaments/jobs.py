"""Do the queue's jobs in the test's own thread, as a worker does them in its threads."""

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from config.tasks import KINDS
from tournaments.core.queue import run_due
from tournaments.models import Job

KIND = {kind.name: kind for kind in KINDS}


def run(*names: str) -> list[int]:
    """Do what is due of these kinds, or of all; return how many jobs of each were done."""
    return [run_due(KIND[name]) for name in names or KIND]


def hurry(kind: str, by: timedelta = timedelta(days=2)) -> None:
    """Let the waiting jobs of a kind be due so much earlier."""
    Job.objects.filter(kind=kind).update(due_at=F("due_at") - by)


def now_failed(**fields: object) -> int:
    """Let these jobs have failed."""
    return Job.objects.filter(**fields).update(status="failed", ended_at=timezone.now())
