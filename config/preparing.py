"""What must hold before anything is served: the claim on the data, the certificate, the database.

Used by the run command, and by the command lines that need a database.
"""

import hashlib
import os
import ssl
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from . import texts
from .backup import BadBackup, backup, columns, opened

#: The parts that can be served separately, each on any number of hosts.
PARTS = ("pages", "jobs", "stream")
#: Files of packages that no page loads, as ``collectstatic --ignore`` takes them. To compress them
#: is most of the work of a first start. The interface for programs answers in JSON only.
UNLOADED = (
    *("rest_framework", "webauthn*"),
    *("bootstrap/js/*", "bootstrap-*", "bootstrap.rtl*", "bootstrap.css*"),
    *("django_htmx/ext/*", "htmax-*", "htmx-4*", "htmx-2.js"),
)
#: What the system says of a file that another process has locked.
_TAKEN: type[OSError] = OSError if sys.platform == "win32" else BlockingIOError
#: The number of the lock on a PostgreSQL database that is being brought up to date.
MIGRATING = 0x43686963


class CannotServe(CommandError):
    """Serving cannot start; the message says why and what to do."""


@contextmanager
def claim_data(parts: Collection[str] = PARTS) -> Iterator[None]:
    """Claim the data folder for this process, as far as it serves these parts.

    Raises CannotServe if another process serves one of them. The claim ends with this process,
    however that ends.
    """
    with ExitStack() as stack:
        for part in parts:
            try:
                stack.callback(os.close, _lock(f"serving-{part}.lock", wait=False))
            except _TAKEN as problem:
                raise CannotServe(
                    f"The program is serving the data in {settings.DATA_DIR} already. Stop it "
                    "first, or choose another folder with DATA_DIR."
                ) from problem
        yield


def check_alone() -> None:
    """Raise CannotServe while others are connected to this PostgreSQL database.

    The claim on the data folder does not cover other hosts.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND usename = current_user AND backend_type = 'client backend' "
            "AND pid <> pg_backend_pid()"
        )
        [others] = cursor.fetchone()
    if others:
        raise CannotServe(
            f"Others are connected to the database ({others}), and what they write would be lost. "
            "Stop the program on every host, and whatever else uses the database; then try again."
        )


def _lock(name: str, *, wait: bool) -> int:
    """Lock a file of the data folder until it is closed; raise OSError if it is taken."""
    held = os.open(settings.DATA_DIR / name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(held, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held


def prepare() -> None:
    """Bring the database, the translations and the static files up to date."""
    # Parts that start together on one host share the folder.
    held = _lock("preparing.lock", wait=True)
    try:
        texts.compile_all()
        with _alone():
            make_database()
        collect_static()
    except OperationalError as problem:
        text = f"The database cannot be opened and written: {problem}"
        raise CannotServe(text.strip()) from problem
    finally:
        os.close(held)


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other hosts from updating the same database at the same time."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])


def make_database(*, back_up: bool = True) -> None:
    """Create the database's tables, or bring them up to date; fast if there is nothing to do.

    ``back_up``: with existing data, not without a backup.
    """
    if connection.vendor == "sqlite":
        Path(connection.settings_dict["NAME"]).touch(mode=0o600)
    executor = MigrationExecutor(connection)
    check_origin(executor.loader.applied_migrations)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        if not _has_columns(columns()):
            raise CannotServe(_unreleased())
        return
    # Also where the worker makes none (BACKUP_HOURS=0): without it there is no way back.
    has_data = bool(executor.loader.applied_migrations)
    kept = _backup_before_upgrade() if has_data and back_up else None
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except Exception as problem:
        text = f"The database could not be brought up to date: {problem}"
        if kept is not None:
            text += (
                "\nNothing is lost. Go back: start the version that you had, with: "
                f"manage.py restore --replace {kept}"
            )
        raise CannotServe(text) from problem


def check_origin(applied: Collection[tuple[str, str]]) -> None:
    """Raise CannotServe if another version's migrations made the database."""
    if _is_unreleased(applied):
        raise CannotServe(_unreleased())
    if newer := _newest_unknown(applied):
        kept = _before_upgrade()
        raise CannotServe(
            f"The database was used by a newer version of the program ({newer}). Start that "
            "version; or go back "
            + (
                f"with the backup made before the upgrade: manage.py restore --replace {kept}"
                if kept is not None
                else "with a backup that this version can read; of those made before an upgrade, "
                f"there is none in BACKUP_DIR={settings.BACKUP_DIR}."
            )
        )


def check_backup(about: Mapping[str, Any]) -> None:
    """Raise BadBackup if this version cannot use what a backup holds."""
    applied = {(app, name) for app, name in about["migrations"]}
    if newer := _newest_unknown(applied):
        raise BadBackup(
            f"The backup of {about['made_at']} was made by a newer version of the program "
            f"({newer}): restore it with that version."
        )
    current = applied.issuperset(MigrationLoader(None).disk_migrations)
    if _is_unreleased(applied) or (current and not _has_columns(about["columns"])):
        raise BadBackup(
            f"The backup of {about['made_at']} was made by a version from before the first "
            "release, which this one cannot read."
        )


def _is_unreleased(applied: Collection[tuple[str, str]]) -> bool:
    ours = [name for app, name in applied if app == "scoring"]
    return bool(ours) and "0001_initial" not in ours


def _newest_unknown(applied: Collection[tuple[str, str]]) -> str:
    """Return the last migration that this version does not know, or ""."""
    if _is_unreleased(applied):
        return ""
    known = MigrationLoader(None).disk_migrations
    ours = {app for app, _name in known}
    ahead = (f"{app} {name}" for app, name in {*applied} - {*known} if app in ours)
    return max(ahead, default="")


def _has_columns(found: Mapping[str, Collection[str]]) -> bool:
    """Return False if the initial migrations have been made anew since they were applied."""
    return all(
        set(found.get(model._meta.db_table, []))
        == {field.column for field in model._meta.concrete_fields}
        for model in apps.get_models()
    )


def _unreleased() -> str:
    return (
        f"The database {connection.settings_dict['NAME']} was made by a version from before the "
        "first release, which this one cannot read: move it away, or choose another place with "
        "DATA_DIR or DATABASE_URL."
    )


def _backup_before_upgrade() -> Path:
    """Back up the data before it is changed; raise CannotServe if that fails."""
    folder = Path(settings.BACKUP_DIR)
    kept = folder / f"before-upgrade-{time.strftime('%Y-%m-%d-%H%M%S')}.zip"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup(kept, verify=False)
    except (BadBackup, OSError) as problem:
        raise CannotServe(
            "The database has to be brought up to date, but no backup can be made first in "
            f"BACKUP_DIR={folder}: {problem}\nMake that possible and start again; or copy the "
            "database yourself and bring it up to date with: manage.py migrate"
        ) from problem
    return kept


def _before_upgrade() -> Path | None:
    """Return the last backup made before an upgrade that this version can restore."""
    for path in sorted(Path(settings.BACKUP_DIR).glob("before-upgrade-*.zip"), reverse=True):
        try:
            with opened(path) as (about, _folder):
                check_backup(about)
        except BadBackup:
            continue
        return path
    return None


def collect_static() -> bool:
    """Collect the static files unless nothing has changed; return True if they were collected."""
    stamp = settings.STATIC_ROOT / ".collected"
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    # Files of packages change only with their versions.
    digest.update((settings.BASE_DIR / "requirements.lock").read_bytes())
    for path in sorted((settings.BASE_DIR / "static").rglob("*")):
        if path.is_file():
            digest.update(f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}\n".encode())
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest.hexdigest():
        return False
    unused = [*UNLOADED] if settings.ADMIN else [*UNLOADED, "admin"]
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=unused)
    stamp.write_text(digest.hexdigest(), encoding="ascii")
    return True


def tls() -> ssl.SSLContext | None:
    """Return the TLS context of a server that speaks https, None for plain http.

    Raises CannotServe if the certificate or the key is missing or does not match.
    """
    if not (settings.TLS_CERTIFICATE or settings.TLS_KEY):
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # With a passphrase, the key would prompt on the console of each process.
        context.load_cert_chain(settings.TLS_CERTIFICATE, settings.TLS_KEY, password="")
    except (OSError, ValueError) as problem:
        raise CannotServe(
            f"Cannot speak https with TLS_CERTIFICATE={settings.TLS_CERTIFICATE} and "
            f"TLS_KEY={settings.TLS_KEY}: {problem}. Both are PEM files, the certificate with its "
            "chain, the key without a passphrase."
        ) from problem
    return context
