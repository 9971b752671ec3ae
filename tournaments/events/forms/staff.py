"""Inviting staff, naming who makes events, accepting an invitation."""

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.utils.translation import gettext_lazy as _

from ...models import Organiser
from ...models.enums import Role
from .event import AccountForm


class InviteForm(forms.Form):
    """For which role, and for whom."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.FLOOR)
    note = forms.CharField(
        label=_("For whom"),
        max_length=80,
        required=False,
        help_text=_("Only for you, to tell the invitations apart."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class OrganiserForm(forms.ModelForm):
    """What an organiser is called."""

    class Meta:
        model = Organiser
        fields = ["name"]
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "organization"})}


class NewOrganiserForm(OrganiserForm):
    """A further organiser, which must have a name to be told from the others."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = True


_POSITIONS = [("", _("Makes events")), (Role.OWNER.value, _("Owner: also names who may"))]


class MemberForm(AccountForm):
    """Somebody who is to make events, by the account's name."""

    position = forms.ChoiceField(label=_("As"), choices=_POSITIONS, required=False)


class MemberInviteForm(InviteForm):
    """As what, and for whom."""

    role = forms.ChoiceField(label=_("As"), choices=_POSITIONS, required=False)


class NewAccountForm(BaseUserCreationForm):
    """An account made through an invitation."""
