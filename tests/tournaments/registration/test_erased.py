"""What staff still reads and may do once a player is erased."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import SheetEntry
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_user, play_heat
from tournaments.cash.commands import book
from tournaments.core.errors import Refused
from tournaments.core.names import shown_text_of
from tournaments.floor.commands.penalties import give_penalty
from tournaments.models import Booking, Event, LogEntry, Person, Registration
from tournaments.models.enums import BookingKind, Role
from tournaments.registration.commands.erasing import erase_player
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import (
    change_person,
    change_player,
    register_person,
    reinstate,
    withdraw,
)
from tournaments.registration.commands.player_links import choose_visibility, renew_link

pytestmark = pytest.mark.django_db


def erased(event: Event, **fields: str) -> Registration:
    """Return a player who was Xenia Quist, and has withdrawn."""
    player = register_person(event=event, by=None, legal_name="Xenia Quist", **fields)
    withdraw(registration=player, by=None, reason="Xenia is ill")
    erase_player(registration=player, by=None)
    return event.registrations.select_related("person").get(pk=player.pk)


def test_earlier_names_are_erased_from_texts_too(event: Event) -> None:
    player = register_person(
        event=event, by=None, legal_name="Ksenia Kvist", display_name="Blixten"
    )
    for nickname in ("Ormen", "Korpen"):
        choose_visibility(registration=player, visibility="nickname", display_name=nickname)
        player.refresh_from_db()
    change_player(registration=player, by=None, given_name="Xenia", family_name="Quist")
    texts = ("Blixten", "Ormen", "korpen", "Ksenia Kvist", "Kvist, Ksenia", "Kvist", "Xenia")
    typed = [f"{text} misheard" for text in texts]
    assert [shown_text_of(event, staff=True)(text) for text in typed] == typed
    erase_player(registration=player, by=None)
    shown = {shown_text_of(event, staff=True)(text) for text in typed}
    assert shown == {f"Player {player.number} misheard"}


def test_earlier_names_of_a_hidden_player_are_hidden_from_others(event: Event) -> None:
    player = register_person(event=event, by=None, legal_name="Xenia Kvist", display_name="Ormen")
    register_person(event=event, by=None, legal_name="Bo Kvist")
    change_player(registration=player, by=None, family_name="Quist", display_name="")
    typed = "Xenia Kvist, Xenia Quist, Ormens and Kvist misheard"
    assert shown_text_of(event)(typed) == typed
    change_player(registration=player, by=None, visibility="hidden")
    assert shown_text_of(event)(typed) == "Player 1, Player 1, Player 1s and Kvist misheard"
    assert shown_text_of(event, staff=True)(typed) == typed


@pytest.mark.parametrize("name", ["Xenia Kvist", "Xenia Kvisten", "Anna Quist"])
@pytest.mark.parametrize("twice", [True, False])
def test_names_of_merged_persons_are_hidden_with_the_player(
    event: Event, name: str, twice: bool
) -> None:
    one = register_person(event=event, by=None, legal_name="Xenia Kvist")
    there = event if twice else make_event()
    two = register_person(event=there, by=None, legal_name="Blixten Orm")
    change_person(person=two.person, by=None, legal_name=name)
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    for fields in ({"club": "Kortet"}, {"legal_name": "Ksenia Kvist"}, {"visibility": "hidden"}):
        change_person(person=one.person, by=None, **fields)
    texts = ("Xenia Kvist", "Ksenia Kvist", name, *name.split(), "Blixten Orm", "Orm")
    number = one.number if twice else two.number
    assert {shown_text_of(there)(text) for text in texts} == {f"Player {number}"}
    undo_merge(merge=merge, event=event, by=None)
    assert all("of" not in each for each in Person.objects.get(pk=one.person_id).erased_names)


def test_the_player_gets_no_place_and_no_link_again(event: Event) -> None:
    player = erased(event)
    for command in (reinstate, renew_link):
        with pytest.raises(Refused) as refused:
            command(registration=player, by=None)
        assert refused.value.code == "erased"
    desk = client_of(event, Role.OWNER)
    path = reverse("tournaments:player_edit", args=[event.slug, player.number])
    page = desk.get(path).content.decode()
    assert "Erased on" in page
    for offered in ("reinstate/", "slip/", "link/", "erase/", "merge/", 'name="given_name"'):
        assert offered not in page, offered
    slip = reverse("tournaments:player_slip", args=[event.slug, player.number])
    assert desk.get(slip)["Location"] == path


def test_the_admin_shows_nothing_that_was_typed(event: Event) -> None:
    [heat] = make_heats(event).heats
    player = event.registrations.order_by("number")[0]
    change_player(registration=player, by=None, given_name="Xenia", family_name="Quist")
    give_penalty(
        heat=heat,
        registration=player,
        level="points",
        offence="slow",
        by=None,
        client_id=uuid.uuid4(),
        seen_version=heat.games.get(number=1).sheet.version,
        points=5,
        reason="Xenia waited",
    )
    book(event=event, kind=BookingKind.BUY_IN, amount=1, registration=player, by=None, note="Xenia")
    play_heat(heat)
    boss = Client()
    boss.force_login(make_user("boss", is_staff=True, is_superuser=True))
    rows = (
        *LogEntry.objects.exclude(reason=""),
        *SheetEntry.objects.all(),
        *Booking.objects.exclude(note=""),
    )
    assert {type(row) for row in rows} == {LogEntry, SheetEntry, Booking}
    for row in rows:
        name = f"admin:{row._meta.app_label}_{row._meta.model_name}"
        for path in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])):
            page = boss.get(path)
            assert page.status_code == 200
            assert "Xenia waited" not in page.content.decode(), path
            assert 'note">Xenia' not in page.content.decode(), path
