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

from scoring.enums import RowKind, SheetStatus
from scoring.models import Sheet, SheetEntry
from scoring.reading.check import verify_sheet
from scoring.reading.links import find_link
from tournaments.models import Event, GameResult, Heat, HeatEntry, HeatResult, LogEntry
from tournaments.models.enums import EntryStatus, HeatStatus, LogAction, RegistrationStatus
from tournaments.rehearsal import demo

# Tests of the running program start from the demo, too.
pytestmark = [pytest.mark.django_db, pytest.mark.pages]


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
        yield Event.objects.get()
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


def test_heats_are_finished_and_running_and_players_wait(festival: Event) -> None:
    heats = festival.heats.all()
    assert sum(heat.status == HeatStatus.FINISHED for heat in heats) >= 8
    assert sum(heat.status == HeatStatus.OPEN for heat in heats) >= 3
    assert HeatEntry.objects.filter(status=EntryStatus.WAITING).count() >= 2
    assert festival.draws.count() == 4


def test_some_have_entered_again(festival: Event) -> None:
    assert HeatEntry.objects.filter(number=2).count() >= 5
    assert HeatEntry.objects.filter(number=3).exists()


def test_every_finished_heat_has_somebody_through(festival: Event) -> None:
    finished = festival.heats.filter(status=HeatStatus.FINISHED)
    qualified = festival.qualifications.values_list("heat", "registration")
    assert sorted(heat for heat, _ in qualified) == sorted(finished.values_list("pk", flat=True))
    assert len({player for _, player in qualified}) == finished.count()


def test_a_game_is_won_by_a_royal_flush(festival: Event) -> None:
    sheets = Sheet.objects.filter(status=SheetStatus.FINISHED)
    assert "royal_flush" in {sheet.state["win"] for sheet in sheets}


def test_somebody_was_zeroed_at_52(festival: Event) -> None:
    assert GameResult.objects.filter(status="out", score=0).exists()


def test_a_tie_for_the_win_is_decided_by_the_tie_break_chain(festival: Event) -> None:
    first = HeatResult.objects.filter(heat__status=HeatStatus.FINISHED, order=1)
    ties = first.filter(decided_by="score_points")
    assert ties
    for winner in ties:
        second = winner.heat.results.get(order=2)
        assert winner.game_points == second.game_points
        assert winner.score_points > second.score_points


def test_the_worked_round_is_the_first_deal_of_a_running_game(festival: Event) -> None:
    deals = {
        tuple(
            (row.entry.get("kind"), row.entry.get("seat"), row.entry.get("category"))
            for row in sheet.entries.all()[:4]
        )
        for sheet in running()
        if len(sheet.seats) == 3
    }
    assert (
        ("hand", 0, "two_pair"),
        ("hand", 0, "two_pair"),
        ("last_trick", 2, None),
        ("hand", 2, "three_of_a_kind"),
    ) in deals


def test_an_entry_was_taken_back(festival: Event) -> None:
    assert SheetEntry.objects.filter(kind=RowKind.VOID).exists()


def test_the_director_has_ruled_on_a_penalty(festival: Event) -> None:
    assert LogEntry.objects.filter(event=festival, action=LogAction.RULING).exists()


def test_a_table_calls_the_director(festival: Event) -> None:
    assert Heat.objects.filter(status=HeatStatus.OPEN, table__call_since__isnull=False).exists()


def test_all_sheets_match_their_replay(festival: Event) -> None:
    for sheet in Sheet.objects.exclude(status=SheetStatus.WAITING):
        assert verify_sheet(sheet_id=sheet.pk)[1]


def test_the_demos_story_is_over_by_now(festival: Event) -> None:
    now = datetime.fromtimestamp((Path(settings.DATA_DIR) / "demo.json").stat().st_mtime, UTC)
    entries = SheetEntry.objects.order_by("pk")
    times = list(entries.values_list("created_at", flat=True))
    assert times == sorted(times)
    assert now - timedelta(hours=8) < times[0] < now - timedelta(hours=3)
    assert now - timedelta(minutes=5) < times[-1] <= now + timedelta(minutes=1)
    assert all(heat.opened_at <= times[-1] for heat in festival.heats.all())


def test_every_log_entry_has_an_author(festival: Event) -> None:
    assert not LogEntry.objects.filter(event=festival, user__isnull=True).exists()


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
