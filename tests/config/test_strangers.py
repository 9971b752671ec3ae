"""A festival with strangers: bounded floods of seeded order run while tables score.

Each flood is harmless in itself, comes from this machine, and is bounded in number and time.
``python -m benchmarks.strangers`` measures seconds; here nothing may be refused, lost or starved.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest

from config.lanes import MAX_PASSED_OVER, THREADS, Lane, Lanes
from tests.config.phone import Phone, new_table, stored
from tests.config.server import Browser, Server
from tests.config.test_worker import director

#: An address of the right form that no table has.
UNKNOWN = "/s/" + "a" * 26 + "/"
FORM = "Content-Type: application/x-www-form-urlencoded"
#: Connections that strangers open in all, each used once, and how many at a time.
VISITS, AT_ONCE = 240, 12
ENTRIES, GAMES = 6, 3


@pytest.mark.parametrize("seed", range(20))
def test_an_entry_waits_for_a_few_turns_of_its_lane_only(seed: int) -> None:
    """One thread with requests of all kinds, of which strangers send most."""
    chance = Random(seed)
    lanes = Lanes.__new__(Lanes)
    lanes._waiting = tuple(deque() for _lane in Lane)
    lanes._passed_over = [0 for _lane in Lane]
    served = max(THREADS, key=len)
    weights = {Lane.ENTRY: 2, Lane.CHEAP: 6, Lane.KNOWN: 3, Lane.STRANGER: chance.randint(5, 60)}
    waited: dict[Lane, list[float]] = {lane: [] for lane in served}
    for turn in range(600):
        if turn < 500:
            for lane in chance.choices(served, [weights[each] for each in served], k=2):
                # The turn, and how many of its lane wait before it.
                lanes._waiting[lane].append((turn, len(lanes._waiting[lane])))  # type: ignore[arg-type]
        chosen = lanes._next(served)
        assert chosen is not None
        since, before = lanes._waiting[chosen].popleft()
        waited[chosen].append((turn - int(since)) / (int(before) + 1))  # type: ignore[call-overload]
    most = MAX_PASSED_OVER + len(served)
    assert max(waited[Lane.ENTRY]) <= most
    assert max(waited[Lane.KNOWN]) <= most
    # Strangers are served, too.
    assert waited[Lane.STRANGER]


class Strangers(threading.Thread):
    """Visits in seeded order: posts to unknown tables, sign-ins, and readers who read nothing."""

    def __init__(self, server: Server, seed: int) -> None:
        super().__init__(daemon=True)
        self.server, self.chance = server, Random(seed)
        self.slow: deque[socket.socket] = deque()
        self.done: deque[str] = deque()

    def run(self) -> None:
        visits: list[Callable[[], None]] = [self.unknown, self.sign_in, self.slow_reader]
        for _number in range(VISITS // AT_ONCE):
            together = [
                threading.Thread(target=self.visit, args=[self.chance.choice(visits)])
                for _each in range(AT_ONCE)
            ]
            for each in together:
                each.start()
            for each in together:
                each.join()
        for each in self.slow:
            each.close()

    def visit(self, what: Callable[[], None]) -> None:
        # Turning them away is what a bound is for.
        with suppress(OSError):
            what()
        self.done.append(what.__name__)

    def send(self, head: str, body: str = "") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=30)
        lines = [head, "Host: 127.0.0.1", FORM, f"Content-Length: {len(body)}", "", body]
        connection.sendall("\r\n".join(lines).encode())
        return connection

    def unknown(self) -> None:
        with self.send(f"POST {UNKNOWN}sync/ HTTP/1.1", "a=b") as connection:
            assert connection.recv(100)

    def sign_in(self) -> None:
        token = "c" * 32
        body = urlencode(
            {"login": f"nobody{len(self.done)}", "password": "guess", "csrfmiddlewaretoken": token}
        )
        # Closed at once.
        self.send(f"POST /accounts/login/ HTTP/1.1\r\nCookie: csrftoken={token}", body).close()

    def slow_reader(self) -> None:
        self.slow.append(self.send("GET /e/demo/standings/ HTTP/1.1"))


@pytest.mark.pages
@pytest.mark.skipif(not hasattr(os, "fork"), reason="one process with threads there")
@pytest.mark.parametrize("seed", [37])
def test_strangers_lose_nothing_and_shut_nobody_out(demo_data: Path, seed: int) -> None:
    with Server(demo_data) as server:
        desk = director(server)
        phones = [
            Phone(Browser(server.address), new_table(server), entries=ENTRIES) for _ in range(3)
        ]
        strangers = Strangers(server, seed)
        everything = len(phones) * GAMES * (ENTRIES + 1)
        for each in [*phones, strangers]:
            each.start()
        statuses, deadline = set(), time.monotonic() + 120
        while strangers.is_alive() or count_of(phones) < everything:
            assert time.monotonic() < deadline, (len(strangers.done), count_of(phones))
            statuses |= {desk.get(path)[0] for path in ("/e/demo/desk/", "/e/demo/desk/prints/")}
        for phone in phones:
            phone.over.set()
        for phone in phones:
            phone.join(60)
        assert len(strangers.done) == VISITS
        # No page was refused to a known device, no entry to a table.
        assert statuses == {200}
        assert not any(phone.statuses for phone in phones)
        rows = stored(server)
        assert {phone.path: rows[phone.path] for phone in phones} == {
            phone.path: phone.acknowledged for phone in phones
        }


def count_of(phones: list[Phone]) -> int:
    return sum(len(phone.acknowledged) for phone in phones)
