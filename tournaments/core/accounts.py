"""Accounts: made by somebody who has one, never by signing up; and who may try to sign in."""

import hashlib
import ipaddress
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from .limits import client_address, count, too_often

#: Wrong passwords for one account from one address, or from one device that it knows.
MOST_FAILURES = 5
WITHIN = 300
#: Wrong codes of the second step for one account from all devices that it does not know.
MOST_CODES_A_DAY = 50
_A_YEAR = 365 * 24 * 3600


class AccountAdapter(DefaultAccountAdapter):
    """No public sign-up: directors are made by command, by the first-run page or by invitation.

    Wrong passwords are counted per account and address, so that a stranger keeps nobody out; in
    a hall all share one address, so a device on which the account has signed in counts alone.
    """

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: allauth then shows that sign-up is closed."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return what allauth's own limits count by, and what its list of sessions keeps."""
        address = client_address(request)
        try:
            ipaddress.ip_interface(address)
        except ValueError:
            # A socket that is a file, or a proxy that writes something else.
            return "0.0.0.0"
        return address.partition("/")[0]

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse to look at a password after too many wrong ones."""
        who = _who(request, credentials.get("username", ""))
        if too_often("sign-in", who, most=MOST_FAILURES, seconds=WITHIN):
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password."""
        count("sign-in", _who(request, credentials.get("username", "")))

    def too_many_codes(self, request: HttpRequest, user: User) -> bool:
        """Tell whether codes of the second step are not looked at any more for a while.

        Only somebody with the password comes so far. A device that the account knows counts by
        itself; all others together have a day's few, so that many addresses help nobody guess.
        """
        username = user.get_username()
        own = too_often("code", _who(request, username), most=MOST_FAILURES, seconds=WITHIN)
        if own or _device(request, username):
            return own
        return too_often("code-day", username, most=MOST_CODES_A_DAY, seconds=24 * 3600)

    def count_wrong_code(self, request: HttpRequest, user: User) -> None:
        """Count a wrong code."""
        username = user.get_username()
        count("code", _who(request, username))
        if not _device(request, username):
            count("code-day", username)

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Remember the device."""
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


def _who(request: HttpRequest, username: str) -> str:
    """Return whom a wrong password is counted against."""
    return f"{username.casefold()} {_device(request, username) or client_address(request)}"


def _device(request: HttpRequest, username: str) -> str:
    """Return the name of a device on which this account has signed in, or nothing."""
    name = _cookie(username)
    return request.get_signed_cookie(name, default="", salt=name, max_age=_A_YEAR) or ""


def _cookie(username: str) -> str:
    return f"device_{hashlib.sha256(username.casefold().encode()).hexdigest()[:12]}"
