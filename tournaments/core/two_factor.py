"""Two-factor authentication, for events that require it of their staff.

The role "screen" is exempt: it can only show the floor, and nobody types codes there.
"""

import base64
import time

from allauth.account.authentication import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    get_authentication_records,
)
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.utils import is_mfa_enabled
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from ..models import Event
from ..models.enums import Role

#: Digits of an app's code, the seconds for which it is shown, and how far this machine's clock may
#: be wrong for a code that is refused to count as no guess.
_DIGITS, _STEP, _WRONG_BY = 6, 30, 3600


def is_of_another_time(user: AbstractBaseUser, code: str) -> bool:
    """Return whether the account's app shows this code within an hour: a clock may be wrong."""
    code, now = "".join(code.split()), int(time.time())
    for row in Authenticator.objects.filter(user=user.pk, type=Authenticator.Type.TOTP):
        key = base64.b32decode(get_adapter().decrypt(row.data["secret"]), casefold=True)
        app = TOTP(key, _DIGITS, SHA1(), _STEP, enforce_key_length=False)
        times = range(now - _WRONG_BY, now + _WRONG_BY, _STEP)
        if any(app.generate(each).decode() == code for each in times):
            return True
    return False


def is_missing(request: HttpRequest, event: Event, role: Role | None) -> bool:
    """Return whether the event requires two factors and this session has shown only one."""
    if not event.staff_two_factor or role is None:
        return False
    return not (_has_one(request.user) and _passed(request))


def setup_url(request: HttpRequest) -> str:
    """Return the page on which to set up two-factor authentication or enter a code.

    Tell the user if it is not set up.
    """
    if not _has_one(request.user):
        messages.warning(
            request,
            _(
                "Staff of this event need two-factor authentication. Set it up here, then go "
                "back to the event."
            ),
        )
        return reverse("mfa_activate_totp")
    back = urlencode({"next": request.get_full_path()})
    return f"{reverse('mfa_reauthenticate')}?{back}"


def accounts_without(users: list[int]) -> set[int]:
    """Return which of these accounts have not set up two-factor authentication."""
    having = Authenticator.objects.filter(user__in=users, type=Authenticator.Type.TOTP)
    return set(users) - set(having.values_list("user", flat=True))


def _has_one(user: object) -> bool:
    assert isinstance(user, AbstractBaseUser)
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def _passed(request: HttpRequest) -> bool:
    assert isinstance(request.user, AbstractBaseUser)
    records = get_authentication_records(request, request.user)
    return any(record["method"] == "mfa" for record in records)


@receiver(authenticator_added, dispatch_uid="tournaments.two_factor")
def on_authenticator_added(
    sender: object, request: HttpRequest, authenticator: Authenticator, **kwargs: object
) -> None:
    """Count the second factor as shown: setting it up already required a code."""
    passed = {"method": "mfa", "at": time.time(), "type": authenticator.type}
    records = request.session.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
    request.session[AUTHENTICATION_METHODS_SESSION_KEY] = [*records, passed]
