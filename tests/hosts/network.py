"""Hosts in network namespaces on one virtual network, and what runs on them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.config.server import ROOT

WIRE = "chicagowire"
NETWORK = "10.77.0"
LAST = {
    "database": 20,
    "redis": 21,
    "pages1": 11,
    "pages2": 12,
    "stream": 13,
    "jobs1": 14,
    "jobs2": 15,
    "proxy": 2,
}


def can_make_hosts() -> bool:
    """Return whether this machine and account can create network namespaces."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return False
    made = subprocess.run(["ip", "netns", "add", "chicagotry"], capture_output=True, check=False)
    if made.returncode == 0:
        run("ip", "netns", "del", "chicagotry")
    return made.returncode == 0


def run(*command: str, **more: Any) -> str:
    """Run a command; return its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout


def until(true: Callable[[], Any], seconds: float, what: str) -> Any:
    """Wait until ``true`` returns a true value; return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := true():
            return found
        time.sleep(0.2)
    raise AssertionError(f"not within {seconds} s: {what}")


def kill_all(space: str) -> None:
    """Kill everything in a namespace, including processes that are just starting."""
    while pids := run("ip", "netns", "pids", space).split():
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.1)


def clear() -> None:
    """Remove all hosts, including those left by an aborted run."""
    for name, last in LAST.items():
        if Path(f"/sys/class/net/chi{last}").exists():
            run("ip", "link", "del", f"chi{last}")
        if Path(f"/run/netns/chicago-{name}").exists():
            kill_all(f"chicago-{name}")
            run("ip", "netns", "del", f"chicago-{name}")
    if Path(f"/sys/class/net/{WIRE}").exists():
        run("ip", "link", "del", WIRE)


class Host:
    """A machine: its own address, a folder, and one program that runs there."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.address = f"{NETWORK}.{LAST[name]}"
        self.folder = folder / name
        self.folder.mkdir()
        self.process: subprocess.Popen[bytes] | None = None
        self.space = f"chicago-{name}"
        self._command: tuple[list[str], dict[str, str]] = ([], {})
        wire = f"chi{LAST[name]}"
        run("ip", "netns", "add", self.space)
        run("ip", "link", "add", wire, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        run("ip", "link", "set", wire, "master", WIRE, "up")
        self._inside("ip", "addr", "add", f"{self.address}/24", "dev", "eth0")
        self._inside("ip", "link", "set", "eth0", "up")
        self._inside("ip", "link", "set", "lo", "up")

    def _inside(self, *command: str) -> str:
        return run("ip", "netns", "exec", self.space, *command)

    def starts(self, *command: str, **environment: str) -> None:
        """Start the program on this host."""
        keep = {"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1", "LANG": "C.UTF-8"}
        self._command = (["ip", "netns", "exec", self.space, *command], keep | environment)
        self.starts_again()

    def starts_again(self) -> None:
        """Start it again, as its machine would after a crash."""
        command, environment = self._command
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def dies(self) -> None:
        """Cut the power."""
        kill_all(self.space)
        if self.process is not None:
            self.process.wait(timeout=20)

    def log(self) -> str:
        """Return the program's output."""
        return (self.folder / "log.txt").read_text(encoding="utf-8", errors="replace")


class Network:
    """All hosts, on a bridge that this machine can reach as well."""

    def __init__(self) -> None:
        # PostgreSQL has to reach its own folder inside as another user.
        self.folder = Path(tempfile.mkdtemp(prefix="chicago-hosts-"))
        self.folder.chmod(0o711)
        self.hosts: dict[str, Host] = {}

    def __enter__(self) -> Network:
        clear()
        run("ip", "link", "add", WIRE, "type", "bridge")
        run("ip", "addr", "add", f"{NETWORK}.1/24", "dev", WIRE)
        run("ip", "link", "set", WIRE, "up")
        for name in LAST:
            self.hosts[name] = Host(name, self.folder)
        return self

    def __exit__(self, *_raised: object) -> None:
        for host in self.hosts.values():
            host.dies()
        clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __getitem__(self, name: str) -> Host:
        return self.hosts[name]

    # --- programs -----------------------------------------------------------------------------

    def start_database(self) -> str:
        """Start PostgreSQL; return its address."""
        host = self["database"]
        programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
        data = host.folder / "data"
        shutil.chown(host.folder, "postgres")
        run("runuser", "-u", "postgres", "--", f"{programs}/initdb", "-A", "trust", "-D", str(data))
        (data / "pg_hba.conf").write_text(
            f"host all all {NETWORK}.0/24 trust\nlocal all all trust\n"
        )
        host.starts(
            "runuser", "-u", "postgres", "--", f"{programs}/postgres", "-D", str(data),
            "-h", host.address, "-k", str(host.folder),
        )  # fmt: skip
        sql = ["psql", "-qX", "-h", host.address, "-U", "postgres", "-c"]
        until(
            lambda: subprocess.run([*sql, "SELECT 1"], capture_output=True).returncode == 0,
            60,
            "PostgreSQL answers",
        )
        run(*sql, "CREATE DATABASE chicago")
        return f"postgres://postgres@{host.address}/chicago"

    def start_redis(self) -> str:
        host = self["redis"]
        host.starts(
            "redis-server", "--bind", host.address, "--protected-mode", "no", "--save", "",
            "--appendonly", "no", "--dir", str(host.folder),
        )  # fmt: skip
        return f"redis://{host.address}:6379/0"

    def start_part(self, name: str, part: str, settings: dict[str, str]) -> None:
        """Start one part of the program on a host."""
        host = self[name]
        own = {"HOST": host.address, "DATA_DIR": str(host.folder / "data"), "WEB_CONCURRENCY": "1"}
        serve = [sys.executable, "manage.py", "serve", "--only", part]
        # Restarted when it exits, as by the unit in deploy/.
        again = ["sh", "-c", 'while :; do "$@"; sleep 1; done', "sh"]
        host.starts(*again, *serve, **settings, **own)

    def start_proxy(self) -> Path:
        """Start nginx with the configuration from deploy/; return the certificate."""
        host = self["proxy"]
        certificate, key = host.folder / "chicago.pem", host.folder / "chicago.key"
        run(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            "-subj", "/CN=chicago", "-addext", f"subjectAltName=IP:{host.address}",
            "-out", str(certificate), "-keyout", str(key),
        )  # fmt: skip
        text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        for here, there in {
            "server 127.0.0.1:8000": f"server {self['pages1'].address}:8000",
            "# server 10.0.0.12:8000": f"server {self['pages2'].address}:8000",
            "server 127.0.0.1:8001": f"server {self['stream'].address}:8001",
            "chicago.example.org": host.address,
            "/etc/ssl/chicago.pem": str(certificate),
            "/etc/ssl/private/chicago.key": str(key),
            "/var/log/nginx/error.log": f"{host.folder}/error.log",
        }.items():
            assert here in text, here
            text = text.replace(here, there)
        conf = host.folder / "nginx.conf"
        conf.write_text(
            f"daemon off; pid {host.folder}/pid; error_log {host.folder}/error.log; user root;\n"
            f"events {{ worker_connections 1024; }}\n"
            f"http {{ access_log off; client_body_temp_path {host.folder}/body;"
            f" proxy_temp_path {host.folder}/proxy; fastcgi_temp_path {host.folder}/f;"
            f" uwsgi_temp_path {host.folder}/u; scgi_temp_path {host.folder}/s;\n{text}\n}}\n",
            encoding="utf-8",
        )
        host.starts("nginx", "-c", str(conf), "-p", str(host.folder))
        return certificate
