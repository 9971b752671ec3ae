"""WSGI entry point for the page workers."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def without_bodies(application: Application) -> Application:
    """Answer HEAD requests with headers only.

    Neither Django nor waitress takes the body away, and on a kept connection it would be read as
    the beginning of the next answer.
    """

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return body
        if hasattr(body, "close"):
            body.close()
        return []

    return answer


application = without_bodies(get_wsgi_application())
