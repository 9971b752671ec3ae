"""Forms of announcements."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.times import moments_of, no_such_time
from ..models import Day, Event
from ..models.enums import Audience
from ..models.validators import validate_visible
from .commands.announcements import MAX_LETTERS
from .commands.letters import MAX_SUBJECT, MAX_TEXT
from .queries.letters import AUDIENCES


class ClockField(forms.TimeField):
    """A time of day: the next time that clocks show it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TimeInput(attrs={"type": "time"}), **kwargs)

    def clean(self, value: Any) -> datetime | None:
        """Return the moment, or None if the field is empty."""
        time = super().clean(value)
        if time is None:
            return None
        now = timezone.now()
        today = timezone.localdate(now)
        for day in (today, today + timedelta(days=1)):
            wall = datetime.combine(day, time)
            moments = moments_of(wall)
            if not moments and timezone.make_aware(wall).astimezone(UTC) > now:
                raise no_such_time(wall)
            # Within a zone the two that look alike compare as equal.
            later = [each for each in moments if each.astimezone(UTC) > now]
            if later:
                return later[0]
        raise no_such_time(wall)


class TextsForm(forms.Form):
    """One line, in one language or in several."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code, name in settings.LANGUAGES:
            self.fields[f"text_{code}"] = forms.CharField(
                label=name,
                max_length=MAX_LETTERS,
                required=False,
                validators=[validate_visible],
                widget=forms.TextInput(attrs={"autocomplete": "off", "lang": code}),
            )

    @property
    def texts(self) -> dict[str, str]:
        """What was written, by language."""
        data = self.cleaned_data
        return {code: data[f"text_{code}"] for code, _name in settings.LANGUAGES}


class AnnounceForm(TextsForm):
    """An announcement: to whom, and until when."""

    audience = forms.ChoiceField(label=_("To"), choices=Audience.choices, initial=Audience.ALL)
    table = forms.IntegerField(
        label=_("Table"), min_value=1, max_value=9999, required=False, help_text=_("To one table.")
    )
    ends_at = ClockField(
        label=_("Until"), required=False, help_text=_("Empty: until it is taken back.")
    )
    field_order = [f"text_{code}" for code, _name in settings.LANGUAGES]

    def clean(self) -> dict[str, Any]:
        """Ask for words, and for a table where it is to one."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("audience") != Audience.TABLE:
            data["table"] = None
        elif data.get("table") is None and "table" not in self.errors:
            self.add_error("table", forms.ValidationError(_("Say to which table."), "required"))
        return data


class LetterForm(forms.Form):
    """A letter by mail: to whom, about what, and its text."""

    audience = forms.ChoiceField(
        label=_("To"), choices=[(each, each.label) for each in AUDIENCES], initial=Audience.ALL
    )
    part = forms.ModelChoiceField(
        Day.objects.none(),
        label=_("Part"),
        required=False,
        empty_label=_("All parts"),
        help_text=_("Also goes to those who play in any part."),
    )
    subject = forms.CharField(
        label=_("Subject"), max_length=MAX_SUBJECT, validators=[validate_visible]
    )
    text = forms.CharField(
        label=_("Text"),
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_(
            "A greeting before it and the link of the player’s own page come by themselves."
        ),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parts = event.timetable.filter(places__isnull=False)
        if parts:
            field = self.fields["part"]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = parts
        else:
            del self.fields["part"]


class BreakForm(forms.Form):
    """A break until a time."""

    break_ends_at = ClockField(label=_("Break until"))
