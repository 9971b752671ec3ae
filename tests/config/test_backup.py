"""A backup gives the same event again, links included."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from config import serving
from scoring.models import SheetEntry
from tests.tournaments.factories import finished_heat, make_event, make_players
from tournaments.models import Event, HeatResult, Person, Registration
from tournaments.registration.commands.player_links import token_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    (settings.DATA_DIR / "files").mkdir(parents=True)
    return settings.DATA_DIR


def test_event_is_there_again_with_its_links(data_folder: Path, settings: Any) -> None:
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
    held = serving.claim()
    with pytest.raises(CommandError, match="serving"):
        call_command("restore", target, replace=True)
    serving.os.close(held)
    call_command("restore", target, replace=True)

    assert before == [
        list(SheetEntry.objects.order_by("pk").values_list("pk", "hash")),
        list(HeatResult.objects.order_by("pk").values_list("pk", "place")),
        list(Person.objects.order_by("pk").values_list("pk", "legal_name")),
    ]
    assert (data_folder / "files" / "1.pdf").read_bytes() == b"%PDF"
    assert (data_folder / "secret_key").read_text() == settings.SECRET_KEY
    assert Client().get(link).status_code == 200
    assert len(list(data_folder.glob("before-restore-*.zip"))) == 1


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
