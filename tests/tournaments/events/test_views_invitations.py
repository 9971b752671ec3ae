"""Inviting staff, and opening an invitation."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_member, make_user
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.events.commands.invitations import invite
from tournaments.events.queries.accounts import token_of
from tournaments.models import Event, Invitation
from tournaments.models.enums import Role

PASSWORD = "korrekt häst batteri"
ACCOUNT = {"username": "ulla", "password1": PASSWORD, "password2": PASSWORD}


def path(made: Invitation) -> str:
    return reverse("tournaments:invitation", args=[token_of(made)])


@pytest.fixture
def made(event: Event) -> Invitation:
    return invite(to=event, role=Role.FLOOR, by=None)


def test_the_owner_invites_and_revokes(event: Event) -> None:
    owner = client_of(event, Role.OWNER)
    answer = owner.post(url(event, "staff_invite"), {"role": "floor", "note": "Gunnar"})
    made = Invitation.objects.get()
    assert answer["Location"].endswith(f"#invitation-{made.pk}")
    text = text_of(owner.get(url(event, "staff_invite")))
    assert path(made) in text
    assert "Gunnar" in text
    owner.post(url(event, "staff_invite_revoke"), {"invitation": made.pk})
    made.refresh_from_db()
    assert made.revoked_at is not None
    assert path(made) not in text_of(owner.get(url(event, "staff_invite")))
    assert owner.post(url(event, "staff_invite"), {"role": "king"}).status_code == 422


@pytest.mark.parametrize("key", ["", "x", "0", "9" * 30, "²"])
def test_an_unknown_invitation_is_reported(event: Event, key: str) -> None:
    owner = client_of(event, Role.OWNER)
    answer = owner.post(url(event, "staff_invite_revoke"), {"invitation": key}, follow=True)
    assert codes_in(answer) == {"no_invitation"}


def test_another_events_invitation_cannot_be_revoked(event: Event) -> None:
    other = invite(to=make_event(), role=Role.FLOOR, by=None)
    client_of(event, Role.OWNER).post(url(event, "staff_invite_revoke"), {"invitation": other.pk})
    other.refresh_from_db()
    assert other.revoked_at is None


def test_new_account_through_the_link(made: Invitation, client: Client) -> None:
    assert 'name="username"' in text_of(client.get(path(made)))
    answer = client.post(path(made), ACCOUNT, follow=True)
    assert answer.redirect_chain[-1][0] == "/e/fest/desk/"
    assert made.event.roles.get(user__username="ulla").role == Role.FLOOR
    assert Client().login(username="ulla", password=PASSWORD)
    assert client.get("/events/new/").status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        {"username": ""},
        {"username": "a b"},
        {"username": "x\x00"},
        {"password2": "another"},
        {"password1": "123", "password2": "123"},
    ],
)
def test_a_bad_account_is_refused(made: Invitation, client: Client, change: dict[str, str]) -> None:
    assert client.post(path(made), ACCOUNT | change).status_code == 422
    assert not User.objects.filter(tournament_roles__role=Role.FLOOR).exists()
    made.refresh_from_db()
    assert made.used_at is None


def test_refused_accounts_count_in_a_form_that_is_taken_once(
    made: Invitation, client: Client
) -> None:
    for number in range(30):
        client.post(path(made), ACCOUNT | {"username": "", "once": f"{number}"})
    answer = client.post(path(made), ACCOUNT | {"once": "right"})
    assert (answer.status_code, codes_in(answer)) == (429, {"too_often"})


def test_taken_name_is_refused(made: Invitation, client: Client) -> None:
    make_user("ulla")
    answer = client.post(path(made), ACCOUNT)
    assert answer.status_code == 422
    assert codes_in(answer) == {"unique"}


def test_a_signed_in_account_accepts(made: Invitation, client: Client) -> None:
    user = make_user()
    client.force_login(user)
    assert 'name="username"' not in text_of(client.get(path(made)))
    client.post(path(made))
    assert made.event.roles.get(user=user).role == Role.FLOOR


def test_viewing_does_not_use_it_up(made: Invitation, client: Client) -> None:
    client.force_login(make_user())
    client.get(path(made))
    made.refresh_from_db()
    assert made.used_at is None


def test_an_account_that_already_directs_keeps_its_role(made: Invitation) -> None:
    client = Client()
    client.force_login(make_member(made.event, Role.DIRECTOR))
    answer = client.post(path(made), follow=True)
    assert answer.redirect_chain == [(path(made), 303)]
    assert codes_in(answer) == {"has_role"}


def test_used_and_expired_links_say_so(made: Invitation, client: Client) -> None:
    client.post(path(made), ACCOUNT)
    again = Client().get(path(made))
    assert again.status_code == 410
    assert codes_in(again) == {"invitation_used"}
    old = invite(to=made.event, role=Role.OWNER, by=None)
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(days=1))
    late = Client().post(path(old), ACCOUNT | {"username": "nina"})
    assert late.status_code == 410
    assert codes_in(late) == {"invitation_expired"}
    assert not User.objects.filter(username="nina").exists()


def test_forged_tokens_are_404(made: Invitation, client: Client) -> None:
    token = token_of(made)
    for forged in ("x", token[:-1], token + "a", made.nonce, f"{made.nonce}."):
        page = reverse("tournaments:invitation", args=[forged])
        assert client.get(page).status_code == 404
        assert client.post(page, ACCOUNT).status_code == 404


def test_there_is_no_account_without_an_invitation(db: None, client: Client) -> None:
    client.post("/accounts/signup/", ACCOUNT)
    assert not User.objects.exists()


def test_the_lists_queries_do_not_grow(event: Event, django_assert_max_num_queries: object) -> None:
    owner = client_of(event, Role.OWNER)
    for _ in range(30):
        invite(to=event, role=Role.FLOOR, by=make_user())
    with django_assert_max_num_queries(6):
        owner.get(url(event, "staff_invite"))
