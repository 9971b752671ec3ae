"""What the run command is made of: getting ready, the servers, the process for long jobs.

The order matters for safety: the pages are served by a process that holds nothing that is not in
the database, so it may be killed at any moment. The process for long jobs ends when the one that
started it does, however that one ended.
"""

import hashlib
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from scoring.live import PATH as LIVE_PATH

BANNER = "CHICAGO_BANNER"
JOBS = "CHICAGO_JOBS"
LIVE = "CHICAGO_LIVE"
HELD = "CHICAGO_HELD"

#: Seconds before a sidecar that ended is started again: doubled each time, up to the longest, until
#: it has lived long enough.
FIRST_PAUSE, LONGEST_PAUSE, LONG_ENOUGH = 0.5, 60.0, 60.0

logger = logging.getLogger(__name__)


class CannotServe(Exception):
    """Serving cannot start; the text says why and what to do."""


def claim() -> int:
    """Take the data folder for this process, and return what holds it: an open file.

    Raises CannotServe where another process holds it. It is free again when that process ends,
    however that was.
    """
    path = settings.DATA_DIR / "serving.lock"
    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        os.close(held)
        raise CannotServe(
            f"The program is serving the data in {settings.DATA_DIR} already. Stop it first, or "
            "choose another folder with DATA_DIR."
        ) from problem
    return held


def prepare() -> None:
    """Bring the database, the translations and the static files up to date."""
    from config import texts

    texts.compile_all()
    make_database()
    collect_static()


def make_database() -> None:
    """Make the database's tables, or bring them up to date; nothing to do is done quickly."""
    if connection.vendor == "sqlite":
        Path(connection.settings_dict["NAME"]).touch(mode=0o600)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)


def collect_static() -> bool:
    """Collect the static files unless nothing has changed since the last time; True if done."""
    stamp = settings.STATIC_ROOT / ".collected"
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    # Files of packages change with their versions only.
    digest.update((settings.BASE_DIR / "requirements.lock").read_bytes())
    for path in sorted((settings.BASE_DIR / "static").rglob("*")):
        if path.is_file():
            digest.update(f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}\n".encode())
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest.hexdigest():
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(digest.hexdigest(), encoding="ascii")
    return True


def check_port(host: str, port: int, patience: float = 0) -> None:
    """Raise CannotServe with a sentence if nothing can listen there.

    ``patience``: so many seconds it may take. The workers of a server that was killed hold its
    port until they notice.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            _try_port(host, port)
        except CannotServe:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.2)
        else:
            return


def _try_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as problem:
            raise CannotServe(
                f"Cannot listen on {host} port {port}: {problem}. "
                f"Choose another port, for example PORT={port + 1 if port < 65535 else 8000}."
            ) from problem


def address(host: str, port: int) -> str:
    """Return the address to type into a browser."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    if host in {"0.0.0.0", "::"}:
        from config.settings import _own_addresses

        numbers = [name for name in _own_addresses() if name.replace(".", "").isdigit()]
        host = numbers[0] if numbers else socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def job_names() -> list[str]:
    """Return the names of this project's long jobs."""
    from config.celery import app

    for label in ("scoring", "tournaments"):
        try:
            import_module(f"{label}.tasks")
        except ModuleNotFoundError as problem:
            if problem.name != f"{label}.tasks":
                raise
    return sorted(name for name in app.tasks if not name.startswith("celery."))


def run_gunicorn(host: str, port: int, banner: str, held: int) -> None:
    """Become gunicorn: the process keeps its number, so signals need no passing on.

    ``held`` is what :func:`claim` gave; it stays open in the process that gunicorn becomes.
    """
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    os.environ.update({"GUNICORN_BIND": bind, BANNER: banner, JOBS: "1" if job_names() else "0"})
    _offer_stream(host)
    os.environ[HELD] = str(held)
    os.set_inheritable(held, True)
    sys.stdout.flush()
    sys.stderr.flush()
    os.chdir(settings.BASE_DIR)
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"])


def _offer_stream(host: str) -> None:
    """Let the live stream be served beside gunicorn, and its pages know where it is.

    Behind a proxy or under another address only who set that up knows where browsers reach it:
    ``LIVE_URL`` says so, and without it there the pages poll.
    """
    behind = settings.TRUST_PROXY or settings.PUBLIC_URL
    if not settings.LIVE_PORT or (behind and not settings.LIVE_URL):
        return
    try:
        check_port(host, settings.LIVE_PORT)
    except CannotServe:
        print(f"Port {settings.LIVE_PORT} is taken: no live stream, pages ask every few seconds.")
        return
    os.environ[LIVE] = f"{host} {settings.LIVE_PORT}"
    os.environ.setdefault("LIVE_URL", f":{settings.LIVE_PORT}")


def run_uvicorn(host: str, port: int, banner: str) -> None:
    """Serve with uvicorn, which works on every system; returns when told to stop."""
    import uvicorn

    from tournaments.live.stream import hub

    os.environ.update({BANNER: banner, JOBS: "1" if job_names() else "0"})
    if settings.LIVE_PORT and not settings.LIVE_URL:
        # The stream is part of this very server.
        settings.LIVE_URL = LIVE_PATH
    beside = sidecars()

    class Server(uvicorn.Server):
        """A server that says when it listens, and whose streams end when it does."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                for child in beside:
                    child.start()
                say_ready()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            hub.close()
            await super().shutdown(sockets)

    configuration = uvicorn.Config(
        "config.asgi:application",
        host=host,
        port=port,
        log_level="warning",
        # The program's own, which cuts private links out.
        log_config=None,
        lifespan="off",
        timeout_graceful_shutdown=20,
        proxy_headers=bool(settings.TRUST_PROXY),
    )
    try:
        Server(configuration).run()
    except KeyboardInterrupt:
        # Ctrl-C is how a person stops it.
        pass
    finally:
        for child in beside:
            child.stop()


def say_ready() -> None:
    """Print what the run command wants to be read, once the pages can be reached."""
    print(os.environ.get(BANNER, ""), flush=True)


class Sidecar:
    """A process beside the pages that cannot outlive its parent.

    It reads a pipe from its parent and stops when that closes: then the parent has gone, whatever
    became of it.
    """

    def __init__(
        self, module: str, *arguments: str, listens: tuple[str, int] | None = None
    ) -> None:
        self.command = [sys.executable, "-m", module, *arguments]
        self.listens = listens
        self.process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()

    def start(self) -> None:
        """Start the process, and again whenever it ends by itself."""
        self._start()
        threading.Thread(target=self._keep, daemon=True).start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            # Not in the terminal's group: Ctrl-C reaches it through the pipe, after the pages.
            start_new_session=True,
        )

    def _keep(self) -> None:
        pause = FIRST_PAUSE
        while self.process is not None:
            began = time.monotonic()
            self.process.wait()
            if time.monotonic() - began > LONG_ENOUGH:
                pause = FIRST_PAUSE
            if self._stopping.wait(pause):
                return
            logger.warning("%s had ended; it is started again", self.command[2])
            pause = min(2 * pause, LONGEST_PAUSE)
            assert self.process.stdin is not None
            self.process.stdin.close()
            self._start()

    def wait_until_ready(self, seconds: float = 10) -> None:
        """Wait until the process listens where it is to, if it is to listen at all."""
        deadline = time.monotonic() + seconds
        while self.listens and self.process and time.monotonic() < deadline:
            try:
                socket.create_connection(self.listens, timeout=1).close()
            except OSError:
                if self.process.poll() is not None:
                    return
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """Ask the process to finish what it is doing and wait for it, ten seconds at most."""
        self._stopping.set()
        if self.process is None:
            return
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None


def sidecars() -> list[Sidecar]:
    """Return what goes beside the pages: the worker for long jobs, the live stream."""
    found = []
    if os.environ.get(JOBS) == "1":
        found.append(Sidecar("config.serving"))
    if os.environ.get(LIVE):
        host, port = os.environ[LIVE].split()
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        found.append(Sidecar("tournaments.live.stream", host, port, listens=(here, int(port))))
    return found


def work() -> None:
    """Do long jobs until the pipe from the parent closes (or for ever, on a terminal)."""
    from config.celery import app

    worker: Any = app.Worker(
        pool="solo" if os.name == "nt" else "threads",
        concurrency=1,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        worker.stop()
        # A job that hangs must not keep a process without a parent alive; it is done again, for
        # jobs are acknowledged after the work.
        threading.Timer(5, os._exit, (0,)).start()

    threading.Thread(target=watch, daemon=True).start()
    worker.start()


if __name__ == "__main__":
    work()
