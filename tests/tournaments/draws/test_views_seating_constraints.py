"""Players to keep apart, fixed tables, the room plan."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.errors import Refused
from tournaments.draws.commands.drafts import draft_heats
from tournaments.draws.commands.seating_constraints import (
    keep_all_apart,
    keep_apart,
    let_together,
    set_fixed_table,
)
from tournaments.models import Event, KeepApart, LogEntry
from tournaments.models.enums import LogAction, Role
from tournaments.registration.commands.people import register_person


def test_a_pair_is_kept_apart_and_released_again(event: Event, director: Client) -> None:
    one, other = make_players(event, 2)
    director.post(
        url(event, "seating_apart"), {"one": other.number, "other": one.number, "reason": "family"}
    )
    pair = KeepApart.objects.get()
    assert (pair.one, pair.other, pair.reason) == (one, other, "family")
    assert "family" in text_of(director.get(url(event, "seating_constraints")))
    director.post(url(event, "seating_together"), {"pair": pair.pk})
    assert not KeepApart.objects.exists()
    assert LogEntry.objects.filter(action=LogAction.KEPT_APART).count() == 2
    again = director.post(url(event, "seating_together"), {"pair": pair.pk}, follow=True)
    assert codes_in(again) == {"not_apart"}


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({}, 422),
        ({"one": "1"}, 422),
        ({"one": "1", "other": "1"}, 409),
        ({"one": "1", "other": "999"}, 422),
        ({"one": "x", "other": "\x00"}, 422),
        ({"one": "1", "other": "2", "reason": "x" * 500}, 422),
    ],
)
def test_a_bad_pair_is_refused_and_keeps_what_was_typed(
    event: Event, director: Client, data: dict[str, str], status: int
) -> None:
    make_players(event, 2)
    answer = director.post(url(event, "seating_apart"), data)
    assert answer.status_code == status
    assert not KeepApart.objects.exists()


def test_typing_a_last_name_finds_the_player(event: Event, director: Client) -> None:
    register_person(event=event, by=None, legal_name="Anna Öberg", display_name="Kortet")
    page = director.get(url(event, "seating_constraints")).content.decode()
    assert page.count(">Öberg, Anna (Kortet) (") == 3


def test_a_family_is_kept_apart_by_its_last_name(event: Event, director: Client) -> None:
    players = [
        register_person(event=event, legal_name=name, by=None)
        for name in ("Ada Öberg", "Bea Öberg", "Cia öberg", "Dan Ek")
    ]
    director.post(url(event, "seating_group"), {"name": "öberg", "reason": "sisters"})
    pairs = {(pair.one, pair.other) for pair in KeepApart.objects.all()}
    ada, bea, cia, _dan = players
    assert pairs == {(ada, bea), (ada, cia), (bea, cia)}
    # Once more changes nothing.
    director.post(url(event, "seating_group"), {"name": "Öberg"})
    assert KeepApart.objects.count() == 3
    set_fixed_table(registration=ada, table=4, by=None)
    with pytest.raises(Refused) as refused:
        set_fixed_table(registration=bea, table=4, by=None)
    assert refused.value.code == "apart_fixed"


def test_every_club_is_kept_apart_at_once(event: Event, director: Client) -> None:
    for name, club in (("A", "Falun"), ("B", "falun"), ("C", "Mora"), ("D", ""), ("E", "")):
        register_person(event=event, legal_name=f"{name} X", club=club, by=None)
    answer = director.post(url(event, "seating_group"), {"clubs": "1"}, follow=True)
    assert "1 new pair is kept apart." in text_of(answer)
    assert KeepApart.objects.count() == 1


def test_nobody_of_a_name_and_too_many_of_a_club(event: Event, director: Client) -> None:
    assert director.post(url(event, "seating_group"), {"name": ""}).status_code == 422
    answer = director.post(url(event, "seating_group"), {"name": "Nobody"})
    assert answer.status_code == 409
    assert 'value="Nobody"' in text_of(answer)
    players = make_players(event, 26)
    with pytest.raises(Refused) as refused:
        keep_all_apart(event=event, groups=[players], by=None)
    assert refused.value.code == "many_pairs"
    assert not KeepApart.objects.exists()


def test_a_pair_is_listed_once(event: Event, director: Client) -> None:
    one, other = make_players(event, 2)
    keep_apart(event=event, one=one, other=other, by=None)
    answer = director.post(
        url(event, "seating_apart"), {"one": other.number, "other": one.number, "reason": "typed"}
    )
    assert answer.status_code == 409
    assert codes_in(answer) == {"apart_already"}
    assert "typed" in text_of(answer)


def test_player_of_another_event_cannot_be_in_a_pair(event: Event) -> None:
    one = make_players(event, 1)[0]
    stranger = make_players(make_event(), 1)[0]
    with pytest.raises(Refused) as refused:
        keep_apart(event=event, one=one, other=stranger, by=None)
    assert refused.value.code == "not_of_event"


def test_pair_of_another_event_cannot_be_ended(event: Event, director: Client) -> None:
    other = make_event()
    pair = keep_apart(
        event=other, **dict(zip(("one", "other"), make_players(other, 2), strict=True)), by=None
    )
    director.post(url(event, "seating_together"), {"pair": pair.pk})
    assert KeepApart.objects.count() == 1


def test_ending_twice_is_a_conflict(event: Event) -> None:
    one, other = make_players(event, 2)
    pair = keep_apart(event=event, one=one, other=other, by=None)
    let_together(pair=pair, by=None)
    pair.pk = 1
    with pytest.raises(Refused) as refused:
        let_together(pair=pair, by=None)
    assert refused.value.code == "apart_gone"


def test_a_draw_keeps_them_apart(event: Event) -> None:
    players = make_players(event, 8)
    for other in players[1:4]:
        keep_apart(event=event, one=players[0], other=other, by=None)
    draw = draft_heats(event=event, by=None)
    with_first = next(group for group in draw.groups if players[0].player_id in group)
    assert not {each.player_id for each in players[1:4]} & set(with_first)


def test_a_fixed_table_is_set_and_removed(event: Event, director: Client) -> None:
    player = make_players(event, 3)[0]
    path = url(event, "seating_table")
    director.post(path, {"player": player.number, "table": "7"})
    player.refresh_from_db()
    assert player.fixed_table == 7
    assert make_heats_table(event, player.player_id) == 7
    director.post(path, {"player": player.number, "table": ""})
    player.refresh_from_db()
    assert player.fixed_table is None
    log = LogEntry.objects.filter(action=LogAction.FIXED_TABLE).order_by("pk")
    assert [(row.before["table"], row.after["table"]) for row in log] == [(None, 7), (7, None)]


def make_heats_table(event: Event, player_id: str) -> int | None:
    """Draw, and return the table of the player's heat."""
    from tournaments.draws.commands.drafts import draw_heats

    heats = draw_heats(event=event, by=None).heats
    return next(
        heat.table_number
        for heat in heats
        if player_id in [entry.registration.player_id for entry in heat.entries.all()]
    )


@pytest.mark.parametrize("table", ["0", "-3", "1000", "x", "1.5"])
def test_an_unknown_table(event: Event, director: Client, table: str) -> None:
    make_players(event, 1)
    answer = director.post(url(event, "seating_table"), {"player": "1", "table": table})
    assert answer.status_code == 422
    assert event.registrations.get().fixed_table is None


def test_a_fixed_table_must_be_in_the_room(director: Client) -> None:
    event = make_event(room_plan="1-4")
    client = client_of(event, Role.CASHIER)
    player = make_players(event, 1)[0]
    answer = client.post(url(event, "seating_table"), {"player": "1", "table": "9"})
    assert answer.status_code == 409
    assert codes_in(answer) == {"bad_table"}
    with pytest.raises(Refused):
        set_fixed_table(registration=player, table=0, by=None)


def test_room_plan_is_saved_and_shown(event: Event, director: Client) -> None:
    make_heats(event, 4)
    director.post(url(event, "seating_room"), {"room_plan": "1-3, 8"})
    event.refresh_from_db()
    assert event.room_plan == "1-3, 8"
    page = text_of(director.get(url(event, "seating_constraints")))
    assert "Heat 1" in page
    assert page.count("room-table") >= 4


@pytest.mark.parametrize("plan", ["x", "1-", "0-9999", "1 2", "a-b", "9-1"])
def test_bad_room_plan_is_refused(event: Event, director: Client, plan: str) -> None:
    answer = director.post(url(event, "seating_room"), {"room_plan": plan})
    assert answer.status_code == 422
    event.refresh_from_db()
    assert event.room_plan == ""


def test_floor_staff_cannot_change_the_room(event: Event) -> None:
    client = client_of(event, Role.FLOOR)
    assert client.post(url(event, "seating_room"), {"room_plan": "1-3"}).status_code == 403
    assert 'name="room_plan"' not in text_of(client.get(url(event, "seating_constraints")))
