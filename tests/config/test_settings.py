"""The one settings file under different environments, each in a process of its own."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.config.server import free_port

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import json, sys
from config import settings
print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}, default=str))
"""


def settings_with(tmp_path: Path, *names: str, **environment: str) -> dict[str, Any]:
    """Return the named settings as a new process sees them in this environment."""
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    run = subprocess.run(
        [sys.executable, "-c", ASK, *names],
        env=keep | {"DATA_DIR": str(tmp_path)} | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(run.stdout)
    return result


def test_defaults_are_safe_and_embedded(tmp_path: Path) -> None:
    names = ("DEBUG", "DATABASES", "CACHES", "HOST", "PORT", "SESSION_COOKIE_HTTPONLY")
    found = settings_with(tmp_path, "EMAIL_BACKEND", "PRINTS_EMAIL", *names)
    assert found["EMAIL_BACKEND"] == "config.logs.PrintedMail"
    assert found["PRINTS_EMAIL"]
    assert found["DEBUG"] is False
    assert found["DATABASES"]["default"]["ENGINE"] == "config.sqlite3"
    assert found["DATABASES"]["default"]["NAME"] == str(tmp_path / "chicago.sqlite3")
    assert found["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "LocMemCache" in found["CACHES"]["default"]["BACKEND"]
    assert (found["HOST"], found["PORT"]) == ("127.0.0.1", 8000)


def test_a_variable_set_to_nothing_is_not_set(tmp_path: Path) -> None:
    found = settings_with(tmp_path, "PORT", "PRINTS_EMAIL", EMAIL_URL="", PORT="")
    assert (found["PORT"], found["PRINTS_EMAIL"]) == (8000, True)


def test_the_secret_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    first = settings_with(tmp_path, "SECRET_KEY")["SECRET_KEY"]
    assert len(first) >= 50
    assert settings_with(tmp_path, "SECRET_KEY")["SECRET_KEY"] == first
    assert settings_with(tmp_path / "other", "SECRET_KEY")["SECRET_KEY"] != first
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert settings_with(tmp_path, "SECRET_KEY", SECRET_KEY="given")["SECRET_KEY"] == "given"


@pytest.mark.skipif(os.name == "nt", reason="other rights there")
def test_the_data_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    database = folder / "chicago.sqlite3"
    database.touch(mode=0o644)
    settings_with(folder, "DATABASES")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(database.stat().st_mode) == 0o600


def test_database_and_redis_come_from_their_urls(tmp_path: Path) -> None:
    found = settings_with(
        tmp_path,
        "DATABASES",
        "CACHES",
        "CELERY_BROKER_URL",
        DATABASE_URL="postgres://anna:secret@db.example:5433/chicago",
        REDIS_URL="redis://cache.example:6379/3",
    )
    database = found["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "chicago")
    assert found["CACHES"]["default"]["LOCATION"] == "redis://cache.example:6379/3"
    assert found["CELERY_BROKER_URL"] == "redis://cache.example:6379/3"


@pytest.mark.parametrize(
    ("address", "secure"), [("https://chicago.example", True), ("http://chicago.example", False)]
)
def test_cookies_are_secure_exactly_when_served_over_tls(
    tmp_path: Path, address: str, secure: bool
) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE")
    found = settings_with(tmp_path, *names, "ALLOWED_HOSTS", PUBLIC_URL=address)
    assert [found[name] for name in names] == [secure] * 3
    assert "chicago.example" in found["ALLOWED_HOSTS"]


def test_nothing_warns_before_it_is_put_on_the_net(tmp_path: Path) -> None:
    """What is left out on purpose is listed in the settings, with why."""
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    site = {"PUBLIC_URL": "https://chicago.example.org", "TRUST_PROXY": "1", "LIVE_URL": "/live/"}
    check = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    run = subprocess.run(
        check,
        env=keep | {"DATA_DIR": str(tmp_path)} | site,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_only_named_hosts_are_answered(tmp_path: Path) -> None:
    assert settings_with(tmp_path, "ALLOWED_HOSTS")["ALLOWED_HOSTS"] == [
        "localhost",
        "127.0.0.1",
        "[::1]",
    ]
    open_to_all = settings_with(tmp_path, "ALLOWED_HOSTS", HOST="0.0.0.0")["ALLOWED_HOSTS"]
    assert "*" not in open_to_all


def test_the_content_security_policy_allows_nothing_inline(client: Client) -> None:
    policy = client.get("/no/such/page/").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy + ";"
    assert "style-src 'self';" in policy + ";"
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_what_says_nothing_of_caches_is_kept_by_none_on_the_way(client: Client) -> None:
    assert client.get("/no/such/page/").headers["Cache-Control"] == "no-store, private"
    assert "no-store" in client.get("/healthz").headers["Cache-Control"]


def test_the_policy_allows_the_stream_of_this_host_only(client: Client, settings: Any) -> None:
    settings.LIVE_URL = ":8001"
    policy = client.get("/no/such/page/").headers["Content-Security-Policy"]
    assert "connect-src http://testserver:8001" in policy.replace("'self' ", "")
    assert "connect-src 'self'" in policy
    assert "*" not in policy
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.skipif(sys.platform == "win32", reason="limits are of POSIX")
@pytest.mark.parametrize("fault", ["no folder", "no room", "read-only database"])
def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(
    tmp_path: Path, migrated: Path, fault: str
) -> None:
    import resource

    folder = tmp_path / "data"
    if fault == "no folder":
        folder.write_text("a file")
        folder /= "data"
    elif fault == "read-only database":
        # Root may write whatever its rights: a folder in its place cannot be opened by anybody.
        (folder / "chicago.sqlite3").mkdir(parents=True)
    else:
        folder.mkdir()
        shutil.copy(migrated, folder)
    # As a full disk: no file may grow.
    room = (0, 0) if fault == "no room" else (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(folder), "PORT": str(free_port())},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, room),
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_the_driver_of_postgresql_is_loaded_for_it_alone(tmp_path: Path) -> None:
    ask = "import django, sys; django.setup(); print('psycopg' in sys.modules)"
    keep = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "config.settings"}
    for address, loaded in (("", "False"), ("postgres://nobody@localhost/nothing", "True")):
        run = subprocess.run(
            [sys.executable, "-c", ask],
            env=keep | {"DATA_DIR": str(tmp_path), "DATABASE_URL": address},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == loaded
