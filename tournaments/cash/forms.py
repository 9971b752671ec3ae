"""What the cashier types."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models.enums import BookingKind
from ..models.money import parse_amount


class BookingForm(forms.Form):
    """One row of the ledger."""

    kind = forms.ChoiceField(
        label=_("What for"),
        choices=[choice for choice in BookingKind.choices if choice[0] != BookingKind.VOID],
    )
    number = forms.IntegerField(
        label=_("Player's number"),
        required=False,
        min_value=1,
        max_value=10**6,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    amount = forms.CharField(
        label=_("Amount"),
        max_length=30,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    note = forms.CharField(label=_("Note"), max_length=200, required=False)

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        self.currency = currency
        super().__init__(*args, **kwargs)

    def clean_amount(self) -> int:
        """Return the amount in the smallest unit."""
        amount = parse_amount(str(self.cleaned_data["amount"]), self.currency)
        if not amount:
            raise forms.ValidationError(_("Give an amount such as 250 or 250.50."), "bad_amount")
        return amount
