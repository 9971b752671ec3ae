"""A long job from the page through a real worker to the file, as the serve command starts them."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.config.server import ROOT, Browser, Server, children

pytestmark = [
    pytest.mark.pages,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="signals need a POSIX system"),
]


#: What Celery calls its process once it runs.
NAME = b"celeryd"


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


def test_the_worker_knows_the_tasks_that_it_is_sent(tmp_path: Path) -> None:
    # In a process of its own: pages load no tasks, and the worker finds them by itself.
    code = """
from config.celery import app as celery_app
from tournaments.prints import commands
from tournaments.registration.commands import spreadsheets
tasks = {commands.TASK, spreadsheets.TASK}
assert not tasks & set(celery_app.tasks)
celery_app.loader.import_default_modules()
assert tasks <= set(celery_app.tasks)
"""
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code]
    chosen = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(command, cwd=ROOT, env=os.environ | chosen, check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_job_of_a_killed_worker_is_done_by_the_next_one(demo_data: Path) -> None:
    with (
        Server(demo_data) as server,
        closing(sqlite3.connect(demo_data / "chicago.sqlite3")) as rows,
    ):
        browser = director(server)

        def job(column: str) -> object:
            return rows.execute(f"SELECT {column} FROM tournaments_job").fetchone()[0]

        browser.post("/e/demo/desk/prints/make/", {"kind": "protocols"})
        wait_for(lambda: job("status") == "running", pause=0.005)
        (worker,) = children(server, NAME)
        os.kill(worker, signal.SIGKILL)
        assert (job("status"), job("attempts")) == ("running", 1)
        wait_for(lambda: children(server, NAME) not in ([], [worker]))
        # A minute without a sign of life passes.
        with rows:
            rows.execute("UPDATE tournaments_job SET alive_at = datetime('now', '-61 seconds')")
            rows.execute("UPDATE tournaments_job SET made_at = datetime('now', '-70 seconds')")
        wait_for(lambda: job("status") == "done")
        assert job("attempts") == 2
        status, file = browser.get(f"/e/demo/desk/prints/{job('id')}.pdf")
        assert (status, file[:4]) == (200, "%PDF")
