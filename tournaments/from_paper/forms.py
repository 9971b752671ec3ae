"""Forms for a paper sheet's totals, and for comparing them."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from engine.errors import Problem
from engine.messages import say, win_name
from engine.rules.ruleset import RuleSet
from engine.totals.totals import ENDED, WINS, can_be_won
from scoring.reading.games import Game
from scoring.words import lang, status_name

from ..models import Registration

_SEAT = ("score", "executed", "asterisks", "out", "ruled")


class TotalsForm(forms.Form):
    """Score, circle, asterisks, out and points from rulings for each seat; the winner, and how."""

    win = forms.ChoiceField(label=_("How it ended"))
    winner = forms.TypedMultipleChoiceField(
        label=_("Winner"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        help_text=_("Why the whole sheet is replaced. Everybody can read it on the heat's page."),
    )
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, game: Game, rules: RuleSet, replaces: bool, **kwargs: Any
    ) -> None:
        initial = {"version": game.sheet.version, "client_id": uuid.uuid4()}
        kwargs["initial"] = initial | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        self.names = game.names
        seats = len(self.names)
        self._choices(
            "win", [(w, win_name(w, lang())) for w in WINS if can_be_won(rules, seats, w)]
        )
        self._choices("winner", list(enumerate(self.names)))
        if not replaces:
            del self.fields["reason"]
        else:
            self.fields["reason"].required = True
        for seat in range(seats):
            self.fields[f"score_{seat}"] = forms.IntegerField(
                label=_("Score"), min_value=-999, max_value=999
            )
            self.fields[f"executed_{seat}"] = forms.BooleanField(label=_("Circle"), required=False)
            self.fields[f"asterisks_{seat}"] = forms.IntegerField(
                label=_("Asterisks"), min_value=0, max_value=99, required=False
            )
            self.fields[f"out_{seat}"] = forms.BooleanField(
                label=capfirst(status_name("out")), required=False
            )
            self.fields[f"ruled_{seat}"] = forms.IntegerField(
                label=_("Ruled"), min_value=-999, max_value=999, required=False
            )

        for _name, fields in self.rows:
            for bound in fields:
                ticked = isinstance(bound.field, forms.BooleanField)
                look = "form-check-input" if ticked else "form-control"
                bound.field.widget.attrs["class"] = look

    def _choices(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def rows(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return each seat's name with its fields."""
        return [
            (name, [self[f"{field}_{seat}"] for field in _SEAT])
            for seat, name in enumerate(self.names)
        ]

    def clean(self) -> dict[str, Any]:
        """Require a winner unless time was up."""
        data = super().clean() or {}
        if data.get("win") == ENDED:
            data["winner"] = []
        elif not data.get("winner") and "winner" not in self.errors:
            self.add_error("winner", _("Enter who won."))
        return data

    def totals(self) -> dict[str, Any]:
        """Return the input as in a totals document, without names."""
        data = self.cleaned_data
        seats: list[dict[str, Any]] = []
        for seat in range(len(self.names)):
            found = {name: data[f"{name}_{seat}"] for name in _SEAT}
            found["asterisks"] = found["asterisks"] or 0
            if not found["ruled"]:
                del found["ruled"]
            seats.append(found)
        winner = {"winner": sorted(data["winner"])} if data["winner"] else {}
        return {"seats": seats, "win": data["win"], **winner}

    def put_problems(self, problems: Sequence[Problem]) -> None:
        """Show the problems found by the totals check next to their seats."""
        for problem in problems:
            seat = problem.params["seat"]
            text = say(problem, lang(), self.names)
            self.add_error(f"score_{seat}", ValidationError(text, problem.code))


class TakeBackForm(forms.Form):
    """The reason for taking totals back."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("What was there before counts again. Everybody can read the reason."),
    )
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        kwargs["initial"] = {"version": game.sheet.version, "client_id": uuid.uuid4()}
        kwargs["auto_id"] = "id_back_%s"
        super().__init__(*args, **kwargs)


class CompareForm(forms.Form):
    """Who compares the paper with the screen: this account, or a player with a PIN."""

    player = forms.ChoiceField(label=_("Compared by"), required=False)
    pin = forms.CharField(
        label=_("The player's PIN"),
        max_length=4,
        required=False,
        widget=forms.PasswordInput(
            attrs={"inputmode": "numeric", "autocomplete": "off", "class": "pin tabular"}
        ),
    )
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, game: Game, with_pin: Mapping[str, Registration], **kwargs: Any
    ) -> None:
        kwargs["initial"] = {"version": game.sheet.version, "client_id": uuid.uuid4()}
        super().__init__(*args, **kwargs)
        self.with_pin = with_pin
        if not with_pin:
            del self.fields["player"], self.fields["pin"]
            return
        field = self.fields["player"]
        assert isinstance(field, forms.ChoiceField)
        players = [(s.player_id, s.name) for s in game.seats if s.player_id in with_pin]
        field.choices = [("", _("myself, who did not enter it")), *players]

    def clean(self) -> dict[str, Any]:
        """Require a player's PIN."""
        data = super().clean() or {}
        if data.get("player") and not data.get("pin") and "pin" not in self.errors:
            self.add_error("pin", _("The player types the PIN here."))
        return data

    @property
    def who(self) -> Registration | None:
        """The player who compares; None for the account."""
        return self.with_pin.get(self.cleaned_data.get("player", ""))
