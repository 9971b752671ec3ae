"""Two web hosts, two with workers, one with the stream, a proxy: each dies in turn."""

from __future__ import annotations

import os
import re
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, HTTPSHandler, build_opener, urlopen

import pytest

from tests.config.phone import MAX_GAMES, PLAYERS, Phone
from tests.config.server import ROOT, Browser
from tests.hosts.network import LAST, Network, can_make_hosts, run, until

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(900)]

TABLES = 4
#: Seconds for which everything runs between two failures.
QUIET = 4.0


@pytest.fixture
def network() -> Iterator[Network]:
    """All hosts, with nothing running yet."""
    if not can_make_hosts():
        pytest.skip("needs root and network namespaces")
    with Network() as network:
        yield network


class Watcher(threading.Thread):
    """Reads a table's page by its stream, and reconnects whenever that ends."""

    def __init__(self, address: str, path: str, certificate: Path) -> None:
        super().__init__(daemon=True)
        self.address, self.path, self.certificate = address, path, certificate
        self.heard: list[float] = []

    def run(self) -> None:
        """Listen forever."""
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        while True:
            try:
                _status, page = browser(self.address, self.certificate).get(self.path)
                found = re.search(r'<meta name="live" content="([^"]+)"', page)
                if found:
                    stream = self.address + unescape(found[1])
                    with urlopen(stream, timeout=60, context=trusted) as answer:
                        for line in answer:
                            if line.startswith(b"data:"):
                                self.heard.append(time.monotonic())
            except OSError:
                pass
            time.sleep(0.3)


def browser(address: str, certificate: Path) -> Browser:
    """Return a browser that trusts the proxy's certificate."""
    made = Browser(address)
    trusted = ssl.create_default_context(cafile=str(certificate))
    made.cookies = CookieJar()
    made.opener = build_opener(HTTPSHandler(context=trusted), HTTPCookieProcessor(made.cookies))
    # Django checks the origin of forms sent over https.
    made.opener.addheaders = [("Referer", f"{address}/")]
    return made


def manage(settings: dict[str, str], folder: Path, *command: str) -> str:
    """Run a management command on this machine, with the hosts' database."""
    environment = settings | {"DATA_DIR": str(folder / "here"), "PATH": os.environ["PATH"]}
    return run(sys.executable, "manage.py", *command, cwd=ROOT, env=environment)


def asked(database: str, sql: str) -> list[list[str]]:
    """Return rows read directly from the database."""
    out = run("psql", "-qXAt", "-F", "\t", "-d", database, "-c", sql)
    return [line.split("\t") for line in out.splitlines()]


def test_every_host_dies_in_turn_and_nothing_acknowledged_is_lost(
    network: Network, tmp_path: Path
) -> None:
    database, redis = network.start_database(), network.start_redis()
    certificate = network.start_proxy()
    address = f"https://{network['proxy'].address}"
    settings = {
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "SECRET_KEY": "for-this-test-only-" + "x" * 40,
        "PUBLIC_URL": address,
        "ALLOWED_HOSTS": network["proxy"].address,
        "LIVE_URL": "/live/",
        "TRUST_PROXY": "1",
        "BACKUP_HOURS": "0",
        "DEMO": "0",
    }
    parts = {name: name.rstrip("12") for name in LAST if name.rstrip("12") in ("pages", "jobs")}
    for name, part in {**parts, "stream": "stream"}.items():
        network.start_part(name, part, settings)
    for name in [*parts, "stream"]:
        until(lambda name=name: "Stop with Ctrl-C" in network[name].log(), 120, f"{name} serves")

    event, password = "simulated", "kungens-kurva-4711"
    manage(settings, tmp_path, "rehearse", "--players", "8", "--slug", event, "--seed", "hosts")
    make_director(settings, tmp_path, password)
    links = []
    for number in range(TABLES):
        names = [f"Player {number} {seat}" for seat in range(PLAYERS)]
        out = manage(
            settings, tmp_path, "new_table", "--games", str(MAX_GAMES), "--players", *names
        )
        links.append(re.findall(r"https?://\S+?(/s/\w+/)", out))
    phones = [Phone(browser(address, certificate), score) for score, _read in links]
    watchers = [Watcher(address, read, certificate) for _score, read in links]
    for each in [*phones, *watchers]:
        each.start()
    director = signed_in(address, certificate, password)
    until(lambda: min(counts(phones)) > 3, 60, "the tables play")

    def job() -> None:
        status, _page = director.get(f"/e/{event}/desk/prints/")
        assert status == 200
        director.post(f"/e/{event}/desk/prints/make/", {"kind": "protocols"})

    for name in ("pages1", "jobs1", "redis", "stream"):
        job()
        network[name].dies()
        before = counts(phones)
        time.sleep(QUIET)
        network[name].starts_again()
        until(
            lambda before=before: all(
                now > count for now, count in zip(counts(phones), before, strict=True)
            ),
            60,
            f"entries go on without {name}",
        )
    # The database: every connection is cut, then the whole server dies.
    run(
        "psql", "-qX", "-d", database, "-c",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
    )  # fmt: skip
    time.sleep(QUIET)
    network["database"].dies()
    (network["database"].folder / "data" / "postmaster.pid").unlink(missing_ok=True)
    time.sleep(QUIET)
    network["database"].starts_again()
    before = counts(phones)
    until(
        lambda: all(now > count + 2 for now, count in zip(counts(phones), before, strict=True)),
        90,
        "entries go on with the database back",
    )

    # Watchers recover: what is written now reaches every one of them.
    until(lambda: network["stream"].log().count("Stop with Ctrl-C") > 1, 60, "the stream is back")
    time.sleep(6)
    now = time.monotonic()
    until(lambda: all(any(at > now for at in each.heard) for each in watchers), 30, "all hear")
    for phone in phones:
        phone.over.set()
    for phone in phones:
        phone.join(60)
        assert not phone.is_alive()

    for phone in phones:
        wanted = ", ".join(f"'{mark}'" for mark in phone.acknowledged)
        stored = asked(
            database,
            "SELECT e.client_id FROM scoring_sheetentry e JOIN scoring_sheet s ON s.id = e.sheet_id"
            f" WHERE e.client_id IN ({wanted}) ORDER BY s.number, e.sequence",
        )
        assert [mark for (mark,) in stored] == phone.acknowledged, phone.path
    # Every job has ended once: with one file, or replaced by a newer job.
    until(lambda: not asked(database, _OPEN), 120, "no job is left")
    rows = asked(database, "SELECT status, attempts FROM tournaments_job")
    assert {status for status, _attempts in rows} == {"done"}
    assert all(int(attempts) in (1, 2) for _status, attempts in rows)
    # Everything follows from the entries: check_results exits with 0.
    manage(settings, tmp_path, "verify")


_OPEN = "SELECT id FROM tournaments_job WHERE status IN ('waiting', 'running')"


def counts(phones: list[Phone]) -> list[int]:
    return [len(phone.acknowledged) for phone in phones]


def make_director(settings: dict[str, str], folder: Path, password: str) -> None:
    """Give the event a director who can sign in."""
    manage(
        settings,
        folder,
        "shell",
        "-c",
        "from django.contrib.auth.models import User\n"
        "from tournaments.events.commands.events import set_role\n"
        "from tournaments.models import Event\n"
        f"user = User.objects.create_user('tove', password='{password}')\n"
        "set_role(event=Event.objects.get(), user=user, role='director', by=None)\n",
    )


def signed_in(address: str, certificate: Path, password: str) -> Browser:
    """Return a signed-in director's browser."""
    found = browser(address, certificate)
    assert found.get("/accounts/login/")[0] == 200
    status, _page = found.post("/accounts/login/", {"login": "tove", "password": password})
    assert status == 200
    return found
