"""A restored backup gives the same event again, links included."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import uuid
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

import config.backup
from config import preparing
from config.backup import backup, backup_if_changed, fingerprint, keep, name_now
from scoring.models import GameAcceptance, Objection, Sheet, SheetEntry
from tests.tournaments.factories import finished_heat, make_event, make_players, make_user
from tournaments.models import Event, HeatResult, Person, Registration
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    (settings.DATA_DIR / "files").mkdir(parents=True)
    return settings.DATA_DIR


def test_a_restored_event_keeps_its_links(data_folder: Path, settings: Any) -> None:
    event = make_event(slug="fest", games_per_heat=1)
    finished_heat(event)
    link = f"/p/{token_of(Registration.objects.first())}/"
    (data_folder / "files" / "1.pdf").write_bytes(b"%PDF")
    before = [
        list(SheetEntry.objects.order_by("pk").values_list("pk", "hash")),
        list(HeatResult.objects.order_by("pk").values_list("pk", "place")),
        list(Person.objects.order_by("pk").values_list("pk", "legal_name")),
    ]
    target = data_folder.parent / "backup.zip"
    call_command("backup", target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600

    make_players(event, 2)
    (data_folder / "files" / "1.pdf").unlink()
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", target)
    with preparing.claim_data(["jobs"]), pytest.raises(CommandError, match="serving"):
        call_command("restore", target, replace=True)
    call_command("restore", target, replace=True)

    assert before == [
        list(SheetEntry.objects.order_by("pk").values_list("pk", "hash")),
        list(HeatResult.objects.order_by("pk").values_list("pk", "place")),
        list(Person.objects.order_by("pk").values_list("pk", "legal_name")),
    ]
    assert (data_folder / "files" / "1.pdf").read_bytes() == b"%PDF"
    assert (data_folder / "secret_key").read_text() == settings.SECRET_KEY
    assert Client().get(link).status_code == 200
    (kept,) = data_folder.glob("before-restore-*.zip")
    assert set(names(data_folder)) == {kept.name, "files", "secret_key", "serving-jobs.lock",
                                       "serving-pages.lock", "serving-stream.lock"}  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_encrypted_backup_opens_with_its_passphrase_only(data_folder: Path, settings: Any) -> None:
    settings.BACKUP_PASSPHRASE = "kung-dam-knekt"
    event = make_event(slug="fest", games_per_heat=1)
    finished_heat(event)
    # More than one chunk, and incompressible.
    (data_folder / "files" / "1.pdf").write_bytes(os.urandom(1_500_000))
    target = data_folder.parent / name_now()
    call_command("backup", target)
    raw = target.read_bytes()
    assert b"SQLite format" not in raw
    assert settings.SECRET_KEY.encode() not in raw
    lines = raw.splitlines(keepends=True)
    damaged = {
        "cut": b"".join(lines[:-1]),
        "moved": b"".join([lines[0], *reversed(lines[1:])]),
        "changed": raw[:-20] + b"AAAA" + raw[-16:],
    }
    for name, content in damaged.items():
        bad = data_folder.parent / name
        bad.write_bytes(content)
        with pytest.raises(CommandError, match="damaged"):
            call_command("restore", bad, replace=True)
    for wrong in ("", "other"):
        settings.BACKUP_PASSPHRASE = wrong
        with pytest.raises(CommandError, match=r"(?i)passphrase"):
            call_command("restore", target, replace=True)
    settings.BACKUP_PASSPHRASE = "kung-dam-knekt"
    call_command("restore", target, replace=True)
    assert Event.objects.get() == event


def test_worker_backs_up_only_after_changes(data_folder: Path, settings: Any) -> None:
    settings.BACKUP_DIR = data_folder / "backups"
    assert backup_if_changed() == []
    assert backup_if_changed() == []
    assert len(list(settings.BACKUP_DIR.glob("chicago-*.zip"))) == 1
    assert stat.S_IMODE(settings.BACKUP_DIR.stat().st_mode) == 0o700


def accept() -> None:
    GameAcceptance.objects.create(
        sheet=Sheet.objects.get(), player="1", means="own", chain="", created_at=timezone.now()
    )


def object_to_a_deal() -> None:
    Objection.objects.create(
        sheet=Sheet.objects.get(), player="1", deal=1, client_id=uuid.uuid4(),
        created_at=timezone.now(),
    )  # fmt: skip


def set_a_password() -> None:
    user = User.objects.get(username="anna")
    user.set_password("kung-dam-knekt")
    user.save()


def set_up_two_factor() -> None:
    user = User.objects.get(username="anna")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})


def test_what_players_and_accounts_write_makes_a_backup_due(data_folder: Path) -> None:
    make_user("anna")
    finished_heat(make_event(games_per_heat=1))
    for write in (accept, object_to_a_deal, set_a_password, set_up_two_factor):
        before = fingerprint()
        assert fingerprint() == before
        write()
        assert fingerprint() != before


def test_backup_reports_inconsistent_data(data_folder: Path) -> None:
    finished_heat(make_event(slug="fest", games_per_heat=1))
    HeatResult.objects.update(score_points=77)
    target = data_folder.parent / "backup.zip"
    with pytest.raises(CommandError, match="results"):
        call_command("backup", target)
    assert target.exists()


def test_all_backups_of_a_day_and_one_a_day_for_a_month_are_kept(tmp_path: Path) -> None:
    now = datetime(2026, 8, 31, 12, tzinfo=UTC)
    for hours in range(0, 24 * 40, 6):
        (tmp_path / f"chicago-{now - timedelta(hours=hours):%Y-%m-%d-%H%M%S}.zip").touch()
    (tmp_path / "chicago-mine.zip").touch()
    keep(tmp_path, now=now)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert "chicago-mine.zip" in left
    assert sum("2026-08-31" in name for name in left) == 3
    assert sum("2026-08-30" in name for name in left) == 1
    assert sum("2026-08-15" in name for name in left) == 1
    assert not any("2026-07-2" in name for name in left)


@pytest.mark.parametrize("hours", [1.0, 0.0])
def test_a_failed_upgrade_says_how_to_go_back(
    data_folder: Path, settings: Any, hours: float
) -> None:
    settings.BACKUP_HOURS = hours
    settings.BACKUP_DIR = data_folder / "backups"
    make_event(slug="fest")
    recorder = MigrationRecorder(connection)
    # As if something else had already made the last migrations' tables.
    names = [name for app, name in recorder.applied_migrations() if app == "tournaments"]
    undone = [name for name in names if name >= "0002"]
    for name in undone:
        recorder.record_unapplied("tournaments", name)
    try:
        with pytest.raises(preparing.CannotServe) as failed:
            preparing.make_database()
    finally:
        for name in undone:
            recorder.record_applied("tournaments", name)
    kept = next(settings.BACKUP_DIR.glob("before-upgrade-*.zip"))
    assert str(kept) in str(failed.value)
    recorder.record_applied("tournaments", "9999_of_tomorrow")
    try:
        with pytest.raises(preparing.CannotServe) as newer:
            preparing.make_database()
    finally:
        recorder.record_unapplied("tournaments", "9999_of_tomorrow")
    assert "9999_of_tomorrow" in str(newer.value)
    assert str(kept) in str(newer.value)


def test_an_older_backup_is_restored_without_a_copy_under_another_key(
    data_folder: Path, settings: Any
) -> None:
    settings.BACKUP_DIR = data_folder / "backups"
    event = make_event(slug="fest")
    target = data_folder.parent / "backup.zip"
    call_command("migrate", "tournaments", "0001", verbosity=0)
    backup(target, verify=False)
    call_command("restore", target, replace=True)
    assert Event.objects.get() == event
    assert not list(settings.BACKUP_DIR.glob("before-upgrade-*"))


def repacked(source: Path, **changes: Any) -> Path:
    """Write the backup again with a changed description or further parts (b"": without one)."""
    target = source.with_name("repacked.zip")
    with zipfile.ZipFile(source) as read, zipfile.ZipFile(target, "w") as packed:
        about = json.loads(read.read("about.json"))
        parts = {name: read.read(name) for name in read.namelist() if name != "about.json"}
        for name, value in changes.items():
            if not isinstance(value, bytes):
                about[name] = value
            elif value:
                parts[name] = value
                about["sha256"][name] = hashlib.sha256(value).hexdigest()
            else:
                del parts[name]
        for name, content in parts.items():
            packed.writestr(name, content)
        packed.writestr("about.json", json.dumps(about))
    return target


OF_TOMORROW = [["scoring", "0001_initial"], ["tournaments", "9999_of_tomorrow"]]


BAD = [
    ({"migrations": OF_TOMORROW}, r"newer version.*9999_of_tomorrow"),
    ({"migrations": [["scoring", "0001_first"]]}, "before the first release"),
    ({"columns": {}}, "before the first release"),
    ({"files/../../out": b"x"}, r"not one of ours.*\.\./out"),
    ({"/files/out": b"x"}, "not one of ours"),
    ({"files/C:out": b"x"}, "not one of ours"),
    ({"files/a\\..\\out": b"x"}, "not one of ours"),
    ({"chicago.sqlite3": b"x"}, "not one of ours"),
    ({"secret_key": b""}, "not hold what it says"),
    ({"sha256": {}}, "not hold what it says"),
    ({"database": b"x"}, "database is damaged|pg_restore failed"),
    ({"format": 2}, "damaged"),
]


def test_a_backup_is_looked_at_before_anything_is_touched(data_folder: Path) -> None:
    event = make_event(slug="fest")
    target = data_folder.parent / "backup.zip"
    backup(target, verify=False)
    before = names(data_folder), names(data_folder.parent)
    for changes, why in BAD:
        bad = repacked(target, **changes)
        with pytest.raises(CommandError, match=rf"Nothing was restored\. .*({why})"):
            call_command("restore", bad, replace=True)
        bad.unlink()
        left = [name for name in names(data_folder) if not name.startswith("serving-")]
        assert (left, names(data_folder.parent)) == before
    assert Event.objects.get() == event


def test_of_the_backups_made_before_upgrades_the_last_that_can_be_read_is_named(
    data_folder: Path, settings: Any
) -> None:
    settings.BACKUP_DIR = data_folder / "backups"
    settings.BACKUP_DIR.mkdir()
    make_event(slug="fest")
    target = data_folder.parent / "backup.zip"
    backup(target, verify=False)
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_of_tomorrow")
    try:
        with pytest.raises(preparing.CannotServe, match="there is none in"):
            preparing.make_database()
        target.replace(settings.BACKUP_DIR / "before-upgrade-2026-01-01-120000.zip")
        backup(settings.BACKUP_DIR / "before-upgrade-2026-02-01-120000.zip", verify=False)
        with pytest.raises(preparing.CannotServe, match=r"before-upgrade-2026-01-01-120000"):
            preparing.make_database()
    finally:
        recorder.record_unapplied("tournaments", "9999_of_tomorrow")


def test_data_from_before_the_first_release_is_refused_in_one_sentence(data_folder: Path) -> None:
    make_event(slug="fest")
    target = data_folder.parent / "backup.zip"
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("scoring", "0001_initial")
    recorder.record_applied("scoring", "0001_first")
    try:
        with pytest.raises(CommandError, match=r"before the first release.*DATA_DIR"):
            call_command("create_director", "anna")
        with pytest.raises(CommandError, match=r"before the first release.*DATA_DIR"):
            call_command("migrate", verbosity=0)
        backup(target, verify=False)
        with pytest.raises(CommandError, match=r"Nothing was restored.*before the first release"):
            call_command("restore", target, replace=True)
    finally:
        recorder.record_unapplied("scoring", "0001_first")
        recorder.record_applied("scoring", "0001_initial")


def test_tables_of_another_initial_migration_are_noticed(data_folder: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_attempt RENAME COLUMN whom TO who")
        try:
            with pytest.raises(preparing.CannotServe, match="before the first release"):
                preparing.make_database()
        finally:
            cursor.execute("ALTER TABLE tournaments_attempt RENAME COLUMN who TO whom")
    preparing.make_database()


def test_damaged_backup_changes_nothing(data_folder: Path) -> None:
    event = make_event(slug="fest")
    target = data_folder.parent / "backup.zip"
    call_command("backup", target)
    bad = data_folder.parent / "bad.zip"
    with zipfile.ZipFile(target) as source, zipfile.ZipFile(bad, "w") as packed:
        for name in source.namelist():
            packed.writestr(name, source.read(name)[: -1 if name == "database" else None])
    for path in (bad, data_folder.parent / "none.zip", Path(__file__)):
        with pytest.raises(CommandError):
            call_command("restore", path, replace=True)
    assert Event.objects.get() == event


@pytest.mark.services
def test_tables_of_a_newer_version_do_not_stop_going_back(data_folder: Path) -> None:
    event = make_event(slug="fest")
    target = data_folder.parent / "backup.zip"
    call_command("backup", target)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE tournaments_newer (event_id bigint REFERENCES tournaments_event);"
            "CREATE FUNCTION newer_kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END';"
        )
    call_command("restore", target, replace=True)
    assert Event.objects.get() == event
    assert "tournaments_newer" not in connection.introspection.table_names()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_proc WHERE proname = 'newer_kept'")
        assert cursor.fetchone() == (0,)


@pytest.mark.services
def test_a_failed_restore_changes_nothing_and_leaves_nothing(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = data_folder.parent / "backup.zip"
    call_command("backup", target)
    event = make_event(slug="fest")
    # The tables are gone by then.
    monkeypatch.setattr(config.backup, "_DROP_ALL", f"{config.backup._DROP_ALL}; SELECT 1 / 0")
    with pytest.raises(CommandError, match="Nothing was restored"):
        call_command("restore", target, replace=True)
    assert Event.objects.get() == event
    assert not list(data_folder.glob("before-restore-*"))


@pytest.mark.services
def test_nothing_is_restored_under_the_pages_of_another_host(data_folder: Path) -> None:
    target = data_folder.parent / "backup.zip"
    call_command("backup", target)
    event = make_event(slug="fest")
    other = connection.copy()
    other.ensure_connection()
    try:
        with pytest.raises(CommandError, match=r"\(1\)"):
            call_command("restore", target, replace=True)
    finally:
        other.close()
    assert Event.objects.get() == event
    assert not list(data_folder.glob("before-restore-*"))
