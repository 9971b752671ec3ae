"""The command that recomputes all results from the sheets."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from scoring.models import Sheet
from tests.tournaments.playoffs.factories import played_round, qualified_event
from tournaments.heats.checks import check_heat
from tournaments.models import (
    Event,
    GameHands,
    GameResult,
    Heat,
    HeatGame,
    HeatResult,
    LogEntry,
    Qualification,
)
from tournaments.results.commands import mark_advancing

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return qualified_event(1)


def heat_of(event: Event) -> Heat:
    return event.heats.select_related("event", "stage").get(number=1)


def results() -> list[list[tuple[object, ...]]]:
    hands = GameHands.objects.order_by("game").values_list("game", "players", "pair")
    return [
        list(hands),
        *(
            list(rows.order_by("entry").values_list("entry", "place", "game_points"))
            for rows in (GameResult.objects, HeatResult.objects)
        ),
    ]


def qualified() -> list[tuple[int, int | None]]:
    return list(Qualification.objects.values_list("registration", "heat"))


def test_a_played_event_is_consistent() -> None:
    event = qualified_event(3)
    played_round(event)
    logged = LogEntry.objects.count()
    call_command("check_results", repair=True)
    call_command("check_sheets")
    assert LogEntry.objects.count() == logged


DAMAGES: dict[str, Callable[[], object]] = {
    "points of a game": lambda: GameResult.objects.filter(place=1).update(game_points=1),
    "hands of a game": lambda: GameHands.objects.update(pair=F("pair") + 1),
    "no hands of a game": lambda: GameHands.objects.filter(game__number=1).delete(),
    "version of a game": lambda: HeatGame.objects.filter(number=1).update(result_version=0),
    "ranking": lambda: HeatResult.objects.update(score_points=F("score_points") + 1),
    "results": lambda: (GameResult.objects.all().delete(), HeatResult.objects.all().delete()),
    "qualifications": lambda: Qualification.objects.all().delete(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_named_and_repaired(event: Event, damage: Callable[[], object]) -> None:
    before = results(), qualified()
    damage()
    for _again in range(2):
        # Without --repair nothing changes.
        with pytest.raises(CommandError):
            call_command("check_results")
    call_command("check_results", repair=True)
    assert (results(), qualified()) == before
    assert LogEntry.objects.filter(action="results_repaired").count() == 1
    call_command("check_results")


def test_a_qualification_by_the_director_is_kept(event: Event) -> None:
    heat = heat_of(event)
    last = HeatResult.objects.filter(heat=heat).last()
    assert last is not None
    Qualification.objects.update(registration=last.entry.registration)
    mark_advancing(heat=heat, player_ids=[last.entry.registration.player_id])
    assert check_heat(heat=heat, repair=True) == []


def test_a_surplus_qualification_is_only_reported(event: Event) -> None:
    heat = heat_of(event)
    last = HeatResult.objects.filter(heat=heat).last()
    assert last is not None
    Qualification.objects.create(
        event=event, stage=heat.stage, heat=heat, order=9, registration=last.entry.registration
    )
    with pytest.raises(CommandError):
        call_command("check_results", repair=True)
    assert Qualification.objects.count() == 2


def test_a_sheet_is_repaired_from_its_rows(event: Event) -> None:
    Sheet.objects.update(state={})
    with pytest.raises(CommandError):
        call_command("check_sheets")
    call_command("check_sheets", repair=True)
    call_command("check_sheets")
    call_command("check_results")
