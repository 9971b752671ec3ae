"""How gunicorn serves the pages; read by it as its configuration (see config/serving.py).

One process with threads is the default: without Redis the cache lives in the process, and SQLite
takes one writer at a time anyway. With ``REDIS_URL`` there is a process per core.
``WEB_CONCURRENCY`` and ``WEB_THREADS`` override.
"""

import logging
import os
import threading
from typing import Any

from django.conf import settings
from gunicorn.glogging import Logger

from config import serving
from config.logs import RedactingFormatter

_redis = bool(os.environ.get("REDIS_URL"))

wsgi_app = "config.wsgi:application"
bind = os.environ.get("GUNICORN_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY") or ((os.cpu_count() or 1) if _redis else 1))
threads = int(os.environ.get("WEB_THREADS") or 8)
timeout = 60
graceful_timeout = 20
keepalive = 5
loglevel = "warning"
control_socket_disable = True
if settings.TRUST_PROXY:
    forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "*")


class RedactingLogger(Logger):
    """Gunicorn's own lines without private links."""

    def _set_handler(
        self, log: Any, output: Any, fmt: logging.Formatter, stream: Any = None
    ) -> None:
        redacting = RedactingFormatter(fmt._fmt, fmt.datefmt)
        super()._set_handler(log, output, redacting, stream)


logger_class = RedactingLogger

_beside = serving.sidecars()


def when_ready(server: Any) -> None:
    """Start what goes beside the pages, then say where they are."""
    for child in _beside:
        child.start()

    def announce() -> None:
        for child in _beside:
            child.wait_until_ready()
        serving.say_ready()

    # Not here: the processes that serve the pages start when this function returns.
    threading.Thread(target=announce, daemon=True).start()


def post_fork(server: Any, worker: Any) -> None:
    """Leave the data folder to the first process: when that is killed, it is free at once."""
    if serving.HELD in os.environ:
        os.close(int(os.environ[serving.HELD]))


def on_exit(server: Any) -> None:
    """Stop what was started beside the pages."""
    for child in _beside:
        child.stop()
