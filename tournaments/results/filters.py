"""Filters of the public tables."""

from typing import Any, cast

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from ..core.names import nameless
from ..models import Event, HeatResult, Qualification
from ..models.enums import HeatStatus
from ..models.search import plain
from .queries.player_standings import OF_HEATS, OF_PLAYOFFS, STATES, WON


def _by_name(rows: QuerySet, text: str, path: str) -> QuerySet:
    """Return the rows whose shown name has every word of the text."""
    for word in plain(text[:100]).split():
        rows = rows.filter(**{f"{path}person__public_text__contains": word})
    return rows.exclude(nameless(path))


class StandingsFilter(django_filters.FilterSet):
    """Standings by player, heat and outcome."""

    q = django_filters.CharFilter(label=_("Player"), method="by_name", max_length=100)
    heat = django_filters.NumberFilter(
        label=_("Heat"), field_name="heat__number", min_value=0, max_value=10**6
    )
    state = django_filters.ChoiceFilter(
        label=_("Show"),
        method="by_state",
        empty_label=_("All rows"),
        choices=[
            ("playing", _("Heats being played")),
            ("qualified", _("Qualified")),
            ("out", _("Did not advance")),
        ],
    )

    class Meta:
        model = HeatResult
        fields: list[str] = []

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.ends_with_heats:
            choices = [("playing", _("Heats being played")), ("qualified", STATES[WON])]
            self.filters["state"].extra["choices"] = choices

    def by_name(self, rows: QuerySet, name: str, value: str) -> QuerySet:
        return _by_name(rows, value, "entry__registration__")

    def by_state(self, rows: QuerySet, name: str, value: str) -> QuerySet:
        if value == "playing":
            return rows.filter(heat__status=HeatStatus.OPEN)
        return rows.filter(heat__status=HeatStatus.FINISHED, advances=value == "qualified")


class QualifiedFilter(django_filters.FilterSet):
    """The qualified players by name."""

    q = django_filters.CharFilter(label=_("Player"), method="by_name", max_length=100)

    class Meta:
        model = Qualification
        fields: list[str] = []

    def by_name(self, rows: QuerySet, name: str, value: str) -> QuerySet:
        return _by_name(rows, value, "registration__")


class NameFilter(forms.Form):
    """Rows by name."""

    q = forms.CharField(
        label=_("Player"),
        required=False,
        max_length=100,
        widget=forms.TextInput({"class": "form-control"}),
    )

    @property
    def text(self) -> str:
        """The text; nothing if it is invalid."""
        self.is_valid()
        return str(self.cleaned_data.get("q", ""))


class PlayerStandingsFilter(NameFilter):
    """Day 1 by name and state."""

    state = forms.ChoiceField(
        label=_("Show"),
        required=False,
    )

    def __init__(self, data: Any, *, event: Event) -> None:
        super().__init__(data)
        never = OF_PLAYOFFS if event.ends_with_heats else OF_HEATS
        shown = [(key, label) for key, label in STATES.items() if key not in never]
        field = cast(forms.ChoiceField, self.fields["state"])
        field.choices = [("", _("All rows")), *shown]

    def values(self) -> tuple[str, str]:
        """Return text and state; invalid input filters nothing."""
        text = self.text
        return text, str(self.cleaned_data.get("state", ""))
