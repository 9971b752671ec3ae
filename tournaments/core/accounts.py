"""Accounts: made by somebody who has one, never by signing up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """No public sign-up: directors are made by command, by the first-run page or by invitation."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: allauth then shows that sign-up is closed."""
        return False
