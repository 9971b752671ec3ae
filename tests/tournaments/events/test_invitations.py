"""Invitations: signed, valid once, for some days, revocable."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.tournaments.factories import make_member, make_user
from tests.tournaments.refusals import refused
from tournaments.events.commands.invitations import (
    accept,
    accept_with_new_account,
    invite,
    revoke_invitation,
)
from tournaments.events.queries.accounts import invitation_by_token, token_of
from tournaments.models import Event, Invitation, LogEntry
from tournaments.models.enums import LogAction, Role


def test_an_invitation_gives_its_role_once(event: Event) -> None:
    made = invite(to=event, role=Role.FLOOR, by=None, note=" Gunnar ")
    user = make_user()
    accept(invitation=made, user=user)
    assert event.roles.get(user=user).role == Role.FLOOR
    with refused("invitation_used"):
        accept(invitation=made, user=make_user())
    with refused("invitation_used"):
        revoke_invitation(invitation=made, by=None)
    actions = set(LogEntry.objects.values_list("action", flat=True))
    assert {LogAction.INVITED, LogAction.INVITATION_USED, LogAction.ROLE_SET} <= actions


def test_a_new_account_has_no_other_rights(event: Event) -> None:
    made = invite(to=event, role=Role.DIRECTOR, by=None)
    user = accept_with_new_account(invitation=made, username="ulla", password="korrekt häst")
    assert (user.is_staff, user.is_superuser) == (False, False)
    assert user.check_password("korrekt häst")
    assert event.roles.get(user=user).role == Role.DIRECTOR


def test_a_taken_name_does_not_use_up_the_invitation(event: Event) -> None:
    make_user("ulla")
    made = invite(to=event, role=Role.FLOOR, by=None)
    with pytest.raises(ValidationError):
        accept_with_new_account(invitation=made, username="ulla", password="korrekt häst")
    made.refresh_from_db()
    assert made.used_at is None
    assert User.objects.filter(username="ulla").count() == 1


def test_expired_and_revoked_invitations_are_refused(event: Event) -> None:
    old = invite(to=event, role=Role.FLOOR, by=None)
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    back = invite(to=event, role=Role.FLOOR, by=None)
    revoke_invitation(invitation=back, by=None)
    revoke_invitation(invitation=back, by=None)
    assert LogEntry.objects.filter(action=LogAction.INVITATION_REVOKED).count() == 1
    for made, code in ((old, "invitation_expired"), (back, "invitation_revoked")):
        with refused(code):
            accept(invitation=made, user=make_user())
        with refused(code):
            accept_with_new_account(invitation=made, username="x", password="y")
    assert not User.objects.filter(username="x").exists()


@pytest.mark.parametrize(
    ("has", "invited", "keeps"),
    [
        (Role.OWNER, Role.FLOOR, True),
        (Role.DIRECTOR, Role.DIRECTOR, True),
        (Role.DIRECTOR, Role.CASHIER, True),
        (Role.CASHIER, Role.FLOOR, False),
        (Role.FLOOR, Role.OWNER, False),
    ],
)
def test_an_invitation_never_lowers_a_role(
    event: Event, has: Role, invited: Role, keeps: bool
) -> None:
    user = make_member(event, has)
    made = invite(to=event, role=invited, by=None)
    if keeps:
        with refused("has_role"):
            accept(invitation=made, user=user)
    else:
        accept(invitation=made, user=user)
    assert event.roles.get(user=user).role == (has if keeps else invited)
    made.refresh_from_db()
    assert (made.used_at is None) is keeps


def test_forged_tokens_open_nothing(event: Event) -> None:
    made = invite(to=event, role=Role.FLOOR, by=None)
    token = token_of(made)
    assert invitation_by_token(token) == made
    for forged in (token[:-1], token + "x", made.nonce, "", ".", "a.b", token.swapcase()):
        assert invitation_by_token(forged) is None
