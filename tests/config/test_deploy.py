"""The files in ``deploy/`` fit the program and are accepted by the programs that read them."""

import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml

from config import preparing
from tests.config.server import ROOT, free_port

DEPLOY = ROOT / "deploy"
#: The settings that the guide lists.
KNOWN = {
    name
    for row in re.findall(
        r"^\| (`[A-Z].*?) \|", (ROOT / "docs/operations.md").read_text("utf-8"), re.M
    )
    for name in re.findall(r"`([A-Z_]+)", row)
}


def test_the_guide_lists_every_setting() -> None:
    read = re.compile(r"(?:\benv|os\.environ)(?:\.\w+)?[(\[]\"([A-Z_]+)\"")
    files = [path.read_text("utf-8") for path in ROOT.glob("config/**/*.py")]
    found = {name for text in files for name in read.findall(text)}
    # The tests' own push service stands in for the public ones; Celery is told by the worker.
    own = {"DJANGO_SETTINGS_MODULE", "PUSH_TEST_SERVICE", "CELERY_SKIP_CHECKS"}
    assert found - own == KNOWN


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def run(*command: str, **more: Any) -> None:
    """Run the program that reads such a file, if this machine has it."""
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_has_a_container() -> None:
    services = yaml.safe_load(text("compose.yaml"))["services"]
    commands = [each["command"] for each in services.values() if "build" in each]
    assert {part for _only, part in commands} == set(preparing.PARTS)
    assert {only for only, _part in commands} == {"--only"}


def test_redis_has_a_password_and_a_network_of_its_own() -> None:
    file = yaml.safe_load(text("compose.yaml"))
    services = file["services"]
    assert file["networks"]["redis"]["internal"]
    inside = {name for name, each in services.items() if "redis" in each.get("networks", [])}
    assert inside == {"redis", *(name for name in services if "build" in services[name])}
    password = services["redis"]["command"][services["redis"]["command"].index("--requirepass") + 1]
    assert f":{password}@" in services["pages"]["environment"]["REDIS_URL"]


def test_every_part_can_make_the_backup_before_an_upgrade() -> None:
    for service in yaml.safe_load(text("compose.yaml"))["services"].values():
        if "build" in service:
            assert f"backups:{service['environment']['BACKUP_DIR']}" in service["volumes"]


def test_containers_name_only_what_exists() -> None:
    file = yaml.safe_load(text("compose.yaml"))
    services, volumes = file["services"], set[str]()
    for service in services.values():
        assert set(service.get("depends_on", [])) <= set(services)
        build = service.get("build")
        if build:
            folder = DEPLOY / build["context"]
            assert (folder / build["dockerfile"]).samefile(DEPLOY / "Dockerfile")
            assert set(service["environment"]) <= KNOWN
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).is_file()
            else:
                volumes.add(source)
    assert volumes == set(file["volumes"])
    hosts = re.findall(r"(?:@|//)(\w+)[/:]", yaml.safe_dump(services["pages"]["environment"]))
    assert {"database", "redis"} <= set(hosts)


def test_the_proxy_of_the_containers_finds_pages_and_stream() -> None:
    proxy = yaml.safe_load(text("compose.yaml"))["services"]["proxy"]["environment"]
    assert set(re.findall(r"{\$(\w+):", text("Caddyfile"))) == set(proxy)
    exposed = re.findall(r"^EXPOSE (\d+) (\d+)$", text("Dockerfile"), re.MULTILINE)[0]
    assert (proxy["PAGES"], proxy["STREAM"]) == (f"pages:{exposed[0]}", f"stream:{exposed[1]}")
    assert proxy["TABLES"] == f"tables:{exposed[0]}"


def test_the_image_is_built_from_what_exists() -> None:
    lines = [line.split() for line in text("Dockerfile").splitlines()]
    copies = [line for line in lines if line[:1] == ["COPY"]]
    # What an earlier stage of the image has made is not here.
    copied = [line[1] for line in copies if not line[1].startswith("--from=")]
    assert copied
    assert all((ROOT / source).exists() for source in copied)
    assert (ROOT / "manage.py").is_file()
    variables = next(line[1:] for line in lines if line[:1] == ["ENV"])
    assert {each.split("=")[0] for each in variables} - {"PYTHONUNBUFFERED"} <= KNOWN


def test_the_example_environment_sets_known_variables() -> None:
    names = set(re.findall(r"^([A-Z_]+)=", text("chicago.env"), re.MULTILINE))
    assert names <= KNOWN
    assert {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "TRUST_PROXY"} <= names


def test_the_unit_may_write_to_the_examples_folders() -> None:
    values = dict(re.findall(r"^([A-Z_]+)=(.+)$", text("chicago.env"), re.MULTILINE))
    writable = re.findall(r"^ReadWritePaths=(.+)$", text("chicago@.service"), re.MULTILINE)[0]
    assert {values["DATA_DIR"], values["BACKUP_DIR"]} <= set(writable.replace("-/", "/").split())


SECRET = "tHe-SeCrEt-OnE"


def wait_for(port: int) -> None:
    """Wait until something listens."""
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
            break
        except OSError:
            time.sleep(0.05)


def ask(port: int) -> None:
    """Request a page by link, with that link as referrer, from a proxy whose backend is down."""
    link = f"http://127.0.0.1:{port}/s/{SECRET}/"
    wait_for(port)
    with pytest.raises(HTTPError, match="502"):
        urlopen(Request(link, headers={"Referer": link}), timeout=10)


@contextmanager
def running(*command: str, **more: Any) -> Iterator[None]:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    with subprocess.Popen(command, **more) as process:
        try:
            yield
        finally:
            process.terminate()


class Named(BaseHTTPRequestHandler):
    """Answers with the port that it is reached at."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(self.server.server_address[1]).encode())

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def backends() -> Iterator[tuple[int, int, int]]:
    """Serve in place of tables, pages and stream; yield their ports."""
    with ExitStack() as stack:
        ports = []
        for _name in ("tables", "pages", "stream"):
            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Named))
            threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
            stack.callback(server.shutdown)
            ports.append(int(server.server_address[1]))
        tables, pages, stream = ports
        yield tables, pages, stream


def answers(port: int, path: str, times: int = 1) -> list[tuple[int, str]]:
    """Return status and text of so many requests at once."""

    def one(_number: int) -> tuple[int, str]:
        try:
            with urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refused:
            with refused:
                return refused.code, ""

    with ThreadPoolExecutor(20) as pool:
        return list(pool.map(one, range(times)))


def caddy(folder: Path, port: int, pools: tuple[int, int, int]) -> tuple[tuple[str, ...], Any]:
    """Return the command and the environment that start Caddy in front of these ports."""
    conf = folder / "Caddyfile"
    site = text("Caddyfile").replace("\tlog {", "\tadmin off\n\tlog {")
    conf.write_text(site, encoding="utf-8")
    environment = os.environ | {
        "SITE": f"http://127.0.0.1:{port}",
        **{
            name: f"127.0.0.1:{each}"
            for name, each in zip(("TABLES", "PAGES", "STREAM"), pools, strict=True)
        },
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    return ("caddy", "run", "--adapter", "caddyfile", "--config", str(conf)), environment


def nginx(folder: Path, port: int, pools: tuple[int, int, int]) -> tuple[str, ...]:
    """Return the command that starts nginx in front of these ports."""
    site = re.sub(r"(?m)^    ssl_.*$", "", text("nginx.conf"))
    site = site.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}")
    site = site.replace("listen 80", f"listen 127.0.0.1:{free_port()}")
    for old, each in zip(("8000", "8000", "8001"), pools, strict=True):
        site = site.replace(f"    server 127.0.0.1:{old}", f"    server  127.0.0.1:{each}", 1)
    conf = nginx_conf(folder, site, "daemon off;\nmaster_process off;\n")
    return "nginx", "-c", str(conf), "-p", str(folder)


def pools_of(port: int) -> tuple[str, ...]:
    """Return which backends answer for a table, for the rest, and for the stream."""
    wait_for(port)
    paths = ("/s/somebody/entry/", "/e/fest/", "/live/?topic=x")
    return tuple(answers(port, path)[0][1] for path in paths)


def test_caddy_keeps_a_pool_for_tables(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    with backends() as pools:
        command, environment = caddy(tmp_path, port, pools)
        with log.open("w") as lines, running(*command, env=environment, stderr=lines):
            assert pools_of(port) == tuple(map(str, pools))


def test_nginx_keeps_a_pool_for_tables_and_limits_sign_ins(tmp_path: Path) -> None:
    port = free_port()
    with backends() as pools, running(*nginx(tmp_path, port, pools), stderr=subprocess.DEVNULL):
        assert pools_of(port) == tuple(map(str, pools))
        signing_in = Counter(status for status, _text in answers(port, "/accounts/login/", 80))
        assert set(signing_in) == {200, 429}
        assert 30 <= signing_in[200] <= 40
        # Nobody else at this address waits for it.
        for path in ("/s/somebody/", "/e/fest/", "/accounts/logout/"):
            assert {status for status, _text in answers(port, path, 80)} == {200}


def test_caddy_logs_no_links(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    command, environment = caddy(tmp_path, port, (free_port(), free_port(), free_port()))
    with log.open("w") as lines, running(*command, env=environment, stderr=lines, stdout=lines):
        ask(port)
    assert log.read_text(encoding="utf-8")
    assert SECRET not in log.read_text(encoding="utf-8")


def test_nginx_logs_no_links(tmp_path: Path) -> None:
    port = free_port()
    command = nginx(tmp_path, port, (free_port(), free_port(), free_port()))
    with running(*command, stderr=subprocess.DEVNULL):
        ask(port)
    written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.log"))
    assert SECRET not in written


def nginx_conf(folder: Path, site: str, head: str = "") -> Path:
    """Write a complete configuration around a site, with folders that this account can write to."""
    folders = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    site = site.replace("/var/log/nginx", str(folder))
    # As on a host that logs everything its sites do not forbid.
    whole.write_text(
        f"{head}pid {folder}/pid;\nerror_log {folder}/main.log;\nevents {{}}\n"
        f"http {{\naccess_log {folder}/access.log;\n{folders}{site}\n}}\n"
    )
    return whole


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "chicago@pages.service"
    # A program of this machine instead of the one that will be installed.
    python = shutil.which("true") or "/bin/true"
    unit.write_text(text("chicago@.service").replace("/opt/chicago/.venv/bin/python", python))
    run("systemd-analyze", "verify", "--man=no", str(unit))


def test_caddy_accepts_its_file(tmp_path: Path) -> None:
    environment = os.environ | {
        "SITE": "chicago.example.org",
        "TABLES": "10.0.0.11:8000",
        "PAGES": "10.0.0.11:8000 10.0.0.12:8000",
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    run(
        "caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"),
        env=environment,
    )  # fmt: skip


def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=chicago",
        "-keyout", str(key), "-out", str(certificate),
    )  # fmt: skip
    site = text("nginx.conf").replace("/etc/ssl/private/chicago.key", str(key))
    site = site.replace("/etc/ssl/chicago.pem", str(certificate))
    whole = nginx_conf(tmp_path, site)
    run("nginx", "-t", "-c", str(whole), "-p", str(tmp_path))
