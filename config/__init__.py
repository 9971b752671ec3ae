"""Settings, URLs and entry points of the web application."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
