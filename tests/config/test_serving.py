"""The serve command: starting, stopping, reporting problems."""

import os
import re
import signal
import socket
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from config import serving
from tests.config.server import Browser, Server, free_port

pytestmark = pytest.mark.pages


def test_an_empty_installation_leads_to_its_first_account(empty_data: Path) -> None:
    (empty_data / "chicago.sqlite3").chmod(0o644)
    with Server(empty_data, DEMO="0") as server:
        assert f"Chicago is running:  {server.address}/" in server.output
        code = re.search(r"Setup code: +(\S+)", server.output)
        assert code
        if os.name != "nt":
            assert (empty_data / "chicago.sqlite3").stat().st_mode & 0o777 == 0o600
        (empty_data / "second").mkdir()
        second = Server(empty_data / "second", DATA_DIR=str(empty_data), DEMO="0")
        with pytest.raises(AssertionError, match="already"):
            second.start()
        browser = Browser(server.address)
        assert browser.get("/readyz")[0] == 200
        assert browser.get("/first-run/")[0] == 200
        status, page = browser.post(
            "/first-run/",
            {
                "code": code[1],
                "username": "anna",
                "password1": "kungens-kurva-4711",
                "password2": "kungens-kurva-4711",
            },
        )
        assert status == 200
        assert "anna" in page
        assert browser.get("/first-run/")[0] == 404
        found = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert found
        assert browser.get(found[1])[0] == 200
        assert server.stop() in {0, -signal.SIGTERM, 128 + signal.SIGTERM}
    assert "Traceback" not in (empty_data / "log.txt").read_text(encoding="utf-8")


def test_a_taken_port_is_reported_in_a_sentence(tmp_path: Path) -> None:
    server = Server(tmp_path, DEMO="0")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", server.port))
        taken.listen()
        with pytest.raises(AssertionError, match="did not start"):
            server.start()
    assert server.process is not None
    assert server.process.returncode == 1
    assert f"Cannot listen on 127.0.0.1 port {server.port}" in server.output
    assert "Traceback" not in server.output
    assert not (tmp_path / "chicago.sqlite3").exists()


def test_a_part_that_ends_is_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "FIRST_PAUSE", 0.01)
    beside = serving.Sidecar("tests.config.waiting")
    beside.start()
    try:
        first = beside.process
        assert first is not None
        first.kill()
        deadline = time.monotonic() + 20
        while beside.process is first and time.monotonic() < deadline:
            beside.tend()
            time.sleep(0.01)
        assert beside.process is not first
        last = beside.process
    finally:
        beside.stop()
    assert last is not None
    # Closing the pipe was enough.
    assert last.exitcode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
@pytest.mark.parametrize("part", ["pages", "stream", "jobs"])
def test_a_part_by_itself_is_one_process(tmp_path: Path, part: str) -> None:
    server = Server(tmp_path, DEMO="0")
    server.arguments = ["--only", part]
    if part == "stream":
        server.environment["LIVE_PORT"] = str(free_port())
    with server:
        assert server.process is not None
        tasks = Path(f"/proc/{server.process.pid}/task")
        born = [
            each for task in tasks.iterdir() for each in (task / "children").read_text().split()
        ]
        assert born == []
        assert server.stop(signal.SIGINT if part == "pages" else signal.SIGTERM) in {
            0,
            -signal.SIGTERM,
        }
    assert "Traceback" not in server.output


def test_a_part_that_keeps_ending_is_restarted_ever_more_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, started = 1000.0, []

    class Ended:
        exitcode = 1

    def start() -> None:
        beside._began, beside._ended = now, 0.0
        started.append(now)

    monkeypatch.setattr(serving.time, "monotonic", lambda: now)
    beside = serving.Sidecar("tests.config.waiting")
    monkeypatch.setattr(beside, "process", Ended())
    monkeypatch.setattr(beside, "start", start)
    start()
    while len(started) < 10:
        beside.tend()
        now += 0.125
    pauses = [after - before for before, after in pairwise(started)]
    assert pauses == pytest.approx([0.5, 1, 2, 4, 8, 16, 32, 60, 60], abs=0.2)


@pytest.mark.skipif(sys.platform != "linux", reason="children are forks on Linux")
def test_a_part_keeps_nothing_of_its_parent_open(tmp_path: Path) -> None:
    beside = [serving.Sidecar("tests.config.waiting") for _ in range(2)]
    with (tmp_path / "lock").open("w"):
        for each in beside:
            each.start()
        try:
            time.sleep(0.3)
            for each in beside:
                assert each.process is not None
                own = set(os.listdir(f"/proc/{each.process.pid}/fd")) - {"0", "1", "2"}
                # Its end of the pipe from the parent.
                assert len(own) == 1
        finally:
            for each in beside:
                each.stop()


def test_the_stream_has_the_port_after_the_chosen_one(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    for name in ("LIVE_PORT", "LIVE_URL", serving.LIVE):
        monkeypatch.setenv(name, "")
    settings.LIVE_URL = ""
    port = free_port() - 1
    assert serving._stream_port("127.0.0.1", port, alone=False) == port + 1
    assert os.environ[serving.LIVE] == f"127.0.0.1 {port + 1}"
    assert os.environ["LIVE_URL"] == settings.LIVE_URL == f":{port + 1}"


@pytest.mark.skipif(sys.platform == "win32", reason="limits need a POSIX system")
def test_the_descriptor_limit_is_raised_to_the_systems() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        serving._allow_many_connections()
        raised, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = serving.MAX_DESCRIPTORS
    assert raised == (most if hard == resource.RLIM_INFINITY else min(hard, most))
