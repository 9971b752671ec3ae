"""Forms of series: their rules as people type them, their events, results from elsewhere."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Event, Series
from ..models.enums import EventStatus, SeriesTie
from .queries.outside import Typed, number, read_outside

#: Typed places of one table, and steps of its factors.
MAX_PLACES, MAX_FACTORS = 500, 30
#: Points by place that are often used.
TEMPLATES = {
    "ten": "25 18 15 12 10 8 6 4 2 1",
    "twenty": "100 80 65 55 50 45 40 36 32 29 26 24 22 20 18 16 14 12 10 8",
    "even": " ".join(str(points) for points in range(30, 0, -1)),
    "final": "20 15 12 8",
}
_TEMPLATE_NAMES = [
    ("", _("As typed below")),
    ("ten", _("Ten places, 25 for the first")),
    ("twenty", _("Twenty places, 100 for the first")),
    ("even", _("Thirty places, each one point more than the next")),
    ("final", _("Four places, as at a table of four")),
]


class PointsField(forms.CharField):
    """One number of points, exact."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(
            max_length=20, required=False, initial="0", widget=forms.TextInput(attrs), **kwargs
        )

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value) or "0")
        try:
            points = number(text)
        except ValueError:
            raise forms.ValidationError(
                _("Enter a number of points, such as 25, 17.5 or 35/2."), "points"
            ) from None
        if (points * 12).denominator != 1:
            raise forms.ValidationError(_("Only whole numbers of twelfths."), "twelfths")
        return points


class SeriesForm(forms.ModelForm):
    """A series and its rules."""

    template = forms.ChoiceField(
        label=_("Points by place"), choices=_TEMPLATE_NAMES, required=False
    )
    points = forms.CharField(
        label=_("Points of the first place, the second, the third …"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        initial=TEMPLATES["ten"],
        help_text=_("Such as “25 18 15”. Players who share places share their points exactly."),
    )
    rest = PointsField(label=_("Points of every further place"))
    factors = forms.CharField(
        label=_("Factors by size"),
        max_length=400,
        required=False,
        help_text=_(
            "Such as “1: 1/2, 20: 1, 40: 3/2”: up to 19 half the points, from 20 on all of them,"
            " from 40 on half as much more."
        ),
    )
    bonus_chicago = PointsField(label=_("Bonus for each Chicago won"))
    bonus_heat = PointsField(label=_("Bonus for each heat won"))
    bonus_start = PointsField(label=_("Bonus for taking part"))
    tie_1 = forms.ChoiceField(label=_("What decides a tie"))
    tie_2 = forms.ChoiceField(label=_("If that is equal"), required=False)
    tie_3 = forms.ChoiceField(label=_("If that is equal, too"), required=False)

    class Meta:
        model = Series
        fields = [
            "name",
            "starts_on",
            "ends_on",
            "is_public",
            "is_finished",
            "size_by",
            "best_of",
        ]
        widgets = {
            name: forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            for name in ("starts_on", "ends_on")
        }

    field_order = [
        "name",
        "starts_on",
        "ends_on",
        "is_public",
        "is_finished",
        "template",
        "points",
        "rest",
        "size_by",
        "factors",
        "best_of",
        "bonus_start",
        "bonus_heat",
        "bonus_chicago",
        "tie_1",
        "tie_2",
        "tie_3",
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        series = self.instance
        if series.pk:
            self.initial["points"] = " ".join(series.points)
            self.initial["rest"] = series.rest
            typed = (f"{size}: {factor}" for size, factor in series.factors)
            self.initial["factors"] = ", ".join(typed)
            for name in ("bonus_chicago", "bonus_heat", "bonus_start"):
                self.initial[name] = str(getattr(series, name))
        else:
            del self.fields["is_finished"]
        none = [("", _("the place is shared"))]
        for index in (1, 2, 3):
            field = self.fields[f"tie_{index}"]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [*([] if index == 1 else none), *SeriesTie.choices]
            self.initial[f"tie_{index}"] = (
                series.ties[index - 1] if index <= len(series.ties) else ""
            )

    def clean_points(self) -> list[str]:
        """Return the points of each place as exact texts."""
        typed = str(self.data.get(self.add_prefix("template"), ""))
        text = TEMPLATES.get(typed, self.cleaned_data["points"])
        try:
            points = [str(number(each)) for each in text.replace(";", " ").split()]
        except ValueError as error:
            raise forms.ValidationError(
                _("“%(text)s” is not a number of points."), "points", {"text": str(error)[:30]}
            ) from None
        if not 0 < len(points) <= MAX_PLACES:
            raise forms.ValidationError(
                _("Enter the points of 1 to %(most)s places."), "places", {"most": MAX_PLACES}
            )
        return points

    def clean_rest(self) -> str:
        return str(self.cleaned_data["rest"])

    def clean_factors(self) -> list[list[Any]]:
        """Return pairs of size and factor, smallest size first."""
        found: dict[int, Fraction] = {}
        text = self.cleaned_data["factors"]
        try:
            for part in filter(None, (each.strip() for each in text.replace(";", ",").split(","))):
                size, factor = part.split(":")
                size = size.strip()
                if not (size.isascii() and size.isdigit() and len(size) < 6 and int(size) > 0):
                    raise ValueError(part)
                found[int(size)] = number(factor)
        except ValueError:
            raise forms.ValidationError(
                _("Give sizes and factors such as “1: 1/2, 20: 1, 40: 3/2”."), "factors"
            ) from None
        if len(found) > MAX_FACTORS:
            raise forms.ValidationError(
                _("At most %(most)s factors."), "too_many", {"most": MAX_FACTORS}
            )
        return [[size, str(found[size])] for size in sorted(found)]

    def clean(self) -> dict[str, Any]:
        """Collect the chain, and see that the days are in order."""
        data = super().clean() or {}
        ties = [data.pop(f"tie_{index}", "") for index in (1, 2, 3)]
        data["ties"] = list(dict.fromkeys(filter(None, ties)))
        data.pop("template", None)
        if data.get("starts_on") and data.get("ends_on") and data["ends_on"] < data["starts_on"]:
            self.add_error("ends_on", _("The last day is before the first."))
        return data

    def _post_clean(self) -> None:
        """The command checks the whole series; it must not be changed before."""


class AddEventForm(forms.Form):
    """An event of the organiser's own, or the address of somebody else's."""

    own = forms.ModelChoiceField(
        label=_("One of your events"), queryset=Event.objects.none(), required=False
    )
    address = forms.SlugField(
        label=_("Or the address of another organiser's event"),
        max_length=60,
        required=False,
        help_text=_("The last part of it, such as “sm-2026”. That organiser is asked."),
    )

    def __init__(self, *args: Any, series: Series, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["own"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Event.objects.filter(organiser=series.organiser_id).exclude(
            in_series__series=series
        )

    def clean(self) -> dict[str, Any]:
        """Return the ``event``."""
        data = super().clean() or {}
        event = data.get("own")
        if event is None and data.get("address"):
            events = Event.objects.exclude(status=EventStatus.DRAFT)
            event = events.filter(slug=data["address"]).first()
            if event is None:
                self.add_error("address", _("There is no such event."))
        elif event is None and not self.errors:
            raise forms.ValidationError(_("Choose an event."), "no_event")
        data["event"] = event
        return data


class OutsideForm(forms.Form):
    """Results that were never played here."""

    name = forms.CharField(label=_("Event"), max_length=120)
    played_on = forms.DateField(
        label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    results = forms.CharField(
        label=_("Results, one player on each line"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_(
            "Place; name; points. Without points the place gives those of the series. Columns"
            " copied from a spreadsheet are fine."
        ),
    )

    named = forms.BooleanField(
        label=_("The names may be shown"),
        required=False,
        help_text=_(
            "The players have agreed, or the list has been published before. Otherwise who is new"
            " here stands in the series without a name, until they choose."
        ),
    )

    def clean_results(self) -> Sequence[Typed]:
        """Return the lines as read."""
        rows = read_outside(self.cleaned_data["results"])
        if not rows:
            raise forms.ValidationError(_("There is no result in it."), "empty")
        return rows

    def clean_played_on(self) -> date:
        day: date = self.cleaned_data["played_on"]
        if not 1900 <= day.year <= 2100:
            raise forms.ValidationError(_("Enter a day of this or the last century."), "day")
        return day


class OwnLinkForm(forms.Form):
    """The address of the player's own page with another organiser."""

    link = forms.CharField(
        label=_("Address of your own page with the other organiser"),
        max_length=400,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    series = forms.ModelChoiceField(label=_("In the series"), queryset=Series.objects.none())

    def __init__(self, *args: Any, series: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["series"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = series
