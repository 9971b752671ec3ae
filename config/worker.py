"""The process for long jobs and regular chores: ``python -m config.worker``."""

import os
import sys
import threading
import warnings
from typing import Any

from celery.platforms import SecurityWarning

from .celery import app


def work() -> None:
    """Do long jobs until the pipe from the parent closes (or for ever, on a terminal)."""
    worker: Any = None

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        if worker is None:
            # The parent has gone before the work began.
            os._exit(0)
        worker.stop()
        # A hanging job must not keep a process without a parent alive. Jobs are acknowledged after
        # the work, so it will be done again.
        threading.Timer(5, os._exit, (0,)).start()

    threading.Thread(target=watch, daemon=True).start()
    # ``serve`` says this once, in our own words.
    warnings.simplefilter("ignore", SecurityWarning)
    worker = app.Worker(
        pool="solo" if os.name == "nt" else "threads",
        concurrency=1,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()


if __name__ == "__main__":
    work()
