"""Which request a page process serves next: lanes by urgency, fair to each other and to addresses.

A table's writes go first, but only through a link of ours: the token in its address is checked by
its signature, without the database, so that a process knows all links from its first request on.
Somebody who floods the server with addresses that no table has waits behind everybody whom the
program knows, and cannot fill the queue.
"""

import logging
import select
import threading
import time
from collections import Counter, deque
from enum import IntEnum
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.db import connections
from waitress.utilities import Error

from scoring.reading.links import is_genuine
from tournaments.core.accounts import is_known_device
from tournaments.core.limits import address_of
from tournaments.registration.queries.player_links import is_genuine as is_genuine_player

logger = logging.getLogger(__name__)


class Lane(IntEnum):
    """Priorities of requests, the most urgent first."""

    ENTRY = 0
    CHEAP = 1
    KNOWN = 2
    STRANGER = 3
    SIGN_IN = 4


#: The lanes that each thread serves. One serves only entries and one nothing expensive. Signing in
#: has one thread to itself: it hashes passwords, which is slow on purpose.
THREADS = (
    (Lane.ENTRY,),
    (Lane.ENTRY, Lane.CHEAP),
    (Lane.ENTRY, Lane.CHEAP, Lane.KNOWN, Lane.STRANGER),
    (Lane.ENTRY, Lane.CHEAP, Lane.KNOWN, Lane.STRANGER),
    (Lane.SIGN_IN,),
)
#: A lane in which somebody waits is passed over this many times in a row at most.
MAX_PASSED_OVER = 3
#: Requests of one address that may wait in a lane, where nothing tells who asks. A hall is one
#: address, and after a draw all its phones ask at once.
MAX_WAITING = {Lane.CHEAP: 600, Lane.STRANGER: 100, Lane.SIGN_IN: 30}
_HEALTH = ("/healthz", "/readyz", "/metrics")
_EXPENSIVE = (".pdf", ".csv", ".xlsx", ".svg")
_SIGN_IN = ("/accounts/login/", "/accounts/reauthenticate/")
#: Linux tells that the other side has closed a connection without reading from it.
_CLOSED = getattr(select, "POLLRDHUP", 0) | getattr(select, "POLLHUP", 0)


class TooManyWaiting(Error):
    """The answer to an address with too many requests in the queue."""

    code = 503
    reason = "Service Unavailable"

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return status, headers and body."""
        status, headers, body = super().to_response(ident)
        return status, [*headers, ("Retry-After", "5"), ("Cache-Control", "no-store")], body


def lane_of(request: Any) -> Lane:
    """Return a request's lane; ``request`` is waitress's, whole."""
    path = request.path
    reads = request.command in ("GET", "HEAD")
    if path in _HEALTH:
        return Lane.CHEAP
    if path.startswith("/s/"):
        if not is_genuine(path[3:].partition("/")[0]):
            return Lane.STRANGER
        if not reads:
            return Lane.ENTRY
        # Pages of tables poll this all the time.
        return Lane.CHEAP if path.endswith("/live/") else Lane.KNOWN
    if path.startswith("/p/") and is_genuine_player(path[3:].partition("/")[0]):
        return Lane.KNOWN
    try:
        cookies = SimpleCookie(request.headers.get("COOKIE", ""))
    except CookieError:
        return Lane.STRANGER
    if not reads and path.startswith(_SIGN_IN):
        return Lane.SIGN_IN
    if is_known_device({name: each.value for name, each in cookies.items()}):
        return Lane.KNOWN
    if (
        not reads
        or path.endswith(_EXPENSIVE)
        or "/desk/" in path
        or settings.SESSION_COOKIE_NAME in cookies
        or request.query
    ):
        return Lane.STRANGER
    return Lane.CHEAP


class Lanes:
    """Threads that serve requests by lane; waitress calls this a task dispatcher."""

    def __init__(self) -> None:
        self._waiting: tuple[deque[tuple[Any, str]], ...] = tuple(deque() for _lane in Lane)
        #: How many requests of each address wait in each lane.
        self._of_address: tuple[Counter[str], ...] = tuple(Counter() for _lane in Lane)
        #: How often each lane was passed over in a row while somebody waited in it.
        self._passed_over = [0 for _lane in Lane]
        self._lock = threading.Lock()
        #: Idle threads: the lanes that each serves, and its condition.
        self._idle: list[tuple[tuple[Lane, ...], threading.Condition]] = []
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._serve, args=(lanes,), daemon=True) for lanes in THREADS
        ]
        for thread in self._threads:
            thread.start()

    def add_task(self, task: Any) -> None:
        """Queue a task; ``task`` is a channel with a complete request."""
        request = task.requests[0]
        lane = Lane.CHEAP if request.error else lane_of(request)
        address = ""
        with self._lock:
            if lane in MAX_WAITING:
                forwarded = request.headers.get("X_FORWARDED_FOR", "")
                address = address_of(task.addr[0] if task.addr else "", forwarded)
                if self._of_address[lane][address] >= MAX_WAITING[lane] and not request.error:
                    request.error = TooManyWaiting(
                        "Too many requests from this address are waiting. Try again in a moment."
                    )
                    lane = Lane.CHEAP
                self._of_address[lane][address] += 1
            self._waiting[lane].append((task, address))
            # Prefer the thread that can do the least else.
            able = [each for each in self._idle if lane in each[0]]
            if able:
                chosen = min(able, key=lambda each: len(each[0]))
                self._idle.remove(chosen)
                chosen[1].notify()

    def _serve(self, lanes: tuple[Lane, ...]) -> None:
        me = (lanes, threading.Condition(self._lock))
        while True:
            with self._lock:
                while (lane := self._next(lanes)) is None:
                    if self._stopping:
                        # Closes the thread's connections, so that SQLite tidies its log away.
                        connections.close_all()
                        return
                    if me not in self._idle:
                        self._idle.append(me)
                    me[1].wait()
                if me in self._idle:
                    self._idle.remove(me)
                task, address = self._waiting[lane].popleft()
                if address:
                    self._of_address[lane][address] -= 1
                    if not self._of_address[lane][address]:
                        del self._of_address[lane][address]
            try:
                if is_gone(task):
                    # The polling thread closes the channel.
                    task.cancel()
                    task.server.pull_trigger()
                else:
                    task.service()
            except Exception:
                logger.exception("a request could not be served")

    def _next(self, lanes: tuple[Lane, ...]) -> Lane | None:
        """Return the lane whose turn it is among these, and count whom it passes over."""
        waiting = [lane for lane in lanes if self._waiting[lane]]
        if not waiting:
            return None
        overdue = [lane for lane in waiting if self._passed_over[lane] >= MAX_PASSED_OVER]
        chosen = max(overdue, key=lambda lane: self._passed_over[lane], default=waiting[0])
        for lane in waiting:
            self._passed_over[lane] = 0 if lane == chosen else self._passed_over[lane] + 1
        return chosen

    def shutdown(self, cancel_pending: bool = True, timeout: float = 20) -> bool:
        """Finish the requests already read, within ``timeout`` seconds."""
        with self._lock:
            self._stopping = True
            for _lanes, condition in self._idle:
                condition.notify()
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0, deadline - time.monotonic()))
        return True


def is_gone(channel: Any) -> bool:
    """Return whether the client has closed its connection, so that nobody would read an answer."""
    if not _CLOSED:
        return False
    watch = select.poll()
    watch.register(channel.socket, _CLOSED)
    return any(event & _CLOSED for _descriptor, event in watch.poll(0))
