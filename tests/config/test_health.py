"""The health endpoints, for monitoring."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from config import health
from config.serving import LIVE
from tournaments.models import Job


def test_healthz_does_no_queries(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_readyz_reports_each_part(db: None, client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True, "database": "ok", "disk": "ok", "cache": "ok", "stream": "none",
        "queue": "ok", "queue_age": 0, "check": "none",
    }  # fmt: skip


def test_not_ready_without_database(db: None, client: Client) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "away")


def test_not_ready_with_a_full_disk(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "MIN_FREE", 10**18)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["disk"]) == (503, "full")


def test_a_queue_without_a_worker_is_reported(db: None, client: Client) -> None:
    Job.objects.create(kind="print", due_at=timezone.now() - timedelta(minutes=6))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["queue"]) == (200, "late")
    assert answer.json()["queue_age"] >= 360


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "ok"),
        ({"result": [{"what": "chain"}]}, "broken"),
        ({"failure": "MemoryError: "}, "failed"),
        ({"ended_at": timezone.now() - timedelta(hours=1)}, "late"),
    ],
)
def test_the_last_check_is_reported(
    db: None, client: Client, fields: dict[str, Any], code: str
) -> None:
    now = timezone.now()
    Job.objects.create(**{"kind": "check", "key": "check", "ended_at": now} | fields)
    assert client.get("/readyz").json()["check"] == code


@pytest.mark.parametrize("setting", ["config.cache.SurvivingRedisCache"])
def test_a_missing_cache_is_reported(db: None, client: Client, settings: Any, setting: str) -> None:
    settings.CACHES = {"default": {"BACKEND": setting, "LOCATION": "redis://127.0.0.1:1/0"}}
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["cache"]) == (200, "away")


def test_a_missing_stream_is_reported(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        there.listen()
        monkeypatch.setenv(LIVE, f"127.0.0.1 {there.getsockname()[1]}")
        assert client.get("/readyz").json()["stream"] == "ok"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["stream"]) == (200, "away")


def test_metrics_need_the_token(db: None, client: Client, settings: Any) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "kung-dam"
    for wrong in ({}, {"Authorization": "Bearer x"}, {"Authorization": "kung-dam"}):
        assert client.get("/metrics", headers=wrong).status_code == 403
    Job.objects.create(kind="print")
    Job.objects.create(kind="check", key="check", ended_at=timezone.now())
    answer = client.get("/metrics", headers={"Authorization": "Bearer kung-dam"})
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    found = {}
    for line in answer.content.decode().splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            found[name] = float(value)
    assert found["chicago_ready"] == 1
    assert found['chicago_jobs{kind="print",status="waiting"}'] == 1
    assert found["chicago_entries_total"] == 0
    assert found['chicago_task_ended_seconds{name="check"}'] > 1e9
    assert found['chicago_task_findings{name="check"}'] == 0
