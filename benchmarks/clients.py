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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).resolve().parents[1]
PAST = ROOT / "benchmarks" / "past.jsonl"
#: Plays the event that most benchmarks measure; the number of players follows.
REHEARSAL = ("rehearse", "--seed", "bench", "--slug", "bench", "--players")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Program:
    """A checkout of the program, and the Python that runs it: this one, or an earlier one."""

    folder: Path = ROOT
    python: str = sys.executable

    @classmethod
    def before(cls, folder: Path) -> "Program":
        """Return an earlier checkout: in its own environment, ``.venv``, or in this one."""
        inside = ".venv/Scripts/python.exe" if os.name == "nt" else ".venv/bin/python"
        python = folder.resolve() / inside
        return cls(folder.resolve(), str(python) if python.exists() else sys.executable)

    def environment(self, **settings: str) -> dict[str, str]:
        """Return the environment with these settings; files are compiled once, as if installed."""
        found = dict(os.environ) | {"DEMO": "0"} | settings
        found.pop("PYTHONDONTWRITEBYTECODE", None)
        return found

    def run(self, *arguments: str, **settings: str) -> str:
        """Run its Python in its folder; return what that prints."""
        run = subprocess.run(
            [self.python, *arguments],
            cwd=self.folder,
            env=self.environment(**settings),
            check=True,
            stdout=subprocess.PIPE,
        )
        return run.stdout.decode()

    def manage(self, data: Path, *arguments: str) -> str:
        """Run a management command on a folder's data; return what that prints."""
        return self.run("manage.py", *arguments, DATA_DIR=str(data))

    def rehearse(self, data: Path, players: int) -> None:
        """Make a database, and play the event ``bench`` with so many players."""
        self.manage(data, "migrate", "-v0")
        self.manage(data, *REHEARSAL, str(players))

    @contextmanager
    def serve(
        self, data: Path, core: int | None = None, **settings: str
    ) -> Iterator[tuple[int, int, str]]:
        """Serve a folder's data; yield the ports of pages and stream, and the output.

        ``core``: the only one that all its processes use.
        """
        port, live = free_port(), free_port()
        ports = {"DATA_DIR": str(data), "PORT": str(port), "LIVE_PORT": str(live)}
        log = data / "log.txt"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [self.python, "manage.py", "serve"],
                cwd=self.folder,
                env=self.environment(**ports, **settings),
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
                time.sleep(0.1)
            yield port, live, output
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


#: The program of this checkout.
HERE = Program()


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


def processes(port: int) -> Iterator[Path]:
    """Yield the folders under /proc of all processes started for a port (Linux, else none)."""
    started: set[int] = set()
    for pid in sorted(int(each.name) for each in Path("/proc").glob("[0-9]*")):
        here = Path(f"/proc/{pid}")
        with suppress(OSError, ValueError):
            parent = int(_stat(here)[1])
            # Celery may write its title over the environment.
            if parent in started or f"PORT={port}\0".encode() in (here / "environ").read_bytes():
                started.add(pid)
                yield here


def _stat(process: Path) -> list[str]:
    """Return what /proc tells of a process, from its state on."""
    return (process / "stat").read_text().rpartition(")")[2].split()


def memory(port: int) -> int:
    """Return the megabytes of all processes started for a port (Linux, else 0).

    What they share counts once.
    """
    total = 0
    for process in processes(port):
        with suppress(OSError):
            found = re.search(r"(?m)^Pss: +(\d+) kB", (process / "smaps_rollup").read_text())
            total += int(found[1]) * 1024 if found else 0
    return total // 1_000_000


def processor_time(port: int) -> float:
    """Return the seconds that all processes started for a port have worked (Linux, else 0).

    Those that have ended are among them.
    """
    ticks = 0
    for process in processes(port):
        with suppress(OSError):
            ticks += sum(map(int, _stat(process)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


def commit(program: Program = HERE) -> str:
    """Return the short name of a checkout's commit."""
    command = ["git", "-C", str(program.folder), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def keep(name: str, table: object) -> None:
    """Append a table to the file of past results, with commit and machine."""
    row = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "bench": name,
        "commit": commit(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "machine": platform.machine(),
        "python": platform.python_version(),
        "table": table,
    }
    with PAST.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
