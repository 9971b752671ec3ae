"""Forms for a play-off round."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models.enums import Grouping


class PlaceForm(forms.Form):
    """A player of the round, by number, and a reason."""

    number = forms.IntegerField(min_value=1, max_value=10**6, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class TakeInForm(forms.Form):
    """A player whom the rule does not choose."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int, empty_value=None)
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, free: Iterable[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", "—"), *free]


class RoundDraftForm(forms.Form):
    """How the tables of a round are made."""

    grouping = forms.ChoiceField(
        label=_("Tables"), choices=Grouping.choices, widget=forms.RadioSelect
    )
    seed = forms.CharField(
        label=_("Seed"),
        max_length=100,
        required=False,
        help_text=_("Leave empty for a random seed."),
    )


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200)
