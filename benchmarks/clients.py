"""The benchmarks' own clients: start the program as `make run` does; send requests on a socket."""

import json
import os
import platform
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).resolve().parents[1]
PAST = ROOT / "benchmarks" / "past.jsonl"


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def program(
    folder: Path, core: int | None = None, **environment: str
) -> Iterator[tuple[int, int, str]]:
    """Serve a folder's data; yield the ports of pages and stream, and the output.

    ``core``: the only one that all its processes use.
    """
    port, live = free_port(), free_port()
    settings = {"DATA_DIR": str(folder), "PORT": str(port), "LIVE_PORT": str(live), "DEMO": "0"}
    log = folder / "log.txt"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=ROOT,
            env=dict(os.environ) | settings | environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    if core is not None:
        # Before it has any threads and processes, which have what it has.
        os.sched_setaffinity(process.pid, {core})
    try:
        while "Stop with Ctrl-C" not in (output := log.read_text(encoding="utf-8")):
            if process.poll() is not None:
                raise SystemExit(output)
            time.sleep(0.2)
        yield port, live, output
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def manage(folder: Path, *arguments: str) -> None:
    """Run a management command on a folder's data."""
    settings = dict(os.environ) | {"DATA_DIR": str(folder)}
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=ROOT, env=settings, check=True, stdout=subprocess.DEVNULL)


def output_of(folder: Path, *arguments: str) -> str:
    """Run a management command on a folder's data, and return its output."""
    settings = dict(os.environ) | {"DATA_DIR": str(folder)}
    command = [sys.executable, "manage.py", *arguments]
    run = subprocess.run(command, cwd=ROOT, env=settings, check=True, stdout=subprocess.PIPE)
    return run.stdout.decode()


def ask(connection: HTTPConnection, path: str, **headers: str) -> tuple[int, int, float]:
    """Return one response's status, size in bytes and seconds."""
    began = time.perf_counter()
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"} | headers)
    answer = connection.getresponse()
    content = answer.read()
    return answer.status, len(content), time.perf_counter() - began


def rate(port: int, path: str, connections: int, seconds: float) -> tuple[list[float], int]:
    """Return every response's seconds over this many connections, and how many failed."""
    taken: list[float] = []
    wrong = 0
    end = time.monotonic() + seconds

    def read() -> None:
        nonlocal wrong
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        while time.monotonic() < end:
            try:
                status, _bytes, time_taken = ask(connection, path)
            except OSError:
                wrong += 1
                connection.close()
                continue
            taken.append(time_taken)
            wrong += status != 200
        connection.close()

    together([read] * connections)
    return taken, wrong


def together(what: list[Callable[[], None]]) -> None:
    """Run several functions at the same time."""
    threads = [threading.Thread(target=each) for each in what]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def p95(taken: list[float]) -> float:
    """Return the 95th percentile in milliseconds."""
    return 1000 * quantiles(taken, n=20)[-1] if len(taken) > 1 else 1000 * taken[0]


def memory(port: int) -> int:
    """Return the megabytes of all processes started for a port (Linux, else 0).

    What they share counts once.
    """
    total = 0
    started: set[int] = set()
    for pid in sorted(int(each.name) for each in Path("/proc").glob("[0-9]*")):
        here = Path(f"/proc/{pid}")
        try:
            parent = int((here / "stat").read_text().rpartition(")")[2].split()[1])
            # Celery may write its title over the environment.
            if parent in started or f"PORT={port}\0".encode() in (here / "environ").read_bytes():
                started.add(pid)
                found = re.search(r"(?m)^Pss: +(\d+) kB", (here / "smaps_rollup").read_text())
                total += int(found[1]) * 1024 if found else 0
        except (OSError, ValueError):
            continue
    return total // 1_000_000


def keep(name: str, table: object) -> None:
    """Append a table to the file of past results, with commit and machine."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    row = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "bench": name,
        "commit": commit,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "machine": platform.machine(),
        "python": platform.python_version(),
        "table": table,
    }
    with PAST.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
