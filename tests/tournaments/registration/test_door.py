"""Check-in at the door: by name or by the player's code, once, whoever taps."""

from __future__ import annotations

import html
import re

from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_member, make_players
from tests.tournaments.refusals import codes_in, refused
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tests.tournaments.registration.test_views_player_page import page
from tournaments.cash.commands import book
from tournaments.core.transitions import transition_registration
from tournaments.models import Event, LogEntry, Person
from tournaments.models.enums import (
    BookingKind,
    EventStatus,
    LogAction,
    RegistrationStatus,
    Role,
)
from tournaments.registration.commands.check_in import check_in, enter_heat
from tournaments.registration.queries.door import door_of


def test_players_not_yet_here_are_listed_by_family_name(event: Event) -> None:
    players = make_players(event, 3, here=False)
    check_in(registration=players[0], by=None)
    door = door_of(event)
    assert (door.here, door.expected) == (1, 3)
    assert [row.player.number for row in door.rows] == [3, 2]  # Lindqvist, Öström
    assert all(row.can_check_in for row in door.rows)
    [found] = door_of(event, "akerl").rows
    assert not found.can_check_in
    assert found.can_undo


def test_one_of_two_with_the_same_name_is_named_with_the_number(event: Event) -> None:
    other, *equal = make_players(event, 3, here=False)
    Person.objects.filter(registrations__in=equal).update(legal_name="Anna Svensson")
    client = client_of(event, Role.FLOOR)

    def answer(number: int) -> str:
        return text_of(client.post(url(event, "player_check_in", number=number), follow=True))

    assert f"Anna Svensson ({equal[0].number})" in answer(equal[0].number)
    assert f"({other.number})" not in answer(other.number)


def test_paid_or_not(event: Event) -> None:
    event.buy_in = 20000
    event.save()
    paid, owes = make_players(event, 2, here=False)
    book(event=event, kind=BookingKind.BUY_IN, amount=20000, registration=paid, by=None)
    tags = {row.player.number: row.paid_tag for row in door_of(event).rows}
    assert tags == {paid.number: "", owes.number: "tag-amber"}


def test_a_second_helper_is_told_who_checked_the_player_in_and_when(event: Event) -> None:
    [player] = make_players(event, 1, here=False)
    check_in(registration=player, by=make_member(event, Role.FLOOR, "eva"))
    with refused("already_checked_in") as info:
        check_in(registration=player, by=make_member(event, Role.FLOOR, "bo"))
    assert "eva" in str(info.value)
    assert LogEntry.objects.filter(action=LogAction.CHECKED_IN).count() == 1
    [row] = door_of(event, "1").rows
    assert row.checked is not None
    assert row.checked.who == "eva"
    # Buttons below "…" say for whom they are.
    for name in ("check_in", "desk_players"):
        text = text_of(client_of(event, Role.FLOOR).get(url(event, name), {"q": "1"}))
        assert re.search(rf'aria-label="[^"]+: {player.person}">⋯', text)
    answer = client_of(event, Role.FLOOR).post(
        url(event, "player_check_in", number=1), headers=HTMX
    )
    assert codes_in(answer) == {"already_checked_in"}


def test_a_disqualified_player_is_told_so(event: Event) -> None:
    [player] = make_players(event, 1)
    transition_registration(player, RegistrationStatus.DISQUALIFIED)
    player.save()
    for does in (enter_heat, check_in):
        with refused("disqualified"):
            does(registration=player, by=None)


def test_a_draft_event_has_no_buttons_that_would_be_refused(db: None) -> None:
    draft = make_event(status=EventStatus.DRAFT)
    make_players(draft, 1, here=False)
    assert not door_of(draft).rows[0].can_check_in
    client = client_of(draft, Role.FLOOR)
    for name in ("desk", "check_in"):
        answer = client.get(url(draft, name))
        assert b"data-draft" in answer.content
        assert url(draft, "player_check_in", number=1).encode() not in answer.content
        assert b'name="here"' not in answer.content


def test_a_players_code_shows_the_button_to_those_who_may_register(
    event: Event, client: Client
) -> None:
    [player] = make_players(event, 1, here=False)
    address = url(event, "player_check_in", number=1).encode()
    assert address not in client.get(page(player)).content
    assert address in client_of(event, Role.FLOOR).get(page(player)).content
    elsewhere = client_of(make_event(), Role.OWNER)
    assert address not in elsewhere.get(page(player)).content


def test_who_is_not_on_the_list_is_registered_with_the_name_typed_at_the_door(
    event: Event, director: Client
) -> None:
    door = url(event, "check_in")
    found = text_of(director.get(door, {"q": "Åke Ny"}))
    [address] = re.findall(r'href="([^"]*register/[^"]+)"', found)
    shown = director.get(html.unescape(address))
    assert shown.context["register_form"]["legal_name"].value() == "Åke Ny"
    sent = {"legal_name": "Åke Ny", "here": "1", "next": shown.context["next"]}
    assert director.get(url(event, "register_alike"), sent).context["next"] == door
    answer = director.post(url(event, "player_register"), sent)
    assert answer["Location"] == door
    assert event.registrations.get().status == RegistrationStatus.CHECKED_IN
