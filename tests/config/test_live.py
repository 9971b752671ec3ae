"""The live stream: served beside the pages, heard within a moment of a write, gone with them."""

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.test import RequestFactory, override_settings

from scoring.live import read_topic, stream_url, topic_of
from tests.config.server import Browser, Server, free_port
from tournaments.live.stream import Hub, versions


def redis() -> dict[str, str]:
    """With REDIS_URL set (make test-services) the stream is woken by Redis."""
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


def next_event(answer: HTTPResponse) -> str:
    """Return the next thing said; silence of 30 s ends the test."""
    while True:
        line = answer.readline().decode().strip()
        if line.startswith("data:"):
            return line.removeprefix("data:").strip()


@pytest.mark.redis
def test_page_hears_of_an_entry_within_a_moment(demo_data: Path) -> None:
    with Server(demo_data, LIVE_PORT=str(free_port()), **redis()) as server:
        found = re.search(r"Scoring link +(\S+)", server.said)
        assert found
        link = found[1].removeprefix(server.address)
        browser = Browser(server.address)
        status, page = browser.get(link)
        assert status == 200
        _status, event = browser.get("/e/demo/")
        table, everything = (
            each if each.startswith("http") else server.address + each
            for each in (stream_of(page), stream_of(event))
        )
        with listening(table) as one, listening(everything) as other:
            # The hub has read what there was before something is written.
            time.sleep(2.5)
            browser.get(link)
            status, _answer = browser.post(f"{link}call/", {"reason": "two aces of spades"})
            assert status == 200
            assert next_event(one) == next_event(other) == "changed"
            for wrong in (everything + "x", everything.split("?")[0]):
                with pytest.raises(HTTPError, match="404"):
                    urlopen(wrong, timeout=30)
            # Open streams do not keep the program from stopping.
            began = time.monotonic()
            assert server.stop() in {0, -signal.SIGTERM, 128 + signal.SIGTERM}
            assert time.monotonic() - began < 15
    assert "Traceback" not in (demo_data / "log.txt").read_text(encoding="utf-8")


def test_a_taken_port_means_no_stream_and_a_sentence(tmp_path: Path) -> None:
    server = Server(tmp_path, DEMO="0")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server.environment["LIVE_PORT"] = str(taken.getsockname()[1])
        with server:
            assert "no live stream" in server.said
            assert 'name="live"' not in Browser(server.address).get("/")[1]


# --- topics -----------------------------------------------------------------------------------


def test_topics_are_signed() -> None:
    signed = topic_of("event", 5)
    assert read_topic(signed) == ("event", 5)
    assert read_topic(signed.replace("5", "6", 1)) is None
    assert read_topic("") is None


@pytest.mark.parametrize(
    ("setting", "begins"),
    [
        (":8001", "http://chicago.example.org:8001/live/?topic=event%3A5%3A"),
        ("/live/", "/live/?topic=event%3A5%3A"),
        ("https://live.example.org/x/", "https://live.example.org/x/?topic=event%3A5%3A"),
    ],
)
def test_where_the_page_listens(setting: str, begins: str) -> None:
    request = RequestFactory().get("/", headers={"host": "chicago.example.org:8000"})
    with override_settings(LIVE_URL=setting, ALLOWED_HOSTS=["chicago.example.org"]):
        assert stream_url(request, "event", 5).startswith(begins)
    with override_settings(LIVE_URL=""):
        assert stream_url(request, "event", 5) == ""


def test_nothing_is_known_of_what_is_not_there(db: None) -> None:
    assert versions([("table", 1), ("tournament", 1)]) == {}
    assert Hub().listeners == {}
