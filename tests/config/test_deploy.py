"""The files in ``deploy/`` fit the program and are accepted by what reads them."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from config import serving, settings
from tests.config.server import ROOT

DEPLOY = ROOT / "deploy"
#: What the settings file says that the environment can set.
KNOWN = set(re.findall(r"``([A-Z_]+)``", settings.__doc__ or ""))


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def run(*command: str, **more: Any) -> None:
    """Run what reads such a file, if this machine has it."""
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_has_a_container() -> None:
    services = yaml.safe_load(text("compose.yaml"))["services"]
    commands = [each["command"] for each in services.values() if "command" in each]
    assert sorted(commands) == sorted(["--only", part] for part in serving.PARTS)


def test_containers_name_what_there_is() -> None:
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


def test_the_image_is_made_of_what_there_is() -> None:
    lines = [line.split() for line in text("Dockerfile").splitlines()]
    copied = [line[1] for line in lines if line[:1] == ["COPY"]]
    assert copied
    assert all((ROOT / source).exists() for source in copied)
    assert (ROOT / "manage.py").is_file()
    variables = next(line[1:] for line in lines if line[:1] == ["ENV"])
    assert {each.split("=")[0] for each in variables} - {"PYTHONUNBUFFERED"} <= KNOWN | {"DEMO"}


def test_the_example_of_the_environment_sets_what_can_be_set() -> None:
    names = set(re.findall(r"^([A-Z_]+)=", text("chicago.env"), re.MULTILINE))
    assert names <= KNOWN | {"DEMO"}
    assert {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "TRUST_PROXY"} <= names


def test_the_unit_may_write_where_the_example_puts_things() -> None:
    values = dict(re.findall(r"^([A-Z_]+)=(.+)$", text("chicago.env"), re.MULTILINE))
    writable = re.findall(r"^ReadWritePaths=(.+)$", text("chicago@.service"), re.MULTILINE)[0]
    assert {values["DATA_DIR"], values["BACKUP_DIR"]} <= set(writable.replace("-/", "/").split())


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "chicago@pages.service"
    # The program of this machine instead of the one that will be installed.
    python = shutil.which("true") or "/bin/true"
    unit.write_text(text("chicago@.service").replace("/opt/chicago/.venv/bin/python", python))
    run("systemd-analyze", "verify", "--man=no", str(unit))


def test_caddy_accepts_its_file(tmp_path: Path) -> None:
    environment = os.environ | {
        "SITE": "chicago.example.org",
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
    # As the host of a site has it, with folders that this account may write in.
    folders = "".join(
        f"{name}_temp_path {tmp_path}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = tmp_path / "nginx.conf"
    whole.write_text(
        f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{site}\n}}\n"
    )
    run("nginx", "-t", "-c", str(whole), "-p", str(tmp_path))
