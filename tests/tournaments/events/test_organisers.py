"""Organisers: who may create events, and who decides that."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import make_event, make_maker, make_organiser, make_user
from tests.tournaments.html_forms import form_with
from tests.tournaments.refusals import refused
from tests.tournaments.registration.test_views_desk import codes_in, text_of
from tournaments.core.organisers import the_organiser
from tournaments.core.permissions import ADD_EVENT
from tournaments.events.commands.invitations import accept, invite
from tournaments.events.commands.organisers import remove_member, set_member
from tournaments.events.queries.accounts import token_of
from tournaments.models import Event, LogEntry, Organiser, OrganiserMember
from tournaments.models.enums import Role

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(name: str, organiser: Organiser) -> str:
    return reverse(f"tournaments:{name}", args=[organiser.slug])


@pytest.fixture
def owner() -> Client:
    """The owner of the only organiser."""
    return signed_in(make_maker("owner", is_owner=True))


def test_the_owner_names_who_may_create_events(owner: Client) -> None:
    organiser, bo = the_organiser(), make_user("bo")
    assert not bo.has_perm(ADD_EVENT)
    assert signed_in(bo).get(reverse("tournaments:event_create")).status_code == 403
    owner.post(address("member_set", organiser), {"username": "bo", "position": ""})
    assert User.objects.get(pk=bo.pk).has_perm(ADD_EVENT, organiser)
    assert signed_in(bo).get(reverse("tournaments:event_create")).status_code == 200
    # The right to create events does not include giving it to others.
    assert signed_in(bo).get(address("organiser", organiser)).status_code == 403
    owner.post(address("member_remove", organiser), {"username": "bo"})
    assert not User.objects.get(pk=bo.pk).has_perm(ADD_EVENT)
    rows = LogEntry.objects.filter(object_type="organiser", user__username="owner").order_by("pk")
    assert [(row.action, row.object_label) for row in rows] == [
        ("member_set", "bo"),
        ("member_removed", "bo"),
    ]
    assert "member_set" not in text_of(owner.get(address("organiser", organiser)))


@pytest.mark.parametrize(("position", "is_owner"), [("", False), ("owner", True)])
def test_an_invited_person_makes_an_account_and_an_event(
    owner: Client, position: str, is_owner: bool
) -> None:
    organiser = the_organiser()
    owner.post(address("member_invite", organiser), {"role": position, "note": "Bo"})
    link = reverse("tournaments:invitation", args=[token_of(organiser.invitations.get())])
    assert link in text_of(owner.get(address("organiser", organiser)))
    new = Client()
    account = {"username": "bo", "password1": "kungens-kurva-4711"}
    account["password2"] = account["password1"]
    assert new.get(link).status_code == 200
    assert new.post(link, account).status_code == 303
    assert OrganiserMember.objects.get(user__username="bo").is_owner is is_owner
    assert new.get(reverse("tournaments:event_create")).status_code == 200
    assert len(new.get("/accounts/sessions/").context["sign_ins"]) == 1
    assert Client().post(link, account | {"username": "eva"}).status_code == 410
    with refused("invitation_used"):
        accept(invitation=organiser.invitations.get(), user=make_user())


def test_an_invitation_gives_nothing_to_accounts_with_the_same_rights(owner: Client) -> None:
    organiser, owning = the_organiser(), User.objects.get(username="owner")
    for role in (None, Role.OWNER):
        with refused("has_role"):
            accept(invitation=invite(to=organiser, role=role, by=None), user=owning)
    made = invite(to=organiser, role=None, by=None)
    owner.post(address("member_invite_revoke", organiser), {"invitation": made.pk})
    with refused("invitation_revoked"):
        accept(invitation=made, user=make_user())


def test_an_organiser_keeps_at_least_one_owner(owner: Client) -> None:
    organiser, user = the_organiser(), User.objects.get(username="owner")
    with refused("last_owner"):
        remove_member(organiser=organiser, user=user, by=None)
    answer = owner.post(address("member_set", organiser), {"username": "owner", "position": ""})
    assert (answer.status_code, codes_in(answer)) == (409, {"last_owner"})
    make_maker(is_owner=True)
    remove_member(organiser=organiser, user=user, by=None)
    assert not organiser.members.filter(user=user).exists()


def test_the_owner_owns_all_the_organisers_events(owner: Client) -> None:
    mine, other = make_event(slug="mine"), make_event(slug="other", organiser=make_organiser())
    assert owner.get(reverse("tournaments:event_staff", args=[mine.slug])).status_code == 200
    assert owner.get(reverse("tournaments:event_staff", args=[other.slug])).status_code == 404
    assert {event.slug for event in owner.get("/").context["own"]} == {"mine"}


def test_events_are_created_for_one_of_ones_own_organisers() -> None:
    first, second, third = the_organiser(), make_organiser(), make_organiser("Tredje")
    user = make_maker(organiser=second)
    client, page = signed_in(user), reverse("tournaments:event_create")
    # With just one organiser there is no choice.
    form = form_with(client.get(page).text, "name")
    assert "organiser" not in form
    client.post(page, dict(form) | {"name": "Ett", "slug": "ett"})
    assert Event.objects.get(slug="ett").organiser == second
    set_member(organiser=third, user=user, is_owner=False, by=None)
    form = form_with(client.get(page).text, "name")
    assert "organiser" in form
    client.post(page, dict(form) | {"name": "Två", "slug": "tva", "organiser": third.slug})
    assert Event.objects.get(slug="tva").organiser == third
    answer = client.post(page, dict(form) | {"name": "Tre", "slug": "tre", "organiser": first.slug})
    assert (answer.status_code, Event.objects.filter(slug="tre").exists()) == (409, False)
    # A copy of an event belongs to the same organiser.
    form = form_with(client.get(page, {"like": "tva"}).text, "name")
    assert form["organiser"] == [third.slug]


def test_only_the_administrator_creates_organisers(owner: Client) -> None:
    page = reverse("tournaments:organisers")
    # An organiser's owner is redirected to it.
    assert owner.get(page)["Location"] == address("organiser", the_organiser())
    assert owner.post(page, {"name": "Två"}).status_code == 403
    boss = signed_in(make_user("boss", is_superuser=True))
    for slug in ("lunds-kortklubb", "lunds-kortklubb-2"):
        boss.post(page, {"name": "Lunds  kortklubb"})
        assert Organiser.objects.get(slug=slug).name == "Lunds kortklubb"
    assert boss.post(page, {"name": " "}).status_code == 422
    made = Organiser.objects.get(slug="lunds-kortklubb")
    boss.post(address("organiser", made), {"name": "Malmö"})
    made.refresh_from_db()
    assert (made.name, made.slug) == ("Malmö", "lunds-kortklubb")


def test_organisers_names_are_shown_if_there_are_several(client: Client) -> None:
    first = the_organiser()
    first.name = "Första klubben"
    first.save()
    make_event()
    assert "klubben" not in client.get("/").text
    make_event(organiser=make_organiser())
    assert "Första klubben" in client.get("/").text
    assert "Andra klubben" in client.get("/").text
    # The cached page is rendered afresh.
    first.name = "Bytt namn"
    first.save()
    assert "Bytt namn" in client.get("/").text


def test_the_command_makes_accounts_for_an_organiser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIRECTOR_PASSWORD", "kungens-kurva-4711")
    options: list[dict[str, Any]] = [{}, {}, {"organiser": "Lund"}, {"organiser": "lund"}]
    for number, more in enumerate(options):
        call_command("create_director", f"user{number}", **more)
    rows = OrganiserMember.objects.order_by("pk")
    assert [(row.user.username, row.organiser.slug, row.is_owner) for row in rows] == [
        ("user0", "organiser", True),
        ("user1", "organiser", False),
        ("user2", "lund", True),
        ("user3", "lund", False),
    ]


def test_the_number_of_queries_does_not_grow(owner: Client) -> None:
    organiser = the_organiser()

    def asked() -> int:
        owner.get(address("organiser", organiser))
        with CaptureQueriesContext(connection) as queries:
            assert owner.get(address("organiser", organiser)).status_code == 200
        return len(queries)

    few = asked()
    for _ in range(5):
        make_maker()
        invite(to=organiser, role=None, by=None)
    assert asked() == few <= 9
