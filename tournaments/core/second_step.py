"""The second step of signing in, for events that require it of their staff.

The role "screen" is exempt: it can only show the floor, and nobody types codes there.
"""

import time

from allauth.account.authentication import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    get_authentication_records,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from ..models import Event
from ..models.enums import Role


def is_missing(request: HttpRequest, event: Event, role: Role | None) -> bool:
    """Return whether the event requires a second step that this session has not passed."""
    if not event.staff_second_step or role in (None, Role.SCREEN):
        return False
    return not (_has_one(request.user) and _taken(request))


def where(request: HttpRequest) -> str:
    """Return the page on which to set up or pass the second step.

    Tell the user if it is not set up.
    """
    if not _has_one(request.user):
        messages.warning(
            request,
            _(
                "Staff of this event sign in with a second step. Set it up here, then go back to "
                "the event."
            ),
        )
        return reverse("mfa_activate_totp")
    back = urlencode({"next": request.get_full_path()})
    return f"{reverse('mfa_reauthenticate')}?{back}"


def without_one(users: list[int]) -> set[int]:
    """Return which of these accounts have no second step."""
    having = Authenticator.objects.filter(user__in=users, type=Authenticator.Type.TOTP)
    return set(users) - set(having.values_list("user", flat=True))


def _has_one(user: object) -> bool:
    assert isinstance(user, AbstractBaseUser)
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def _taken(request: HttpRequest) -> bool:
    assert isinstance(request.user, AbstractBaseUser)
    records = get_authentication_records(request, request.user)
    return any(record["method"] == "mfa" for record in records)


@receiver(authenticator_added, dispatch_uid="tournaments.second_step")
def on_authenticator_added(
    sender: object, request: HttpRequest, authenticator: Authenticator, **kwargs: object
) -> None:
    """Count the second step as passed: setting it up already required a code."""
    taken = {"method": "mfa", "at": time.time(), "type": authenticator.type}
    records = request.session.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
    request.session[AUTHENTICATION_METHODS_SESSION_KEY] = [*records, taken]
