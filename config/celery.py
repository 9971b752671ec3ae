"""The Celery application: long jobs run here, never inside a request."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("chicago")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
