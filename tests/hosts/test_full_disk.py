"""PostgreSQL's disk is full: pages are read, entries are sent to paper (docs/operations.md)."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path

import pytest

from tests.config.cluster import Cluster, can_mount, programs
from tests.config.phone import new_table, send_tap, stored
from tests.config.server import Browser, Server
from tests.config.test_faults import DEAL

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(300)]


def fill(ballast: Path) -> None:
    """Leave no room on the disk on which this file is."""
    with ballast.open("wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
    assert os.statvfs(ballast).f_bavail == 0


def test_full_disk_can_be_read_but_refuses_entries(tmp_path: Path) -> None:
    if programs() is None or not can_mount(tmp_path):
        pytest.skip("needs root, and PostgreSQL's own programs")
    with (
        Cluster(disk="400m") as cluster,
        Server(tmp_path, DEMO="0", BACKUP_HOURS="0", DATABASE_URL=cluster.address) as server,
    ):
        path = new_table(server)
        phone = Browser(server.address)
        assert phone.get(path)[0] == 200
        acknowledged: list[str] = []

        def enter() -> tuple[int, str]:
            """Send the next entry as the Auditor's page does, and again until it is taken."""
            version = len(acknowledged)
            follows = acknowledged[-1] if acknowledged else None
            about = {"id": mark, "game": 1, "follows": follows, "entry": DEAL[version % 4]}
            return send_tap(phone, path, "entry", **about)

        status, text, mark = 200, "", str(uuid.uuid4())
        assert enter()[0] == 200
        acknowledged.append(mark)
        ballast = cluster.data / "ballast"
        fill(ballast)
        # Tables may have room for a few more.
        for _entry in range(100):
            mark = str(uuid.uuid4())
            status, text = enter()
            if status != 200:
                break
            acknowledged.append(mark)
        assert (status, json.loads(text)["fault"]) == (503, "disk_full")
        assert json.loads(text)["text"]
        for page in (path, "/", "/play/"):
            assert phone.get(page)[0] == 200
        assert stored(server) == {path: acknowledged}
        ballast.unlink()
        # The phone sends its entry again.
        assert enter()[0] == 200
        assert stored(server) == {path: [*acknowledged, mark]}
        server.manage("verify")
