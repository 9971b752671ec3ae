"""Once an hour a worker clears away what nobody needs any more."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from tests.tournaments.factories import make_event, make_user
from tests.tournaments.jobs import run
from tournaments.models import Job


def made(path: Path, *, days: float, folder: bool = False) -> Path:
    """Make a file, or a folder with one, that is this old."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if folder:
        path.mkdir()
        (path / "database").touch()
    else:
        path.touch()
    at = time.time() - days * 86_400
    os.utime(path, (at, at))
    return path


def test_what_killed_backups_left_and_old_ones_before_changes_go(
    db: None, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path / "data", tmp_path / "backups"
    gone = [
        made(settings.DATA_DIR / "tmpab12cd34", days=2, folder=True),
        made(settings.DATA_DIR / ".before-restore-1.zip.77", days=2),
        made(settings.BACKUP_DIR / ".chicago-1.zip.encrypted.77", days=2),
        made(settings.DATA_DIR / "before-restore-1.zip", days=32),
        made(settings.BACKUP_DIR / "before-upgrade-1.zip", days=32),
    ]
    kept = [
        made(settings.DATA_DIR / "tmpwxyz6789", days=0.1, folder=True),
        made(settings.DATA_DIR / "before-restore-2.zip", days=30),
        made(settings.DATA_DIR / "chicago.sqlite3", days=99),
        made(settings.BACKUP_DIR / "before-upgrade-2.zip", days=30),
        made(settings.BACKUP_DIR / "mine.zip", days=99),
        made(settings.BACKUP_DIR / ".written", days=99),
    ]
    assert run("purge") == [1]
    assert [path.name for path in gone if path.exists()] == []
    assert [path.name for path in kept if not path.exists()] == []


def test_uploaded_lists_go_without_a_further_one(db: None) -> None:
    old, new = (Job.objects.create(kind="spreadsheet", event=make_event()) for _ in range(2))
    Job.objects.filter(pk=old.pk).update(made_at=timezone.now() - timedelta(hours=7))
    assert run("purge") == [1]
    assert Job.objects.get(kind="spreadsheet") == new


def test_sessions_that_are_over_go_with_address_and_browser(db: None) -> None:
    for seconds in (-60, 60):
        session = SessionStore()
        session.set_expiry(seconds)
        session.create()
        UserSession.objects.create(
            user=make_user(), session_key=session.session_key, ip="192.0.2.1", user_agent="x"
        )
    assert run("purge") == [1]
    assert UserSession.objects.get().session_key == session.session_key
    assert SessionStore.get_model_class().objects.get().session_key == session.session_key
