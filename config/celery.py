"""The Celery application: long jobs run here, never inside a request."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("chicago")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["tournaments.prints", "tournaments.registration"])


@worker_ready.connect
def on_worker_ready(**kwargs: Any) -> None:
    """Let the worker do the chores as well."""
    from . import chores

    chores.start()
