"""PostgreSQL for one test, whose power can be cut and whose disk can be filled."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.config.server import free_port


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, None without one."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


class Cluster:
    """PostgreSQL while the ``with`` block runs; ``disk``: a size, for a disk of its own."""

    def __init__(self, *, disk: str = "", **settings: str) -> None:
        self.disk, self.settings = disk, settings
        # PostgreSQL, which never runs as root, has to reach its folder.
        self.folder = Path(tempfile.mkdtemp(prefix="chicago-postgresql-"))
        self.data = self.folder / "data"
        self.data.mkdir()
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Cluster:
        if self.disk:
            mount(self.data, self.disk)
        if os.geteuid() == 0:
            for each in (self.folder, self.data):
                shutil.chown(each, "postgres", "postgres")
        made = subprocess.run(
            self._command("initdb", "-A", "trust", "-U", "postgres", "-D", str(self.data)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill_everything()
        if self.disk:
            subprocess.run(["umount", self.data], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _command(self, program: str, *arguments: str) -> list[str]:
        folder = programs()
        assert folder is not None
        as_its_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        return [*as_its_user, str(folder / program), *arguments]

    def start(self) -> None:
        """Start it and wait until it answers."""
        # What a killed one leaves behind, and a machine that starts again would not have.
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        settings = [part for each in self.settings.items() for part in ("-c", "=".join(each))]
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                self._command(
                    "postgres", "-D", str(self.data), "-k", str(self.folder),
                    "-h", "127.0.0.1", "-p", str(self.port), *settings,
                ),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with suppress(psycopg.OperationalError), psycopg.connect(self.address):
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / "log.txt").read_text(errors="replace"))

    def pids(self) -> list[int]:
        """Return its processes, which are found by their data folder."""
        found = []
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (each / "cwd").readlink() == self.data:
                    found.append(int(each.name))
        return found

    def kill_everything(self) -> None:
        """Kill all its processes at once, as in a power cut."""
        while pids := self.pids():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        if self.process is not None:
            self.process.wait(timeout=60)


def mount(folder: Path, size: str) -> None:
    """Mount a small disk in a folder."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)


def can_mount(folder: Path) -> bool:
    """Return whether this machine and account can do that."""
    if os.geteuid() != 0:
        return False
    try:
        mount(folder, "1m")
    except subprocess.CalledProcessError:
        return False
    subprocess.run(["umount", folder], check=True)
    return True
