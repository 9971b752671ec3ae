"""The job process ends with its parent, however that ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.config.server import ROOT

PARENT = """
import sys, time
import django
django.setup()
from config import serving
worker = serving.Sidecar("config.worker")
worker.start()
print(worker.process.pid, flush=True)
sys.stdin.readline()
process = worker.process
worker.stop()
print(process.exitcode, flush=True)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals need a POSIX system")


def start(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Start a process that starts the job process; return it and the job process's id."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


def runs(number: int) -> bool:
    """Return whether a process exists and is not just a zombie."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_it_stops_when_told_to(tmp_path: Path) -> None:
    parent, worker = start(tmp_path)
    answer, _errors = parent.communicate("\n", timeout=60)
    assert answer.strip() == "0"
    assert not runs(worker)


def test_it_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    parent, worker = start(tmp_path)
    parent.send_signal(signal.SIGKILL)
    parent.communicate(timeout=60)
    deadline = time.monotonic() + 40
    while runs(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(worker)


GROWN = """
import time
import django
django.setup()
from config import serving, worker
worker.MAX_GROWTH, worker.MIN_LIFE, worker.LOOK = -1, 0.5, 0.1
beside = serving.Sidecar("config.worker")
beside.start()
first = beside.process
while beside.process is first:
    beside.tend()
    time.sleep(0.05)
print(first.exitcode, beside.process.is_alive())
beside.stop()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks the worker")
def test_it_begins_anew_when_it_has_grown_and_is_idle(empty_data: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", GROWN],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(empty_data),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert run.stdout.strip() == "0 True"
    assert "starting it again" not in run.stderr
