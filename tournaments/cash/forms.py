"""The cashier's forms."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models.enums import BookingKind, FreeReason, PaymentMethod
from ..models.money import MAX_AMOUNT, parse_amount


class BookingForm(forms.Form):
    """A row of the ledger."""

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
    payment_method = forms.ChoiceField(
        label=_("Paid by"), choices=PaymentMethod.choices, required=False
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
            raise forms.ValidationError(_("Enter an amount such as 250 or 250.50."), "bad_amount")
        return amount

    def clean_payment_method(self) -> PaymentMethod:
        """Return the way of payment, cash if none was sent."""
        return PaymentMethod(self.cleaned_data["payment_method"] or PaymentMethod.CASH)


class FreeStartsForm(forms.Form):
    """How many of a player's starts cost nothing."""

    starts = forms.IntegerField(
        label=_("Starts that are free"), min_value=0, max_value=99, initial=0
    )
    why = forms.ChoiceField(
        label=_("Why"), choices=[("", "–"), *FreeReason.choices], required=False
    )


class CountField(forms.CharField):
    """An amount that may be zero, returned in the smallest unit."""

    def __init__(self, **kwargs: Any) -> None:
        self.currency = "SEK"
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(max_length=30, widget=forms.TextInput(attrs=attrs), **kwargs)

    def clean(self, value: Any) -> int:
        """Return the amount; negative if more was paid out than received this way."""
        text = str(super().clean(value) or "0").strip().replace("\N{MINUS SIGN}", "-")
        amount = parse_amount(text.removeprefix("-"), self.currency)
        if amount is None or amount > MAX_AMOUNT:
            raise forms.ValidationError(_("Enter an amount such as 250 or 250.50."), "bad_amount")
        return -amount if text.startswith("-") else amount


class CountForm(forms.Form):
    """The day's-end count of one way of payment."""

    day = forms.DateField(widget=forms.HiddenInput)
    payment_method = forms.ChoiceField(choices=PaymentMethod.choices, widget=forms.HiddenInput)
    change = CountField(label=_("Cash float"), required=False)
    counted = CountField(label=_("Counted"))
    note = forms.CharField(label=_("If it differs: why"), max_length=200, required=False)

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, CountField):
                field.currency = currency
        given = self.data if self.is_bound else self.initial
        if given.get("payment_method") != PaymentMethod.CASH:
            del self.fields["change"]
