"""Extra time, missing and misplaced players, heats closed by the table's sign-off."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from scoring import writing as scoring
from scoring.models import Sheet
from scoring.reading.check import verify_sheet
from tests.tournaments.factories import make_event, make_heats, play_game, play_heat, write
from tournaments.core.errors import Refused
from tournaments.floor.commands.floor import (
    SeatedPlayer,
    grant_extra_time,
    reseat,
    review_heat,
    set_missing,
    swap_seated_players,
)
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat, HeatResult, Registration
from tournaments.models.enums import HeatStatus
from tournaments.results.commands import refresh_heat

pytestmark = pytest.mark.django_db

PAIR = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}


def sheet_of(heat: Heat, number: int = 1) -> Sheet:
    return Sheet.objects.get(table=heat.table, number=number)


def at_seat(heat: Heat, seat: int) -> Registration:
    return heat.event.registrations.get(number=int(sheet_of(heat).seats[seat]))


@pytest.fixture
def heat() -> Heat:
    return make_heats(make_event(), 4).heats[0]


def test_extra_time_needs_a_clock_and_is_limited(heat: Heat) -> None:
    with pytest.raises(Refused) as refused:
        grant_extra_time(heat=heat, minutes=10, by=None)
    assert refused.value.code == "no_clock"
    Event.objects.update(minutes_per_heat=60)
    assert grant_extra_time(heat=heat, minutes=10, by=None).extra_minutes == 10
    assert grant_extra_time(heat=heat, minutes=-5, by=None).extra_minutes == 5
    for minutes in (0, -6, 200):
        with pytest.raises(Refused):
            grant_extra_time(heat=heat, minutes=minutes, by=None)


def test_a_missing_player_sits_out_and_the_heat_can_be_closed(heat: Heat) -> None:
    gone = at_seat(heat, 3)
    set_missing(heat=heat, registration=gone, missing=True, by=None, reason="went home")
    assert sheet_of(heat).state["status"][3] == "out"
    best = at_seat(heat, 0).player_id
    for number in (1, 2, 3):
        if number > 1:
            scoring.open_next_sheet(table_id=heat.table_id or 0, by="x")
        sheet = play_game(sheet_of(heat, number), sheet_of(heat, number).seats.index(best))
        assert sheet.state["status"][sheet.seats.index(gone.player_id)] == "out"
    close_heat(heat=heat, by=None)
    assert HeatResult.objects.get(entry__registration=gone).place == 4


def test_a_player_who_returns_plays_the_next_game(heat: Heat) -> None:
    gone = at_seat(heat, 3)
    set_missing(heat=heat, registration=gone, missing=True, by=None)
    set_missing(heat=heat, registration=gone, missing=False, by=None)
    sheet = sheet_of(heat)
    play_game(sheet, 0)
    scoring.open_next_sheet(table_id=heat.table_id or 0, by="x")
    assert sheet_of(heat, 2).state["status"] == ["in"] * 4


def test_players_at_each_others_tables_are_swapped_without_losing_an_entry(heat: Heat) -> None:
    other = make_heats(heat.event, 3).heats[0]
    for each in (heat, other):
        play_game(sheet_of(each), 0)
    here, there = at_seat(heat, 0), at_seat(other, 1)
    swap_seated_players(
        one=SeatedPlayer(heat, here),
        other=SeatedPlayer(other, there),
        by=None,
        reason="sat down wrongly",
    )
    assert sheet_of(heat).seats[0] == there.player_id
    assert sheet_of(other).seats[1] == here.player_id
    assert sheet_of(heat).state["scores"][0] == 52
    for each in (heat, other):
        each.refresh_from_db()
        assert verify_sheet(sheet_id=sheet_of(each).pk)[1]
        for _number in (2, 3):
            sheet = scoring.open_next_sheet(table_id=each.table_id or 0, by="x")
            play_game(sheet, sheet.seats.index(sheet_of(each).seats[0]))
        refresh_heat(heat=each)
    row = HeatResult.objects.get(entry__registration=there)
    assert (row.heat, row.place) == (heat, 1)


def test_a_swap_needs_a_reason_and_two_tables(heat: Heat) -> None:
    other = make_heats(heat.event, 3).heats[0]
    wrong = [
        (
            SeatedPlayer(heat, at_seat(heat, 0)),
            SeatedPlayer(other, at_seat(other, 0)),
            " ",
            "missing_reason",
        ),
        (
            SeatedPlayer(heat, at_seat(heat, 0)),
            SeatedPlayer(heat, at_seat(heat, 1)),
            "x",
            "same_table",
        ),
        (
            SeatedPlayer(heat, at_seat(other, 0)),
            SeatedPlayer(other, at_seat(heat, 0)),
            "x",
            "not_at_table",
        ),
    ]
    for one, two, reason, code in wrong:
        with pytest.raises(Refused) as refused:
            swap_seated_players(one=one, other=two, by=None, reason=reason)
        assert refused.value.code == code


def test_reseated_players_keep_their_points(heat: Heat) -> None:
    sheet = write(sheet_of(heat), PAIR)
    seats = [sheet.seats[1], sheet.seats[0], *sheet.seats[2:]]
    reseat(
        heat=heat,
        sheet=sheet,
        seats=seats,
        follow="player",
        by=None,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
        reason="wrong chairs",
    )
    sheet.refresh_from_db()
    assert sheet.seats == seats
    assert sheet.state["scores"][:2] == [0, 1]


def test_sign_off_closes_the_heat_unless_the_director_does(
    django_capture_on_commit_callbacks: Any,
) -> None:
    for needs, status in ((False, HeatStatus.FINISHED), (True, HeatStatus.OPEN)):
        event = make_event(results_need_director=needs)
        heat = play_heat(make_heats(event, 4).heats[0])
        with django_capture_on_commit_callbacks(execute=True):
            scoring.sign_off(table_id=heat.table_id or 0, by="table")
        heat.refresh_from_db()
        assert heat.status == status
        if status == HeatStatus.FINISHED:
            assert review_heat(heat=heat, by=None).reviewed_at is not None
        else:
            with pytest.raises(Refused):
                review_heat(heat=heat, by=None)


def test_the_last_player_left_wins() -> None:
    heat = make_heats(make_event(games_per_heat=1), 3).heats[0]
    for seat in (0, 1):
        set_missing(heat=heat, registration=at_seat(heat, seat), missing=True, by=None)
    assert sheet_of(heat).state["win"] == "last_standing"
