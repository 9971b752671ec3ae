"""Parts of the run command: the servers, and the processes beside them.

The page processes hold nothing that is not in the database, so they may be killed at any moment.
The process for long jobs ends when its parent does, however that ends.
"""

import logging
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.template import engines
from django.urls import resolve, reverse
from django.utils import translation

from .memory import give_back, tune_garbage_collection
from .preparing import PARTS, CannotServe, tls

#: The environment variable that tells the pages where the stream listens.
LIVE = "CHICAGO_LIVE"
#: Seconds before a sidecar that ended is restarted: doubled each time, up to the longest, until it
#: has lived long enough.
FIRST_PAUSE, MAX_PAUSE, LONG_ENOUGH = 0.5, 60.0, 60.0
#: The longest pause for page processes, because whole tables wait for them.
PAGES_PAUSE = 2.0

#: The number of sockets and files that a process may have open, if the system allows it.
MAX_DESCRIPTORS = 65536

#: How children are started. Elsewhere than on Linux, a system's own libraries forbid to fork.
_CONTEXT: Any = get_context("fork" if sys.platform == "linux" else "spawn")

logger = logging.getLogger(__name__)


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
        from .settings import _own_addresses

        numbers = [name for name in _own_addresses() if name.replace(".", "").isdigit()]
        host = numbers[0] if numbers else socket.gethostname()
    scheme = "https" if settings.TLS_CERTIFICATE else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def run(host: str, port: int, banner: str, parts: Collection[str] = PARTS) -> None:
    """Serve until told to stop: one page process per core, with the sidecars beside them.

    What is only one process runs in this one: systemd or the containers' manager restarts it, and a
    second supervisor would hide from them that it ends again and again.
    """
    _allow_many_connections()
    beside = [Sidecar("config.worker")] if "jobs" in parts else []
    if "stream" in parts and (live := _stream_port(host, port, alone="pages" not in parts)):
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        beside.append(Sidecar("tournaments.live.stream", host, live, listens=(here, live)))
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
                Sidecar("config.pages", listening, group=True, longest_pause=PAGES_PAUSE)
                for _each in range(int(os.environ.get("WEB_CONCURRENCY") or _cores()))
            ]
    children = [*beside, *pages]
    if sys.platform == "linux":
        _load(children)
    if len(children) == 1 and sys.platform != "win32":
        only = children[0]

        def announce() -> None:
            only.wait_until_ready()
            if not pages or _answers(host, port, told):
                print(banner, flush=True)

        threading.Thread(target=announce, daemon=True).start()
        only.run_here()
        return
    try:
        for child in children:
            child.start()
        for child in beside:
            child.wait_until_ready()
        if "pages" not in parts or _answers(host, port, told):
            print(banner, flush=True)
        while not told.wait(0.2):
            for child in children:
                child.tend()
    finally:
        # This takes as long as the slowest of them; jobs and stream go on until the pages have
        # ended.
        for several in (pages, beside):
            for child in several:
                child.tell_to_stop()
            for child in several:
                child.stop()


def _load(children: "Collection[Sidecar]") -> None:
    """Import what the children will need, once for all of them."""
    for module in {child.module for child in children}:
        import_module(module)
    if any(child.module == "config.pages" for child in children):
        # Middleware and all views.
        import_module("config.wsgi")
        resolve("/healthz")
        # What each of them would load for itself with its first page.
        engines.all()
        reverse(settings.LOGIN_URL)
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                translation.gettext("")
    give_back()
    # Without collecting first: it takes a tenth of the start, and finds next to nothing.
    tune_garbage_collection()


def _cores() -> int:
    """Return how many cores this process may use: of a large machine it may have been given one."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _allow_many_connections() -> None:
    """Raise the soft limit of open descriptors, for this process and its children."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
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
    from .pages import serve
    from .wsgi import application

    threading.Thread(target=serve, args=(listening, application, tls()), daemon=True).start()


def _answers(host: str, port: int, told: threading.Event) -> bool:
    """Wait until the pages answer, for half a minute or until told to stop."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    deadline = time.monotonic() + 30
    asking: HTTPConnection
    while time.monotonic() < deadline and not told.is_set():
        if settings.TLS_CERTIFICATE:
            # The certificate is for another name than this address, which only this process asks.
            unverified = ssl.create_default_context()
            unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
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


def _stream_port(host: str, port: int, *, alone: bool) -> int:
    """Return the port of the live stream beside the pages, having told these; 0 without one.

    Behind a proxy or at another address, only the person who set that up knows where browsers reach
    the stream. ``LIVE_URL`` says so; without it the pages poll there. A server that speaks https
    itself has no proxy in front. ``alone``: the pages are served elsewhere.
    """
    own = settings.TLS_CERTIFICATE and not settings.TRUST_PROXY
    behind = not alone and not own and (settings.TRUST_PROXY or settings.PUBLIC_URL)
    # By default the port after --port, which need not be the settings' PORT.
    live = settings.LIVE_PORT if os.environ.get("LIVE_PORT") else port + 1
    if not live or (behind and not settings.LIVE_URL):
        return 0
    try:
        check_port(host, live)
    except CannotServe:
        print(f"Port {live} is taken: no live stream, so pages ask every few seconds.")
        return 0
    os.environ[LIVE] = f"{host} {live}"
    settings.LIVE_URL = os.environ["LIVE_URL"] = settings.LIVE_URL or f":{live}"
    return int(live)


class Sidecar:
    """A process beside the pages that cannot outlive its parent.

    It has a pipe from its parent and stops when that closes, whatever became of the parent. On
    Linux it is a fork that shares the memory of all loaded code; therefore its parent has no other
    threads and looks after its children from its only loop (:meth:`tend`).
    """

    def __init__(
        self,
        module: str,
        *arguments: Any,
        listens: tuple[str, int] | None = None,
        group: bool = False,
        longest_pause: float = MAX_PAUSE,
    ) -> None:
        """``module`` has a ``main`` that takes the pipe's end and the arguments.

        ``listens`` is its address, if any.

        ``group``: in its parent's process group, so that Ctrl-C in a terminal reaches it at once.
        """
        self.module = module
        self.arguments = arguments
        self.listens = listens
        self.group = group
        self.longest_pause = longest_pause
        self.process: BaseProcess | None = None
        self._pause, self._began, self._ended = FIRST_PAUSE, 0.0, 0.0
        self._writer: Connection | None = None

    def start(self) -> None:
        """Start the process."""
        reader, self._writer = _CONTEXT.Pipe(duplex=False)
        self._began, self._ended = time.monotonic(), 0.0
        self.process = _CONTEXT.Process(
            target=_become, args=(self.module, self.arguments, reader, self.group), daemon=True
        )
        self.process.start()
        reader.close()

    def run_here(self) -> None:
        """Do its work in this process until told to stop."""
        reader, self._writer = _CONTEXT.Pipe(duplex=False)
        for name in ("SIGTERM", "SIGINT"):
            signal.signal(getattr(signal, name), lambda *_signal: self.tell_to_stop())
        import_module(self.module).main(reader, *self.arguments)

    def tend(self) -> None:
        """Start the process again if it has ended, after a pause that doubles each time.

        One that ended by itself, without an error, begins anew at once.
        """
        if self.process is None or self.process.exitcode is None:
            return
        if self.process.exitcode == 0:
            self.tell_to_stop()
            self.start()
            return
        now = time.monotonic()
        if not self._ended:
            self._ended = now
            if now - self._began > LONG_ENOUGH:
                self._pause = FIRST_PAUSE
        if now - self._ended >= self._pause:
            logger.warning("%s ended; starting it again", self.module)
            self._pause = min(2 * self._pause, self.longest_pause)
            self.tell_to_stop()
            self.start()

    def wait_until_ready(self) -> None:
        """Wait until the process listens on its address, if it has one; ten seconds at most."""
        deadline = time.monotonic() + 10
        while self.listens and time.monotonic() < deadline:
            try:
                socket.create_connection(self.listens, timeout=1).close()
            except OSError:
                if self.process and self.process.exitcode is not None:
                    return
                time.sleep(0.05)
            else:
                return

    def tell_to_stop(self) -> None:
        """Ask the process to finish its current work."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def stop(self) -> None:
        """Ask the process to finish its current work, and wait up to ten seconds."""
        self.tell_to_stop()
        if self.process is None:
            return
        deadline = time.monotonic() + 10
        while self.process.exitcode is None:
            if time.monotonic() > deadline:
                self.process.kill()
            time.sleep(0.02)
        self.process = None


def _become(module: str, arguments: Sequence[Any], reader: Connection, group: bool) -> None:
    """Run a module's ``main`` in a new process."""
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    if group:
        # Ctrl-C reaches every process of the terminal; the parent says when to stop.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32" and not group:
        os.setsid()
    if sys.platform == "linux":
        Path("/proc/self/comm").write_text(module.rpartition(".")[2], encoding="ascii")
        # A fork has all that its parent holds open: locks, its pipes to others, which only its own
        # death may close.
        own = {reader.fileno()}
        own |= {each.fileno() for each in arguments if isinstance(each, socket.socket)}
        for number in map(int, os.listdir("/proc/self/fd")):
            if number > 2 and number not in own:
                with suppress(OSError):
                    os.close(number)
    if not apps.ready:
        django.setup()
    import_module(module).main(reader, *arguments)
