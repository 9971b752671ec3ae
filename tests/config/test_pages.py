"""The web server: slow clients block nothing, entries go first, dead processes are replaced."""

import os
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waitress.adjustments import Adjustments

from config import pages
from config.pages import Channel, Parser
from tests.config.server import Server, children

pytestmark = [
    pytest.mark.pages,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="one process with threads there"),
]

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = b"POST /s/x/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"


@contextmanager
def dribbling(port: int, count: int, first: bytes) -> Iterator[None]:
    """Hold open this many connections that begin a request and send a byte now and then."""
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    end = threading.Event()

    def drip() -> None:
        while not end.wait(0.2):
            for each in sockets:
                # The server may have closed it.
                with suppress(OSError):
                    each.send(b"a" if first else b"")

    for each in sockets:
        each.sendall(first)
    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
        for each in sockets:
            each.close()


def seconds(port: int) -> float:
    """Return how long a small response takes."""
    began = time.monotonic()
    asking = HTTPConnection("127.0.0.1", port, timeout=10)
    asking.request("GET", "/healthz")
    assert asking.getresponse().read() == b"ok\n"
    asking.close()
    return time.monotonic() - began


def test_a_response_to_head_leaves_the_connection_clean(empty_data: Path) -> None:
    """A page checks with HEAD for the server, then sends its form on the same connection."""
    with Server(empty_data, DEMO="0") as server:
        asking = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        for path in ("/accounts/login/", "/static/none.js", "/healthz"):
            asking.sendall(f"HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            told = b""
            while not told.endswith(b"\r\n\r\n"):
                told += asking.recv(1)
        asking.sendall(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        answer = b"".join(iter(lambda: asking.recv(4096), b""))
        asking.close()
    assert answer.startswith(b"HTTP/1.")
    assert answer.endswith(b"\r\n\r\nok\n")


def test_a_request_that_is_too_large_is_refused_unread_in_the_readers_language(
    empty_data: Path,
) -> None:
    head = (
        "POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: sv\r\n"
        "Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 40000000\r\n\r\n"
    )
    with Server(empty_data, DEMO="0") as server:
        asking = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        # A body that looks like a request is none.
        asking.sendall(head.encode() + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = b"".join(iter(lambda: asking.recv(4096), b""))
        asking.close()
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert b'lang="sv"' in answer
    assert b'data-code="too_much"' in answer


def test_slow_clients_block_nothing_and_a_killed_process_is_replaced(empty_data: Path) -> None:
    with Server(empty_data, DEMO="0", WEB_CONCURRENCY="2") as server:
        port = server.port
        with dribbling(port, 12, HEAD), dribbling(port, 8, b""), dribbling(port, 150, BODY):
            assert max(seconds(port) for _ in range(5)) < 4
        victim = children(server, "pages")[0]
        os.kill(victim, signal.SIGKILL)
        assert max(seconds(port) for _ in range(3)) < 4
        deadline = time.monotonic() + 30
        while len(set(children(server, "pages")) - {victim}) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        with socket.create_connection(("127.0.0.1", port)) as endless:
            endless.settimeout(30)
            endless.sendall(HEAD + b"X: " + b"a" * 40_000)
            assert re.match(rb"HTTP/1\.\d 4\d\d", endless.recv(100))


# --- deadlines --------------------------------------------------------------------------------


def channel(**state: Any) -> Any:
    given = {"requests": [], "total_outbufs_len": 0, "request": None, "measured": None}
    return SimpleNamespace(**given | {"last_activity": 100.0, "owes_since": 100.0} | state)


BEGUN, HEADED = (SimpleNamespace(headers_finished=each) for each in (False, True))


@pytest.mark.parametrize(
    ("state", "longest"),
    [
        ({}, pages.IDLE_TIMEOUT),
        ({"request": BEGUN, "last_activity": 999}, pages.HEAD_TIMEOUT),
        ({"request": HEADED, "last_activity": 999}, pages.REQUEST_TIMEOUT),
        ({"total_outbufs_len": 5}, pages.SEND_TIMEOUT),
    ],
)
def test_late_connections_are_closed(state: dict[str, Any], longest: int) -> None:
    assert not Channel.is_late(channel(**state), 99 + longest)
    assert Channel.is_late(channel(**state), 101 + longest)
    assert not Channel.is_late(channel(**state | {"requests": [object()]}), 101 + longest)


@pytest.mark.parametrize(("a_second", "is_late"), [(1 / 60, True), (400, True), (1000, False)])
def test_a_reader_may_be_slow_but_not_crawl(a_second: float, is_late: bool) -> None:
    length = 2_000_000
    reader = channel(total_outbufs_len=length)
    late = False
    for now in range(100, 1500):
        reader.last_activity = now
        reader.total_outbufs_len = max(1, int(length - a_second * (now - 100)))
        late = late or Channel.is_late(reader, now)
    assert late is is_late


def test_the_oldest_unfinished_requests_are_closed_first() -> None:
    now = time.time()
    many = {
        number: SimpleNamespace(
            owes_since=now - number, is_incomplete=True, is_late=lambda now: False, will_close=False
        )
        for number in range(pages.MAX_INCOMPLETE + 3)
    }
    pages.Server.maintenance(SimpleNamespace(active_channels=many), now)
    gone = [number for number, each in many.items() if each.will_close]
    assert gone == [pages.MAX_INCOMPLETE, pages.MAX_INCOMPLETE + 1, pages.MAX_INCOMPLETE + 2]


@pytest.mark.parametrize(
    "lengths",
    [
        "Content-Length: 3\r\nContent-Length: 3\r\n",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    ],
)
def test_a_request_that_tells_two_lengths_is_refused(lengths: str) -> None:
    parser = Parser(Adjustments())
    parser.received(f"POST / HTTP/1.1\r\nHost: a\r\n{lengths}\r\n".encode())
    assert parser.completed
    assert parser.error.code == 400
