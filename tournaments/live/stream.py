"""The live stream: one small ASGI application that says "changed", over and over.

A page opens ``/live/?topic=…`` (server-sent events) and fetches its fragment again whenever it
hears ``changed``. All listeners of a process share one :class:`Hub`, which reads the database's
version numbers of everything that is listened to: as soon as Redis says that somebody has
written, and every second without Redis. A page that cannot reach the stream polls.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Any
from urllib.parse import parse_qs

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if __name__ == "__main__":
    django.setup()

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Topic = tuple[str, int]

logger = logging.getLogger(__name__)

#: Seconds between two looks without Redis, and at the most with it (a lost message).
LOOK = 1.0
LOOK_WITH_REDIS = 15.0
#: Seconds between two looks at the least, however much is written.
PAUSE = 0.2
#: Seconds of silence after which a line is sent, so that a dead connection is noticed.
BEAT = 20.0
MOST_LISTENERS = 4000


def versions(topics: Iterable[Topic]) -> dict[Topic, str]:
    """Return what the database says of each topic (two queries at the most per kind)."""
    from scoring.reading.versions import table_versions

    from ..core.versions import event_versions

    found: dict[Topic, str] = {}
    for kind, read in (("table", table_versions), ("event", event_versions)):
        pks = {pk for each, pk in topics if each == kind}
        if pks:
            found |= {(kind, pk): version for pk, version in read(pks).items()}
    return found


def _look_up(topics: Iterable[Topic]) -> dict[Topic, str]:
    from django.db import close_old_connections

    # Outside a request nobody else does: a database that was restarted is found again.
    close_old_connections()
    return versions(topics)


class Hub:
    """Everybody who listens, by topic, and the one task that looks for changes."""

    def __init__(self) -> None:
        self.listeners: dict[Topic, set[asyncio.Event]] = {}
        self.known: dict[Topic, str] = {}
        self.closed = False
        self._task: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def listen(self, topic: Topic) -> AsyncIterator[asyncio.Event]:
        """Give an event that is set whenever the topic has changed."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        changed = asyncio.Event()
        self.listeners.setdefault(topic, set()).add(changed)
        try:
            yield changed
        finally:
            self.listeners[topic].discard(changed)
            if not self.listeners[topic]:
                del self.listeners[topic]
                self.known.pop(topic, None)

    @property
    def full(self) -> bool:
        """Whether nobody else can listen."""
        return sum(map(len, self.listeners.values())) >= MOST_LISTENERS

    def close(self) -> None:
        """End all streams, for the server stops."""
        self.closed = True
        if self._task is not None:
            self._task.cancel()
        for waiting in self.listeners.values():
            for changed in waiting:
                changed.set()

    async def _look(self) -> None:
        async with contextlib.aclosing(_signs()) as signs:
            async for _sign in signs:
                if not self.listeners:
                    continue
                try:
                    found = await asyncio.to_thread(_look_up, set(self.listeners))
                except Exception:
                    logger.exception("the live stream could not read the database")
                    continue
                for topic, version in found.items():
                    before = self.known.get(topic)
                    self.known[topic] = version
                    if before is not None and before != version:
                        for changed in self.listeners.get(topic, ()):
                            changed.set()
                await asyncio.sleep(PAUSE)


async def _signs() -> AsyncGenerator[None]:
    """Yield whenever it is worth looking at the database."""
    from django.conf import settings

    while True:
        if settings.REDIS_URL:
            from redis import RedisError
            from redis.asyncio import Redis

            from scoring.live import CHANNEL

            try:
                async with Redis.from_url(settings.REDIS_URL) as redis, redis.pubsub() as messages:
                    await messages.subscribe(CHANNEL)
                    while True:
                        yield
                        # However much was written meanwhile, the next look finds all of it.
                        wait = LOOK_WITH_REDIS
                        while await messages.get_message(timeout=wait):
                            wait = 0
            except RedisError:
                logger.warning("no Redis: the live stream looks every second", exc_info=True)
        for _second in range(int(LOOK_WITH_REDIS / LOOK)):
            yield
            await asyncio.sleep(LOOK)


hub = Hub()


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request: the events of a topic until the reader goes or the server stops."""
    from scoring.live import read_topic

    topic = None
    reply = parse_qs(scope["query_string"].decode("latin-1")).get("topic", [""])[0]
    if scope["method"] == "GET":
        topic = read_topic(reply)
    if topic is None or hub.full or hub.closed:
        status = 404 if topic is None else 503
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        # Pages of the same program come from another port; nothing is said here but "changed".
        (b"access-control-allow-origin", b"*"),
        (b"x-accel-buffering", b"no"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    gone = asyncio.create_task(_gone(receive))
    try:
        async with hub.listen(topic) as changed:
            await _say(send, "retry: 3000\n\n")
            while not gone.done():
                heard = asyncio.create_task(changed.wait())
                await asyncio.wait({gone, heard}, timeout=BEAT, return_when="FIRST_COMPLETED")
                heard.cancel()
                if hub.closed or gone.done():
                    break
                await _say(send, "data: changed\n\n" if changed.is_set() else ":\n\n")
                changed.clear()
    finally:
        gone.cancel()
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": b""})


async def _say(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


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


def main(host: str, port: int) -> None:
    """Serve until the pipe from the parent closes (see :class:`config.serving.Sidecar`)."""
    import uvicorn

    class Server(uvicorn.Server):
        """A server whose streams end when it does."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            hub.close()
            await super().shutdown(sockets)

    server = Server(
        uvicorn.Config(
            application,
            host=host,
            port=port,
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
