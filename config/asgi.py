"""ASGI entry point: what the run command serves where gunicorn does not exist (Windows)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

pages = get_asgi_application()

from scoring.live import PATH  # noqa: E402 - needs the settings
from tournaments.live import stream  # noqa: E402 - needs the settings


async def application(scope: stream.Scope, receive: stream.Receive, send: stream.Send) -> None:
    """Serve the pages, and the live stream beside them."""
    serve = stream.stream if scope["type"] == "http" and scope["path"] == PATH else pages
    await serve(scope, receive, send)
