"""Inviting staff, accepting an invitation, booking money."""

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.utils.translation import gettext_lazy as _

from ...models.enums import Role


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


class NewAccountForm(BaseUserCreationForm):
    """An account made through an invitation."""
