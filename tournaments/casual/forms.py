"""The form for a casual table."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.rules.variants import parse_rules

from ..core.forms import NAME_INPUT
from ..events.forms.rules import RulesWidget, read_rules
from ..models.validators import validate_visible

MAX_PLAYERS = 6


class CasualForm(forms.Form):
    """Two to six names, a rule set, and the number of games."""

    rules = forms.CharField(label=_("Rules"), initial="svensk", widget=RulesWidget)
    games = forms.IntegerField(label=_("Games"), initial=1, min_value=1, max_value=20)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, MAX_PLAYERS + 1):
            self.fields[f"player_{number}"] = forms.CharField(
                label=_("Player %(number)s") % {"number": number},
                max_length=40,
                required=number <= 2,
                validators=[validate_visible],
                widget=forms.TextInput(NAME_INPUT | {"autocomplete": "off"}),
            )

    @property
    def names(self) -> list[forms.BoundField]:
        """Return the players' fields."""
        return [self[f"player_{number}"] for number in range(1, MAX_PLAYERS + 1)]

    def clean_rules(self) -> str:
        """Refuse an invalid choice of rules."""
        spec: str = self.cleaned_data["rules"]
        reading = read_rules(spec)
        if reading.problem:
            raise forms.ValidationError(reading.problem, "rules")
        return spec

    def clean(self) -> dict[str, Any]:
        """Collect the players; refuse equal names, and too many for the rules."""
        data = super().clean() or {}
        given = [(field.name, data.get(field.name, "").strip()) for field in self.names]
        data["players"] = [name for _field, name in given if name]
        seen: set[str] = set()
        for field, name in given:
            if name.casefold() in seen:
                alike = _("Two players cannot have the same name.")
                self.add_error(field, forms.ValidationError(alike, "alike"))
            if name:
                seen.add(name.casefold())
        if "rules" in data:
            most = parse_rules(data["rules"]).players_max
            if len(data["players"]) > most:
                many = _("By these rules at most %(most)s play.") % {"most": most}
                self.add_error("rules", forms.ValidationError(many, "too_many_players"))
        return data
