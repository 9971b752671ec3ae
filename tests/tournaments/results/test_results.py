"""Results follow the sheets by signal, and catch up where one was lost."""

from __future__ import annotations

import pytest

from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.signals import sheet_changed, table_changed
from scoring.writing import revise_entry
from tests.tournaments.factories import make_event, make_heats, play_game
from tournaments import receivers
from tournaments.models import GameResult, Heat, HeatResult
from tournaments.results.commands import catch_up, place_numbers, refresh_heat, refresh_sheet


def _heat(players: int = 4) -> tuple[Heat, Sheet]:
    heat = make_heats(make_event(), players).heats[0]
    return heat, Sheet.objects.get(table=heat.table, number=1)


@pytest.mark.django_db(transaction=True)
def test_finished_game_brings_results_by_signal() -> None:
    heat, sheet = _heat()
    play_game(sheet)
    assert GameResult.objects.filter(game__heat=heat).count() == 4
    assert HeatResult.objects.filter(heat=heat).count() == 4
    assert catch_up(event=heat.event) == 0


@pytest.mark.django_db(transaction=True)
def test_taking_the_last_entry_back_takes_the_results_back() -> None:
    import uuid

    heat, sheet = _heat()
    play_game(sheet)
    sheet.refresh_from_db()
    revise_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
        author="test",
    )
    assert not GameResult.objects.filter(game__heat=heat).exists()
    assert not HeatResult.objects.filter(heat=heat).exists()


@pytest.mark.django_db(transaction=True)
def test_trouble_with_results_never_reaches_the_scorekeeper(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(**kwargs: object) -> None:
        raise RuntimeError("disk full")

    heat, sheet = _heat()
    monkeypatch.setattr(receivers, "refresh_sheet", broken)
    play_game(sheet)
    assert "are behind" in caplog.text
    monkeypatch.undo()
    assert catch_up(event=heat.event) == 1
    assert GameResult.objects.filter(game__heat=heat).count() == 4


@pytest.mark.django_db
def test_refreshing_again_changes_nothing() -> None:
    heat, sheet = _heat()
    play_game(sheet)
    refresh_heat(heat=heat)
    before = list(HeatResult.objects.values()), list(GameResult.objects.values())
    refresh_heat(heat=heat)
    refresh_sheet(sheet_id=sheet.pk)
    assert (list(HeatResult.objects.values()), list(GameResult.objects.values())) == before


@pytest.mark.django_db
def test_sheet_of_a_casual_table_is_nobodys_heat() -> None:
    refresh_sheet(sheet_id=10**9)
    sheet_changed.send(sender=Sheet, sheet_id=10**9, table_id=1, version=1)
    table_changed.send(sender=Sheet, table_id=10**9)
    assert not HeatResult.objects.exists()


@pytest.mark.django_db
def test_page_of_standings_catches_up(client: object) -> None:
    heat, sheet = _heat()
    play_game(sheet)
    # Inside a test's transaction no commit happens, so no signal was sent.
    assert not HeatResult.objects.exists()
    client.get(f"/e/{heat.event.slug}/standings/")  # type: ignore[attr-defined]
    assert HeatResult.objects.count() == 4


def test_shared_places() -> None:
    assert place_numbers([[0, 2], [1], [3]]) == {0: 1, 2: 1, 1: 3, 3: 4}
    assert place_numbers([]) == {}
