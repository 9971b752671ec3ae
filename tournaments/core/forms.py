"""Forms that no single subject owns: signing in, the account, planned times."""

from datetime import UTC, datetime
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, LoginForm
from allauth.account.forms import ReauthenticateForm as PasswordAgain
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import time_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .limits import counted
from .times import TIMES, moments_of, no_such_time, which_time
from .two_factor import is_of_another_time

_FORMAT = "%Y-%m-%dT%H:%M"
#: The answers to which of two times is meant, as the form sends them.
_WHICH = ("0", "1")
#: How a field for a person's name is typed: names are no words that a phone knows better.
NAME_INPUT = {"autocapitalize": "words", "autocorrect": "off", "spellcheck": "false"}
#: django-allauth's code of a wrong code, and the seconds for which it accepts a right one.
_WRONG_CODE, _CODE_SECONDS = "incorrect_code", 120
#: There is no reset by mail, so passwords are set by hand.
_FORGOTTEN = _("Forgotten it? Whoever runs this installation can set a new one.")
PASSWORD_RULES = _(
    "At least eight characters: not only digits, no common password, nothing like your name."
)


class SignInForm(LoginForm):
    """Name and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = _FORGOTTEN


class PasswordAgainForm(PasswordAgain):
    """The password once more, before a sensitive action."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = _FORGOTTEN


class PasswordForm(ChangePasswordForm):
    """Set a new password; wrong old ones are counted like those at the sign-in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].help_text = _FORGOTTEN
        self.fields["oldpassword"].label = _("Current password")
        self.fields["password1"].label = _("New password")
        self.fields["password1"].help_text = PASSWORD_RULES
        self.fields["password2"].label = _("New password, once more")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def clean_oldpassword(self) -> str:
        """Refuse to check a password after too many wrong ones."""
        guess = get_adapter().count_password(context.request, self.user.get_username())
        password = str(super().clean_oldpassword())
        guess.delete()
        return password


def _asks_for_clock(refused: ValidationError) -> ValidationError:
    """Return the refusal of a code that also says this machine's time: a hall's may be wrong."""
    if refused.code != _WRONG_CODE:
        return refused
    now = time_format(timezone.localtime(), "H:i")
    text = _("The code is wrong or has been used. This machine's clock says %(time)s; is that so?")
    return ValidationError(text, code=_WRONG_CODE, params={"time": now})


def _use_up(user: AbstractBaseUser, code: str) -> None:
    """Refuse a code that was used before; an app's code is accepted for three steps."""
    code = "".join(code.split())
    if counted("code-used", f"{user.pk} {code}", most=1, seconds=_CODE_SECONDS) is None:
        raise _asks_for_clock(ValidationError("", code=_WRONG_CODE))


class CountedCode(BaseAuthenticateForm):
    """A two-factor code; wrong ones are counted like wrong passwords."""

    def clean_code(self) -> str:
        """Refuse to check a code after too many wrong ones.

        One that the app shows at another time is no guess, but a sign of a wrong clock.
        """
        guesses = get_adapter().count_code(context.request, self.user)
        try:
            code = str(super().clean_code())
        except ValidationError as refused:
            if is_of_another_time(self.user, self.cleaned_data["code"]):
                for guess in guesses:
                    guess.delete()
            raise _asks_for_clock(refused) from refused
        for guess in guesses:
            guess.delete()
        _use_up(self.user, code)
        return code


class FirstCodeForm(ActivateTOTPForm):
    """Ask for the first code when two-factor authentication is turned on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code")

    def clean_code(self) -> str:
        """Use the code up, so that it does not sign in as well."""
        try:
            code = str(super().clean_code())
        except ValidationError as refused:
            raise _asks_for_clock(refused) from refused
        _use_up(self.user, code)
        return code


class CodeForm(CountedCode, AuthenticateForm):
    """Ask for the code after the password."""


class CodeAgainForm(CountedCode, ReauthenticateForm):
    """Ask for the code again before a sensitive action."""


class MomentInput(forms.DateTimeInput):
    """Date and time; for one that comes twice, also which of the two is meant."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "datetime-local"}, format=_FORMAT)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return what was typed, followed by the answer to which of the two."""
        typed, which = super().value_from_datadict(data, files, name), data.get(f"{name}_which")
        return f"{typed} {which}" if typed and which in _WHICH else typed

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        """Return the field, and the question where it arises."""
        which = str(getattr(value, "fold", ""))
        if isinstance(value, str):
            typed, _gap, which = value.partition(" ")
            value = parse_datetime(typed) or typed
        field = super().render(name, value, attrs, renderer)
        twice = isinstance(value, datetime) and len(moments_of(value)) > 1
        asked = {"name": f"{name}_which", "which": which, "id": (attrs or {}).get("id", name)}
        question = render_to_string("site/_which_time.html", asked) if twice else ""
        return mark_safe(field + question)  # Both are rendered by templates.


class MomentField(forms.DateTimeField):
    """Date and time as phones enter them, also in the nights when clocks are changed."""

    widget = MomentInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})

    def to_python(self, value: Any) -> datetime | None:
        """Return the moment; of two that look alike the one that was chosen."""
        typed, _gap, which = value.partition(" ") if isinstance(value, str) else (value, "", "")
        wall = parse_datetime(typed) if isinstance(typed, str) else None
        if wall is None or timezone.is_aware(wall):
            return super().to_python(value)
        moments = moments_of(wall)
        if not moments:
            raise no_such_time(wall)
        if len(moments) > 1 and which not in _WHICH:
            raise which_time(wall)
        return moments[_WHICH.index(which) if len(moments) > 1 else 0]


class TimesForm(forms.Form):
    """The three times; none at all, or a start with or without the others."""

    doors_at = MomentField(label=_("Doors"))
    starts_at = MomentField(label=pgettext_lazy("of play", "Start"))
    ends_at = MomentField(label=_("End of play"))

    def clean(self) -> dict[str, Any]:
        """Refuse doors or an end without a start, and times in the wrong order."""
        data = super().clean() or {}
        doors, start, end = (data.get(name) for name in TIMES)
        if self.needs_start(data) and not start and "starts_at" not in self.errors:
            self.add_error("starts_at", _("Enter when it starts."))
        # Within a zone, two moments that look alike compare as equal.
        doors, start, end = (each and each.astimezone(UTC) for each in (doors, start, end))
        if doors and start and doors > start:
            self.add_error("doors_at", _("The doors open after the start."))
        if start and end and end <= start:
            self.add_error("ends_at", _("Play ends before it starts."))
        return data

    def needs_start(self, data: dict[str, Any]) -> bool:
        """Return whether what was typed is incomplete without a start."""
        return bool(data.get("doors_at") or data.get("ends_at"))
