"""WSGI entry point for the page workers."""

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

#: What a form claims about its encoding: ours are in UTF-8, and others are no text at all (rot13),
#: or bring signs that no database takes (unicode_escape).
_CHARSET = re.compile(r";\s*charset[^;]*", re.IGNORECASE)

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


def in_utf8(application: Application) -> Application:
    """Read every form as UTF-8."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ["CONTENT_TYPE"] = _CHARSET.sub("", environ.get("CONTENT_TYPE", ""))
        return application(environ, start_response)

    return answer


application = in_utf8(without_bodies(get_wsgi_application()))
