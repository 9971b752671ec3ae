"""Shared by all tests: a database and data folders, made once for all processes."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from tests.config.server import ROOT, Server

#: Settings of a server in a process of its own.
collect_ignore = ["pseudo/settings.py"]


@pytest.fixture(scope="session")
def demo_installation(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A data folder with the demo festival, made by a first start; only for copying."""

    def make(folder: Path) -> None:
        shutil.copy(migrated, folder)
        with Server(folder) as server:
            server.stop()

    return _made_once(tmp_path_factory, "demo", make)


@pytest.fixture(scope="session")
def empty_installation(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A data folder ready for the first start; only for copying."""

    def make(folder: Path) -> None:
        shutil.copy(migrated, folder)
        prepare = "from config.preparing import prepare; prepare()"
        Server(folder).manage("shell", "--verbosity", "0", "-c", prepare)

    return _made_once(tmp_path_factory, "empty", make)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with empty tables; only for copying.

    It stays in build/ for the next run until anything that defines the tables changes.
    """

    def make(folder: Path) -> None:
        kept = ROOT / "build" / "tests" / f"migrated-{_tables_code()}.sqlite3"
        if kept.exists():
            shutil.copy(kept, folder / "chicago.sqlite3")
            return
        # In a separate process, as this one may be connected to another kind of database.
        Server(folder).manage("migrate", "--verbosity", "0")
        kept.parent.mkdir(parents=True, exist_ok=True)
        for older in kept.parent.glob("migrated-*"):
            older.unlink(missing_ok=True)
        # Renamed when complete, as other runs may look for it.
        half = kept.with_suffix(f".{os.getpid()}")
        shutil.copy(folder / "chicago.sqlite3", half)
        half.replace(kept)

    return _made_once(tmp_path_factory, "migrated", make) / "chicago.sqlite3"


def _tables_code() -> str:
    """Return a hash of what defines the tables: migrations, triggers, libraries."""
    code = hashlib.sha256()
    for path in sorted(
        [
            ROOT / "requirements.lock",
            ROOT / "config" / "settings.py",
            ROOT / "tournaments" / "apps.py",
            ROOT / "tournaments" / "core" / "version_triggers.py",
            *ROOT.glob("*/migrations/*.py"),
        ]
    ):
        code.update(path.read_bytes())
    return code.hexdigest()[:16]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Use the existing copy as SQLite's test database."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_keepdb: bool,
    request: pytest.FixtureRequest,
) -> None:
    """Migrate once for all processes; on SQLite a copy is enough."""
    if django_db_keepdb:
        shutil.copy(request.getfixturevalue("migrated"), connection.settings_dict["TEST"]["NAME"])


def _made_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Let one test process make a folder while the others wait."""
    base = temporary.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    made = folder / "made"
    try:
        folder.mkdir()
    except FileExistsError:
        # Another process is making it.
        deadline = time.monotonic() + 180
        while not made.exists():
            assert time.monotonic() < deadline, f"{name}: not made"
            time.sleep(0.2)
    else:
        make(folder)
        made.touch()
    return folder


@pytest.fixture
def demo_data(tmp_path: Path, demo_installation: Path) -> Path:
    """The test's own data folder, with the demo festival loaded."""
    return Path(shutil.copytree(demo_installation, tmp_path / "data"))


@pytest.fixture
def empty_data(tmp_path: Path, empty_installation: Path) -> Path:
    """The test's own data folder, before the first start."""
    return Path(shutil.copytree(empty_installation, tmp_path / "data"))
