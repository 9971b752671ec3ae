"""The live stream: one small ASGI application that says "changed", over and over.

A page opens ``/live/?topic=…&seen=…`` (server-sent events) with the version that it shows. Public
pages are sent the part that changed, made once for all of them; the others hear ``changed`` and
fetch theirs. All listeners of a process share one :class:`Hub`, which reads the database's version
numbers of everything that is listened to: as soon as Redis says that somebody has written, and
four times a second without Redis. A page that cannot reach the stream polls.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if __name__ == "__main__":
    django.setup()

from scoring.live import Topic

if TYPE_CHECKING:
    from .parts import Pages

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Thing = tuple[str, int]

logger = logging.getLogger(__name__)

#: Seconds between two looks without Redis, and at the most with it (a lost message).
LOOK = 0.25
LOOK_WITH_REDIS = 15.0
#: Seconds between two looks at the least, however much is written.
PAUSE = 0.2
#: Seconds of silence after which a line is sent, so that a dead connection is noticed.
BEAT = 20.0
#: Seconds that a listener may take to take what is sent, and to say what it wants to hear.
UNREAD, UNSAID = 30.0, 10.0
#: Listeners at the most, of one link or account, and what is left to those by everybody else.
MOST_LISTENERS = 4000
MOST_OF_ONE = 40
LEFT_FOR_LINKS = 0.1
#: Descriptors that the process needs besides, and connections that wait to be accepted.
OWN_DESCRIPTORS, BACKLOG = 64, 128


def capacity() -> int:
    """Return how many connections the process can hold."""
    if sys.platform == "win32":
        return 400
    import resource

    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(10, min(MOST_LISTENERS, soft - OWN_DESCRIPTORS - BACKLOG))


def versions(things: Iterable[Thing]) -> dict[Thing, str]:
    """Return what the database says of each thing (one query per kind)."""
    from scoring.reading.versions import table_versions

    from ..core.versions import event_versions

    found: dict[Thing, str] = {}
    for kind, read in (("table", table_versions), ("event", event_versions)):
        pks = {pk for each, pk in things if each == kind}
        if pks:
            found |= {(kind, pk): version for pk, version in read(pks).items()}
    return found


def _look_up(things: Iterable[Thing]) -> dict[Thing, str]:
    from django.db import close_old_connections

    # Outside a request nobody else does: a database that was restarted is found again.
    close_old_connections()
    return versions(things)


@dataclass(eq=False)
class Listener:
    """One page that listens: what it has seen, and what it is to be told."""

    topic: Topic
    seen: str
    compressed: bool = False
    mark: str = ""
    waiting: bytes = b""
    told: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, text: str, squeezed: bytes) -> None:
        """Leave something for it; what it has not taken yet is older and goes."""
        self.waiting = squeezed if self.compressed else text.encode()
        self.told.set()


class Hub:
    """Everybody who listens, and the one task that looks for changes."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.closed = False
        self._sign = asyncio.Event()
        self._woken_by_redis = False
        self._troubled = False
        self._pages: Pages | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def listen(self, topic: Topic, seen: str, compressed: bool) -> AsyncIterator[Listener]:
        """Give a listener that is told whenever its topic is not what it has seen."""
        if not self._tasks or any(task.done() for task in self._tasks):
            for task in self._tasks:
                task.cancel()
            self._tasks = [asyncio.create_task(each()) for each in (self._look, self._hear_redis)]
        listener = Listener(topic, seen, compressed)
        self.listeners.add(listener)
        # It may have been written between the page and its stream.
        self._sign.set()
        try:
            yield listener
        finally:
            self.listeners.discard(listener)

    def is_full_for(self, who: str) -> bool:
        """Whether somebody cannot listen: everybody shares a part, a link and an account theirs."""
        most, taken = capacity(), Counter(each.topic.who for each in self.listeners)
        if who:
            return taken[who] >= MOST_OF_ONE or len(self.listeners) >= most
        return len(self.listeners) >= most * (1 - LEFT_FOR_LINKS)

    def close(self) -> None:
        """End all streams, for the server stops."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        for listener in self.listeners:
            listener.told.set()

    async def _look(self) -> None:
        while True:
            longest = LOOK_WITH_REDIS if self._woken_by_redis else LOOK
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._sign.wait(), longest)
            self._sign.clear()
            if not self.listeners:
                continue
            began = time.monotonic()
            try:
                await self._tell()
                self._troubled = False
            except Exception:
                # Once: a database that is away is away for every look.
                if not self._troubled:
                    logger.exception("the live stream could not read the database")
                self._troubled = True
            # Never more than half of the time, however much is written.
            await asyncio.sleep(max(PAUSE, time.monotonic() - began))

    async def _tell(self) -> None:
        found = await asyncio.to_thread(_look_up, {each.topic.thing for each in self.listeners})
        late: dict[tuple[str, str], list[Listener]] = {}
        for listener in list(self.listeners):
            version = found.get(listener.topic.thing)
            if version is not None and version != listener.seen:
                late.setdefault((listener.topic.part, listener.topic.language), []).append(listener)
        if late:
            from .parts import event_text, squeezed

            for (path, language), listeners in late.items():
                made = await asyncio.to_thread(self._part, path, language) if path else None
                mark, text = ("", "data: changed\n\n")
                if made is not None:
                    mark, text = made[0], event_text(*made)
                piece = squeezed(text)
                for listener in listeners:
                    listener.seen = found[listener.topic.thing]
                    if not mark or listener.mark != mark:
                        listener.mark = mark
                        listener.tell(text, piece)

    def _part(self, path: str, language: str) -> tuple[str, str] | None:
        from django.db import close_old_connections

        from .parts import Pages

        close_old_connections()
        if self._pages is None:
            self._pages = Pages()
        return self._pages.get(path, language)

    async def _hear_redis(self) -> None:
        """Look whenever Redis says that somebody has written."""
        from django.conf import settings

        if not settings.REDIS_URL:
            await asyncio.Event().wait()
        from redis import RedisError
        from redis.asyncio import Redis

        from scoring.live import CHANNEL

        while True:
            try:
                async with Redis.from_url(settings.REDIS_URL) as redis, redis.pubsub() as messages:
                    await messages.subscribe(CHANNEL)
                    self._woken_by_redis = True
                    while True:
                        if await messages.get_message(timeout=LOOK_WITH_REDIS):
                            self._sign.set()
            except (RedisError, OSError):
                if self._woken_by_redis:
                    logger.warning("no Redis: the live stream looks four times a second")
                self._woken_by_redis = False
            await asyncio.sleep(LOOK_WITH_REDIS)


hub = Hub()


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request: the events of a topic until the reader goes or the server stops."""
    from scoring.live import read_topic

    from .parts import GZIP_HEAD, squeezed

    query = parse_qs(scope["query_string"].decode("latin-1"))
    topic = None
    if scope["method"] == "GET":
        topic = read_topic(query.get("topic", [""])[0])
    if topic is None or hub.closed or hub.is_full_for(topic.who):
        status = 404 if topic is None else 503
        await send({"type": "http.response.start", "status": status, "headers": _REFUSED})
        await send({"type": "http.response.body", "body": b""})
        return
    accepted = dict(scope["headers"]).get(b"accept-encoding", b"")
    compressed = bool(topic.part) and b"gzip" in accepted
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        # Pages of the same program come from another port; no more is said here than they show.
        (b"access-control-allow-origin", b"*"),
        (b"x-accel-buffering", b"no"),
    ]
    if compressed:
        headers.append((b"content-encoding", b"gzip"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    gone = asyncio.create_task(_gone(receive))
    begin, beat = "retry: 3000\n\n", ":\n\n"
    with contextlib.suppress(OSError, TimeoutError):
        async with hub.listen(topic, query.get("seen", [""])[0], compressed) as listener:
            await _say(send, GZIP_HEAD + squeezed(begin) if compressed else begin.encode())
            while not gone.done():
                told = asyncio.create_task(listener.told.wait())
                await asyncio.wait({gone, told}, timeout=BEAT, return_when="FIRST_COMPLETED")
                told.cancel()
                if hub.closed or gone.done():
                    break
                text = listener.waiting or (squeezed(beat) if compressed else beat.encode())
                listener.waiting = b""
                listener.told.clear()
                await _say(send, text)
    gone.cancel()
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": b""})


_REFUSED = [(b"retry-after", b"30"), (b"connection", b"close")]


async def _say(send: Send, text: bytes) -> None:
    message = {"type": "http.response.body", "body": text, "more_body": True}
    await asyncio.wait_for(send(message), UNREAD)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve the stream and nothing else."""
    from scoring.live import PATH

    if scope["type"] != "http":
        return
    if scope["path"] != PATH:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await stream(scope, receive, send)


_full_since = 0.0


def _say_once(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong in the loop; that there are no descriptors left once a minute.

    The loop says it of each connection that waits, every second.
    """
    global _full_since
    error = context.get("exception")
    if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
        loop.default_exception_handler(context)
    elif time.monotonic() - _full_since > 60 or not _full_since:
        _full_since = time.monotonic()
        logger.warning("the live stream has no descriptor left for another connection")


def main(host: str, port: int) -> None:
    """Serve until the pipe from the parent closes (see :class:`config.serving.Sidecar`)."""
    import uvicorn
    from django.conf import settings
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        """A connection that is refused early where all are taken, and ended if it says nothing."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > capacity():
                transport.write(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n")
                transport.close()
            else:
                self.loop.call_later(UNSAID, self._end_if_silent)

        def _end_if_silent(self) -> None:
            if self.cycle is None and not self.transport.is_closing():
                self.transport.close()

    class Server(uvicorn.Server):
        """A server whose streams end when it does."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            asyncio.get_running_loop().set_exception_handler(_say_once)
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
            http=Protocol,
            backlog=BACKLOG,
            log_level="warning",
            # The program's own, which cuts private links out.
            log_config=None,
            lifespan="off",
            timeout_graceful_shutdown=2,
        )
    )

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
