"""Tokens in requests: ``Authorization: Bearer chicago_…``."""

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from ..core.limits import client_address, counted, seconds_left, too_often
from ..models import ApiToken
from .problems import Problem

#: Wrong tokens from one address, and writes with one token.
WRONG = {"most": 30, "seconds": 600}
WRITES = {"most": 120, "seconds": 60}


class TokenAuthentication(BaseAuthentication):
    """Knows who made the token; the account's rights at the event still hold, and no more."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the maker and the token; None without one."""
        kind, _space, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if not kind:
            return None
        token = None
        if kind.lower() == "bearer":
            rows = ApiToken.objects.select_related("made_by", "event")
            token = rows.filter(digest=ApiToken.digest_of(text.strip()), ended_at=None).first()
        if token is None or not token.made_by.is_active:
            _count_wrong(request)
            raise Problem(401, "bad_token", _("This token is not known, or it has ended."))
        return token.made_by, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _count_wrong(request: Any) -> None:
    address = client_address(request._request)
    if counted("api_token", address, **WRONG) is None:
        raise _too_many(seconds_left("api_token", address, **WRONG))


def count_write(token: ApiToken) -> None:
    """Count a write with a token; raise a 429 if there were too many of late."""
    whom = f"token {token.pk}"
    if too_often("api_write", whom, **WRITES) or counted("api_write", whom, **WRITES) is None:
        raise _too_many(seconds_left("api_write", whom, **WRITES))


def _too_many(wait: int) -> Problem:
    return Problem(
        429, "too_many", _("There were too many requests of late. Wait a moment."), wait=wait
    )
