"""Forms for a heat."""

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.sheet.entries import WITHOUT_SEAT
from scoring.reading.words import ruling_choices

from .commands import CONTESTED


class AuditorForm(forms.Form):
    """Which player keeps the score."""

    auditor = forms.ChoiceField(label=_("Auditor"), required=False)

    def __init__(self, *args: Any, players: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["auditor"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("Nobody named")), *players]


class ProtestForm(forms.Form):
    """Why a heat is closed in spite of an open call or objection."""

    protest = forms.CharField(
        label=_("Under protest, because"),
        max_length=200,
        required=False,
        help_text=CONTESTED,
    )


class TableForm(forms.Form):
    """The table in the room."""

    table_number = forms.IntegerField(label=_("Table in the room"), min_value=1, max_value=999)


class RulingForm(forms.Form):
    """A ruling on the running game.

    ``game`` is the one that the director saw, and ``version`` its sheet's; ``client_id`` keeps a
    double tap from ruling twice.
    """

    action = forms.ChoiceField(label=_("Ruling"), choices=ruling_choices)
    seat = forms.TypedChoiceField(label=_("Player"), required=False, coerce=int, empty_value=None)
    points = forms.IntegerField(label=_("Points"), required=False, min_value=-200, max_value=200)
    reason = forms.CharField(label=_("Reason"), max_length=200)
    game = forms.IntegerField(min_value=1, max_value=100, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        seats: Sequence[tuple[int, str]],
        game: int = 1,
        version: int = 0,
        **kwargs: Any,
    ) -> None:
        initial = {"game": game, "version": version, "client_id": uuid.uuid4()}
        kwargs.setdefault("initial", initial)
        super().__init__(*args, **kwargs)
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", "—"), *seats]

    def clean(self) -> dict[str, Any]:
        """Require the player and the points if the ruling needs them."""
        data = super().clean() or {}
        action = data.get("action")
        if action and action not in WITHOUT_SEAT and data.get("seat") is None:
            self.add_error("seat", _("Choose the player."))
        if action == "points" and not data.get("points") and "points" not in self.errors:
            self.add_error("points", _("Enter the points, such as −5."))
        return data

    def ruling(self) -> dict[str, Any]:
        """Return the engine's entry."""
        data = self.cleaned_data
        entry: dict[str, Any] = {
            "kind": "ruling",
            "action": data["action"],
            "reason": data["reason"],
        }
        if data["action"] not in WITHOUT_SEAT:
            entry["seat"] = data["seat"]
        if data["action"] == "points":
            entry["points"] = data["points"]
        return entry


class FlipFlopForm(forms.Form):
    """The order of tied players after a Flip Flop: a place for each."""

    def __init__(self, *args: Any, group: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = [player_id for player_id, _name in group]
        places = [("", "—"), *((str(n), str(n)) for n in range(1, len(group) + 1))]
        for player_id, name in group:
            self.fields[f"place_{player_id}"] = forms.ChoiceField(label=name, choices=places)

    def clean(self) -> dict[str, Any]:
        """Refuse two players in one place."""
        data = super().clean() or {}
        places = [data.get(f"place_{player_id}") for player_id in self.group]
        if all(places) and len(set(places)) != len(places):
            raise forms.ValidationError(_("Give every player a place of their own."), "place_twice")
        return data

    def order(self) -> list[str]:
        """Return the references, best first."""
        return sorted(
            self.group, key=lambda player_id: int(self.cleaned_data[f"place_{player_id}"])
        )


class StandInForm(forms.Form):
    """Who advances for each player who has already qualified from another heat, and why."""

    def __init__(
        self,
        *args: Any,
        taken: Sequence[tuple[str, str]],
        possible: Sequence[tuple[str, str]],
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("prefix", "instead")
        super().__init__(*args, **kwargs)
        for nth, (player_id, name) in enumerate(taken):
            self.fields[f"of_{player_id}"] = forms.ChoiceField(
                label=_("Instead of %(name)s") % {"name": name},
                choices=[*possible, ("", _("Nobody"))],
                initial=next((each for each, _name in possible[nth:]), ""),
                required=False,
            )
        self.fields["reason"] = forms.CharField(label=_("Reason"), max_length=200)

    def clean(self) -> dict[str, Any]:
        """Refuse one player as a substitute for two."""
        data = super().clean() or {}
        if len(set(self.chosen())) < len(self.chosen()):
            raise forms.ValidationError(_("Choose different players."), "same_player")
        return data

    def chosen(self) -> list[str]:
        """Return the references of the substitutes."""
        data = self.cleaned_data
        return [data[name] for name in self.fields if name.startswith("of_") and data.get(name)]


class ReasonForm(forms.Form):
    """A reason."""

    reason = forms.CharField(label=_("Reason"), max_length=200)
