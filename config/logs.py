"""Log lines without secrets: private links are cut out.

On a terminal they are plain text, elsewhere one JSON object per line (``LOG_FORMAT=plain`` or
``json`` overrides this). Lines logged during a request carry its id, which is also in the answer
(``X-Request-ID``).
"""

import json
import logging
import re
import secrets
import sys
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase

#: The text after these is the secret part of a link, also of one typed with other letters, more
#: slashes or an escaped one.
_SLASH = r"(?:[/\\]|%2f|%5c)+"
_SECRET = re.compile(
    rf"(?i)({_SLASH}(?:s|p|invitation)(?:{_SLASH}|\.|:)|[?&]topic=)[^/\\?&#\s\"'<>]+"
    # A table's, wherever somebody has typed it.
    rf"|({_SLASH})(?=\D*\d)[a-z2-9]{{26}}(?![\w.-])"
)
_GOOD_ID = re.compile(r"[A-Za-z0-9_.-]{4,64}\Z")

logger = logging.getLogger(__name__)

_request_id: ContextVar[str] = ContextVar("request_id", default="")


class RedactingFormatter(logging.Formatter):
    """Writes ``/s/…/`` in place of a table's, a player's or an invitation's link."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line with its traceback, without secrets."""
        request = _request_id.get()
        line = super().format(record)
        return _SECRET.sub(r"\1\2…", f"{line} [{request}]" if request else line)


class JsonFormatter(RedactingFormatter):
    """The same as JSON, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": _request_id.get(),
            "status": getattr(record, "status_code", None),
            "process": record.process,
            "traceback": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return json.dumps(
            {
                name: _SECRET.sub(r"\1\2…", value) if isinstance(value, str) else value
                for name, value in fields.items()
                if value
            },
            ensure_ascii=False,
        )


class PrintedMail(EmailBackend):
    """Prints e-mails where no mail server is set; in a log no more than their subjects."""

    def write_message(self, message: EmailMessage) -> None:
        """Write the message, with names, addresses and links only if the stream is a terminal."""
        if not self.stream.isatty():
            logger.warning("no mail server for: %s", message.subject)
            return
        # For reading: encoded headers and files are for mail servers.
        head = f"To: {', '.join(message.to)}\nSubject: {message.subject}"
        files = "".join(f"[{name}]\n" for name, *_rest in message.attachments)
        self.stream.write(f"{'-' * 79}\n{head}\n\n{message.body}{files}{'-' * 79}\n")


def formatter(
    fmt: str | None = "%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt: str | None = None
) -> logging.Formatter:
    """Return the formatter for this environment."""
    plain = settings.LOG_FORMAT == "plain" or (
        settings.LOG_FORMAT != "json" and sys.stderr is not None and sys.stderr.isatty()
    )
    return (RedactingFormatter if plain else JsonFormatter)(fmt, datefmt)


@receiver(request_finished, dispatch_uid="config.logs")
def on_request_finished(**kwargs: Any) -> None:
    """Forget the id only now, because Django logs answers after the last middleware."""
    _request_id.set("")


class RequestIdMiddleware:
    """Gives every request an id; keeps the id of a trusted proxy."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the id in a header."""
        given = request.headers.get("X-Request-ID", "") if settings.TRUST_PROXY else ""
        known = given if _GOOD_ID.match(given) else secrets.token_hex(6)
        _request_id.set(known)
        response = self.get_response(request)
        # A table's page loads some twenty static files.
        if not request.path.startswith(settings.STATIC_URL):
            response.headers["X-Request-ID"] = known
        return response
