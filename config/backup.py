"""Backups: one file with the database, the secret key and the files made for people.

With the secret key, all links of an event work again after a restore. A backup can be made while
the program serves, and is read back before it counts as made; with a passphrase it is encrypted
(``config/encryption.py``). The worker makes one if something was written since the last. It keeps
all backups of the last day, and one per day of the last month.
"""

import hashlib
import json
import logging
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from .encryption import CannotDecrypt, decrypt, encrypt, is_encrypted

logger = logging.getLogger(__name__)

_ABOUT = "about.json"
_KEY = "secret_key"
_DATABASE = "database"
#: Contents of the data folder, besides the database, that cannot be recreated.
_KEPT = ("files", "setup_code")
#: How long all of the worker's backups are kept, and then the last one of each day.
_ALL_FOR, _DAILY_FOR = timedelta(days=1), timedelta(days=31)
#: Drops this account's tables and trigger functions, also those that only a newer version makes:
#: they refer to tables of the backup, and would be in the way of the next upgrade.
_DROP_ALL = """
    DO $$ DECLARE statement text; BEGIN
        FOR statement IN
            SELECT format('DROP TABLE IF EXISTS %I.%I CASCADE', schemaname, tablename)
            FROM pg_tables WHERE schemaname = current_schema() AND tableowner = current_user
            UNION ALL SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', oid::regprocedure)
            FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
            AND proowner = current_user::regrole AND prorettype = 'trigger'::regtype
        LOOP EXECUTE statement; END LOOP;
    END $$
"""


class BadBackup(Exception):
    """The backup cannot be made, read or restored; the message says why."""


def backup(target: Path, *, verify: bool = True) -> dict[str, Any]:
    """Write a backup, read it back and return its description.

    ``target`` appears only when complete, and replaces any existing file. With ``verify`` the
    backup is restored elsewhere and everything in it recomputed: ``about["findings"]`` holds the
    errors.
    """
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        database = Path(folder) / _DATABASE
        _dump(database)
        parts = {_DATABASE: database} | dict(_other_files())
        about = {
            "format": 1,
            "made_at": timezone.now().isoformat(timespec="seconds"),
            "database": connection.vendor,
            "rows": _rows(database) if connection.vendor == "sqlite" else {},
            "migrations": sorted(MigrationRecorder(connection).applied_migrations()),
            "columns": columns(),
            "sha256": {name: _sha256(path) for name, path in parts.items()},
        }
        packed = Path(folder) / "packed"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, path in parts.items():
                zipped.write(path, name)
            zipped.writestr(_KEY, settings.SECRET_KEY)
            zipped.writestr(_ABOUT, json.dumps(about, indent=1))
        made = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            made.touch(mode=0o600)
            if settings.BACKUP_PASSPHRASE:
                encrypt(packed, made, settings.BACKUP_PASSPHRASE)
            else:
                shutil.copyfile(packed, made)
            with opened(made) as (_about, restored):
                findings = _findings(restored) if verify else ""
            with made.open("rb+") as file:
                os.fsync(file.fileno())
            made.replace(target)
        finally:
            made.unlink(missing_ok=True)
    return about | {"findings": findings}


def columns() -> dict[str, list[str]]:
    """Return the columns of each table of the database."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            # Django's own description of a table parses its whole definition on SQLite.
            cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
            found[table] = [column[0] for column in cursor.description]
    return found


def _findings(folder: Path) -> str:
    """Restore a backup's parts elsewhere, recompute everything, and return the errors."""
    aside = folder / "aside"
    aside.mkdir(mode=0o700)
    if connection.vendor == "sqlite":
        shutil.copyfile(folder / _DATABASE, aside / "chicago.sqlite3")
        return _verified(folder, aside)
    name = f"chicago_check_{os.getpid()}_{secrets.token_hex(4)}"
    try:
        _run("createdb", name)
    except BadBackup as problem:
        # pg_restore has read it; a full restore needs the right to create a database.
        logger.warning("the backup was not restored aside: %s", problem)
        return ""
    try:
        _run("pg_restore", "--no-owner", "--dbname", name, folder / _DATABASE)
        return _verified(folder, aside, DATABASE_URL=_address_of(name))
    finally:
        _run("dropdb", name)


def _verified(folder: Path, aside: Path, **more: str) -> str:
    """Run ``manage.py verify`` on a database, and return what it finds."""
    ours = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DATA_DIR"}
    own = {
        "DATA_DIR": str(aside),
        "SECRET_KEY": (folder / _KEY).read_text(encoding="ascii"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    others = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [sys.executable, "manage.py", "verify"],
        cwd=settings.BASE_DIR,
        env=others | own | more,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip() if done.returncode else ""


def _address_of(name: str) -> str:
    """Return the address of another database on the same server, in the form of DATABASE_URL."""
    known = {key: quote(str(value), safe="") for key, value in connection.settings_dict.items()
             if key in {"USER", "PASSWORD", "HOST", "PORT"}}  # fmt: skip
    login = f"{known['USER']}:{known['PASSWORD']}@" if known["USER"] else ""
    port = f":{known['PORT']}" if known["PORT"] else ""
    return f"postgres://{login}{known['HOST']}{port}/{name}"


def name_now() -> str:
    """Return the name for a backup made now."""
    ending = ".zip.encrypted" if settings.BACKUP_PASSPHRASE else ".zip"
    return f"chicago-{timezone.localtime():%Y-%m-%d-%H%M%S}{ending}"


def keep(folder: Path, *, now: datetime | None = None) -> list[Path]:
    """Delete backups older than a day, except the last of each day, and all older than a month.

    Only files named like :func:`name_now` are considered.
    """
    now = now or timezone.localtime()
    found: list[tuple[datetime, Path]] = []
    for path in folder.glob("chicago-*"):
        if name := re.match(r"chicago-(\d{4}-\d\d-\d\d-\d{6})\.zip(\.encrypted)?$", path.name):
            made = datetime.strptime(name[1], "%Y-%m-%d-%H%M%S").replace(tzinfo=now.tzinfo)
            found.append((made, path))
    days: set[date] = set()
    gone = []
    for made, path in sorted(found, reverse=True):
        first_of_day = made.date() not in days
        days.add(made.date())
        if now - made < _ALL_FOR or (first_of_day and now - made < _DAILY_FOR):
            continue
        path.unlink()
        gone.append(path)
    return gone


def tidy() -> None:
    """Delete what killed backups left, and the backups made before changes after a month."""
    here, there = Path(settings.DATA_DIR), Path(settings.BACKUP_DIR)
    # With plain copies of the database and the key.
    left = [*here.glob("tmp????????"), *here.glob(".*.zip*"), *there.glob(".*.zip*")]
    left += here.glob(".chicago.sqlite3.*")
    before = [*here.glob("before-restore-*.zip"), *there.glob("before-upgrade-*.zip")]
    for paths, longest in ((left, _ALL_FOR), (before, _DAILY_FOR)):
        for path in paths:
            if time.time() - path.lstat().st_mtime < longest.total_seconds():
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def backup_if_changed() -> list[dict[str, Any]]:
    """Make the worker's backup if something was written since the last; return its findings."""
    folder = Path(settings.BACKUP_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark = folder / ".written"
    written = fingerprint()
    if mark.exists() and mark.read_text(encoding="ascii") == written:
        return []
    about = backup(folder / name_now())
    mark.write_text(written, encoding="ascii")
    keep(folder)
    return [{"backup": about["findings"]}] if about["findings"] else []


def fingerprint() -> str:
    """Return a value that changes with every important write.

    Entries, acceptances, objections, log, bookings; accounts, passwords and two-factor secrets.
    """
    from allauth.mfa.models import Authenticator
    from django.contrib.auth.models import User

    from scoring.models import GameAcceptance, Objection, ObjectionAnswer, SheetEntry
    from tournaments.models import Booking, LogEntry

    models = (SheetEntry, GameAcceptance, Objection, ObjectionAnswer, LogEntry, Booking)
    last = [model.objects.order_by("pk").values_list("pk", flat=True).last() for model in models]
    accounts = list(User.objects.order_by("pk").values_list("pk", "password"))
    steps = list(Authenticator.objects.order_by("pk").values_list("pk", "data"))
    return hashlib.sha256(repr([last, accounts, steps]).encode()).hexdigest()


@contextmanager
def opened(source: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    """Yield a backup's description and a folder with its parts, all of them checked."""
    inside = settings.DATA_DIR
    with (
        tempfile.TemporaryDirectory(dir=inside) as name,
        tempfile.TemporaryDirectory(dir=inside) as aside,
    ):
        folder = Path(name)
        try:
            packed = source
            if is_encrypted(source):
                packed = Path(aside) / "packed"
                decrypt(source, packed, settings.BACKUP_PASSPHRASE)
            with zipfile.ZipFile(packed) as zipped:
                about = json.loads(zipped.read(_ABOUT))
                parts = about["sha256"]
                _check_names(zipped.namelist(), parts)
                zipped.extractall(folder)
            sums = {part: _sha256(folder / part) for part in parts}
            if about["format"] != 1 or sums != parts:
                raise BadBackup("The backup is damaged: its parts have been changed.")
            _check(folder / _DATABASE, about)
        except CannotDecrypt as problem:
            raise BadBackup(str(problem)) from problem
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, sqlite3.Error) as problem:
            raise BadBackup(f"This is not a complete backup: {problem}") from problem
        yield about, folder


def _check_names(inside: list[str], parts: Iterable[str]) -> None:
    """Refuse a backup that lacks something, or would write outside the data folder or over it."""
    if sorted(inside) != sorted([*parts, _KEY, _ABOUT]) or _DATABASE not in parts:
        raise BadBackup("The backup is damaged: it does not hold what it says.")
    for part in parts:
        path = PurePosixPath(part)
        plain = not {"..", "/"} & set(path.parts) and not set(part) & set("\\:\0")
        if part != _DATABASE and not (plain and path.parts[0] in _KEPT and str(path) == part):
            raise BadBackup(f"This backup is not one of ours: it holds {part!r}.")


def restore(about: dict[str, Any], folder: Path) -> None:
    """Replace the database by an opened backup's: all of it, or nothing."""
    if about["database"] != connection.vendor:
        raise BadBackup(
            f"This backup is of a {about['database']} database, but DATABASE_URL names one of "
            f"{connection.vendor}. Move events with export_event and import_event."
        )
    connections.close_all()
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        # On the disk of the old one, where a name can be given to another file at once.
        beside = database.with_name(f".{database.name}.{os.getpid()}")
        try:
            beside.touch(mode=0o600)
            shutil.copyfile(folder / _DATABASE, beside)
            for log in ("-wal", "-shm"):
                database.with_name(database.name + log).unlink(missing_ok=True)
            beside.replace(database)
        finally:
            beside.unlink(missing_ok=True)
    else:
        script = folder / "script"
        _run("pg_restore", "--no-owner", "--clean", "--if-exists", "--file", script,
             folder / _DATABASE)  # fmt: skip
        # One transaction: if anything in it fails, the database stays as it was.
        _run("psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
             "--dbname", connection.settings_dict["NAME"], "--output", os.devnull,
             "--command", _DROP_ALL, "--file", script)  # fmt: skip


def restore_files(about: dict[str, Any], folder: Path) -> None:
    """Put an opened backup's key and files into the data folder."""
    for part in [_KEY, *about["sha256"]]:
        if part != _DATABASE:
            (folder / part).chmod(0o600)
            (settings.DATA_DIR / part).parent.mkdir(parents=True, exist_ok=True)
            (folder / part).replace(settings.DATA_DIR / part)


def _other_files() -> Iterator[tuple[str, Path]]:
    for name in _KEPT:
        top = Path(settings.DATA_DIR) / name
        for path in [top, *top.rglob("*")] if top.exists() else []:
            if path.is_file():
                yield path.relative_to(settings.DATA_DIR).as_posix(), path


def _dump(target: Path) -> None:
    """Copy the database as it is at one moment, while others may write."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(target)) as copy:
            connection.connection.backup(copy)
            # A self-contained copy, without a log file beside it.
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
    """Return the number of rows of each table."""
    with closing(sqlite3.connect(database)) as copy:
        tables = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: copy.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in sorted(tables)
        }


def _run(program: str, *arguments: str | Path) -> None:
    """Run one of PostgreSQL's programs on the configured database."""
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
        raise BadBackup(f"{program} is missing; it comes with PostgreSQL's client.") from problem
    if done.returncode:
        raise BadBackup(f"{program} failed: {done.stderr.strip()}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
