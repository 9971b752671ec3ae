"""Parts of the run command: preparation, the servers, the process for long jobs.

The page processes hold nothing that is not in the database, so they may be killed at any moment.
The process for long jobs ends when its parent does, however that ends.
"""

import hashlib
import logging
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

JOBS = "CHICAGO_JOBS"
LIVE = "CHICAGO_LIVE"

#: The parts that can be served separately, each on any number of hosts.
PARTS = ("pages", "jobs", "stream")

#: Seconds before a sidecar that ended is restarted: doubled each time, up to the longest, until it
#: has lived long enough.
FIRST_PAUSE, LONGEST_PAUSE, LONG_ENOUGH = 0.5, 60.0, 60.0
#: The longest pause for page processes, because whole tables wait for them.
PAGES_PAUSE = 2.0

#: The number of sockets and files that a process may have open, if the system allows it.
MOST_DESCRIPTORS = 65536

#: The number of the lock on a PostgreSQL database that is being brought up to date.
MIGRATING = 0x43686963

logger = logging.getLogger(__name__)


class CannotServe(Exception):
    """Serving cannot start; the message says why and what to do."""


@contextmanager
def claimed(parts: Collection[str] = PARTS) -> Iterator[None]:
    """Claim the data folder for this process, as far as it serves these parts.

    Raises CannotServe if another process serves one of them. The claim ends with this process,
    however that ends.
    """
    with ExitStack() as stack:
        for part in parts:
            try:
                stack.callback(os.close, _lock(f"serving-{part}.lock", wait=False))
            except OSError as problem:
                raise CannotServe(
                    f"The program is serving the data in {settings.DATA_DIR} already. Stop it "
                    "first, or choose another folder with DATA_DIR."
                ) from problem
        yield


def check_alone() -> None:
    """Raise CannotServe while others are connected to this PostgreSQL database.

    The claim on the data folder says nothing of other hosts.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND usename = current_user AND backend_type = 'client backend' "
            "AND pid <> pg_backend_pid()"
        )
        [others] = cursor.fetchone()
    if others:
        raise CannotServe(
            f"Others are connected to the database ({others}), and what they write would be lost. "
            "Stop the program on every host, and whatever else uses the database; then try again."
        )


def _lock(name: str, *, wait: bool) -> int:
    """Lock a file of the data folder until it is closed; raise OSError if it is taken."""
    held = os.open(settings.DATA_DIR / name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(held, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held


def prepare() -> None:
    """Bring the database, the translations and the static files up to date."""
    from config import texts

    # Parts that start together on one host share the folder.
    held = _lock("preparing.lock", wait=True)
    try:
        texts.compile_all()
        with _alone():
            make_database()
        collect_static()
    finally:
        os.close(held)


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other hosts from updating the same database at the same time."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])


def make_database(*, back_up: bool = True) -> None:
    """Create the database's tables, or bring them up to date; fast if there is nothing to do.

    ``back_up``: with existing data, not without a backup.
    """
    if connection.vendor == "sqlite":
        Path(connection.settings_dict["NAME"]).touch(mode=0o600)
    executor = MigrationExecutor(connection)
    known = executor.loader.disk_migrations
    newer = [key for key in executor.loader.applied_migrations if key not in known]
    ours = {app for app, _name in known}
    if ahead := sorted(f"{app} {name}" for app, name in newer if app in ours):
        raise CannotServe(
            f"The database was used by a newer version of the program ({ahead[-1]}). Start that "
            f"version; or go back with: manage.py restore --replace FILE, where FILE is the "
            f"backup that was made before the upgrade{_before_upgrade()}."
        )
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    # Also where the worker makes none (BACKUP_HOURS=0): without it there is no way back.
    has_data = bool(executor.loader.applied_migrations)
    kept = _backup_before_upgrade() if has_data and back_up else None
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except Exception as problem:
        text = f"The database could not be brought up to date: {problem}"
        if kept is not None:
            text += (
                "\nNothing is lost. Go back: start the version that you had, with: "
                f"manage.py restore --replace {kept}"
            )
        raise CannotServe(text) from problem


def _backup_before_upgrade() -> Path:
    """Back up the data before it is changed; raise CannotServe if that fails."""
    from config.backup import BadBackup, backup

    folder = Path(settings.BACKUP_DIR)
    kept = folder / f"before-upgrade-{time.strftime('%Y-%m-%d-%H%M%S')}.zip"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup(kept, verify=False)
    except (BadBackup, OSError) as problem:
        raise CannotServe(
            "The database has to be brought up to date, but no backup can be made first in "
            f"BACKUP_DIR={folder}: {problem}\nMake that possible and start again; or copy the "
            "database yourself and bring it up to date with: manage.py migrate"
        ) from problem
    return kept


def _before_upgrade() -> str:
    """Return where the last backup before an upgrade is, as a part of a sentence."""
    found = sorted(Path(settings.BACKUP_DIR).glob("before-upgrade-*"))
    return f": {found[-1]}" if found else ""


def collect_static() -> bool:
    """Collect the static files unless nothing has changed; return True if they were collected."""
    stamp = settings.STATIC_ROOT / ".collected"
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    # Files of packages change only with their versions.
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

    Retry for ``patience`` seconds: the workers of a server that was killed hold its port until they
    notice.
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
    scheme = "https" if settings.TLS_CERTIFICATE else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def tls() -> ssl.SSLContext | None:
    """Return the TLS context of a server that speaks https, None for plain http.

    Raises CannotServe if the certificate or the key is missing or does not match.
    """
    if not (settings.TLS_CERTIFICATE or settings.TLS_KEY):
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # With a passphrase, the key would prompt on the console of each process.
        context.load_cert_chain(settings.TLS_CERTIFICATE, settings.TLS_KEY, password="")
    except (OSError, ValueError) as problem:
        raise CannotServe(
            f"Cannot speak https with TLS_CERTIFICATE={settings.TLS_CERTIFICATE} and "
            f"TLS_KEY={settings.TLS_KEY}: {problem}. Both are PEM files, the certificate with its "
            "chain, the key without a passphrase."
        ) from problem
    return context


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


def run(host: str, port: int, banner: str, parts: Collection[str] = PARTS) -> None:
    """Serve until told to stop: one page process per core, with the sidecars beside them."""
    _allow_many_connections()
    os.environ[JOBS] = "1" if "jobs" in parts and job_names() else "0"
    if "stream" in parts:
        _offer_stream(host, alone="pages" not in parts)
    beside = sidecars()
    told = threading.Event()
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_signal: told.set())
    pages = []
    if "pages" in parts:
        listening = _listen(host, port)
        if sys.platform == "win32":
            _serve_here(listening)
        else:
            pages = [
                Sidecar(
                    "config.pages",
                    str(listening.fileno()),
                    descriptor=listening.fileno(),
                    longest_pause=PAGES_PAUSE,
                )
                for _each in range(int(os.environ.get("WEB_CONCURRENCY") or os.cpu_count() or 1))
            ]
    try:
        for child in [*beside, *pages]:
            child.start()
        for child in beside:
            child.wait_until_ready()
        if "pages" not in parts or _answers(host, port, told):
            print(banner, flush=True)
        while not told.wait(1):
            pass
    finally:
        # This takes as long as the slowest of them; jobs and stream go on until the pages have
        # ended.
        for children in (pages, beside):
            for child in children:
                child.tell_to_stop()
            for child in children:
                child.stop()


def _allow_many_connections() -> None:
    """Raise the soft limit of open descriptors, for this process and its children."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def _listen(host: str, port: int) -> socket.socket:
    """Return the socket that all page processes accept connections from."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if os.name != "nt":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(1024)
    return listening


def _serve_here(listening: socket.socket) -> None:
    """Serve with threads of this process, where no other process can inherit a socket."""
    from config.pages import serve
    from config.wsgi import application

    threading.Thread(target=serve, args=(listening, application, tls()), daemon=True).start()


def _answers(host: str, port: int, told: threading.Event) -> bool:
    """Wait until the pages answer, for half a minute or until told to stop."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    deadline = time.monotonic() + 30
    asking: HTTPConnection
    while time.monotonic() < deadline and not told.is_set():
        if settings.TLS_CERTIFICATE:
            # The certificate has another name than this address, which is only asked by ourselves.
            unverified = ssl._create_unverified_context()
            asking = HTTPSConnection(here, port, timeout=5, context=unverified)
        else:
            asking = HTTPConnection(here, port, timeout=5)
        try:
            asking.request("GET", "/healthz")
            asking.getresponse().read()
        except (OSError, HTTPException):
            time.sleep(0.1)
        else:
            return True
        finally:
            asking.close()
    return False


def _offer_stream(host: str, *, alone: bool) -> None:
    """Serve the live stream beside the pages, and tell these its address.

    Behind a proxy or at another address, only the person who set that up knows where browsers reach
    the stream. ``LIVE_URL`` says so; without it the pages poll there. A server that speaks https
    itself has no proxy in front. ``alone``: the pages are served elsewhere.
    """
    own = settings.TLS_CERTIFICATE and not settings.TRUST_PROXY
    behind = not alone and not own and (settings.TRUST_PROXY or settings.PUBLIC_URL)
    if not settings.LIVE_PORT or (behind and not settings.LIVE_URL):
        return
    try:
        check_port(host, settings.LIVE_PORT)
    except CannotServe:
        print(
            f"Port {settings.LIVE_PORT} is taken: no live stream, so pages ask every few seconds."
        )
        return
    os.environ[LIVE] = f"{host} {settings.LIVE_PORT}"
    os.environ.setdefault("LIVE_URL", f":{settings.LIVE_PORT}")


class Sidecar:
    """A process beside the pages that cannot outlive its parent.

    It reads a pipe from its parent and stops when that closes, whatever became of the parent.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        listens: tuple[str, int] | None = None,
        descriptor: int | None = None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        """``listens`` is its address, if any; ``descriptor`` is a socket that it inherits."""
        self.command = [sys.executable, "-m", module, *arguments]
        self.listens = listens
        self.descriptor = descriptor
        self.longest_pause = longest_pause
        self.process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()

    def start(self) -> None:
        """Start the process, and restart it whenever it ends by itself."""
        self._start()
        threading.Thread(target=self._keep, daemon=True).start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            pass_fds=() if self.descriptor is None else (self.descriptor,),
            # Not in the terminal's group: Ctrl-C reaches it through the pipe, after the pages.
            start_new_session=self.descriptor is None,
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
            logger.warning("%s ended; starting it again", self.command[2])
            pause = min(2 * pause, self.longest_pause)
            assert self.process.stdin is not None
            self.process.stdin.close()
            self._start()

    def wait_until_ready(self, seconds: float = 10) -> None:
        """Wait until the process listens on its address, if it has one."""
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

    def tell_to_stop(self) -> None:
        """Ask the process to finish its current work."""
        self._stopping.set()
        if self.process is not None:
            assert self.process.stdin is not None
            self.process.stdin.close()

    def stop(self) -> None:
        """Ask the process to finish its current work, and wait up to ten seconds."""
        self.tell_to_stop()
        if self.process is None:
            return
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None


def sidecars() -> list[Sidecar]:
    """Return the processes beside the pages: the worker for long jobs and the live stream."""
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
    worker: Any = None

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        if worker is None:
            # The parent has gone before the work began.
            os._exit(0)
        worker.stop()
        # A hanging job must not keep a process without a parent alive. Jobs are acknowledged after
        # the work, so it will be done again.
        threading.Timer(5, os._exit, (0,)).start()

    threading.Thread(target=watch, daemon=True).start()
    from celery.platforms import SecurityWarning

    from config.celery import app

    # ``serve`` says this once, in our own words.
    warnings.simplefilter("ignore", SecurityWarning)
    worker = app.Worker(
        pool="solo" if os.name == "nt" else "threads",
        concurrency=1,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )

    worker.start()


if __name__ == "__main__":
    work()
