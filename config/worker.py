"""The process for work outside requests."""

import os
import sys
import threading
import time
import warnings
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from celery.platforms import SecurityWarning

from tournaments.core.queue import WAKE, Runner

from .celery import app
from .memory import own_memory
from .tasks import KINDS

#: A worker that has taken so many bytes more than at its start begins anew when it has no work:
#: what checking 10,000 entries or drawing loads and leaves in pieces goes back only with the
#: process. Not before so many seconds, as to begin takes half a second of the processor.
MAX_GROWTH, MIN_LIFE = 24_000_000, 60.0
#: Seconds between two looks whether it has grown.
LOOK = 5.0


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

    def begin_anew(before: int) -> None:
        time.sleep(MIN_LIFE)
        while not runner.is_idle or own_memory() - before < MAX_GROWTH:
            time.sleep(LOOK)
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
    # Only a fork begins small, and only what the run command has started is started again.
    if sys.platform == "linux" and parent_process() is not None:
        threading.Thread(target=begin_anew, args=[own_memory()], daemon=True).start()
    runner.start()
    try:
        worker.start()
    finally:
        runner.stop(patience=4)
