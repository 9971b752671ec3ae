"""Accounts and sign-in limits; accounts are created by command or invitation, never by sign-up."""

import hashlib
import ipaddress
import math
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ..models import Attempt
from .limits import client_address, counted, seconds_left

#: Wrong passwords per account within WITHIN seconds, from one address or one known device.
MAX_FAILURES = 5
WITHIN = 300
#: Wrong passwords from devices that are not known, within WITHIN seconds: from one address (a hall
#: is one), and from all addresses together. Known devices are not counted here.
MAX_FROM_ADDRESS = 30
MAX_FROM_STRANGERS = 150
#: Passwords that are hashed at the same time in the whole installation, the seconds after which one
#: that was never finished counts no more, and the seconds that somebody waits for a turn.
MAX_HASHES, HASH_SECONDS, HASH_PATIENCE = 2, 10, 5
#: Wrong two-factor codes per account and day, from all unknown devices together.
MAX_CODES_A_DAY = 50
_A_YEAR = 365 * 24 * 3600
#: How the names of cookies begin: of devices on which an account has signed in, and of phones that
#: an event knows.
_DEVICE, _PHONE = "device_", "phone_"


class AccountAdapter(DefaultAccountAdapter):
    """Closes public sign-up; accounts come from a command, the first-run page or an invitation.

    Wrong passwords are counted per account and address, so a stranger cannot lock anybody out. In a
    hall everybody shares one address, so a device that has signed in before is counted separately.
    """

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("The name or the password is wrong."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False; allauth then shows that sign-up is closed."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address for allauth's own limits and its list of sessions."""
        address = client_address(request)
        try:
            ipaddress.ip_interface(address)
        except ValueError:
            # A Unix socket, or a proxy that sends something that is not an address.
            return "0.0.0.0"
        return address.partition("/")[0]

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Check a password, unless too many were wrong; refusing hashes nothing."""
        username = credentials.get("username", "")
        guesses = []
        if not _device(request, username):
            address = client_address(request)
            guesses = [
                self._counted("sign-in-address", address, MAX_FROM_ADDRESS, WITHIN),
                self._counted("sign-in-all", "", MAX_FROM_STRANGERS, WITHIN),
            ]
        guesses.append(self.count_password(request, username))
        with self._one_of_few_hashes():
            user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            for guess in guesses:
                guess.delete()
        return user

    @contextmanager
    def _one_of_few_hashes(self) -> Iterator[None]:
        """Wait until fewer than MAX_HASHES passwords are being hashed in all processes."""
        deadline = time.monotonic() + HASH_PATIENCE
        while (slot := counted("hash", "", most=MAX_HASHES, seconds=HASH_SECONDS)) is None:
            if time.monotonic() > deadline:
                raise _try_again(HASH_SECONDS)
            time.sleep(0.05)
        try:
            yield
        finally:
            slot.delete()

    def count_password(self, request: HttpRequest, username: str) -> Attempt:
        """Count a password to be checked, or refuse; the caller deletes a right one's attempt."""
        return self._counted("sign-in", _who(request, username), MAX_FAILURES, WITHIN)

    def count_code(self, request: HttpRequest, user: User) -> list[Attempt]:
        """Count a two-factor code to be checked, or refuse; a right one's attempts are deleted.

        Only somebody with the right password gets this far. A known device is counted by itself;
        all others share a daily limit, so using many addresses does not help to guess a code.
        """
        username = user.get_username()
        guesses = [self._counted("code", _who(request, username), MAX_FAILURES, WITHIN)]
        if not _device(request, username):
            guesses.append(self._counted("code-day", username, MAX_CODES_A_DAY, 24 * 3600))
        return guesses

    def _counted(self, what: str, whom: str, most: int, seconds: int) -> Attempt:
        attempt = counted(what, whom, most=most, seconds=seconds)
        if attempt is None:
            raise _try_again(seconds_left(what, whom, most=most, seconds=seconds))
        return attempt

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Sign in and remember the device in a signed cookie."""
        response: HttpResponse = super().post_login(request, user, **more)
        name = _cookie(user.username)
        response.set_signed_cookie(
            name,
            _device(request, user.username) or secrets.token_urlsafe(12),
            salt=name,
            max_age=_A_YEAR,
            httponly=True,
            secure=request.is_secure(),
            samesite="Lax",
        )
        return response


def _try_again(seconds: int) -> ValidationError:
    """Return the refusal that says when to try again."""
    minutes = math.ceil(seconds / 60)
    return ValidationError(
        ngettext(
            "Too many wrong attempts. Try again in a minute.",
            "Too many wrong attempts. Try again in %(minutes)d minutes.",
            minutes,
        )
        % {"minutes": minutes},
        code="too_many_login_attempts",
    )


def _who(request: HttpRequest, username: str) -> str:
    """Return the key under which a wrong password is counted."""
    return f"{username.casefold()} {_device(request, username) or client_address(request)}"


def _device(request: HttpRequest, username: str) -> str:
    """Return the id of a device on which this account has signed in before, or an empty string."""
    name = _cookie(username)
    return request.get_signed_cookie(name, default="", salt=name, max_age=_A_YEAR) or ""


def is_known_device(cookies: Mapping[str, str]) -> bool:
    """Return whether one of these cookies is a device's or a phone's that the program knows."""
    for name, value in cookies.items():
        if name.startswith((_DEVICE, _PHONE)):
            with suppress(signing.BadSignature):
                signing.get_cookie_signer(salt=name).unsign(value, max_age=_A_YEAR)
                return True
    return False


def remember_phone(request: HttpRequest, response: HttpResponseBase, event_id: int) -> None:
    """Mark a phone that has shown what only people of the event have, such as a player's page."""
    name = f"{_PHONE}{event_id}"
    if not known_phone(request, event_id):
        response.set_signed_cookie(
            name,
            secrets.token_urlsafe(12),
            salt=name,
            max_age=_A_YEAR,
            httponly=True,
            secure=request.is_secure(),
            samesite="Lax",
        )


def known_phone(request: HttpRequest, event_id: int) -> str:
    """Return the mark of a phone that the event knows, or an empty string."""
    name = f"{_PHONE}{event_id}"
    return request.get_signed_cookie(name, default="", salt=name, max_age=_A_YEAR) or ""


def _cookie(username: str) -> str:
    return f"{_DEVICE}{hashlib.sha256(username.casefold().encode()).hexdigest()[:12]}"
