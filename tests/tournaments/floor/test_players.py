"""Changing a heat's players before its first entry: latecomers, no-shows, a withdrawn draw."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from scoring import writing as scoring
from scoring.errors import LeaseTaken
from scoring.models import Sheet
from scoring.reading.check import verify_sheet
from scoring.reading.links import find_link, show_token
from tests.tournaments.factories import make_heats, make_players, play_heat, write
from tests.tournaments.floor.test_commands import PAIR, at_seat, sheet_of
from tests.tournaments.playoffs.factories import drafted, qualified_event
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.errors import Refused
from tournaments.draws.commands.drafts import draft_round, draw_heats, publish
from tournaments.draws.queries.plan import drawable, open_stage
from tournaments.floor.commands.players import change_players, take_draw_back
from tournaments.floor.queries.players import taken_out
from tournaments.heats.commands import close_heat, make_link
from tournaments.heats.queries.cards import heat_cards
from tournaments.models import Event, Heat, HeatEntry, HeatResult
from tournaments.models.enums import DrawStatus, EntryStatus, HeatStatus, RegistrationStatus

pytestmark = pytest.mark.django_db


def waiting(event: Event) -> list[int]:
    """Return the numbers of the waiting players, in order."""
    return [row.registration.number for row in drawable(event, open_stage(event))]


def test_a_latecomer_joins_a_table_of_three(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    link = make_link(heat=heat, by=None)
    late = make_players(event, 1)[0]
    old = heat.table_id
    heat = change_players(heat=heat, into=late, by=None)
    assert heat.table_id != old
    assert sorted(sheet_of(heat).seats) == ["1", "2", "3", "4"]
    assert heat.entries.count() == 4
    token = show_token(link=link)
    assert find_link(token=token).table_id == heat.table_id
    play_heat(heat)
    close_heat(heat=heat, by=None)
    assert HeatResult.objects.filter(heat=heat).count() == 4
    assert heat.draw is not None
    assert heat.draw.groups[0][-1] == "4"


def test_a_phone_with_the_old_seats_has_to_take_over(event: Event) -> None:
    """An entry names a seat: a page from before the change must not write on the new seats."""
    heat = make_heats(event, 3).heats[0]
    scoring.take_lease(sheet_id=sheet_of(heat).pk, device="phone", author="x")
    heat = change_players(heat=heat, into=make_players(event, 1)[0], by=None)
    sheet = sheet_of(heat)
    # Nobody keeps the score there yet, and the floor says so.
    assert not heat_cards([heat])[0].has_auditor

    def enter() -> None:
        scoring.write_entry(
            sheet_id=sheet.pk,
            client_id=uuid.uuid4(),
            seen_version=0,
            entry=PAIR,
            author="x",
            device="phone",
        )

    with pytest.raises(LeaseTaken):
        enter()
    scoring.take_lease(sheet_id=sheet.pk, device="phone", author="x")
    enter()


def test_a_no_show_is_replaced_by_the_next_in_the_queue(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    gone, coming = at_seat(heat, 1), make_players(event, 1)[0]
    table = heat.table_id
    heat = change_players(heat=heat, out=gone, into=coming, by=None, reason="away")
    assert heat.table_id == table
    assert sheet_of(heat).seats[1] == coming.player_id
    assert sheet_of(heat).last_entry_at is None
    gone.refresh_from_db()
    assert gone.status == RegistrationStatus.REGISTERED
    assert waiting(event) == []
    assert all(verify_sheet(sheet_id=sheet.pk)[1] for sheet in Sheet.objects.all())
    # A second change on top of the first, as nothing has been played yet.
    heat = change_players(heat=heat, out=coming, here=True, by=None)
    assert len(sheet_of(heat).seats) == 3
    assert waiting(event) == [coming.number]
    # And back to the first player.
    heat = change_players(heat=heat, into=coming, by=None)
    assert coming.player_id in sheet_of(heat).seats


def test_a_replaced_player_who_is_here_waits_in_the_old_place(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    make_players(event, 2)
    out = at_seat(heat, 0)
    change_players(heat=heat, out=out, here=True, by=None)
    assert waiting(event) == [out.number, 5, 6]


def test_impossible_changes(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    late = make_players(event, 2, here=False)
    for given, code in (
        ({}, "nobody"),
        ({"out": at_seat(heat, 0)}, "table_size"),
        ({"out": late[0]}, "not_at_table"),
        ({"into": late[0]}, "not_waiting"),
    ):
        with pytest.raises(Refused) as refused:
            change_players(heat=heat, by=None, **given)
        assert refused.value.code == code
    write(sheet_of(heat), PAIR)
    with pytest.raises(Refused) as refused:
        change_players(heat=heat, out=at_seat(heat, 0), by=None)
    assert refused.value.code == "heat_begun"


def test_a_draw_can_be_taken_back_before_the_first_entry(event: Event, director: Client) -> None:
    make_players(event, 9)
    draw = draw_heats(event=event, by=None).draw
    path = url(event, "draw", number=draw.number)
    assert 'id="take-back"' in director.get(path).content.decode()
    director.post(url(event, "draw_take_back", number=draw.number), {"reason": "wrong day"})
    draw.refresh_from_db()
    assert draw.status == DrawStatus.TAKEN_BACK
    assert set(event.heats.values_list("status", flat=True)) == {HeatStatus.VOID}
    assert waiting(event) == list(range(1, 10))
    again = draw_heats(event=event, by=None)
    write(Sheet.objects.get(table=again.heats[0].table, number=1), PAIR)
    assert 'id="take-back"' not in director.get(url(event, "draw", number=2)).content.decode()
    with pytest.raises(Refused) as refused:
        take_draw_back(draw=again.draw, by=None, reason="late")
    assert refused.value.code == "heat_begun"


def test_a_rounds_draw_is_taken_back_and_drawn_again() -> None:
    event = qualified_event(8)
    draw = publish(draw=drafted(event), by=None).draw
    take_draw_back(draw=draw, by=None, reason="somebody is missing")
    draw.stage.refresh_from_db()
    assert draw.stage.status == "planned"
    again = publish(draw=draft_round(stage=draw.stage, by=None), by=None)
    seated = HeatEntry.objects.filter(heat__in=again.heats, status=EntryStatus.SEATED)
    assert seated.count() == 8
    assert Heat.objects.filter(draw=draw, status=HeatStatus.VOID).count() == 2


@pytest.mark.parametrize("here", [False, True])
def test_who_was_taken_out_by_a_slip_goes_back_into_the_seat(event: Event, here: bool) -> None:
    heat = make_heats(event, 4).heats[0]
    (following,) = make_players(event, 1)
    tuva = heat.entries.order_by("pk")[1].registration
    seats = Sheet.objects.get(table=heat.table, number=1).seats
    change_players(heat=heat, out=tuva, into=following, here=here, by=None)
    assert taken_out(heat) == [tuva]
    change_players(heat=heat, out=following, into=tuva, here=True, by=None)
    assert Sheet.objects.get(table=heat.table, number=1).seats == seats
    tuva.refresh_from_db()
    assert tuva.status == RegistrationStatus.CHECKED_IN
    assert following.entries.waiting().exists()
    assert taken_out(heat) == [following]
