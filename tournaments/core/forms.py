"""Signing in."""

from typing import Any

from allauth.account.forms import LoginForm
from django.utils.translation import gettext_lazy as _


class SignInForm(LoginForm):
    """Name and password; a new password is set by hand, for nothing here sends mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = _(
            "Forgotten it? Whoever runs this installation can set a new one."
        )
