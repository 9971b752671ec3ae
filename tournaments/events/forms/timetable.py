"""The timetable: a row for each day or part of one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ...models import Day, Event
from ...models.validators import validate_visible

#: Empty rows offered, and the most rows.
EMPTY, MOST = 2, 12
_FORMAT = "%Y-%m-%dT%H:%M"


class MomentField(forms.DateTimeField):
    """Date and time as phones enter them."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_FORMAT)
        super().__init__(widget=widget, required=False, **kwargs)


class DayForm(forms.Form):
    """One row; a row without a name is ignored."""

    name = forms.CharField(
        label=_("Name"), max_length=20, required=False, validators=[validate_visible]
    )
    doors_at = MomentField(label=_("Doors"))
    starts_at = MomentField(label=pgettext_lazy("of play", "Start"))
    ends_at = MomentField(label=_("End of play"))

    def clean(self) -> dict[str, Any]:
        """Refuse a named day without a start, and times in the wrong order."""
        data = super().clean() or {}
        doors, start, end = (data.get(name) for name in ("doors_at", "starts_at", "ends_at"))
        if data.get("name") and not start and "starts_at" not in self.errors:
            self.add_error("starts_at", _("Say when it starts."))
        if doors and start and doors > start:
            self.add_error("doors_at", _("The doors open after the start."))
        if start and end and end <= start:
            self.add_error("ends_at", _("Play ends before it starts."))
        return data


class _Days(forms.BaseFormSet):
    def clean(self) -> None:
        """Refuse names that occur twice."""
        names = [form.cleaned_data.get("name") for form in self.forms if form.is_valid()]
        given = [name for name in names if name]
        if len(set(given)) < len(given):
            raise forms.ValidationError(_("Every day needs a name of its own."), "name_twice")

    def days(self) -> list[Day]:
        """Return the days of a valid set; a row whose name was cleared is removed."""
        return [Day(**form.cleaned_data) for form in self.forms if form.cleaned_data.get("name")]


def timetable_forms(event: Event, data: Any = None) -> Any:
    """Return the existing rows and some empty ones."""
    made = forms.formset_factory(
        DayForm, formset=_Days, extra=EMPTY, max_num=MOST, absolute_max=MOST + EMPTY
    )
    if data is not None:
        # Only what was sent counts, even if the timetable has changed meanwhile.
        return made(data, prefix="day")
    names = ("name", "doors_at", "starts_at", "ends_at")
    return made(initial=list(event.timetable.values(*names)), prefix="day")
