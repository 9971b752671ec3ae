"""The serve command: starting, stopping, reporting problems."""

import os
import re
import signal
import socket
import sys
import threading
import time
from pathlib import Path

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
    # An interpreter that reads its commands from the pipe, and ends with it.
    beside = serving.Sidecar("code", "-q")
    beside.start()
    try:
        first = beside.process
        assert first is not None
        first.kill()
        deadline = time.monotonic() + 20
        while beside.process is first and time.monotonic() < deadline:
            time.sleep(0.01)
        assert beside.process is not None
        assert beside.process.pid != first.pid
    finally:
        last = beside.process
        beside.stop()
    assert last is not None
    assert last.returncode is not None


def test_a_part_that_keeps_ending_is_restarted_ever_more_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float | None] = []

    class Told(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout)
            return len(pauses) == 9

    # It has nothing to do.
    beside = serving.Sidecar("keyword")
    monkeypatch.setattr(beside, "_stopping", Told())
    beside._start()
    beside._keep()
    beside.stop()
    assert pauses == [0.5, 1, 2, 4, 8, 16, 32, 60, 60]


def test_the_stream_has_the_port_after_the_chosen_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LIVE_PORT", "LIVE_URL", serving.LIVE):
        monkeypatch.setenv(name, "")
    port = free_port() - 1
    serving._offer_stream("127.0.0.1", port, alone=False)
    assert os.environ[serving.LIVE] == f"127.0.0.1 {port + 1}"
    assert os.environ["LIVE_URL"] == f":{port + 1}"


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
