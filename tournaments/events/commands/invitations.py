"""Invitations: signed links, valid once and for some days, to a role or to create events."""

from datetime import timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_event, lock_organiser
from ...core.log import By, record
from ...models import Event, EventRole, Invitation, Organiser
from ...models.enums import LogAction, Role
from ..queries.accounts import why_not_usable
from .events import give_role
from .organisers import set_member

DAYS = 7
#: From low to high; an invitation never takes a right away.
_RANK = {Role.DIRECTOR: 1, Role.OWNER: 2}


@transaction.atomic
def invite(*, to: Event | Organiser, role: Role | None, by: By, note: str = "") -> Invitation:
    """Create an invitation that is valid for ``DAYS`` days.

    For an organiser the role is owner, or None to create events.
    """
    event = lock_event(to) if isinstance(to, Event) else None
    invitation = Invitation(
        event=event,
        organiser=to if isinstance(to, Organiser) else None,
        role=role or "",
        note=" ".join(note.split()),
        made_by=by,
        expires_at=timezone.now() + timedelta(days=DAYS),
    )
    # The program itself may invite, so ``made_by`` can be empty.
    invitation.full_clean(exclude=["made_by", "event", "organiser"])
    invitation.save()
    record(
        LogAction.INVITED,
        _logged(invitation),
        by,
        label=invitation.note,
        after={"role": role, "note": invitation.note, "expires_at": invitation.expires_at},
    )
    return invitation


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, by: By) -> Invitation:
    """Revoke an invitation; refused with ``invitation_used`` if it has been used."""
    invitation = _locked(invitation)
    if invitation.used_at is not None:
        raise Refused(
            "invitation_used", _("This invitation has been used. Remove the role instead.")
        )
    if invitation.revoked_at is None:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        record(LogAction.INVITATION_REVOKED, _logged(invitation), by, label=invitation.note)
    return invitation


@transaction.atomic
def accept(*, invitation: Invitation, user: User) -> None:
    """Give the account the role, once; refused with ``has_role`` if it has as much already."""
    invitation = _locked(invitation)
    refused = why_not_usable(invitation)
    if refused is not None:
        raise refused
    has = _has_already(invitation, user)
    if has:
        raise Refused(
            "has_role",
            _("You already have a role here: %(role)s. The invitation is still good for another."),
            role=has,
        )
    invitation.used_at = timezone.now()
    invitation.used_by = user
    invitation.save(update_fields=["used_at", "used_by"])
    record(
        LogAction.INVITATION_USED,
        _logged(invitation),
        user,
        label=invitation.note,
        after={"role": invitation.role},
    )
    if invitation.event is not None:
        give_role(event=invitation.event, user=user, role=Role(invitation.role), by=user)
    elif invitation.organiser is not None:
        owns = invitation.role == Role.OWNER
        set_member(organiser=invitation.organiser, user=user, is_owner=owns, by=user)


def _has_already(invitation: Invitation, user: User) -> str:
    """Return the account's current role if it is at least as high, else an empty string."""
    if invitation.organiser is not None:
        member = invitation.organiser.members.filter(user=user).first()
        enough = member is not None and (member.is_owner or not invitation.role)
        return member.position if member is not None and enough else ""
    role = Role(invitation.role)
    current = EventRole.objects.filter(event=invitation.event, user=user).first()
    has = Role(current.role) if current is not None else None
    if has and (role.rights <= has.rights or _RANK.get(has, 0) > _RANK.get(role, 0)):
        return str(has.label)
    return ""


def _logged(invitation: Invitation) -> Invitation | Organiser:
    """Return the object to log: the organiser's page lists rows about the organiser itself."""
    return invitation.organiser or invitation


@transaction.atomic
def accept_with_new_account(*, invitation: Invitation, username: str, password: str) -> User:
    """Create an account with the invitation's role and no other rights.

    The caller checks the password. Raises ``ValidationError`` for an existing name.
    """
    invitation = _locked(invitation)
    refused = why_not_usable(invitation)
    if refused is not None:
        raise refused
    users = get_user_model()
    user = users(username=users.normalize_username(username))
    user.set_password(password)
    user.full_clean()
    user.save()
    accept(invitation=invitation, user=user)
    return user


def _locked(invitation: Invitation) -> Invitation:
    if invitation.event is not None:
        lock_event(invitation.event)
    elif invitation.organiser is not None:
        lock_organiser(invitation.organiser)
    invitations = Invitation.objects.select_for_update(of=("self",))
    return invitations.select_related("event", "organiser").get(pk=invitation.pk)
