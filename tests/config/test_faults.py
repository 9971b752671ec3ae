"""Faults around the program, and what people are told (docs/operations.md)."""

from __future__ import annotations

import os
import shutil
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config import settings as real_settings
from config.failures import fault_of
from scoring.models import Sheet, SheetEntry
from scoring.reading.links import show_token
from scoring.writing import create_link
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event, make_heats, write
from tests.tournaments.jobs import run
from tournaments.models import Event, Heat, Job
from tournaments.models.enums import JobStatus, Role
from tournaments.prints.drawing import PRINTS
from tournaments.prints.drawing._lists import Order
from tournaments.verify.checks import verify

JSON = {"Accept": "application/json"}


@pytest.fixture
def heat(transactional_db: None) -> Heat:
    return make_heats(make_event(slug="fest"), 4).heats[0]


def link_to(heat: Heat) -> str:
    assert heat.table_id is not None
    return show_token(link=create_link(table_id=heat.table_id, role="auditor", by="test"))


DEAL = [
    {"kind": "none", "phase": 1},
    {"kind": "none", "phase": 2},
    {"kind": "last_trick", "seat": 0},
    {"kind": "none", "phase": 3},
]


def enter(client: Client, token: str, mark: uuid.UUID) -> Any:
    """Send the next entry as the Auditor's page does."""
    last = SheetEntry.objects.order_by("pk").last()
    version = SheetEntry.objects.count()
    tap = {
        "id": str(mark),
        "act": "entry",
        "at": 1,
        "game": 1,
        "follows": str(last.client_id) if last else None,
        "entry": DEAL[version % 4],
    }
    body = {"taps": [tap]}
    return client.post(f"/s/{token}/sync/", body, content_type="application/json", headers=JSON)


@pytest.fixture
def full_disk(heat: Heat) -> Iterator[None]:
    """A database that cannot grow any more: SQLite's own limit stands in for the disk."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filler (text)")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        try:
            while True:
                cursor.execute("INSERT INTO filler VALUES (%s)", ["x" * 300])
        except OperationalError:
            pass
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 4294967294")
        cursor.execute("DROP TABLE filler")


@pytest.mark.sqlite
def test_full_disk_can_be_read_but_refuses_entries(heat: Heat, request: Any) -> None:
    token = link_to(heat)
    director = client_of(heat.event, Role.DIRECTOR)
    request.getfixturevalue("full_disk")
    phone = Client(raise_request_exception=False)
    # The file may have room for a few more entries.
    for _entry in range(40):
        mark = uuid.uuid4()
        answer = enter(phone, token, mark)
        if answer.status_code != 200:
            break
    kept = SheetEntry.objects.count()
    assert (answer.status_code, answer.json()["fault"]) == (503, "disk_full")
    assert answer.json()["text"]
    for path in (f"/s/{token}/", heat.event.get_absolute_url()):
        assert phone.get(path).status_code == 200
    assert director.get(f"/e/{heat.event.slug}/desk/").status_code == 200
    assert SheetEntry.objects.count() == kept
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 4294967294")
    # The phone sends its entry again.
    assert enter(phone, token, mark).json()["took"] == [str(mark)]


def test_database_unavailable(heat: Heat) -> None:
    token = link_to(heat)
    phone = client_of(heat.event, Role.DIRECTOR)
    phone.raise_request_exception = False
    with patch.object(connection, "cursor", side_effect=OperationalError("connection refused")):
        entry = f"/s/{token}/sync/"
        answer = phone.post(entry, {}, content_type="application/json", headers=JSON)
        page = phone.get(f"/e/{heat.event.slug}/")
        part = phone.post(f"/e/{heat.event.slug}/desk/draw/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.json()["fault"]) == (503, "database_away")
    assert page.status_code == 503
    assert page["Retry-After"]
    assert b'data-code="database_away"' in page.content
    assert part.content.startswith(b'<div class="notice')


def test_faults_of_the_machine_are_told_from_bugs() -> None:
    class Cause(Exception):
        sqlstate = "53100"

    full = OperationalError("could not extend file")
    full.__cause__ = Cause()
    assert fault_of(full) == "disk_full"
    assert fault_of(OSError(28, "No space left on device")) == "disk_full"
    assert fault_of(OperationalError("database is locked")) == "database_busy"
    assert fault_of(ValueError()) == ""
    assert fault_of(None) == ""


def test_clock_set_back_keeps_the_order(heat: Heat, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet.objects.get(table=heat.table, number=1)
    sheet = write(sheet, {"kind": "none", "phase": 1})
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now - timedelta(hours=25))
    sheet = write(sheet, {"kind": "none", "phase": 2})
    monkeypatch.undo()
    write(sheet, {"kind": "last_trick", "seat": 0})
    rows = list(SheetEntry.objects.order_by("sequence"))
    assert [row.entry["kind"] for row in rows] == ["none", "none", "last_trick"]
    assert rows[1].created_at < rows[0].created_at
    assert verify() == []
    floor = reverse("tournaments:floor", args=[heat.event.slug])
    assert client_of(heat.event, Role.FLOOR).get(floor).status_code == 200


def test_worker_without_memory_fails_its_job_and_no_other(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    event: Event = make_event(slug="fest")
    finished_heat(event)

    def greedy(order: Order) -> bytes:
        raise MemoryError

    first, second = (
        Job.objects.create(kind="print", what=what, event=event, parameters={})
        for what in ("protocols", "table_cards")
    )
    with monkeypatch.context() as greed:
        greed.setattr(PRINTS["protocols"], "pdf", greedy)
        assert run("print") == [2]
    first.refresh_from_db()
    assert (first.status, first.failure) == (JobStatus.FAILED, "MemoryError")
    second.refresh_from_db()
    assert second.status == JobStatus.DONE


def test_power_cut_loses_no_acknowledged_entry(tmp_path: Path) -> None:
    """The part of the WAL that had not reached the disk is cut off, even in mid-page."""
    init = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
    assert init in Path(real_settings.__file__).read_text(encoding="utf-8")
    live = tmp_path / "live.sqlite3"
    log = live.with_name("live.sqlite3-wal")
    acknowledged: list[int] = []
    with closing(sqlite3.connect(live, isolation_level=None)) as database:
        database.executescript(init + "PRAGMA wal_autocheckpoint=0; CREATE TABLE entry (n, text);")
        base = live.read_bytes()
        for number in range(30):
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO entry VALUES (?, ?)", [number, os.urandom(400)])
            database.execute("COMMIT")
            # What synchronous=FULL has put on disk before the entry is acknowledged.
            acknowledged.append(log.stat().st_size)
        written = log.read_bytes()
    for number, synced in enumerate(acknowledged):
        for beyond in (0, 1, 700, 4000):
            cut = tmp_path / f"{number}-{beyond}"
            cut.mkdir()
            (cut / "a.sqlite3").write_bytes(base)
            # After the last synced page: garbage, or the beginning of what came next.
            tail = os.urandom(beyond) if number % 2 else written[synced : synced + beyond]
            (cut / "a.sqlite3-wal").write_bytes(written[:synced] + tail)
            with closing(sqlite3.connect(cut / "a.sqlite3")) as after:
                assert after.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                there = [n for (n,) in after.execute("SELECT n FROM entry ORDER BY n")]
            assert there[: number + 1] == list(range(number + 1))
            shutil.rmtree(cut)
