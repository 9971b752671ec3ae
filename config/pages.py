"""The process that serves the pages: waitress, with deadlines for requests and lanes for work.

One thread reads all requests whole before any work begins, so a client that dribbles holds a
socket and nothing else; whoever has not sent a whole request in time is let go, the oldest first
where they are many. What has been read waits in one of three lanes, and there is always a thread
that no dear page can take.

The run command starts as many of these processes as there are cores, on one listening socket
(``config/serving.py``), and starts one again that was killed.
"""

import logging
import os
import select
import signal
import socket
import ssl
import sys
import threading
import time
from collections import deque
from enum import IntEnum
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.db import connections
from django.urls import resolve
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer

#: Seconds for the head of a request, for all of it, for a connection that waits for the next one,
#: and for a reader who takes nothing of an answer.
HEAD, WHOLE, IDLE, UNREAD = 10, 60, 15, 60
#: Connections of a process that may be on the way to a whole request.
MOST_UNDONE = 400
#: Descriptors that the process needs for itself: database, logs, Redis.
OWN_DESCRIPTORS = 64
MOST_CONNECTIONS = 4000
#: Bytes of a request; a spreadsheet is the largest thing that anybody sends.
LARGEST = 32 * 1024 * 1024

logger = logging.getLogger(__name__)


class Lane(IntEnum):
    """What goes before what."""

    ENTRY = 0
    CHEAP = 1
    DEAR = 2


#: Which lanes a thread serves: one none but entries, one nothing dear, the others all.
THREADS = (Lane.ENTRY, Lane.CHEAP, Lane.DEAR, Lane.DEAR)
_DEAR = (".pdf", ".csv", ".xlsx", ".svg")


def lane_of(request: Any) -> Lane:
    """Return how a request waits: what a table writes first, then what is kept or small."""
    path = request.path
    reads = request.command in ("GET", "HEAD")
    if path.startswith("/s/"):
        if not reads:
            return Lane.ENTRY
        # What a table's page asks for all the time, and the page itself.
        return Lane.CHEAP if path.endswith("/live/") else Lane.DEAR
    if not reads or path.endswith(_DEAR) or "/desk/" in path:
        return Lane.DEAR
    try:
        cookies = SimpleCookie(request.headers.get("COOKIE", ""))
    except CookieError:
        return Lane.DEAR
    return Lane.DEAR if settings.SESSION_COOKIE_NAME in cookies or request.query else Lane.CHEAP


class Lanes:
    """Threads that serve requests, the most urgent first; waitress calls it a task dispatcher."""

    def __init__(self) -> None:
        self._waiting: tuple[deque[Any], ...] = tuple(deque() for _lane in Lane)
        self._lock = threading.Lock()
        #: Threads with nothing to do: the last lane that each serves, and how it is woken.
        self._idle: list[tuple[Lane, threading.Condition]] = []
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._serve, args=(lane,), daemon=True) for lane in THREADS
        ]
        for thread in self._threads:
            thread.start()

    def add_task(self, task: Any) -> None:
        """Take what is to be done; ``task`` is a channel whose request is whole."""
        lane = lane_of(task.requests[0])
        with self._lock:
            self._waiting[lane].append(task)
            # The one that can do the least else.
            able = [each for each in self._idle if each[0] >= lane]
            if able:
                chosen = min(able, key=lambda each: each[0])
                self._idle.remove(chosen)
                chosen[1].notify()

    def _serve(self, last: Lane) -> None:
        me = (last, threading.Condition(self._lock))
        while True:
            with self._lock:
                while (lane := self._first(last)) is None:
                    if self._stopping:
                        # What the thread kept open: SQLite then tidies its log away.
                        connections.close_all()
                        return
                    if me not in self._idle:
                        self._idle.append(me)
                    me[1].wait()
                if me in self._idle:
                    self._idle.remove(me)
                task = self._waiting[lane].popleft()
            try:
                task.service()
            except Exception:
                logger.exception("a request could not be served")

    def _first(self, last: Lane) -> Lane | None:
        return next((lane for lane in Lane if lane <= last and self._waiting[lane]), None)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 20) -> bool:
        """Finish what has been read, for so many seconds at most."""
        with self._lock:
            self._stopping = True
            for _lane, condition in self._idle:
                condition.notify()
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0, deadline - time.monotonic()))
        return True


class Channel(HTTPChannel):
    """A connection; it knows since when it owes a request."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.owes_since = time.time()
        super().__init__(*args, **kwargs)

    def received(self, data: bytes) -> bool:
        """Take what has come."""
        if self.request is None:
            self.owes_since = time.time()
        done: bool = super().received(data)
        return done

    def is_late(self, now: float) -> bool:
        """Tell whether the other side has had time enough."""
        if self.requests:
            return False
        if self.total_outbufs_len:
            since, longest = self.last_activity, UNREAD
        elif self.request is None:
            since, longest = max(self.last_activity, self.owes_since), IDLE
        else:
            since, longest = self.owes_since, WHOLE if self.request.headers_finished else HEAD
        return bool(now - since > longest)

    @property
    def is_undone(self) -> bool:
        """Whether nothing can be done for it yet."""
        return not (self.requests or self.total_outbufs_len)


class SealedChannel(Channel):
    """A connection over TLS; greeting each other is a part of reading and writing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # One thread reads while another sends, and both move the same seal.
        self._seal = threading.Lock()
        super().__init__(*args, **kwargs)

    def handle_read(self) -> None:
        """Take what has come, all of it: what was opened already wakes nobody again."""
        try:
            with self._seal:
                data = self.socket.recv(self.adj.recv_bytes)
                while self.socket.pending():
                    data += self.socket.recv(self.adj.recv_bytes)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            # Gone, or somebody who speaks plain http.
            self.handle_close()
            return
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what goes through now; returns how much that was."""
        try:
            with self._seal:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0


class Server(TcpWSGIServer):
    """Waitress's server with the deadlines, and TLS where there is a certificate."""

    channel_class = Channel
    tls: ssl.SSLContext | None = None

    def accept(self) -> Any:
        """Take a connection, sealed where this speaks https."""
        found = super().accept()
        if found is None or self.tls is None:
            return found
        connection, origin = found
        connection.setblocking(False)
        sealed = self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return sealed, origin

    def maintenance(self, now: float) -> None:
        """Let go of those who are late, and of the oldest where too many are undone."""
        channels = list(self.active_channels.values())
        undone = sorted(
            (channel for channel in channels if channel.is_undone),
            key=lambda channel: channel.owes_since,
        )
        too_many = set(map(id, undone[: max(0, len(undone) - MOST_UNDONE)]))
        for channel in channels:
            if id(channel) in too_many or channel.is_late(now):
                channel.will_close = True

    def handle_accept(self) -> None:
        """Take a connection; too many are thinned out at once."""
        super().handle_accept()
        if len(self.active_channels) > 2 * MOST_UNDONE:
            self.next_channel_cleanup = 0


def serve(listening: socket.socket, application: Any, tls: ssl.SSLContext | None = None) -> None:
    """Serve on a socket that listens, until the pipe from the parent closes or Ctrl-C."""
    lanes = Lanes()
    server = Server(
        application,
        _sock=listening,
        dispatcher=lanes,
        bind_socket=False,
        sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        backlog=1024,
        connection_limit=_most_connections(),
        cleanup_interval=1,
        asyncore_use_poll=hasattr(select, "poll"),
        max_request_header_size=32 * 1024,
        max_request_body_size=LARGEST,
        # Django reads them where proxies are trusted; from anybody else they are taken away.
        clear_untrusted_proxy_headers=not settings.TRUST_PROXY,
        ident=None,
        url_scheme="https" if tls else "http",
    )
    if tls:
        server.tls, server.channel_class = tls, SealedChannel

    def stop(*_signal: Any) -> None:
        # In the thread that polls, between two of its rounds.
        raise SystemExit

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)
    server.run()
    server.close()


def _most_connections() -> int:
    if sys.platform == "win32":
        return 400
    import resource

    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(50, min(MOST_CONNECTIONS, soft - OWN_DESCRIPTORS))


def main(descriptor: int) -> None:
    """Serve on an inherited socket until the pipe from the parent closes."""
    # Ctrl-C reaches everybody in the terminal; the parent says when to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    from config.serving import tls
    from config.wsgi import application

    threading.Thread(target=watch, daemon=True).start()
    # All views are imported before a reader waits for them.
    resolve("/healthz")
    serve(socket.socket(fileno=descriptor), application, tls())


if __name__ == "__main__":
    main(int(sys.argv[1]))
