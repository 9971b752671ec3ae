"""The form of a token."""

from django import forms

from ..models import ApiToken


class TokenForm(forms.ModelForm):
    """A new token: for which program, and what it may do."""

    class Meta:
        model = ApiToken
        fields = ("name", "scope")
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
            "scope": forms.RadioSelect,
        }
