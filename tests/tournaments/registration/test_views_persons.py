"""Known persons at the desk: suggested, registered, merged, separated."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_person, make_players
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.models import Event, Person, PersonMerge, Registration
from tournaments.models.enums import RegistrationStatus, Role
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.commands.people import register_person


def test_suggestions_while_typing(event: Event, director: Client) -> None:
    known = make_person("Anna Åkerlund", club="Norrköping")
    here = register_person(event=event, by=None, legal_name="Åkerlund Anna")
    answer = director.get(
        url(event, "register_alike"), {"legal_name": "anna akerlund", "here": "on"}, headers=HTMX
    )
    text = text_of(answer)
    assert f'name="person" value="{known.public_id}"' in text
    assert f'name="person" value="{here.person_id}"' not in text
    assert str(here.person) in text
    assert 'name="person"' not in text_of(director.get(url(event, "register_alike")))
    odd = director.get(url(event, "register_alike"), {"legal_name": "\x00%_'" * 40})
    assert odd.status_code == 200


def test_known_person_is_registered_and_checked_in(event: Event, director: Client) -> None:
    known = make_person("Anna Åkerlund")
    director.post(url(event, "register_known"), {"person": known.public_id, "here": "1"})
    player = event.registrations.get()
    assert (player.person, player.status) == (known, RegistrationStatus.CHECKED_IN)
    assert Person.objects.count() == 1
    again = director.post(url(event, "register_known"), {"person": known.public_id}, follow=True)
    assert codes_in(again) == {"already_registered"}


@pytest.mark.parametrize("key", ["", "x", "0", "9" * 30, "²"])
def test_an_unknown_person_is_reported(event: Event, director: Client, key: str) -> None:
    answer = director.post(url(event, "register_known"), {"person": key}, follow=True)
    assert codes_in(answer) == {"no_person"}


def test_a_rename_says_where_it_will_show(event: Event, director: Client) -> None:
    known = register_person(event=event, by=None, legal_name="Anna Åkerlund")
    page = url(event, "player_edit", number=known.number)
    assert "also shows at" not in text_of(director.get(page))
    other = make_event(slug="other", name="Vårcupen")
    register_person(event=other, by=None, person=known.person)
    assert "also shows at: Vårcupen." in text_of(director.get(page))


def test_a_merged_person_is_refused(event: Event, director: Client) -> None:
    known, other = (make_person(name) for name in ("Anna", "Ana"))
    merge_persons(kept=known, merged=other, event=event, by=None)
    answer = director.post(url(event, "register_known"), {"person": other.public_id}, follow=True)
    assert codes_in(answer) == {"merged"}


def test_at_a_full_event_the_desk_puts_players_on_the_waiting_list(db: None) -> None:
    event = make_event(capacity=3)
    client = client_of(event, Role.DIRECTOR)
    make_players(event, 3)
    form = {"legal_name": "Late Larsson", "here": "on"}
    client.post(url(event, "player_register"), form)
    late = event.registrations.get(number=4)
    assert late.status == RegistrationStatus.WAIT_LISTED
    known = make_person("Known")
    client.post(url(event, "register_known"), {"person": known.public_id, "here": "1"})
    assert event.registrations.get(number=5).status == RegistrationStatus.WAIT_LISTED
    text = text_of(client.get(url(event, "desk_players"), {"state": "wait_listed"}))
    assert [url(event, "player_admit", number=n) in text for n in (3, 4, 5)] == [False, True, True]
    client.post(url(event, "player_admit", number=5))
    assert event.registrations.get(number=5).status == RegistrationStatus.REGISTERED
    again = client.post(url(event, "player_admit", number=5), headers=HTMX)
    assert again.status_code == 409
    beyond = {"legal_name": "Beyond", "beyond": "on", "here": "on"}
    client.post(url(event, "player_register"), beyond)
    assert event.registrations.get(number=6).status == RegistrationStatus.CHECKED_IN


@pytest.fixture
def two(event: Event) -> tuple[Person, Registration]:
    """A known person, and a duplicate registered with a typing error."""
    known = make_person("Anna Åkerlund")
    return known, register_person(event=event, by=None, legal_name="Ana Åkerlund")


@pytest.mark.parametrize("keep", ["other", "this"])
def test_merging_and_undoing_it(
    event: Event, director: Client, two: tuple[Person, Registration], keep: str
) -> None:
    known, player = two
    typed = player.person
    page = url(event, "player_merge", number=player.number)
    assert f'value="{known.public_id}"' in text_of(director.get(page))
    director.post(page, {"person": known.public_id, "keep": keep, "reason": "same"})
    player.refresh_from_db()
    assert player.person == (known if keep == "other" else typed)
    merge = PersonMerge.objects.get()
    director.post(url(event, "merge_undo"), {"merge": merge.pk})
    player.refresh_from_db()
    assert player.person == typed
    assert not Person.objects.filter(merged_into__isnull=False).exists()


def test_a_merge_during_play_names_both_heats(event: Event, director: Client) -> None:
    heats = make_heats(event, 8).heats
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    page = url(event, "player_merge", number=one.number)
    answer = director.post(
        page, {"person": other.person.public_id, "keep": "this", "reason": "same"}, follow=True
    )
    assert f"{heats[0]}, {heats[1]}" in text_of(answer)


def test_a_refused_merge_says_why(event: Event, director: Client) -> None:
    heat = make_heats(event, 3).heats[0]
    one, other = (entry.registration for entry in heat.entries.order_by("pk")[:2])
    page = url(event, "player_merge", number=one.number)
    answer = director.post(page, {"person": str(other.person.public_id)})
    assert answer.status_code == 409
    assert codes_in(answer) == {"same_table"}
    for person in ("", "x", "0", str(10**30)):
        assert director.post(page, {"person": person}).status_code == 422
    own = director.post(page, {"person": str(one.person.public_id)})
    assert own.status_code == 409


@pytest.mark.parametrize("key", ["", "x", "99"])
def test_an_unknown_merge_is_reported(event: Event, director: Client, key: str) -> None:
    answer = director.post(url(event, "merge_undo"), {"merge": key}, follow=True)
    assert codes_in(answer) == {"no_merge"}


def test_another_events_merge_cannot_be_undone(event: Event, director: Client) -> None:
    other = make_event()
    player = make_players(other, 1, here=False)[0]
    known = make_person("Known")
    merge = merge_persons(kept=known, merged=player.person, event=other, by=None)
    director.post(url(event, "merge_undo"), {"merge": merge.pk})
    merge.refresh_from_db()
    assert merge.undone_at is None


def test_the_list_of_merges_queries_do_not_grow(
    event: Event, director: Client, django_assert_max_num_queries: object
) -> None:
    for player in make_players(event, 12, here=False):
        extra = make_person("Extra")
        merge_persons(kept=player.person, merged=extra, event=event, by=None)
    with django_assert_max_num_queries(6):
        assert text_of(director.get(url(event, "merges"))).count('name="merge"') == 12


def test_pages_with_contacts_are_not_cached(event: Event, director: Client) -> None:
    player = make_players(event, 1)[0]
    for page in (
        url(event, "desk_players"),
        url(event, "player_edit", number=player.number),
        url(event, "import_players"),
        url(event, "registrations_export", fmt="csv"),
    ):
        assert "no-store" in director.get(page).headers["Cache-Control"], page
