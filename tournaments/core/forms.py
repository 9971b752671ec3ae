"""Forms of signing in and of the account."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, LoginForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


class SignInForm(LoginForm):
    """Name and password; there is no reset by mail, so passwords are set by hand."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = _(
            "Forgotten it? Whoever runs this installation can set a new one."
        )


class PasswordForm(ChangePasswordForm):
    """Set a new password; wrong old ones are counted like those at the sign-in."""

    def clean_oldpassword(self) -> str:
        """Refuse to check a password after too many wrong ones."""
        adapter, username = get_adapter(), self.user.get_username()
        adapter.pre_authenticate(context.request, username=username)
        try:
            return str(super().clean_oldpassword())
        except ValidationError:
            adapter.authentication_failed(context.request, username=username)
            raise


class CountedCode(BaseAuthenticateForm):
    """A second-step code; wrong ones are counted like wrong passwords."""

    def clean_code(self) -> str:
        """Refuse to check a code after too many wrong ones."""
        adapter = get_adapter()
        if adapter.too_many_codes(context.request, self.user):
            raise adapter.validation_error("too_many_login_attempts")
        try:
            return str(super().clean_code())
        except ValidationError:
            adapter.count_wrong_code(context.request, self.user)
            raise


class CodeForm(CountedCode, AuthenticateForm):
    """Ask for the code after the password."""


class CodeAgainForm(CountedCode, ReauthenticateForm):
    """Ask for the code again before a sensitive action."""
