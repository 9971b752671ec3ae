"""The form of an address."""

from django import forms
from django.utils.translation import gettext_lazy as _


class WebhookForm(forms.Form):
    """An address to be told what happens."""

    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        help_text=_("Such as https://club.example.org/chicago."),
    )
