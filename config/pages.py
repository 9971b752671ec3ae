"""The process that serves the pages: waitress, with request deadlines and priority lanes.

One thread reads all requests completely before any work begins, so a slow client holds a socket and
nothing else. A client that has not sent a whole request in time is dropped; if there are too many,
the oldest go first. Complete requests wait in lanes (``config/lanes.py``). Both are our own:
waitress begins its timeout anew with each byte and has one queue for all.

The run command starts as many of these processes as there are cores, on one listening socket
(``config/serving.py``), and restarts any that is killed.
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
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from django.conf import settings
from django.urls import resolve
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer

#: Timeouts in seconds: for a request's head, for the whole request, for an idle connection, and for
#: a client that reads nothing of an answer.
HEAD_TIMEOUT, REQUEST_TIMEOUT, IDLE_TIMEOUT, SEND_TIMEOUT = 10, 60, 15, 60
#: An answer is read at this many bytes a second at least, measured over so many seconds: a large
#: print takes its time on a slow phone, but a byte now and then holds no connection.
MIN_RATE, RATE_WINDOW = 500, 600
#: Connections per process with incomplete requests.
MAX_INCOMPLETE = 400
#: File descriptors that the process needs for itself: database, logs, Redis.
RESERVED_DESCRIPTORS = 64
MAX_CONNECTIONS = 4000

logger = logging.getLogger(__name__)


class Parser(HTTPRequestParser):
    """A request that is passed on without its body if that is too large: Django says so, in the
    reader's language."""

    def received(self, data: bytes) -> int:
        taken: int = super().received(data)
        if self.completed and self.content_length >= settings.MAX_REQUEST:
            self.error = None
            self.headers["CONNECTION"] = "close"
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Refuse a request with two lengths: a proxy may have believed the other one."""
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("A request has one length.")


class Channel(HTTPChannel):
    """A connection that knows since when it has been waiting for a request."""

    parser_class = Parser

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.owes_since = time.time()
        #: When the unread part of an answer was last measured, and what was left of it.
        self.measured: tuple[float, int] | None = None
        super().__init__(*args, **kwargs)

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.owes_since = time.time()
        # Nothing is received before an answer has gone.
        self.measured = None
        done: bool = super().received(data)
        return done

    def is_late(self, now: float) -> bool:
        """Return whether the other side has had enough time."""
        if self.requests:
            return False
        if left := self.total_outbufs_len:
            if now - self.last_activity > SEND_TIMEOUT:
                return True
            if self.measured and now - self.measured[0] <= RATE_WINDOW:
                return False
            before, self.measured = self.measured, (now, left)
            return bool(before and before[1] - left < MIN_RATE * RATE_WINDOW)
        if self.request is None:
            since, timeout = max(self.last_activity, self.owes_since), IDLE_TIMEOUT
        else:
            since = self.owes_since
            timeout = REQUEST_TIMEOUT if self.request.headers_finished else HEAD_TIMEOUT
        return bool(now - since > timeout)

    @property
    def is_incomplete(self) -> bool:
        """Whether its request is still incomplete."""
        return not (self.requests or self.total_outbufs_len)


class TlsChannel(Channel):
    """A connection over TLS; the handshake is a part of reading and writing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # One thread may read while another sends, and both change the TLS state.
        self._tls_lock = threading.Lock()
        super().__init__(*args, **kwargs)

    def handle_read(self) -> None:
        """Read everything available: data already decrypted triggers no further event."""
        try:
            with self._tls_lock:
                data = self.socket.recv(self.adj.recv_bytes)
                while self.socket.pending():
                    data += self.socket.recv(self.adj.recv_bytes)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            # Gone, or a client that speaks plain http.
            self.handle_close()
            return
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what can be sent now; return the number of bytes."""
        try:
            with self._tls_lock:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0


class Server(TcpWSGIServer):
    """Waitress's server with the deadlines, and TLS if there is a certificate."""

    channel_class = Channel
    tls: ssl.SSLContext | None = None

    def accept(self) -> Any:
        """Accept a connection, over TLS if the server speaks https."""
        found = super().accept()
        if found is None or self.tls is None:
            return found
        connection, origin = found
        connection.setblocking(False)
        return (
            self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False),
            origin,
        )

    def maintenance(self, now: float) -> None:
        """Drop late connections, and the oldest if too many requests are incomplete."""
        channels = list(self.active_channels.values())
        incomplete = sorted(
            (channel for channel in channels if channel.is_incomplete),
            key=lambda channel: channel.owes_since,
        )
        too_many = set(map(id, incomplete[: max(0, len(incomplete) - MAX_INCOMPLETE)]))
        for channel in channels:
            if id(channel) in too_many or channel.is_late(now):
                channel.will_close = True

    def handle_accept(self) -> None:
        """Accept a connection; if there are very many, run the next cleanup at once."""
        super().handle_accept()
        if len(self.active_channels) > 2 * MAX_INCOMPLETE:
            self.next_channel_cleanup = 0


def serve(listening: socket.socket, application: Any, tls: ssl.SSLContext | None = None) -> None:
    """Serve on a listening socket, until the pipe from the parent closes or Ctrl-C."""
    # It knows links and devices, so Django must be set up before it is imported.
    from .lanes import Lanes

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
        max_request_body_size=settings.MAX_REQUEST,
        # Django reads these headers if proxies are trusted; otherwise they are removed.
        clear_untrusted_proxy_headers=not settings.TRUST_PROXY,
        ident=None,
        url_scheme="https" if tls else "http",
    )
    if tls:
        server.tls, server.channel_class = tls, TlsChannel

    def stop(*_signal: Any) -> None:
        # In the polling thread, between two rounds.
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
    return max(50, min(MAX_CONNECTIONS, soft - RESERVED_DESCRIPTORS))


def main(parent: Connection, listening: socket.socket) -> None:
    """Serve on an inherited socket until the pipe from the parent closes."""

    def watch() -> None:
        with suppress(EOFError, OSError):
            parent.recv_bytes()
        os.kill(os.getpid(), signal.SIGTERM)

    from .memory import tune_garbage_collection
    from .preparing import tls
    from .wsgi import application

    threading.Thread(target=watch, daemon=True).start()
    # Import all views before the first request needs them.
    resolve("/healthz")
    tune_garbage_collection()
    serve(listening, application, tls())
