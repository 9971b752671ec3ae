"""A long job from the page through a real worker to the file, as the serve command starts them."""

import os
import re
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.config.server import Browser, Server, children

pytestmark = [
    pytest.mark.pages,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="signals need a POSIX system"),
]


#: What Celery calls its process once it runs.
NAME = "celeryd"


def wait_for(happened: Callable[[], bool], pause: float = 0.2) -> None:
    """Wait until something has happened, two minutes at most."""
    deadline = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(pause)


def director(server: Server) -> Browser:
    """Sign in as the demo's director."""
    found = re.search(r"Director +(\S+) / (\S+)", server.output)
    assert found
    browser = Browser(server.address)
    browser.get("/accounts/login/")
    browser.post("/accounts/login/", {"login": found[1], "password": found[2]})
    status, _page = browser.get("/e/demo/desk/prints/")
    assert status == 200
    return browser


@pytest.mark.redis
def test_prints_of_the_demo_are_made_by_the_worker(demo_data: Path) -> None:
    # With REDIS_URL set (make test-services) the queue is Redis, otherwise a folder.
    extra = {"REDIS_URL": os.environ["REDIS_URL"]} if os.environ.get("REDIS_URL") else {}
    with Server(demo_data, **extra) as server:
        browser = director(server)
        browser.post("/e/demo/desk/prints/make/", {"kind": "protocols"})
        files: list[str] = []

        def made() -> bool:
            _status, page = browser.get("/e/demo/desk/prints/")
            assert "tag-red" not in page
            files[:] = re.findall(r'href="(/e/demo/desk/prints/\d+\.pdf)"', page)
            return bool(files)

        wait_for(made)
        status, file = browser.get(files[0])
        assert status == 200
        assert file.startswith("%PDF")
    # By now every part of the program has begun its work: Django, the stream, the worker.
    log = (demo_data / "log.txt").read_text(encoding="utf-8")
    assert not re.findall("(?i)warning|deprecated|error|traceback", log), log


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_job_of_a_killed_worker_is_done_by_the_next_one(demo_data: Path) -> None:
    with (
        Server(demo_data) as server,
        closing(sqlite3.connect(demo_data / "chicago.sqlite3")) as rows,
    ):
        browser = director(server)

        def job(column: str) -> object:
            (found,) = rows.execute(f"SELECT {column} FROM tournaments_job WHERE kind = 'print'")
            return found[0]

        browser.post("/e/demo/desk/prints/make/", {"kind": "protocols"})
        wait_for(lambda: job("status") == "running", pause=0.005)
        (worker,) = children(server, NAME)
        os.kill(worker, signal.SIGKILL)
        assert (job("status"), job("attempts")) == ("running", 1)
        wait_for(lambda: children(server, NAME) not in ([], [worker]))
        # A minute without a sign of life passes.
        with rows:
            rows.execute("UPDATE tournaments_job SET claimed_at = datetime('now', '-61 seconds')")
        wait_for(lambda: job("status") == "done")
        assert job("attempts") == 2
        status, file = browser.get(f"/e/demo/desk/prints/{job('id')}.pdf")
        assert (status, file[:4]) == (200, "%PDF")


def test_a_silent_mail_server_holds_up_nothing_else(demo_data: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        mail = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        with (
            Server(demo_data, EMAIL_URL=mail) as server,
            closing(sqlite3.connect(demo_data / "chicago.sqlite3")) as rows,
        ):
            browser = director(server)

            def status(kind: str) -> object:
                one = "SELECT status, ended_at FROM tournaments_job WHERE kind = ?"
                return rows.execute(one, [kind]).fetchone()

            with rows:
                made = "UPDATE tournaments_registration SET email = 'a@example.org'"
                rows.execute(f"{made} WHERE number = 1")
            browser.post("/e/demo/desk/mail/set/", {"on": "1"})
            browser.post("/e/demo/desk/mail/all/", {"kind": "times"})
            wait_for(lambda: status("mail")[0] == "running")
            browser.post("/e/demo/desk/prints/make/", {"kind": "poster"})
            wait_for(lambda: status("print")[0] == "done")
            assert status("mail")[0] == "running"
            with rows:
                rows.execute("UPDATE tournaments_job SET ended_at = NULL, due_at = made_at")
            wait_for(lambda: all(status(kind)[1] for kind in ("check", "purge")))
            # What it still waits for is an answer, or by now the server.
            silent.close()
            wait_for(lambda: status("mail")[0] == "waiting")
            _status, page = browser.get("/e/demo/desk/mail/")
            assert 'data-code="server_away"' in page
