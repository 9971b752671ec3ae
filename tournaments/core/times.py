"""Doors, start and end of play of a day, a draft or a heat: as they are typed and stored."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..models import Planned

TIMES = ("doors_at", "starts_at", "ends_at")
_FORMAT = "%Y-%m-%dT%H:%M"


class MomentField(forms.DateTimeField):
    """Date and time as phones enter them."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_FORMAT)
        super().__init__(widget=widget, required=False, **kwargs)


class TimesForm(forms.Form):
    """The three times; none at all, or a start with or without the others."""

    doors_at = MomentField(label=_("Doors"))
    starts_at = MomentField(label=pgettext_lazy("of play", "Start"))
    ends_at = MomentField(label=_("End of play"))

    def clean(self) -> dict[str, Any]:
        """Refuse doors or an end without a start, and times in the wrong order."""
        data = super().clean() or {}
        doors, start, end = (data.get(name) for name in TIMES)
        if self.needs_start(data) and not start and "starts_at" not in self.errors:
            self.add_error("starts_at", _("Say when it starts."))
        if doors and start and doors > start:
            self.add_error("doors_at", _("The doors open after the start."))
        if start and end and end <= start:
            self.add_error("ends_at", _("Play ends before it starts."))
        return data

    def needs_start(self, data: dict[str, Any]) -> bool:
        """Return whether what was typed is incomplete without a start."""
        return bool(data.get("doors_at") or data.get("ends_at"))


def times(row: Planned) -> dict[str, Any]:
    """Return the row's times by name, None where there is none."""
    return {name: getattr(row, name) for name in TIMES}


def set_times(row: Planned, given: Mapping[str, Any]) -> None:
    """Put these times and no others into the row, which the caller saves.

    Raises ``ValidationError`` for times in the wrong order.
    """
    for name in TIMES:
        setattr(row, name, given.get(name))
    row.validate_constraints()


def stored_times(row: Planned) -> dict[str, str]:
    """Return the times that are set, as stored in the log and in event documents."""
    return {name: value.isoformat() for name, value in times(row).items() if value}
