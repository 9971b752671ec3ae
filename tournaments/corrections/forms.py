"""Forms for corrections and the decisions they need."""

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.sheet.entries import WITHOUT_SEAT
from scoring.reading.words import ruling_choices
from scoring.web.correction_form import CorrectionForm

#: The choice "a ruling", which has fields of its own.
RULING = "ruling"
NOBODY = "nobody"


def _rulings() -> list[tuple[str, str]]:
    return [("", "—"), *ruling_choices()]


class DirectorsCorrectionForm(CorrectionForm):
    """A correction: an entry as at the table, or a ruling."""

    action = forms.ChoiceField(label=_("Ruling"), choices=_rulings, required=False)
    seat = forms.TypedChoiceField(label=_("Player"), required=False, coerce=int, empty_value=None)
    points = forms.IntegerField(label=_("Points"), required=False, min_value=-200, max_value=200)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_(
            "Everybody can read it on the heat's page. Say what happened, not who made the mistake."
        ),
    )

    def __init__(
        self,
        *args: Any,
        rulings: set[tuple[str, int | None]],
        names: Sequence[str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rulings = rulings
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", "—"), *enumerate(names)]

    def choose(self, data: dict[str, Any]) -> None:
        """Set ``what`` to the ruling made of its fields, or to the entry chosen."""
        if data.get("entry") == RULING:
            self._ruling(data)
        else:
            super().choose(data)

    def _ruling(self, data: dict[str, Any]) -> None:
        action, seat = data.get("action") or "", data.get("seat")
        if not action:
            self.add_error("action", _("Choose the ruling."))
            return
        if action in WITHOUT_SEAT:
            seat = None
        elif seat is None:
            self.add_error("seat", _("Choose the player."))
            return
        if (action, seat) not in self.rulings:
            self.add_error("action", _("The rules do not allow this here. Choose again."))
            return
        ruling: dict[str, Any] = {"kind": "ruling", "action": action}
        ruling["reason"] = data.get("reason") or ""
        if seat is not None:
            ruling["seat"] = seat
        if action == "points":
            if not data.get("points"):
                if "points" not in self.errors:
                    self.add_error("points", _("Enter the points, such as −5."))
                return
            ruling["points"] = data["points"]
        data["what"] = ruling


class ReasonForm(forms.Form):
    """Why a sheet is changed."""

    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    reason = DirectorsCorrectionForm.base_fields["reason"]


class ForgottenDealForm(ReasonForm):
    """Why a deal is put in that was not written."""

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)


class DecisionForm(forms.Form):
    """The director's decisions, asked for when the preview needs them."""

    with_later = forms.BooleanField(label=_("Take these lines back too"), required=False)
    end_game = forms.BooleanField(
        label=_("End the game there by a ruling, with the scores as they then are"),
        required=False,
    )
    round = forms.ChoiceField(
        label=_("The play-off tables"),
        required=False,
        widget=forms.RadioSelect,
    )
    lots = forms.BooleanField(label=_("Let the program draw lots"), required=False)
    instead = forms.ChoiceField(
        label=_("Advances from this heat"), required=False, widget=forms.RadioSelect
    )

    def __init__(
        self,
        *args: Any,
        group: Sequence[tuple[str, str]] = (),
        possible: Sequence[tuple[str, str]] = (),
        rounds: Sequence[tuple[str, str]] = (),
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("prefix", "d")
        super().__init__(*args, **kwargs)
        field = self.fields["instead"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*possible, (NOBODY, _("Nobody"))]
        field = self.fields["round"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = rounds
        self.group = [player_id for player_id, _name in group]
        places = [("", "—"), *((str(n), str(n)) for n in range(1, len(self.group) + 1))]
        for player_id, name in group:
            self.fields[f"place_{player_id}"] = forms.ChoiceField(
                label=_("Place of %(name)s") % {"name": name}, choices=places, required=False
            )

    def answers(self, asked: Collection[str]) -> dict[str, Any]:
        """Return the decisions sent for these questions, as fields of a :class:`Correction`."""
        self.is_valid()
        data = self.cleaned_data if self.is_bound else {}
        order = self.order() if self.is_bound and self.group else ()
        instead = data.get("instead")
        return {
            "with_later": "with_later" in asked and bool(data.get("with_later")),
            "end_game": "end_game" in asked and bool(data.get("end_game")),
            "round": str(data.get("round", "")) if "round" in asked else "",
            "flip_flops": (order,) if order else (),
            "lots": "flip_flop" in asked and bool(data.get("lots")),
            "instead": ("" if instead == NOBODY else instead or None)
            if "instead" in asked
            else None,
        }

    def who_goes_on(self, asked: Collection[str]) -> dict[str, forms.Field]:
        """Return the fields for questions about who advances."""
        names = [f"place_{player_id}" for player_id in self.group] if "flip_flop" in asked else []
        names += ["lots"] if "flip_flop" in asked else []
        names += ["instead"] if "instead" in asked else []
        return {name: self.fields[name] for name in names}

    @property
    def place_fields(self) -> list[forms.BoundField]:
        """Return the fields for the order of a Flip Flop."""
        return [self[f"place_{player_id}"] for player_id in self.group]

    def order(self) -> tuple[str, ...]:
        """Return the tied players' references, best first; empty unless all have a place."""
        places = {
            player_id: self.cleaned_data.get(f"place_{player_id}") for player_id in self.group
        }
        if not self.group or not all(places.values()) or len(set(places.values())) < len(places):
            return ()
        return tuple(sorted(self.group, key=lambda player_id: int(places[player_id] or 0)))


class ExchangeForm(forms.Form):
    """One player of a heat for another."""

    out = forms.ChoiceField(label=_("Goes out"))
    into = forms.ChoiceField(label=_("Comes in"))
    here = forms.BooleanField(label=_("Whoever goes out is here and waits again"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(
        self,
        *args: Any,
        players: Sequence[tuple[str, str]],
        coming: Sequence[tuple[str, str]],
        waits: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("out", players), ("into", coming)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", "—"), *choices]
        if not waits:
            del self.fields["here"]
