"""Parts of the run command: the servers, and the processes beside them.

The page processes hold nothing that is not in the database, so they may be killed at any moment.
The process for long jobs ends when its parent does, however that ends.
"""

import logging
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from http.client import HTTPConnection, HTTPException, HTTPSConnection

from django.conf import settings

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
    """Serve until told to stop: one page process per core, with the sidecars beside them."""
    _allow_many_connections()
    if "stream" in parts:
        _offer_stream(host, port, alone="pages" not in parts)
    beside = sidecars(parts)
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


def _offer_stream(host: str, port: int, *, alone: bool) -> None:
    """Serve the live stream beside the pages, and tell these its address.

    Behind a proxy or at another address, only the person who set that up knows where browsers reach
    the stream. ``LIVE_URL`` says so; without it the pages poll there. A server that speaks https
    itself has no proxy in front. ``alone``: the pages are served elsewhere.
    """
    own = settings.TLS_CERTIFICATE and not settings.TRUST_PROXY
    behind = not alone and not own and (settings.TRUST_PROXY or settings.PUBLIC_URL)
    # By default the port after --port, which need not be the settings' PORT.
    live = settings.LIVE_PORT if os.environ.get("LIVE_PORT") else port + 1
    if not live or (behind and not settings.LIVE_URL):
        return
    try:
        check_port(host, live)
    except CannotServe:
        print(f"Port {live} is taken: no live stream, so pages ask every few seconds.")
        return
    os.environ[LIVE] = f"{host} {live}"
    os.environ["LIVE_URL"] = settings.LIVE_URL or f":{live}"


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
        longest_pause: float = MAX_PAUSE,
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

    def wait_until_ready(self) -> None:
        """Wait until the process listens on its address, if it has one; ten seconds at most."""
        deadline = time.monotonic() + 10
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


def sidecars(parts: Collection[str]) -> list[Sidecar]:
    """Return the processes beside the pages: the worker for long jobs and the live stream."""
    found = []
    if "jobs" in parts:
        found.append(Sidecar("config.worker"))
    if os.environ.get(LIVE):
        host, port = os.environ[LIVE].split()
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        found.append(Sidecar("tournaments.live.stream", host, port, listens=(here, int(port))))
    return found
