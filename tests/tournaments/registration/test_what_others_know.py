"""What one event's staff can do to, and learn about, the persons of another event."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.reading.links import show_token
from scoring.writing import create_link
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_maker,
    make_member,
    make_organiser,
    make_person,
    make_players,
)
from tests.tournaments.refusals import refused
from tests.tournaments.registration.lists import rows_from_text
from tests.tournaments.registration.test_views_desk import codes_in, text_of, url
from tournaments.core.names import registration_name
from tournaments.models import Event, LogEntry, Person, Registration
from tournaments.models.enums import LogAction, Role, Visibility
from tournaments.registration.commands.imports import import_rows
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import (
    change_person,
    change_player,
    register_person,
    withdraw,
)
from tournaments.registration.commands.player_links import choose_visibility
from tournaments.registration.queries.import_preview import plan_rows, signed_preview
from tournaments.registration.queries.player_links import token_of
from tournaments.registration.queries.similar_names import suggestions

pytestmark = pytest.mark.django_db

NAME, EMAIL, PHONE, NOTE = (
    "Hemlig Hansson",
    "hemlig@example.org",
    "070-1234567",
    "känslig anteckning",
)
SECRETS = (NAME, "Hansson", EMAIL, PHONE, NOTE)


@pytest.fixture
def hidden(event: Event) -> Registration:
    """A player whom others see as a number, with contacts and a note."""
    return register_person(
        event=event,
        by=None,
        legal_name=NAME,
        visibility="hidden",
        email=EMAIL,
        phone=PHONE,
        note=NOTE,
    )


@pytest.fixture
def same() -> Event:
    """Another event of the same organiser."""
    return make_event(slug="same", name="Same")


@pytest.fixture
def foreign() -> Event:
    """An event of another organiser."""
    return make_event(slug="foreign", name="Foreign", organiser=make_organiser())


def form_of(player: Registration, **changes: str) -> dict[str, str]:
    """Return the form of a player's page, filled in."""
    person = player.person
    fields = {name: getattr(player, name) for name in ("email", "phone", "note")}
    names = ("given_name", "family_name", "display_name", "visibility", "club")
    fields |= {name: getattr(person, name) for name in names} | {"here": player.visibility}
    return fields | changes


# --- another organiser ----------------------------------------------------------------------------


@pytest.mark.parametrize("by_public_id", [True, False])
def test_no_role_registers_another_organisers_person(
    foreign: Event, hidden: Registration, by_public_id: bool
) -> None:
    named = hidden.person.public_id if by_public_id else hidden.person_id
    for role in (Role.CASHIER, Role.FLOOR, Role.OWNER):
        answer = client_of(foreign, role).post(
            url(foreign, "register_known"), {"person": str(named)}, follow=True
        )
        assert codes_in(answer) == {"no_person"}
        assert not any(secret in text_of(answer) for secret in SECRETS)
    assert not foreign.registrations.exists()
    with refused("no_person"):
        register_person(event=foreign, by=None, person=hidden.person)


def test_another_organisers_persons_cannot_be_merged(foreign: Event, hidden: Registration) -> None:
    own = make_players(foreign, 1, here=False)[0]
    director = client_of(foreign, Role.DIRECTOR)
    for named in (hidden.person.public_id, hidden.person_id):
        answer = director.post(
            url(foreign, "player_merge", number=own.number), {"person": str(named), "keep": "this"}
        )
        assert answer.status_code == 422
    with refused("no_person"):
        merge_persons(kept=own.person, merged=hidden.person, event=foreign, by=None)
    assert not Person.objects.filter(merged_into__isnull=False).exists()


def test_another_organisers_persons_are_neither_suggested_nor_known(
    foreign: Event, hidden: Registration
) -> None:
    make_person("Öppen Olsson")
    for typed in (NAME, "Öppen Olsson", "Hans", "Olss"):
        assert suggestions(foreign, typed) == []
    plans = plan_rows(foreign, rows_from_text(f"name;e-mail\n{NAME};{EMAIL}\nÖppen Olsson"))
    assert [plan.action for plan in plans] == ["new", "new"]


# --- another event of the same organiser ----------------------------------------------------------


def test_a_known_player_comes_without_contacts(same: Event, hidden: Registration) -> None:
    cashier = client_of(same, Role.CASHIER)
    cashier.post(url(same, "register_known"), {"person": str(hidden.person.public_id)})
    player = same.registrations.get()
    assert player.person == hidden.person
    for path in (
        url(same, "player_edit", number=player.number),
        url(same, "registrations_export", fmt="csv"),
    ):
        text = text_of(cashier.get(path))
        assert NAME in text
        assert not any(secret in text for secret in (EMAIL, PHONE, NOTE))
    change_player(registration=player, by=None, visibility="hidden", email="new@example.org")
    hidden.refresh_from_db()
    assert (hidden.email, hidden.phone, hidden.note) == (EMAIL, PHONE, NOTE)


def test_staff_may_hide_more_of_a_name_but_not_less(
    event: Event, same: Event, hidden: Registration
) -> None:
    player = register_person(event=same, by=None, person=hidden.person)
    for role in (Role.CASHIER, Role.DIRECTOR, Role.OWNER):
        client, page = client_of(same, role), url(same, "player_edit", number=player.number)
        answer = client.post(page, form_of(player, visibility="public"))
        assert answer.status_code == 409
        assert codes_in(answer) == {"only_the_person"}
    assert registration_name(hidden) == "Player 1"
    for number, visibility in enumerate(("public", "nickname", "hidden")):
        open_player = register_person(
            event=same, by=None, legal_name=f"Bo {number}", display_name="Bosse"
        )
        client.post(
            url(same, "player_edit", number=open_player.number),
            form_of(open_player, visibility=visibility),
        )
        open_player.person.refresh_from_db()
        assert open_player.person.visibility == visibility


def test_the_organisers_owner_may_show_more(event: Event, hidden: Registration) -> None:
    owner = Client()
    owner.force_login(make_maker(is_owner=True))
    page = url(event, "player_edit", number=hidden.number)
    assert owner.post(page, form_of(hidden, visibility="public")).status_code == 303
    hidden.person.refresh_from_db()
    assert hidden.person.visibility == "public"
    # Another organiser's owner, or an account that may only create events here, may not, and a
    # director may change the person, but show no more.
    for user in (make_maker(organiser=make_organiser(), is_owner=True), make_maker()):
        with refused("not_allowed"):
            _loosen(hidden, user)
    with refused("only_the_person"):
        _loosen(hidden, make_member(event, Role.DIRECTOR))


def _loosen(player: Registration, by: User) -> None:
    change_person(person=player.person, by=None, visibility="hidden")
    change_player(registration=player, by=by, visibility="public")


def test_a_nickname_shown_instead_of_a_name_is_the_players_to_change(event: Event) -> None:
    player = register_person(
        event=event, by=None, legal_name=NAME, display_name="Räven", visibility="nickname"
    )
    page = url(event, "player_edit", number=player.number)
    answer = client_of(event, Role.DIRECTOR).post(page, form_of(player, display_name=NAME))
    assert codes_in(answer) == {"only_the_person"}
    with refused("nickname_is_name"):
        choose_visibility(
            registration=player, visibility=Visibility.NICKNAME, display_name=NAME.upper()
        )
    assert registration_name(player) == "Räven"


def test_a_nickname_shown_at_one_event_only_is_the_players_to_change(
    event: Event, same: Event
) -> None:
    fox = make_person(NAME, display_name="Räven")
    here = register_person(event=event, by=None, person=fox, visibility="nickname")
    elsewhere = register_person(event=same, by=None, person=fox)
    for player in (here, elsewhere):
        page = url(player.event, "player_edit", number=player.number)
        answer = client_of(player.event, Role.DIRECTOR).post(
            page, form_of(player, here=player.visibility, display_name=NAME)
        )
        assert codes_in(answer) == {"only_the_person"}
    assert registration_name(Registration.objects.get(pk=here.pk)) == "Räven"


def test_a_players_link_shows_the_name_at_its_own_event_only(
    event: Event, same: Event, hidden: Registration
) -> None:
    player = register_person(event=same, by=None, person=hidden.person)
    page = f"/p/{token_of(player)}/name/"
    shown = {"visibility": "public", "display_name": ""}
    assert Client().post(page, shown).status_code == 303
    player, hidden = (Registration.objects.get(pk=row.pk) for row in (player, hidden))
    assert registration_name(player) == NAME
    assert registration_name(hidden) == "Player 1"
    assert Client().get(url(event, "event_find"), {"q": NAME}).context["found"] == []
    # Hiding applies everywhere.
    Client().post(page, {"visibility": "nickname", "display_name": "Räven"})
    later = register_person(event=make_event(), by=None, person=hidden.person)
    assert registration_name(later) == "Räven"


def test_a_change_is_logged_at_every_event_it_affects(same: Event, hidden: Registration) -> None:
    player = register_person(event=same, by=None, person=hidden.person)
    client_of(same, Role.DIRECTOR).post(
        url(same, "player_edit", number=player.number),
        form_of(player, family_name="Hanson", phone="08-1"),
    )
    changed = LogEntry.objects.filter(action=LogAction.PERSON_CHANGED)
    assert {row.event for row in changed} == {same, hidden.event}
    contact = LogEntry.objects.get(action=LogAction.CONTACT_CHANGED)
    assert (contact.event, contact.after) == (same, {"fields": ["phone"]})


def test_hidden_names_are_suggested_to_whoever_types_them_in_full(
    same: Event, hidden: Registration
) -> None:
    floor = client_of(same, Role.FLOOR)
    for typed in ("Hemlig", "Hans", "Hemlig Hanson", "hemlig h"):
        answer = floor.get(url(same, "register_alike"), {"legal_name": typed})
        assert NAME not in text_of(answer)
        assert str(hidden.person.public_id) not in text_of(answer)
    for typed in ("hemlig hansson", "Hansson Hemlig"):
        answer = floor.get(url(same, "register_alike"), {"legal_name": typed})
        assert str(hidden.person.public_id) in text_of(answer)
    assert [each.person for each in suggestions(hidden.event, "Hans")] == [hidden.person]


@pytest.mark.parametrize("keep_hidden", [True, False])
def test_merging_reveals_no_more_of_a_name(
    same: Event, hidden: Registration, keep_hidden: bool
) -> None:
    typed = register_person(event=same, by=None, legal_name="Hemlig Hanson", email="b@example.org")
    kept, merged = hidden.person, typed.person
    if not keep_hidden:
        kept, merged = merged, kept
    merge = merge_persons(kept=kept, merged=merged, event=same, by=None)
    hidden.refresh_from_db()
    assert registration_name(Registration.objects.get(pk=hidden.pk)) == "Player 1"
    assert hidden.email == EMAIL
    undo_merge(merge=merge, event=same, by=None)
    assert {row.visibility for row in Registration.objects.all()} == {""}
    assert registration_name(Registration.objects.get(pk=typed.pk)) == "Hemlig Hanson"


def test_undoing_a_merge_reveals_no_name_hidden_since(event: Event, same: Event) -> None:
    known, typed = make_players(event, 1)[0], register_person(event=same, by=None, legal_name="Bo")
    merge = merge_persons(kept=known.person, merged=typed.person, event=same, by=None)
    moved = Registration.objects.get(pk=typed.pk)
    choose_visibility(registration=moved, visibility=Visibility.HIDDEN, display_name="")
    undo_merge(merge=merge, event=same, by=None)
    assert registration_name(Registration.objects.get(pk=typed.pk)) == "Player 1"


def test_a_player_registered_again_is_hidden_as_before(event: Event) -> None:
    known = make_person("Anna Ek", display_name="Ankan")
    player = register_person(event=event, by=None, person=known, visibility="hidden")
    withdraw(registration=player, by=None)
    again = register_person(event=event, by=None, person=known, visibility="nickname")
    assert (again.pk, again.visibility) == (player.pk, "hidden")


# --- visibility at a single event -----------------------------------------------------------------


def test_an_event_hides_a_name_that_others_show(event: Event, same: Event) -> None:
    player = make_players(event, 1)[0]
    there = register_person(event=same, by=None, person=player.person)
    name = player.person.legal_name
    director = client_of(event, Role.DIRECTOR)
    page = url(event, "player_edit", number=1)
    assert director.post(page, form_of(player, here="nickname")).status_code == 303
    player, there = (Registration.objects.get(pk=row.pk) for row in (player, there))
    # There is no nickname that could be shown.
    assert [registration_name(row) for row in (player, there)] == ["Player 1", name]
    assert name not in text_of(Client().get(url(event, "event")))
    assert Client().get(url(event, "event_find"), {"q": name}).context["found"] == []
    assert codes_in(director.post(page, form_of(player, here=""))) == {"only_the_person"}
    choose_visibility(registration=player, visibility=Visibility.PUBLIC, display_name="")
    assert registration_name(Registration.objects.get(pk=player.pk)) == name


def test_an_import_that_hides_a_known_person_hides_here_only(event: Event) -> None:
    known = make_person("Anna Ek")
    rows = rows_from_text("name;visible;e-mail\nAnna Ek;no;anna@example.org")
    plans = plan_rows(event, rows)
    player = import_rows(event=event, plans=plans, by=None)[0]
    assert (player.person, player.visibility, player.email) == (known, "hidden", "anna@example.org")
    known.refresh_from_db()
    assert known.visibility == "public"


def hide(player: Registration) -> None:
    change_player(
        registration=player, by=make_maker(is_owner=True), legal_name=NAME, visibility="hidden"
    )


def hide_at_this_event(player: Registration) -> None:
    change_player(registration=player, by=None, here="hidden")


def hide_by_link(player: Registration) -> None:
    choose_visibility(registration=player, visibility=Visibility.HIDDEN, display_name="")


def hide_by_merging(player: Registration) -> None:
    known = make_person("Anna Ek", visibility="hidden")
    merge_persons(kept=known, merged=player.person, event=player.event, by=None)


@pytest.mark.parametrize("change", [hide, hide_at_this_event, hide_by_link, hide_by_merging])
def test_a_hidden_name_leaves_the_tables_open_page_at_once(
    event: Event, change: Callable[[Registration], None]
) -> None:
    heat = make_heats(event).heats[0]
    player = event.registrations.select_related("person", "event").earliest("pk")
    link = create_link(table_id=heat.table_id or 0, role="reader", by="test")
    page, phone = reverse("scoring:table_detail", args=[show_token(link=link)]), Client()
    name, shown = player.person.legal_name, phone.get(page)
    assert name in shown.text
    change(player)
    after = phone.get(f"{page}live/", headers={"if-none-match": shown.context["etag"]})
    assert after.status_code == 200
    assert name not in after.text


def test_no_page_uses_a_persons_sequential_id(event: Event, same: Event) -> None:
    for _ in range(5):
        make_person("Otto Alm")
    players = make_players(event, 3, here=False)
    merge_persons(kept=players[0].person, merged=make_person("Ann"), event=event, by=None)
    register_person(event=same, by=None, person=players[1].person)
    director = client_of(event, Role.DIRECTOR)
    named = set()
    for path in (
        url(event, "register_alike") + "?legal_name=otto",
        url(event, "player_merge", number=2) + "?q=otto",
        url(event, "player_edit", number=2),
        url(event, "merges"),
        url(event, "desk"),
    ):
        text = text_of(director.get(path))
        named |= set(re.findall(r'name="person" value="([^"]*)"', text))
    known = {str(key) for key in Person.objects.values_list("public_id", flat=True)}
    assert named
    assert named <= known
    preview = signed_preview(event, plan_rows(event, rows_from_text("Anna Åkerlund")))
    assert str(players[0].person.public_id) in str(_unpacked(preview))


def _unpacked(text: str) -> bytes:
    body = text.split(":")[0].removeprefix(".")
    return zlib.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
