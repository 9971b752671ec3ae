"""Forms for the first account, inviting staff, naming event creators and accepting invitations."""

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.utils.translation import gettext_lazy as _

from ...core.forms import PASSWORD_RULES
from ...models import Organiser
from ...models.enums import Role
from .event import AccountForm, RoleField


class InviteForm(forms.Form):
    """The role, and whom the invitation is for."""

    role: forms.ChoiceField = RoleField()
    note = forms.CharField(
        label=_("For whom"),
        max_length=80,
        required=False,
        help_text=_("Only for you, to tell the invitations apart."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class OrganiserForm(forms.ModelForm):
    """The organiser's name."""

    class Meta:
        model = Organiser
        fields = ["name"]
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "organization"})}


class NewOrganiserForm(OrganiserForm):
    """Another organiser, which needs a name to tell it from the others."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = True


_POSITIONS = [("", _("Creates events")), (Role.OWNER.value, _("Owner: also names who may"))]


class MemberForm(AccountForm):
    """An account that is to create events."""

    position = forms.ChoiceField(label=_("As"), choices=_POSITIONS, required=False)


class MemberInviteForm(InviteForm):
    """The position, and whom the invitation is for."""

    role = forms.ChoiceField(label=_("As"), choices=_POSITIONS, required=False)


class NewAccountForm(BaseUserCreationForm):
    """A new account, made through an invitation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _("For signing in: letters, digits and @ . + - _")
        self.fields["password1"].help_text = PASSWORD_RULES
        self.fields["password2"].label = _("Password, once more")
        self.fields["password2"].help_text = ""


class FirstRunForm(NewAccountForm):
    """The setup code, besides the usual fields of an account."""

    code = forms.CharField(
        label=_("Setup code"),
        help_text=_("It is shown in the window where the program was started."),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    field_order = ["code", "username", "password1", "password2"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Django lets a page of its own begin with the user name.
        del self.fields["username"].widget.attrs["autofocus"]
        self.fields["code"].widget.attrs["autofocus"] = True
