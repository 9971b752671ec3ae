"""Start the program as a user would, in its own process and data folder."""

import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).resolve().parents[2]


def _die_with_parent() -> None:
    """Have Linux end this process when the tests end or are killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def free_port() -> int:
    """Return a port that nothing is listening on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`manage.py serve` while the `with` block runs; `output` is what it has printed."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        #: What follows ``serve``.
        self.arguments: list[str] = []
        self.output = ""
        self.process: subprocess.Popen[bytes] | None = None
        keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        self.environment = keep | {
            "DATA_DIR": str(folder),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "LIVE_PORT": "0",
            "PYTHONUNBUFFERED": "1",
            # Each additional web process takes time to start.
            "WEB_CONCURRENCY": "1",
        }
        self.environment |= environment

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, timeout: float = 120) -> None:
        """Start the program and wait until it prints its address."""
        log = self.folder / "log.txt"
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", *self.arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            )
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            self.output = log.read_text(encoding="utf-8", errors="replace")
            if "Stop with Ctrl-C" in self.output:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"The program did not start:\n{self.output}")

    def manage(self, *command: str) -> str:
        """Run another management command on its data; return the output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop it with a signal and return its exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(timeout=60)
        return status

    def kill_everything(self) -> None:
        """Kill the process and its children at once, as in a power cut."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=60)

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill_everything()


def children(server: Server, name: str) -> list[int]:
    """Return the ids of its child processes with this in their name (Linux)."""
    assert server.process is not None
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            begin, end = each.read_text().rsplit(")", 1)
        except OSError:
            continue
        parent = int(end.split()[1])
        if parent == server.process.pid and name in begin:
            found.append(int(each.parent.name))
    return found


class Browser:
    """A minimal browser: cookies, forms with their CSRF token, and statuses as values."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> tuple[int, str]:
        return self.open(Request(self.address + path))

    def post(self, path: str, data: dict[str, str]) -> tuple[int, str]:
        """Send a form, with the CSRF token of the last page read."""
        body = urlencode(data | {"csrfmiddlewaretoken": self.token}).encode()
        return self.open(Request(self.address + path, data=body))

    def post_json(self, path: str, body: bytes) -> tuple[int, str]:
        """Send what a page's script sends, with the CSRF token from the cookie."""
        token = next((c.value for c in self.cookies if c.name == "csrftoken"), "") or ""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-CSRFToken": token,
        }
        return self.open(Request(self.address + path, data=body, headers=headers))

    @property
    def token(self) -> str:
        return self._token

    def open(self, request: Request) -> tuple[int, str]:
        """Return status and text; the status is 0 if the server is away or disconnects."""
        try:
            try:
                answer = self.opener.open(request, timeout=60)
            except HTTPError as refused:
                answer = refused
            with answer:
                status, text = answer.status, answer.read().decode("utf-8", "replace")
        except (URLError, HTTPException, ConnectionError, TimeoutError):
            return 0, ""
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)
        if found:
            self._token = found[1]
        return status, text

    _token = ""
