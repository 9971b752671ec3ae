"""The process for work outside requests: ``python -m config.worker``."""

import os
import sys
import threading
import warnings
from typing import Any

import django
from celery.platforms import SecurityWarning

from .celery import app


def work() -> None:
    """Do the queue's jobs until the pipe from the parent closes (or for ever, on a terminal)."""
    django.setup()
    from tournaments.core.queue import WAKE, Runner

    from .tasks import KINDS

    runner = Runner(KINDS)
    app.task(runner.wake, name=WAKE)
    worker: Any = None

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        if worker is None:
            # The parent has gone before the work began.
            os._exit(0)
        # A hanging job must not keep a process without a parent alive.
        threading.Timer(8, os._exit, (0,)).start()
        runner.stop(patience=4)
        worker.stop()

    threading.Thread(target=watch, daemon=True).start()
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
    worker.start()


if __name__ == "__main__":
    work()
