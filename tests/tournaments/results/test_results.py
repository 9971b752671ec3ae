"""Results are updated from the sheets, in the transaction of the entry."""

from __future__ import annotations

import re

import pytest
from django.db import transaction
from django.test import Client

from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.signals import table_changed
from scoring.writing import correct_entry, sign_off
from tests.tournaments.factories import make_event, make_heats, play_game, play_heat
from tests.tournaments.registration.test_views_desk import url
from tests.tournaments.registration.test_views_player_page import page
from tournaments import receivers
from tournaments.models import GameResult, Heat, HeatResult
from tournaments.models.enums import HeatStatus
from tournaments.results.commands import refresh_heat, refresh_sheet
from tournaments.results.queries.from_sheets import place_numbers


def _heat(players: int = 4) -> tuple[Heat, Sheet]:
    heat = make_heats(make_event(), players).heats[0]
    return heat, Sheet.objects.get(table=heat.table, number=1)


@pytest.mark.django_db
def test_a_finished_game_gives_results() -> None:
    heat, sheet = _heat()
    play_game(sheet)
    assert GameResult.objects.filter(game__heat=heat).count() == 4
    assert HeatResult.objects.filter(heat=heat).count() == 4


@pytest.mark.django_db
def test_taking_the_last_entry_back_removes_the_results() -> None:
    import uuid

    heat, sheet = _heat()
    play_game(sheet)
    sheet.refresh_from_db()
    correct_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
        author="test",
    )
    assert not GameResult.objects.filter(game__heat=heat).exists()
    assert not HeatResult.objects.filter(heat=heat).exists()


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
def test_a_casual_tables_sheet_belongs_to_no_heat() -> None:
    refresh_sheet(sheet_id=10**9)
    table_changed.send(sender=Sheet, table_id=10**9, sheet=None, results=True)
    assert not HeatResult.objects.exists()


@pytest.mark.django_db
def test_an_entry_is_not_written_if_its_results_cannot_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(sheet_id: int) -> None:
        raise OSError("disk full")

    _, sheet = _heat()
    monkeypatch.setattr(receivers, "refresh_sheet", full)
    with pytest.raises(OSError, match="disk full"), transaction.atomic():
        play_game(sheet)
    assert Sheet.objects.get(pk=sheet.pk).version == 0


@pytest.mark.django_db
def test_the_last_sign_off_closes_the_heat_and_its_winner_qualifies() -> None:
    heat = make_heats(make_event(results_need_director=False), 4).heats[0]
    play_heat(heat)
    sign_off(table_id=heat.table_id or 0, by="test")
    heat.refresh_from_db()
    assert heat.status == HeatStatus.FINISHED
    assert heat.qualifications.count() == 1


def test_shared_places() -> None:
    assert place_numbers([[0, 2], [1], [3]]) == {0: 1, 2: 1, 1: 3, 3: 4}
    assert place_numbers([]) == {}


@pytest.mark.django_db
def test_a_shared_place_is_marked_on_every_page(client: Client) -> None:
    heat, sheet = _heat()
    play_game(sheet)
    second = HeatResult.objects.filter(heat=heat, place=2).earliest("pk").entry.registration
    for address, shared in (
        (url(heat.event, "standings"), 3),
        (url(heat.event, "heat", number=heat.number), 3),
        (page(second), 1),
    ):
        html = client.get(address).text
        html = re.sub(r'<span class="visually-hidden">.*?</span>', "", html)
        assert re.sub(r"<[^>]*>", "", html).count("2=") == shared, address
