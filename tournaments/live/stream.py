"""The live stream: one small ASGI application that tells pages when something has changed.

A page opens ``/live/?topic=…&seen=…`` (server-sent events) with the version it shows. Public pages
receive the changed part, rendered once for all of them; other pages receive ``changed`` and fetch
theirs. All listeners of a process share one :class:`Hub`, which reads the versions of everything
listened to from the database: as soon as Redis announces a change, or four times a second without
Redis. A page that cannot reach the stream polls instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from scoring.live import Topic

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from uvicorn.protocols.http.h11_impl import H11Protocol

    from .parts import Pages

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Thing = tuple[str, int]
#: A part's path and its language.
Shown = tuple[str, str]

logger = logging.getLogger(__name__)

#: Seconds between two reads of the database: without Redis, and with it (a message may be lost).
POLL_INTERVAL = 0.25
REDIS_POLL_INTERVAL = 15.0
#: Minimum seconds between two reads, however much is written.
MIN_PAUSE = 0.2
#: A part that only play changed is made again after so many times as long as it took. Where many
#: tables score, it would otherwise be made all the time, and the entries wait for the processor.
REST = 5
#: Seconds of silence after which an empty comment is sent, so that dead connections are noticed.
HEARTBEAT = 20.0
#: Seconds that a listener has to accept what is sent, and to send its request.
SEND_TIMEOUT, REQUEST_TIMEOUT = 30.0, 10.0
#: Bytes that the system buffers for a listener. With its default of some megabytes it would take
#: long to notice that a listener reads nothing.
SEND_BUFFER = 32 * 1024
#: Maximum number of listeners, of one link or account, the share of places reserved for those, and
#: the share of the others that one address may take.
MAX_LISTENERS = 4000
MAX_PER_ACCOUNT = 40
SHARE_FOR_LINKS = 0.1
SHARE_PER_ADDRESS = 0.5
#: File descriptors reserved for other purposes, and connections waiting to be accepted.
RESERVED_DESCRIPTORS, BACKLOG = 64, 128


def capacity() -> int:
    """Return how many connections the process can hold."""
    if sys.platform == "win32":
        return 400
    import resource

    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(10, min(MAX_LISTENERS, soft - RESERVED_DESCRIPTORS - BACKLOG))


def versions(things: Iterable[Thing]) -> dict[Thing, tuple[str, str]]:
    """Return the database's version of each thing (one query per kind).

    The second text is the version of what is not play: a director's acts, closed heats.
    """
    from scoring.reading.tables import table_versions

    from ..core.versions import event_versions

    found: dict[Thing, tuple[str, str]] = {}
    if tables := {pk for kind, pk in things if kind == "table"}:
        found |= {("table", pk): (version, "") for pk, version in table_versions(tables).items()}
    if events := {pk for kind, pk in things if kind == "event"}:
        found |= {("event", pk): both for pk, both in event_versions(events).items()}
    return found


def _read_versions(things: Iterable[Thing]) -> dict[Thing, tuple[str, str]]:
    from django.db import close_old_connections

    # Nothing else does so outside a request; reconnects after the database was restarted.
    close_old_connections()
    return versions(things)


@dataclass(eq=False)
class Listener:
    """A listening page: the version it has seen, and what to send next."""

    topic: Topic
    seen: str
    compressed: bool = False
    address: str = ""
    mark: str = ""
    waiting: bytes = b""
    told: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, text: bytes, piece: bytes) -> None:
        """Set what to send next; anything not yet sent is out of date and dropped."""
        self.waiting = piece if self.compressed else text
        self.told.set()


class Hub:
    """All listeners, and the one task that polls for changes."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.closed = False
        self._wake = asyncio.Event()
        self._woken_by_redis = False
        self._failing = False
        self._pages: Pages | None = None
        # One thread: each has a connection to the database, and memory that it does not give back.
        self._thread = ThreadPoolExecutor(1)
        #: Parts that rest: until when, and the version of all but play that they show.
        self._resting: dict[Shown, tuple[float, str | None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def listen(
        self, topic: Topic, seen: str, compressed: bool, address: str
    ) -> AsyncIterator[Listener]:
        """Yield a listener, which is told whenever its topic differs from what it has seen."""
        if not self._tasks or any(task.done() for task in self._tasks):
            for task in self._tasks:
                task.cancel()
            self._tasks = [asyncio.create_task(each()) for each in (self._poll, self._hear_redis)]
        listener = Listener(topic, seen, compressed, address)
        self.listeners.add(listener)
        # Something may have been written between loading the page and opening the stream.
        self._wake.set()
        try:
            yield listener
        finally:
            self.listeners.discard(listener)

    def is_full_for(self, who: str, address: str) -> bool:
        """Return whether there is no place left for ``who``.

        Strangers share one part of the places, of which an address gets half at most; nobody whom
        the program knows takes any of them.
        """
        most, taken = capacity(), len(self.listeners)
        if who:
            same = sum(each.topic.who == who for each in self.listeners)
            return same >= MAX_PER_ACCOUNT or taken >= most
        strangers = [each.address for each in self.listeners if not each.topic.who]
        places = most * (1 - SHARE_FOR_LINKS)
        return (
            taken >= most
            or len(strangers) >= places
            or strangers.count(address) >= places * SHARE_PER_ADDRESS
        )

    def close(self) -> None:
        """End all streams, as the server is stopping."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        for listener in self.listeners:
            listener.told.set()

    async def _poll(self) -> None:
        while True:
            # Without Redis, the pause after the last read is a part of the interval.
            timeout = REDIS_POLL_INTERVAL if self._woken_by_redis else POLL_INTERVAL - MIN_PAUSE
            if self._resting:
                timeout = min(timeout, POLL_INTERVAL - MIN_PAUSE)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), timeout)
            self._wake.clear()
            if not self.listeners:
                self._resting.clear()
                continue
            began = time.monotonic()
            try:
                await self._push()
                self._failing = False
            except Exception:
                # Logged once, not at every read while the database is away.
                if not self._failing:
                    logger.exception("the live stream could not read the database")
                self._failing = True
            # At most half of the time is spent reading, however much is written.
            await asyncio.sleep(max(MIN_PAUSE, time.monotonic() - began))

    async def _push(self) -> None:
        found = await self._in_thread(_read_versions, {each.topic.thing for each in self.listeners})
        now = time.monotonic()
        self._resting = {what: each for what, each in self._resting.items() if each[0] > now}
        late: dict[Shown, list[Listener]] = {}
        for listener in list(self.listeners):
            version = found.get(listener.topic.thing)
            if version is not None and version[0] != listener.seen:
                shown = listener.topic.part, listener.topic.language
                _until, directed = self._resting.get(shown, (0.0, None))
                if directed != version[1]:
                    late.setdefault(shown, []).append(listener)
        # What is quickly told goes first.
        for shown in sorted(late, key=lambda shown: shown[0] != ""):
            await self._tell(shown, late[shown], found)

    async def _tell(
        self, shown: Shown, listeners: list[Listener], found: Mapping[Thing, tuple[str, str]]
    ) -> None:
        from .parts import event_text, gzip_piece

        began = time.monotonic()
        made = await self._in_thread(self._part, *shown) if shown[0] else None
        now = time.monotonic()
        mark, text = ("", "data: changed\n\n")
        if made is not None:
            mark, text = made[0], event_text(*made)
            directed = found[listeners[0].topic.thing][1]
            self._resting[shown] = now + REST * (now - began), directed
        plain, piece = text.encode(), gzip_piece(text)
        for listener in listeners:
            listener.seen = found[listener.topic.thing][0]
            if not mark or listener.mark != mark:
                listener.mark = mark
                listener.tell(plain, piece)

    async def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _part(self, path: str, language: str) -> tuple[str, str] | None:
        from django.db import close_old_connections

        from .parts import Pages

        close_old_connections()
        if self._pages is None:
            self._pages = Pages()
        return self._pages.get(path, language)

    async def _hear_redis(self) -> None:
        """Poll at once whenever Redis announces a change."""
        from scoring.live import CHANNEL, redis_url

        if not redis_url():
            await asyncio.Event().wait()
        from redis import RedisError
        from redis.asyncio import Redis

        while True:
            try:
                async with Redis.from_url(redis_url()) as redis, redis.pubsub() as messages:
                    await messages.subscribe(CHANNEL)
                    self._woken_by_redis = True
                    while True:
                        if await messages.get_message(timeout=REDIS_POLL_INTERVAL):
                            self._wake.set()
            except (RedisError, OSError):
                if self._woken_by_redis:
                    logger.warning("no Redis: the live stream polls four times a second")
                self._woken_by_redis = False
            await asyncio.sleep(REDIS_POLL_INTERVAL)


hub = Hub()


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request: send a topic's events until the reader leaves or the server stops."""
    from scoring.live import read_topic

    from ..core.limits import address_of
    from .parts import GZIP_HEAD, gzip_piece

    query = parse_qs(scope["query_string"].decode("latin-1"))
    asked = dict(scope["headers"])
    forwarded = asked.get(b"x-forwarded-for", b"").decode("latin-1")
    address = address_of((scope.get("client") or ("",))[0], forwarded)
    topic = None
    if scope["method"] == "GET":
        topic = read_topic(query.get("topic", [""])[0])
    if topic is None or hub.closed or hub.is_full_for(topic.who, address):
        status = 404 if topic is None else 503
        await send({"type": "http.response.start", "status": status, "headers": _REFUSED})
        await send({"type": "http.response.body", "body": b""})
        return
    accepted = asked.get(b"accept-encoding", b"")
    compressed = bool(topic.part) and b"gzip" in accepted
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        # The program's pages are on another port; the stream reveals no more than they do.
        (b"access-control-allow-origin", b"*"),
        (b"x-accel-buffering", b"no"),
    ]
    if compressed:
        headers.append((b"content-encoding", b"gzip"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    # No task per wait and send: a change wakes a thousand of these at once.
    gone = asyncio.create_task(_wait_for_disconnect(receive))
    begin, beat = "retry: 3000\n\n", ":\n\n"
    with contextlib.suppress(OSError, TimeoutError):
        async with hub.listen(topic, query.get("seen", [""])[0], compressed, address) as listener:
            gone.add_done_callback(lambda _task: listener.told.set())
            await _send_chunk(send, GZIP_HEAD + gzip_piece(begin) if compressed else begin.encode())
            while not gone.done():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT):
                        await listener.told.wait()
                if hub.closed or gone.done():
                    break
                text = listener.waiting or (gzip_piece(beat) if compressed else beat.encode())
                listener.waiting = b""
                listener.told.clear()
                await _send_chunk(send, text)
    gone.cancel()
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": b""})


_REFUSED = [(b"retry-after", b"30"), (b"connection", b"close")]


async def _send_chunk(send: Send, text: bytes) -> None:
    message = {"type": "http.response.body", "body": text, "more_body": True}
    async with asyncio.timeout(SEND_TIMEOUT):
        await send(message)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve the stream and nothing else."""
    from scoring.live import PATH

    if scope["type"] != "http":
        return
    if scope["path"] != PATH:
        # Closed at once: on a kept connection, each byte of a next request restarts the timeout.
        await send({"type": "http.response.start", "status": 404, "headers": _REFUSED})
        await send({"type": "http.response.body", "body": b""})
        return
    await stream(scope, receive, send)


_full_since = 0.0


def _log_rarely(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log errors in the event loop, but running out of file descriptors only once a minute.

    The loop reports that every second for each waiting connection.
    """
    global _full_since
    error = context.get("exception")
    if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
        loop.default_exception_handler(context)
    elif time.monotonic() - _full_since > 60 or not _full_since:
        _full_since = time.monotonic()
        logger.warning("the live stream has no descriptor left for another connection")


def protocol() -> type[H11Protocol]:
    """Return uvicorn's protocol with bounds for those who do not ask, read or answer."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        """Refuses connections early when full, and closes those that send no request."""

        # A server's transport, as uvicorn itself narrows it.
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > capacity():
                transport.write(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n")
                transport.close()
                return
            line = transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                # A device that has left confirms nothing; elsewhere the system waits for minutes.
                line.setsockopt(
                    socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SEND_TIMEOUT * 1000)
                )
            self.loop.call_later(REQUEST_TIMEOUT, self._end_if_silent)

        def _end_if_silent(self) -> None:
            if self.cycle is None and not self.transport.is_closing():
                self.transport.close()

    return Protocol


def main(parent: Connection, host: str, port: int) -> None:
    """Serve until the pipe from the parent closes (see :class:`config.serving.Sidecar`)."""
    import uvicorn
    from django.conf import settings

    class Server(uvicorn.Server):
        """A server that ends its streams when it stops."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            asyncio.get_running_loop().set_exception_handler(_log_rarely)
            await super().startup(sockets)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            hub.close()
            await super().shutdown(sockets)

    server = Server(
        uvicorn.Config(
            application,
            host=host,
            port=port,
            ssl_certfile=settings.TLS_CERTIFICATE or None,
            ssl_keyfile=settings.TLS_KEY or None,
            http=protocol(),
            backlog=BACKLOG,
            log_level="warning",
            # The program's own logging, which removes private links.
            log_config=None,
            lifespan="off",
            timeout_graceful_shutdown=2,
        )
    )

    def watch() -> None:
        with contextlib.suppress(EOFError, OSError):
            parent.recv_bytes()
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
