"""A backup: one file with the database, the secret key and the files made for people.

With the secret key all links of an event work again where it is restored. A backup is made while
the program serves, and read again before it counts as made.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

_ABOUT = "about.json"
_KEY = "secret_key"
#: What the data folder holds beside the database that cannot be made anew.
_KEPT = ("files", "setup_code")


class BadBackup(Exception):
    """The backup cannot be made, read or restored; the text says why."""


def backup(target: Path) -> dict[str, Any]:
    """Write a backup, check it and return what it says of itself.

    ``target`` appears when it is whole and has been checked; what was there is replaced.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        database = Path(folder) / "database"
        _dump(database)
        parts = {"database": database} | dict(_other_files())
        about = {
            "format": 1,
            "made_at": timezone.now().isoformat(timespec="seconds"),
            "database": connection.vendor,
            "rows": _rows(database) if connection.vendor == "sqlite" else {},
            "sha256": {name: _sha256(path) for name, path in parts.items()},
        }
        made = Path(folder) / "backup"
        made.touch(mode=0o600)
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, path in parts.items():
                packed.write(path, name)
            packed.writestr(_KEY, settings.SECRET_KEY)
            packed.writestr(_ABOUT, json.dumps(about, indent=1))
        with opened(made):
            pass
        with made.open("rb+") as file:
            os.fsync(file.fileno())
        made.replace(target)
    return about


@contextmanager
def opened(source: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    """Give what a backup says of itself and a folder with its parts, all of them checked."""
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as name:
        folder = Path(name)
        try:
            with zipfile.ZipFile(source) as packed:
                packed.extractall(folder)
            about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
            sums = {part: _sha256(folder / part) for part in about["sha256"]}
            if about["format"] != 1 or sums != about["sha256"] or not (folder / _KEY).exists():
                raise BadBackup("The backup is damaged: its parts are not what was written.")
            _check(folder / "database", about)
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, sqlite3.Error) as problem:
            raise BadBackup(f"This is not a complete backup: {problem}") from problem
        yield about, folder


def restore(source: Path) -> dict[str, Any]:
    """Put a backup in the place of what is here; bring its tables up to date afterwards."""
    with opened(source) as (about, folder):
        if about["database"] != connection.vendor:
            raise BadBackup(
                f"This backup is of a {about['database']} database, and DATABASE_URL names one of "
                f"{connection.vendor}. export_event and import_event carry events across."
            )
        connections.close_all()
        if connection.vendor == "sqlite":
            database = Path(connection.settings_dict["NAME"])
            for beside in ("-wal", "-shm"):
                database.with_name(database.name + beside).unlink(missing_ok=True)
            (folder / "database").chmod(0o600)
            shutil.move(folder / "database", database)
        else:
            _run("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction",
                 "--dbname", connection.settings_dict["NAME"], folder / "database")  # fmt: skip
        for part in [_KEY, *about["sha256"]]:
            if part != "database":
                (folder / part).chmod(0o600)
                (settings.DATA_DIR / part).parent.mkdir(parents=True, exist_ok=True)
                (folder / part).replace(settings.DATA_DIR / part)
    return dict(about)


def _other_files() -> Iterator[tuple[str, Path]]:
    for name in _KEPT:
        top = Path(settings.DATA_DIR) / name
        for path in [top, *top.rglob("*")] if top.exists() else []:
            if path.is_file():
                yield path.relative_to(settings.DATA_DIR).as_posix(), path


def _dump(target: Path) -> None:
    """Copy the database as it is at one moment, while others write."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(target)) as copy:
            connection.connection.backup(copy)
            # A copy of its own: without a log beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
    else:
        _run("pg_dump", "--format=custom", "--no-owner", "--file", target,
             connection.settings_dict["NAME"])  # fmt: skip


def _check(database: Path, about: dict[str, Any]) -> None:
    if about["database"] != "sqlite":
        _run("pg_restore", "--list", database)
        return
    with closing(sqlite3.connect(database)) as copy:
        found = copy.execute("PRAGMA integrity_check").fetchall()
        found += copy.execute("PRAGMA foreign_key_check").fetchall()
    if found != [("ok",)] or _rows(database) != about["rows"]:
        raise BadBackup(f"The backup's database is damaged: {found[:3]}")


def _rows(database: Path) -> dict[str, int]:
    """Return how many rows each table has."""
    with closing(sqlite3.connect(database)) as copy:
        tables = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: copy.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in sorted(tables)
        }


def _run(program: str, *arguments: str | Path) -> None:
    """Run one of PostgreSQL's programs on the database of the settings."""
    known = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    place = {name: str(known[key]) for name, key in names.items() if known[key]}
    try:
        done = subprocess.run(
            [program, *map(str, arguments)],
            env=os.environ | place,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as problem:
        raise BadBackup(f"{program} is not there; it comes with PostgreSQL's client.") from problem
    if done.returncode:
        raise BadBackup(f"{program} failed: {done.stderr.strip()}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
