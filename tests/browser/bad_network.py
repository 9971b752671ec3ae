"""A bad network between page and server: it drops, delays, duplicates and reorders requests.

An HTTP proxy with a seed. Each request's fault is drawn on arrival. What only reads (the page, its
words, the poll) is dropped or delayed; files are only delayed, as a page without script is another.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections import Counter
from urllib.parse import urlsplit

#: How often each fault occurs; all other requests pass at once.
FAULTS = {
    "never arrives": 0.06,
    "its answer is lost": 0.06,
    "arrives late, when the page has given up": 0.05,
    "arrives twice": 0.06,
    "arrives again later": 0.05,
    "takes its time": 0.12,
    "its answer is cut off": 0.03,
}
#: The same for what only reads, of which a table asks little, and for files.
OF_READING = {"never arrives": 0.15, "takes its time": 0.2}
OF_FILES = {"takes its time": 0.12}
LATE = (0.2, 2.5)
SLOW = (0.02, 0.4)


class BadNetwork:
    """The proxy, in a thread of its own; use it in a ``with`` block.

    Pages use ``address``; ``told`` counts what happened. While it is ``silent``, nothing is
    answered or refused.
    """

    def __init__(self, server: str, seed: int) -> None:
        parts = urlsplit(server)
        self.server = parts.hostname or "", parts.port or 80
        self.random = random.Random(seed)
        self.told: Counter[str] = Counter()
        self.good = False
        self.silent = False
        self.tasks: set[asyncio.Task[None]] = set()
        self.loop = asyncio.new_event_loop()
        self.port = 0
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.started = threading.Event()

    @property
    def address(self) -> str:
        """The proxy's address, for pages."""
        return f"http://localhost:{self.port}"

    def __enter__(self) -> BadNetwork:
        self.thread.start()
        self.started.wait(10)
        return self

    def __exit__(self, *_error: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._connected, "localhost", 0))
        self.port = server.sockets[0].getsockname()[1]
        self.started.set()
        self.loop.run_forever()
        server.close()
        # A connection just accepted still gets whoever closes it.
        self.loop.run_until_complete(asyncio.sleep(0.2))
        while left := asyncio.all_tasks(self.loop):
            for task in left:
                task.cancel()
            self.loop.run_until_complete(asyncio.wait(left))
        # Cancelled tasks close their connections in the loop's next iterations.
        self.loop.run_until_complete(asyncio.sleep(0.2))
        self.loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one request of a page; every connection carries just one."""
        # The loop itself holds only weak references to tasks.
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        try:
            request = await _message(reader)
            answer = await self._happens(request)
            if answer:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # The page has gone.
        finally:
            writer.close()

    def _fault(self, request: bytes) -> str:
        method, path, _rest = request.split(b" ", 2)
        reads = OF_FILES if path.startswith(b"/static/") else OF_READING
        drawn = self.random.random()
        for fault, share in (FAULTS if method == b"POST" else reads).items():
            drawn -= share
            if drawn < 0:
                return "" if self.good else fault
        return ""

    async def _happens(self, request: bytes) -> bytes:
        """Apply the fault drawn for the request; return the response for the page."""
        if self.silent:
            with contextlib.suppress(asyncio.CancelledError):
                while self.silent:
                    await asyncio.sleep(0.1)
            return b""
        fault = self._fault(request)
        self.told[f"{request.split(b' ', 1)[0].decode()} {fault}"] += 1
        if fault == "never arrives":
            return b""
        if fault == "arrives late, when the page has given up":
            self._again(request)
            return b""
        if fault == "takes its time":
            await asyncio.sleep(self.random.uniform(*SLOW))
        if fault == "arrives twice":
            answers = await asyncio.gather(self._ask(request), self._ask(request))
            return self.random.choice(answers)
        if fault == "arrives again later":
            self._again(request)
        answer = await self._ask(request)
        if fault == "its answer is lost":
            return b""
        if fault == "its answer is cut off":
            return answer[: len(answer) // 2]
        return answer

    def _again(self, request: bytes) -> None:
        """Send the request to the server after a delay, behind later ones."""

        async def late() -> None:
            await asyncio.sleep(self.random.uniform(*LATE))
            with contextlib.suppress(OSError):
                await self._ask(request)

        task = asyncio.ensure_future(late())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(*self.server)
        try:
            writer.write(request)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()

    def calm(self) -> None:
        """Let everything pass from now on."""
        self.good = True


async def _message(reader: asyncio.StreamReader) -> bytes:
    """Read one request, and make the server close the connection afterwards."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    kept = [line for line in lines[1:-2] if not line.lower().startswith("connection:")]
    length = next(
        (int(line.split(":")[1]) for line in kept if line.lower().startswith("content-length:")), 0
    )
    body = await reader.readexactly(length) if length else b""
    whole = "\r\n".join([lines[0], *kept, "Connection: close", "", ""])
    return whole.encode("latin-1") + body
