"""The timetable: a row for each day or part of one."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.forms import TimesForm
from ...core.times import TIMES
from ...models import Day, Event
from ...models.enums import SessionKind
from ...models.validators import validate_visible

#: Empty rows offered, and the most rows.
EXTRA_ROWS, MAX_ROWS = 4, 12


class DayForm(TimesForm):
    """One row; a row without a name is ignored."""

    name = forms.CharField(
        label=_("Name"), max_length=20, required=False, validators=[validate_visible]
    )
    session_kind = forms.ChoiceField(
        label=_("What is played"),
        choices=[("", _("Not specified")), *SessionKind.choices],
        required=False,
    )
    places = forms.IntegerField(
        label=_("Places"),
        required=False,
        min_value=3,
        max_value=100_000,
        help_text=_(
            "Then players choose this part when they sign up, and it has its waiting list."
        ),
    )
    field_order = ("name", "session_kind", "places", *TIMES)

    def needs_start(self, data: dict[str, Any]) -> bool:
        """Return whether the row is named."""
        return bool(data.get("name"))


class _Days(forms.BaseFormSet):
    #: When an empty row begins until somebody says otherwise: as the row before.
    next_start: Any = None

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        """Return the start of an empty row."""
        kwargs = super().get_form_kwargs(index)
        if not self.is_bound and index is not None and index >= self.initial_form_count():
            kwargs["initial"] = {"starts_at": self.next_start}
        return kwargs

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
        DayForm,
        formset=_Days,
        extra=EXTRA_ROWS,
        max_num=MAX_ROWS,
        absolute_max=MAX_ROWS + EXTRA_ROWS,
    )
    if data is not None:
        # Only what was sent counts, even if the timetable has changed meanwhile.
        return made(data, prefix="day")
    rows = list(event.timetable.values("name", "session_kind", "places", *TIMES))
    days = made(initial=rows, prefix="day")
    assert isinstance(days, _Days)
    noon = datetime.combine(event.starts_on, time(12))
    days.next_start = rows[-1]["starts_at"] if rows else timezone.make_aware(noon)
    return days
