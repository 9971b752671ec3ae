"""The process for work outside requests."""

import os
import threading
import warnings
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from celery.platforms import SecurityWarning

from tournaments.core.queue import WAKE, Runner

from .celery import app
from .tasks import KINDS


def main(parent: Connection) -> None:
    """Do the queue's jobs until the pipe from the parent closes."""
    runner = Runner(KINDS)
    app.task(runner.wake, name=WAKE)
    worker: Any = None

    def watch() -> None:
        with suppress(EOFError, OSError):
            parent.recv_bytes()
        if worker is None:
            # The parent has gone before the work began.
            os._exit(0)
        # A hanging job must not keep a process without a parent alive.
        threading.Timer(8, os._exit, (0,)).start()
        runner.stop(patience=4)
        worker.stop()

    threading.Thread(target=watch, daemon=True).start()
    # Checks would touch most of what the parent has loaded, and what is touched is no longer
    # shared with it.
    os.environ["CELERY_SKIP_CHECKS"] = "true"
    # ``serve`` says this once, in our own words.
    warnings.simplefilter("ignore", SecurityWarning)
    worker = app.Worker(
        # It only wakes the runner's threads.
        pool="solo",
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    runner.start()
    try:
        worker.start()
    finally:
        runner.stop(patience=4)
