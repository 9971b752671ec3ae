"""Shared by the tests of the program as it is served."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What a ``Server`` takes to start with an empty database of its own, of each kind."""
    if request.param == "sqlite":
        empty = request.getfixturevalue("empty_installation")
        yield {"folder": Path(shutil.copytree(empty, tmp_path / "data")), "DEMO": "0"}
        return
    given = os.environ["DATABASE_URL"]
    with psycopg.connect(given, autocommit=True) as database:
        database.execute("DROP DATABASE IF EXISTS chicago_served WITH (FORCE)")
        database.execute("CREATE DATABASE chicago_served")
        yield {
            "folder": tmp_path,
            "DEMO": "0",
            "BACKUP_HOURS": "0",
            "REDIS_URL": os.environ["REDIS_URL"],
            "DATABASE_URL": f"{given.rpartition('/')[0]}/chicago_served",
        }
        database.execute("DROP DATABASE chicago_served WITH (FORCE)")
