"""The form for a blank protocol."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models.validators import RulesValidator, validate_visible


class BlankForm(forms.Form):
    """A blank protocol: number of players, rules, and names if wanted."""

    seats = forms.ChoiceField(
        label=_("Players"), choices=[(4, "4"), (3, "3")], initial=4, required=False
    )
    rules = forms.CharField(
        label=_("Rule set"), max_length=120, required=False, validators=[RulesValidator()]
    )
    names = forms.CharField(
        label=_("Names, separated by commas"),
        max_length=300,
        required=False,
        validators=[validate_visible],
    )

    def names_of_seats(self) -> tuple[str, ...]:
        """Return a name for each seat; empty if none was typed."""
        seats = int(self.cleaned_data["seats"] or 4)
        typed = [name.strip() for name in self.cleaned_data["names"].split(",") if name.strip()]
        return tuple([*typed, *([""] * seats)][:seats])

    def clean(self) -> dict[str, Any]:
        """Refuse more names than seats."""
        data = super().clean() or {}
        names = [name for name in data.get("names", "").split(",") if name.strip()]
        if len(names) > int(data.get("seats") or 4):
            self.add_error("names", _("There are more names than seats."))
        return data
