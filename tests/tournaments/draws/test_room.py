"""A draw limited to the tables in the room, and a draft edited without losing manual changes."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.factories import make_event, make_heats, make_players
from tests.tournaments.refusals import codes_in, refused
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.errors import Refused
from tournaments.draws.commands.drafts import (
    draft_heats,
    draw_again,
    draw_heats,
    publish,
    swap_players,
    take_out,
)
from tournaments.draws.commands.seating_constraints import keep_apart, set_fixed_table
from tournaments.draws.queries.plan import drawable, open_stage, plan_draw
from tournaments.models import Event
from tournaments.registration.commands.check_in import leave_queue, undo_check_in
from tournaments.registration.queries.queue import queue_of


def planned(event: Event, **wanted: object) -> tuple[list[int], list[str]]:
    """Return the table sizes, and why the others keep waiting."""
    plan = plan_draw(event, drawable(event, open_stage(event)), **wanted)
    return list(plan.sizes), [why for _entry, why in plan.stays]


@pytest.mark.parametrize(
    ("players", "room", "size", "wanted", "sizes", "stay"),
    [
        (20, "1-3", 4, {}, [4] * 3, ["room"] * 8),
        (20, "1-3", 4, {"tables": 2}, [4] * 2, ["tables"] * 12),
        (20, "1-3", 3, {"full": True}, [3] * 3, ["room"] * 11),
        (11, "", 4, {}, [4, 4, 3], []),
        (11, "", 4, {"full": True}, [4, 4], ["full"] * 3),
        (9, "1-2", 4, {}, [4, 4], ["room"]),
        (7, "1-2", 4, {"tables": 1}, [4], ["tables"] * 3),
        (12, "", 4, {"tables": 4}, [3, 3, 3, 3], []),
        (5, "", 4, {}, [4], ["five"]),
        (8, "1-2", 3, {}, [4, 4], []),
    ],
)
def test_plan(
    db: None,
    players: int,
    room: str,
    size: int,
    wanted: dict[str, object],
    sizes: list[int],
    stay: list[str],
) -> None:
    event = make_event(room_plan=room, table_size=size)
    make_players(event, players)
    assert planned(event, **wanted) == (sizes, stay)


@pytest.mark.parametrize(("tables", "code"), [(3, "no_free_table"), (2, "too_few_waiting")])
def test_too_many_tables_are_refused(db: None, tables: int, code: str) -> None:
    event = make_event(room_plan="1-2")
    make_players(event, 5)
    with pytest.raises(Refused) as refused:
        draft_heats(event=event, by=None, tables=tables)
    assert refused.value.code == code


def test_a_wave_takes_those_who_have_waited_longest(db: None) -> None:
    """Eighty players and twelve tables: the first wave plays, the others keep their places."""
    event = make_event(room_plan="1-12")
    players = make_players(event, 80)
    drawn = draw_heats(event=event, by=None)
    seated = {entry.registration_id for heat in drawn.heats for entry in heat.entries.all()}
    assert seated == {player.pk for player in players[:48]}
    assert [entry.registration for entry in drawn.left] == players[48:]
    assert queue_of(event).sizes == ()
    with pytest.raises(Refused) as refused:
        draw_heats(event=event, by=None)
    assert refused.value.code == "no_free_table"


def test_a_player_whose_fixed_table_is_taken_keeps_waiting(db: None) -> None:
    event = make_event()
    make_heats(event, 4)
    players = make_players(event, 4)
    set_fixed_table(registration=players[0], table=1, by=None)
    assert planned(event) == ([3], ["fixed_taken"])
    draw = draft_heats(event=event, by=None)
    assert draw.candidates == [player.player_id for player in players[1:]]


def test_the_desk_draws_the_requested_number_of_tables(event: Event, director: Client) -> None:
    make_players(event, 12)
    director.post(url(event, "draft_make"), {"tables": "2", "full": "1"})
    draw = event.draws.get()
    assert draw.sizes == [4, 4]
    assert len(draw.queue) == 12
    assert not event.heats.exists()
    again = draw_again(draw=draw, by=None)
    assert again.sizes == [4, 4]


@pytest.mark.parametrize("name", ["draft_make", "desk_draw"])
def test_a_refused_draw_keeps_what_was_typed(event: Event, director: Client, name: str) -> None:
    make_players(event, 2)
    answer = director.post(url(event, name), {"tables": "7", "full": "1"})
    assert (answer.status_code, codes_in(answer)) == (409, {"no_free_table"})
    form = answer.context["draw_form"]
    assert (form["tables"].value(), form["full"].value()) == ("7", True)
    answer = director.post(url(event, name), {"tables": "two"})
    assert (answer.status_code, codes_in(answer)) == (422, {"invalid"})


def test_the_next_in_the_queue_takes_the_seat_and_manual_changes_stay(db: None) -> None:
    event = make_event(room_plan="1-2")
    make_players(event, 9)
    draw = draft_heats(event=event, by=None, seed="test")
    one, other = draw.groups[0][0], draw.groups[1][0]
    draw = swap_players(draw=draw, one=one, other=other, by=None)
    gone = draw.groups[0][1]
    undo_check_in(registration=event.registrations.get(number=int(gone)), by=None)
    late = make_players(event, 1)[0]
    draw = take_out(draw=draw, player=gone, by=None)
    assert draw.groups[0][1] == "9"
    assert draw.groups[1][0] == one
    assert draw.queue[-1] == late.player_id
    assert [heat.entries.count() for heat in publish(draw=draw, by=None).heats] == [4, 4]


def test_with_an_empty_queue_a_table_shrinks_to_three_and_no_further(db: None) -> None:
    event = make_event()
    make_players(event, 4)
    draw = draft_heats(event=event, by=None)
    out = draw.groups[0][0]
    leave_queue(registration=event.registrations.get(number=int(out)), by=None)
    draw = take_out(draw=draw, player=out, by=None)
    assert len(draw.groups[0]) == 3
    with pytest.raises(Refused) as refused:
        take_out(draw=draw, player=draw.groups[0][0], by=None)
    assert refused.value.code == "table_size"
    publish(draw=draw, by=None)


def test_who_was_taken_out_does_not_come_back_in_for_the_next(db: None) -> None:
    event = make_event(room_plan="1")
    make_players(event, 7)
    draw = draft_heats(event=event, by=None)
    draw = take_out(draw=draw, player="2", by=None)
    draw = take_out(draw=draw, player="3", by=None)
    assert sorted(draw.groups[0]) == ["1", "4", "5", "6"]


def test_who_always_sits_at_a_table_in_use_does_not_take_a_seat(db: None) -> None:
    event = make_event(room_plan="1-3")
    make_heats(event, 4)
    players = make_players(event, 7)
    set_fixed_table(registration=players[0], table=2, by=None)
    draw = draft_heats(event=event, by=None, tables=1)
    set_fixed_table(registration=players[4], table=1, by=None)
    draw = take_out(draw=draw, player=players[1].player_id, by=None)
    assert players[5].player_id in draw.groups[0]
    publish(draw=draw, by=None)


def test_who_always_sits_at_another_groups_table_does_not_take_a_seat(db: None) -> None:
    event = make_event(room_plan="1-2")
    players = make_players(event, 10)
    set_fixed_table(registration=players[0], table=2, by=None)
    draw = draft_heats(event=event, by=None, seed="test")
    set_fixed_table(registration=players[8], table=2, by=None)
    other = next(group for group in draw.groups if "1" not in group)
    draw = take_out(draw=draw, player=other[0], by=None)
    assert "10" in {player_id for group in draw.groups for player_id in group}
    publish(draw=draw, by=None)


def test_full_tables_are_drawn_again_as_many_as_can_still_be_filled(db: None) -> None:
    event = make_event()
    players = make_players(event, 12)
    draw = draft_heats(event=event, by=None, tables=3, full=True)
    leave_queue(registration=players[0], by=None)
    assert draw_again(draw=draw, by=None).sizes == [4, 4]


def test_three_who_wait_are_too_few_for_a_full_table(db: None) -> None:
    event = make_event()
    make_players(event, 3)
    with pytest.raises(Refused) as refused:
        draft_heats(event=event, by=None, full=True)
    assert (refused.value.code, refused.value.params) == (
        "too_few_for_full",
        {"size": 4, "count": 3},
    )


def test_the_second_at_a_fixed_table_waits_for_the_next_draw(db: None) -> None:
    event = make_event(room_plan="1-3")
    players = make_players(event, 12)
    for player in (players[0], players[5]):
        set_fixed_table(registration=player, table=1, by=None)
    assert planned(event) == ([4, 4, 3], ["fixed_shared"])
    drawn = draw_heats(event=event, by=None)
    assert [entry.registration for entry in drawn.left] == [players[5]]
    assert players[0].entries.get().heat.table_number == 1


def test_a_single_table_takes_both_whose_fixed_table_it_is(db: None) -> None:
    event = make_event()
    for player in make_players(event, 4)[:2]:
        set_fixed_table(registration=player, table=2, by=None)
    [heat] = draw_heats(event=event, by=None).heats
    assert (heat.entries.count(), heat.table_number) == (4, 2)


def test_a_draft_says_that_two_of_its_groups_have_the_same_fixed_table(db: None) -> None:
    event = make_event(room_plan="1-3")
    make_players(event, 8)
    draw = draft_heats(event=event, by=None)
    for group in draw.groups:
        player = event.registrations.get(number=int(group[0]))
        set_fixed_table(registration=player, table=1, by=None)
    with pytest.raises(Refused) as refused:
        publish(draw=draw, by=None)
    assert refused.value.code == "fixed_table_shared"


def test_sisters_kept_apart_cannot_have_one_table(event: Event) -> None:
    """Three sisters, two with the same table: refused when it is entered, either way."""
    ada, bea, cia = make_players(event, 3)
    keep_apart(event=event, one=ada, other=bea, by=None)
    keep_apart(event=event, one=bea, other=cia, by=None)
    set_fixed_table(registration=bea, table=4, by=None)
    with refused("apart_fixed"):
        set_fixed_table(registration=cia, table=4, by=None)
    set_fixed_table(registration=ada, table=5, by=None)
    for one in (ada, bea, cia):
        one.refresh_from_db()
    set_fixed_table(registration=cia, table=5, by=None)
    cia.refresh_from_db()
    with refused("apart_fixed"):
        keep_apart(event=event, one=ada, other=cia, by=None)
