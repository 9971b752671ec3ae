"""A heat from the queue to the qualified list, through the commands."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.draws.draw import split_heats
from scoring.models import Sheet
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_heat,
)
from tests.tournaments.floor.test_commands import at_seat
from tests.tournaments.floor.test_penalties import punish
from tournaments.core.errors import Refused
from tournaments.draws.commands.drafts import draw_heats
from tournaments.heats.commands import close_heat, void_heat
from tournaments.models import GameResult, HeatResult, LogEntry, Qualification
from tournaments.models.enums import EntryStatus, HeatStatus
from tournaments.registration.commands.check_in import enter_heat

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("waiting", "sizes", "left"),
    [(3, [3], 0), (4, [4], 0), (5, [4], 1), (6, [3, 3], 0), (11, [4, 4, 3], 0)],
)
def test_a_draw_takes_all_but_the_fifth(waiting: int, sizes: list[int], left: int) -> None:
    event = make_event()
    players = make_players(event, waiting)
    drawn = draw_heats(event=event, by=None)
    assert [heat.entries.count() for heat in drawn.heats] == sizes
    assert len(drawn.left) == left
    if left:
        assert [entry.registration for entry in drawn.left] == [players[-1]]
    assert [heat.table_number for heat in drawn.heats] == list(range(1, len(sizes) + 1))


def test_a_draw_can_be_repeated_from_the_stored_data() -> None:
    event = make_event()
    drawn = make_heats(event, 11, seed="a public seed").draw
    assert drawn.seed == "a public seed"
    assert split_heats(drawn.seed, drawn.candidates, drawn.sizes) == drawn.groups


def test_heat_has_games_with_drawn_seats() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    assert heat.status == HeatStatus.OPEN
    sheets = [game.sheet for game in heat.games.all()]
    assert [sheet.number for sheet in sheets] == [1, 2, 3]
    assert {frozenset(sheet.seats) for sheet in sheets} == {
        frozenset(
            str(number) for number in heat.entries.values_list("registration__number", flat=True)
        )
    }


@pytest.mark.parametrize("waiting", [0, 1, 2])
def test_too_few_players_are_refused(waiting: int) -> None:
    event = make_event()
    make_players(event, waiting)
    with pytest.raises(Refused) as refused:
        draw_heats(event=event, by=None)
    assert refused.value.code == "too_few_waiting"
    assert not event.draws.exists()


def test_closing_a_heat_gives_results_and_a_qualification() -> None:
    event = make_event()
    heat = finished_heat(event)
    best = heat.entries.order_by("pk")[0].registration
    assert [row.registration for row in Qualification.objects.all()] == [best]
    assert GameResult.objects.count() == 12
    rows = list(HeatResult.objects.order_by("order"))
    assert rows[0].game_points == Fraction(60)
    assert rows[0].advances
    assert rows[0].decided_by == "game_points"
    assert sum(row.game_points for row in rows) == 3 * 55
    assert {entry.status for entry in heat.entries.all()} == {EntryStatus.DONE}
    actions = set(LogEntry.objects.filter(event=event).values_list("action", flat=True))
    assert {"drawn", "heat_closed", "qualified"} <= actions


def test_a_loser_may_enter_again_and_a_winner_may_not() -> None:
    event = make_event()
    heat = finished_heat(event)
    best, *others = [entry.registration for entry in heat.entries.order_by("pk")]
    assert enter_heat(registration=others[0], by=None).number == 2
    with pytest.raises(Refused) as refused:
        enter_heat(registration=best, by=None)
    assert refused.value.code == "qualified"


def test_an_unfinished_heat_cannot_be_closed() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    with pytest.raises(Refused) as refused:
        close_heat(heat=heat, by=None)
    assert refused.value.code == "games_unfinished"
    heat.refresh_from_db()
    assert heat.status == HeatStatus.OPEN


def test_players_of_a_voided_heat_return_to_their_places_in_the_queue() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    since = dict(heat.entries.values_list("registration", "entered_at"))
    again = void_heat(heat=heat, by=None, reason="wrong cards")
    assert {entry.registration_id: entry.entered_at for entry in again} == since
    assert {entry.number for entry in again} == {1}
    assert set(Sheet.objects.values_list("status", flat=True)) == {"void"}
    assert len(draw_heats(event=event, by=None).heats) == 1


def test_a_player_disqualified_in_a_voided_heat_does_not_wait_again() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    cheat = at_seat(heat, 0)
    punish(heat, cheat, "disqualified", offence="cheating")
    again = void_heat(heat=heat, by=None, reason="wrong cards")
    assert len(again) == 3
    assert cheat not in {entry.registration for entry in again}
    assert not cheat.entries.open().exists()


def test_a_heat_without_a_tie_needs_no_flip_flop() -> None:
    event = make_event(games_per_heat=1)
    heat = make_heats(event, 3).heats[0]
    play_heat(heat)
    assert close_heat(heat=heat, by=None)
