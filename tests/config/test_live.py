"""The live stream: served beside the pages, told of writes at once, stopped with them."""

import contextlib
import json
import os
import re
import signal
import socket
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.config.phone import send_tap
from tests.config.server import Browser, Server, children, free_port
from tournaments.live.stream import BACKLOG, RESERVED_DESCRIPTORS

pytestmark = pytest.mark.pages


def redis() -> dict[str, str]:
    """With REDIS_URL set (make test-services), the stream is notified through Redis."""
    return {"REDIS_URL": os.environ["REDIS_URL"]} if os.environ.get("REDIS_URL") else {}


def stream_of(page: str) -> str:
    found = re.search(r'<meta name="live" content="([^"]+)"', page)
    assert found, "the page names no stream"
    return unescape(found[1])


@contextmanager
def listening(url: str) -> Iterator[HTTPResponse]:
    with urlopen(url, timeout=30) as answer:
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.readline() == b"retry: 3000\n"
        yield answer


def next_event(answer: HTTPResponse) -> tuple[str, str]:
    """Return the next event's kind and text; silence for 30 s fails the test."""
    kind, lines = "", []
    while True:
        line = answer.readline().decode().removesuffix("\n")
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            lines.append(line.removeprefix("data: "))
        elif not line and lines:
            return kind, "\n".join(lines)


def of_demo(server: Server) -> tuple[Browser, str, str, str]:
    """Return a browser, the demo's scoring link, and the streams of its table and its event."""
    found = re.search(r"Scoring link +(\S+)", server.output)
    assert found
    link = found[1].removeprefix(server.address)
    browser = Browser(server.address)
    table = json.loads(browser.post_json(f"{link}sync/", b"{}")[1])["document"]["live"]
    return browser, link, table, stream_of(Browser(server.address).get("/e/demo/")[1])


@pytest.mark.redis
def test_a_page_learns_of_an_entry_at_once(demo_data: Path) -> None:
    with Server(demo_data, LIVE_PORT=str(free_port()), **redis()) as server:
        browser, link, table, everything = of_demo(server)
        compressed = Request(everything, headers={"Accept-Encoding": "gzip"})
        with (
            listening(table) as one,
            listening(everything) as other,
            urlopen(compressed, timeout=30) as third,
        ):
            # Without any earlier request: the stream itself knows the pages' versions.
            assert send_tap(browser, link, "call", reason="two aces of spades")[0] == 200
            assert next_event(one) == ("", "changed")
            # Readers without an account are sent the changed part, rendered once for all.
            kind, part = next_event(other)
            assert kind == "part"
            assert "heat-card" in part
            assert third.headers["Content-Encoding"] == "gzip"
            inflate, text = zlib.decompressobj(zlib.MAX_WBITS | 16), ""
            while "event: part" not in text:
                text += inflate.decompress(third.read1()).decode()
            for wrong in (everything.replace("topic=", "topic=x"), everything.split("?")[0]):
                with pytest.raises(HTTPError, match="404"):
                    urlopen(wrong, timeout=30)
            # Open streams do not keep the program from stopping.
            began = time.monotonic()
            assert server.stop() in {0, -signal.SIGTERM, 128 + signal.SIGTERM}
            assert time.monotonic() - began < 15
    assert "Traceback" not in (demo_data / "log.txt").read_text(encoding="utf-8")


def test_changes_between_page_and_stream_are_reported(demo_data: Path) -> None:
    with Server(demo_data, LIVE_PORT=str(free_port()), **redis()) as server:
        browser, link, table, everything = of_demo(server)
        # With nobody listening, so that nothing has been read before.
        assert send_tap(browser, link, "call", reason="two aces of spades")[0] == 200
        for url in (table, everything):
            with listening(url) as answer:
                assert next_event(answer)[0] in {"", "part"}


@pytest.mark.skipif(sys.platform == "win32", reason="limits need a POSIX system")
def test_too_many_connections_are_refused_early_and_quietly(demo_data: Path) -> None:
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = RESERVED_DESCRIPTORS + BACKLOG + 40
    with Server(demo_data, LIVE_PORT=str(free_port()), **redis()) as server:
        _browser, _link, table, everything = of_demo(server)
        stream = int(urlsplit(table).port or 0)
        for number in children(server, "stream"):
            resource.prlimit(number, resource.RLIMIT_NOFILE, (few, hard))
        silent = [socket.create_connection(("127.0.0.1", stream)) for _ in range(300)]
        open_streams = []
        try:
            time.sleep(0.5)
            for each in silent:
                each.close()
            statuses: list[int] = []
            deadline = time.monotonic() + 20
            while len(statuses) < 60:
                try:
                    open_streams.append(urlopen(everything, timeout=10))
                    statuses.append(200)
                except HTTPError as refused:
                    if not open_streams and time.monotonic() < deadline:
                        # The stream is still closing the silent connections.
                        time.sleep(0.1)
                        continue
                    statuses.append(refused.code)
            # Of the 36 places for strangers one address gets half.
            assert statuses == [200] * 18 + [503] * 42
            # Public connections leave room for readers with a link.
            open_streams.append(urlopen(table, timeout=10))
        finally:
            for answer in open_streams:
                answer.close()
        assert Browser(server.address).get("/healthz")[0] == 200
    log = (demo_data / "log.txt").read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert len(log.splitlines()) < 50


def test_a_refused_request_leaves_no_connection_to_hold(empty_data: Path) -> None:
    port = free_port()
    with (
        Server(empty_data, DEMO="0", LIVE_PORT=str(port)),
        socket.create_connection(("127.0.0.1", port), timeout=10) as held,
    ):
        held.sendall(b"GET /other/ HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = b""
        # The first byte of a next request would stop the clock of a connection that is kept.
        with contextlib.suppress(ConnectionError):
            while got := held.recv(4096):
                answer += got
                held.sendall(b"G")
    assert answer.startswith(b"HTTP/1.1 404 ")


def test_a_taken_port_means_no_stream_and_says_so(empty_data: Path) -> None:
    server = Server(empty_data, DEMO="0")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server.environment["LIVE_PORT"] = str(taken.getsockname()[1])
        with server:
            assert "no live stream" in server.output
            assert 'name="live"' not in Browser(server.address).get("/")[1]
