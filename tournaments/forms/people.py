"""Registering and changing people."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Person
from ..queries.players import STANDINGS


class PersonForm(forms.ModelForm):
    """Everything the staff keeps of a person."""

    class Meta:
        model = Person
        fields = ["legal_name", "display_name", "visibility", "club", "email", "phone", "note"]
        widgets = {
            "legal_name": forms.TextInput(attrs={"autocomplete": "off"}),
            "display_name": forms.TextInput(attrs={"autocomplete": "off"}),
            "email": forms.EmailInput(attrs={"autocomplete": "off"}),
            "phone": forms.TextInput(attrs={"autocomplete": "off", "inputmode": "tel"}),
            "note": forms.Textarea(attrs={"rows": 3}),
        }


class RegisterForm(forms.Form):
    """A player at the desk, in a hurry: the name, the club, and whether to check in at once."""

    legal_name = forms.CharField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words"}),
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    here = forms.BooleanField(label=_("Is here now: check in"), required=False, initial=True)
    beyond = forms.BooleanField(label=_("Also where all places are taken"), required=False)

    def clean_legal_name(self) -> str:
        """Return the name on one line."""
        return " ".join(str(self.cleaned_data["legal_name"]).split())


class PlayerSearchForm(forms.Form):
    """The desk's search over the players."""

    q = forms.CharField(label=_("Find a player"), required=False, max_length=100)
    state = forms.ChoiceField(label=_("Show"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["state"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("Everybody")), *STANDINGS.items()]

    def values(self) -> tuple[str, str]:
        """Return search text and state; what makes no sense counts as empty."""
        self.is_valid()
        return self.cleaned_data.get("q", ""), self.cleaned_data.get("state", "")
