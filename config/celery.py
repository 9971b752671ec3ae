"""The Celery application, by which pages tell a worker that there is work."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("chicago")
app.config_from_object("django.conf:settings", namespace="CELERY")
