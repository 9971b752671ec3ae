"""Who is served next: entries first, nobody for ever last, strangers bounded."""

import os
import socket
import threading
import time
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import signing

from config import lanes
from config.lanes import MAX_WAITING, THREADS, Lane, Lanes, TooManyWaiting, is_gone, lane_of
from scoring.reading.links import new_nonce, token_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="one process with threads there")

TABLE = token_of(new_nonce())
#: An address of the right form that no table has.
UNKNOWN = TABLE[:13] + TABLE[:13]


def request(path: str, method: str = "GET", **headers: str) -> Any:
    path, _mark, query = path.partition("?")
    return SimpleNamespace(path=path, query=query, command=method, headers=headers, error=None)


def device() -> str:
    """Return the cookie of a device on which somebody has signed in."""
    value = signing.get_cookie_signer(salt="device_abc").sign("x")
    return f"sessionid=x; device_abc={value}"


@pytest.mark.parametrize(
    ("asked", "lane"),
    [
        (request(f"/s/{TABLE}/sync/", "POST"), Lane.ENTRY),
        (request(f"/s/{UNKNOWN}/sync/", "POST"), Lane.STRANGER),
        (request("/s/å/sync/", "POST"), Lane.STRANGER),
        (request(f"/s/{TABLE}/live/"), Lane.CHEAP),
        (request(f"/s/{UNKNOWN}/live/"), Lane.STRANGER),
        (request(f"/s/{TABLE}/"), Lane.KNOWN),
        (request("/e/demo/standings/"), Lane.CHEAP),
        (request("/e/demo/standings/", COOKIE="django_language=sv"), Lane.CHEAP),
        (request("/e/demo/standings/", COOKIE="a=b; sessionid=x"), Lane.STRANGER),
        (request("/e/demo/standings/?q=anna"), Lane.STRANGER),
        (request("/e/demo/standings.xlsx"), Lane.STRANGER),
        (request("/e/demo/heats/1/protocol.pdf"), Lane.STRANGER),
        (request("/e/demo/sign-up/", "POST"), Lane.STRANGER),
        (request("/e/demo/desk/", COOKIE=device()), Lane.KNOWN),
        (request("/e/demo/desk/draw/", "POST", COOKIE=device()), Lane.KNOWN),
        (request("/e/demo/desk/", COOKIE="sessionid=x; device_abc=x:y:z"), Lane.STRANGER),
        (request("/p/1-abc.forged/"), Lane.CHEAP),
        (request("/accounts/login/", "POST"), Lane.SIGN_IN),
        (request("/accounts/login/", "POST", COOKIE=device()), Lane.SIGN_IN),
        (request("/healthz?x=1", COOKIE="sessionid=x"), Lane.CHEAP),
    ],
)
def test_lanes(asked: Any, lane: Lane) -> None:
    assert lane_of(asked) == lane


class Hall:
    """Lanes whose general threads are each held by a slow page until its gate is opened."""

    def __init__(self) -> None:
        self.lanes, self.done = Lanes(), list[str]()
        self.ends: list[socket.socket] = []
        self.gates = [threading.Event() for each in THREADS if Lane.STRANGER in each]
        for gate in self.gates:
            self.ask("/e/demo/desk/", "slow", partial(gate.wait, 10))

    def open(self) -> None:
        for gate in self.gates:
            gate.set()

    def ask(
        self, path: str, name: str, work: Any = None, method: str = "GET", **headers: str
    ) -> Any:
        near, far = socket.socketpair()
        self.ends += [near, far]

        def service() -> None:
            if channel.requests[0].error is None and work:
                work()
            self.done.append(f"{name} refused" if channel.requests[0].error else name)

        channel = SimpleNamespace(
            requests=[request(path, method, **headers)],
            service=service,
            socket=near,
            addr=("192.0.2.1", 1),
            cancel=lambda: self.done.append(f"{name} gone"),
            server=SimpleNamespace(pull_trigger=lambda: None),
        )
        self.lanes.add_task(channel)
        return far

    def wait_for(self, count: int) -> None:
        deadline = time.monotonic() + 10
        while len(self.done) < count and time.monotonic() < deadline:
            time.sleep(0.005)
        assert len(self.done) >= count

    def close(self) -> None:
        self.open()
        self.lanes.shutdown()
        for each in self.ends:
            each.close()


@pytest.fixture
def hall() -> Any:
    made = Hall()
    yield made
    made.close()


def test_an_entry_is_served_while_slow_pages_use_their_share(hall: Hall) -> None:
    for _ in range(4):
        hall.ask("/e/demo/desk/", "slow")
    hall.ask("/e/demo/standings/", "cheap")
    hall.ask(f"/s/{TABLE}/sync/", "entry", method="POST")
    hall.wait_for(2)
    assert sorted(hall.done) == ["cheap", "entry"]


def test_a_lane_gets_every_fourth_turn_at_least(hall: Hall) -> None:
    """One thread serves 12 known readers, 12 strangers and 12 of the cheap."""
    one = Lanes.__new__(Lanes)
    one._waiting = tuple([("", "")] * 12 for _lane in Lane)
    one._passed_over = [0 for _lane in Lane]
    general = (Lane.ENTRY, Lane.CHEAP, Lane.KNOWN, Lane.STRANGER)
    turns = []
    for _turn in range(24):
        lane = one._next(general)
        assert lane is not None
        turns.append(lane)
        one._waiting[lane].pop()
    for lane in general:
        places = [place for place, each in enumerate(turns) if each == lane]
        # Four lanes wait all the time: each gets one of the next few turns.
        assert len(places) >= 3
        assert max(b - a for a, b in pairwise(places)) <= 6
    assert turns[0] == Lane.ENTRY


def test_strangers_of_one_address_fill_no_queue(hall: Hall) -> None:
    most = MAX_WAITING[Lane.STRANGER]
    for _each in range(most + 5):
        hall.ask("/e/demo/sign-up/", "stranger", method="POST")
    hall.ask("/e/demo/desk/", "desk", COOKIE=device())
    hall.wait_for(5)
    assert hall.done == ["stranger refused"] * 5
    # One thread's turns: of two, the one that had the desk might be the last to tell.
    hall.gates[0].set()
    hall.wait_for(1 + most + 5 + 1)
    # The desk waited for a few turns, not for a hundred strangers.
    assert hall.done[5:].index("desk") <= 3
    assert not any(hall.lanes._of_address)


def test_the_refusal_says_when_to_try_again() -> None:
    status, headers, _body = TooManyWaiting("").to_response()
    assert status.startswith("503")
    assert ("Retry-After", "5") in headers


def test_nobody_is_served_whose_connection_is_closed(hall: Hall) -> None:
    hall.ask("/e/demo/sign-up/", "gone", method="POST").close()
    hall.ask("/e/demo/sign-up/", "there", method="POST")
    hall.open()
    hall.wait_for(4)
    assert sorted(hall.done) == ["gone gone", "slow", "slow", "there"]


@pytest.mark.skipif(not lanes._CLOSED, reason="the system does not tell")
def test_a_closed_connection_is_told_from_an_open_one() -> None:
    near, far = socket.socketpair()
    assert not is_gone(SimpleNamespace(socket=near))
    far.sendall(b"GET")
    assert not is_gone(SimpleNamespace(socket=near))
    far.close()
    assert is_gone(SimpleNamespace(socket=near))
    near.close()
