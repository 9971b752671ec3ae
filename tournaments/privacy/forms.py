from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Organiser


class ContactsForm(forms.ModelForm):
    """How long the organiser keeps contacts."""

    class Meta:
        model = Organiser
        fields = ["contacts_months"]
        labels = {"contacts_months": _("Months after an event")}
        help_texts = {"contacts_months": _("Leave empty to keep them.")}
