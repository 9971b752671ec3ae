"""The demo festival shows what the program can do, made through its own commands."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import global_settings, settings
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from scoring.enums import SheetStatus
from scoring.models import Sheet, SheetEntry
from scoring.reading.check import verify_sheet
from scoring.reading.links import find_link
from tournaments.models import Event
from tournaments.models.enums import RegistrationStatus
from tournaments.rehearsal import demo

# Tests of the running program start from the demo, too.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.pages]


@pytest.fixture(scope="module")
def festival(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    demo_installation: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Event]:
    """Open the database that a first start has made."""
    folder = shutil.copytree(demo_installation, tmp_path_factory.mktemp("demo") / "data")
    before = settings.DATA_DIR, connection.settings_dict
    connection.close()
    settings.DATA_DIR = folder
    connection.settings_dict = {**before[1], "NAME": str(folder / "chicago.sqlite3")}
    with django_db_blocker.unblock():
        # The worker may already have begun the season before it.
        yield Event.objects.get(slug=demo.DEMO)
        connection.close()
    settings.DATA_DIR, connection.settings_dict = before


def running() -> list[Sheet]:
    return list(Sheet.objects.filter(status=SheetStatus.RUNNING))


def test_about_forty_persons_play(festival: Event) -> None:
    names = set(festival.registrations.values_list("person__legal_name", flat=True))
    assert 38 <= len(names) <= 46
    assert max(map(len, names)) > 45
    for letter in "åäöøßłıæđþőāễ"[:10]:
        assert any(letter in name.lower() for name in names), letter
    statuses = set(festival.registrations.values_list("status", flat=True))
    assert statuses == {
        RegistrationStatus.CHECKED_IN,
        RegistrationStatus.REGISTERED,
        RegistrationStatus.WITHDRAWN,
    }


def test_all_sheets_match_their_replay(festival: Event) -> None:
    for sheet in Sheet.objects.exclude(status=SheetStatus.WAITING):
        assert verify_sheet(sheet_id=sheet.pk)[1]


def test_the_demos_story_is_over_by_now(festival: Event) -> None:
    now = datetime.fromtimestamp((Path(settings.DATA_DIR) / "demo.json").stat().st_mtime, UTC)
    tables = festival.heats.values("table")
    entries = SheetEntry.objects.filter(sheet__table__in=tables).order_by("pk")
    times = list(entries.values_list("created_at", flat=True))
    assert times == sorted(times)
    assert now - timedelta(hours=8) < times[0] < now - timedelta(hours=3)
    assert now - timedelta(minutes=5) < times[-1] <= now + timedelta(minutes=1)
    assert all(heat.opened_at <= times[-1] for heat in festival.heats.all())


def test_the_printed_accounts_work(festival: Event) -> None:
    account = demo.account()
    assert account is not None
    # The program's own hashers; tests use faster ones.
    with override_settings(PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS):
        assert authenticate(username=account.director, password=account.password)
        assert authenticate(username=account.owner, password=account.password)
    token = re.fullmatch(r"/s/(\w+)/", account.scoring_path)
    assert token
    link = find_link(token=token[1])
    assert link.table.sheets.get(status=SheetStatus.RUNNING).state["deal"] >= 1


def test_the_demo_needs_an_empty_database(festival: Event) -> None:
    assert not demo.may_load()
    with pytest.raises(CommandError, match="empty database"):
        call_command("load_demo")


def test_the_accounts_file_is_readable_by_its_owner_only(festival: Event) -> None:
    file = Path(settings.DATA_DIR) / "demo.json"
    assert file.stat().st_mode & 0o077 == 0
