"""PostgreSQL loses its power while entries are written (docs/operations.md)."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psycopg
import pytest

from tests.config.cluster import Cluster, programs
from tests.config.phone import Phone, new_table, stored
from tests.config.server import Browser, Server

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(programs() is None, reason="needs PostgreSQL's own programs"),
]
CUTS, TABLES = 3, 2
SETTINGS = {
    # Nothing but its own commit brings an entry to the disk, and no page is written before.
    "wal_writer_delay": "10s",
    "bgwriter_lru_maxpages": "0",
    "checkpoint_timeout": "1h",
    "max_wal_size": "10GB",
}


def cut(cluster: Cluster) -> None:
    """Kill it, and destroy whatever of its log was not on the disk."""
    with psycopg.connect(cluster.address, autocommit=True) as database:
        # The program is stopped; what it had sent is being carried out.
        busy = (
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        while database.execute(busy).fetchone() != (0,):
            time.sleep(0.01)
        found = database.execute(
            "SELECT file_name, file_offset FROM pg_walfile_name_offset(pg_current_wal_flush_lsn())"
        ).fetchone()
    assert found is not None
    cluster.kill_everything()
    name, offset = found
    segment: Path = cluster.data / "pg_wal" / name
    with segment.open("r+b") as log:
        log.seek(offset)
        log.write(os.urandom(segment.stat().st_size - offset))


def test_power_cut_loses_no_acknowledged_entry(tmp_path: Path) -> None:
    with (
        Cluster(**SETTINGS) as cluster,
        Server(tmp_path, DEMO="0", BACKUP_HOURS="0", DATABASE_URL=cluster.address) as server,
    ):
        phones = [Phone(Browser(server.address), new_table(server)) for _ in range(TABLES)]
        for phone in phones:
            phone.start()
        assert server.process is not None
        for _cut in range(CUTS):
            before = [len(phone.acknowledged) for phone in phones]
            deadline = time.monotonic() + 60
            while any(
                len(phone.acknowledged) < count + 10
                for phone, count in zip(phones, before, strict=True)
            ):
                assert time.monotonic() < deadline, "entries do not go on"
                time.sleep(0.05)
            os.killpg(server.process.pid, signal.SIGSTOP)
            cut(cluster)
            cluster.start()
            os.killpg(server.process.pid, signal.SIGCONT)
        for phone in phones:
            phone.over.set()
        for phone in phones:
            phone.join(60)
            assert not phone.is_alive()
        assert stored(server) == {phone.path: phone.acknowledged for phone in phones}
        server.manage("verify")
