"""Forms for drafts of draws and for seating constraints."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Event
from ..models.validators import validate_room_plan, validate_visible
from .commands.seating_constraints import MAX_TABLE

SWAP = "swap"
OUT = "out"


class VersionForm(forms.Form):
    """The version of the draft that the user saw."""

    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class DraftChangeForm(VersionForm):
    """Two players to swap, or one to move.

    ``to`` is "swap", "out" (of the draft) or the table's index.
    """

    player = forms.MultipleChoiceField(required=False)
    to = forms.CharField(max_length=5)

    def __init__(self, *args: Any, player_ids: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(player_id, player_id) for player_id in player_ids]

    def clean(self) -> dict[str, Any]:
        """Check that the number of players fits the change."""
        data = super().clean() or {}
        to = data.get("to", "")
        chosen = data.get("player", [])
        if self.errors:
            raise forms.ValidationError(_("Choose players of this draft."), "not_in_draft")
        if to == SWAP:
            if len(chosen) != 2:
                raise forms.ValidationError(
                    _("Choose the two players who are to change places."), "not_two"
                )
        elif to != OUT and not (to.isascii() and to.isdigit()):
            raise forms.ValidationError(_("Choose a table of this draft."), "bad_table")
        elif len(chosen) != 1:
            raise forms.ValidationError(_("Choose one player."), "not_one")
        return data


class DrawForm(forms.Form):
    """How much of the queue to draw; by default everybody the room can seat."""

    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=999,
        required=False,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            _("Enter a number of tables, or leave the field empty."),
        ),
    )
    full = forms.BooleanField(label=_("Only full tables"), required=False)
    part = forms.IntegerField(required=False, min_value=1, max_value=2**31)
    seed = forms.CharField(required=False, empty_value=None)


class GroupApartForm(forms.Form):
    """Everybody of a last name or club, or of every club, to keep apart."""

    name = forms.CharField(
        label=_("Last name or club"), max_length=80, required=False, validators=[validate_visible]
    )
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        """Ask for a name unless all clubs are meant."""
        data = super().clean() or {}
        data["clubs"] = "clubs" in self.data
        if not data["clubs"] and not data.get("name") and "name" not in self.errors:
            self.add_error("name", _("Enter a last name or a club."))
        return data


class PlayerField(forms.TypedChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(coerce=int, empty_value=None, **kwargs)


class ApartForm(forms.Form):
    one = PlayerField(label=_("Player"))
    other = PlayerField(label=_("not at the same table as"))
    reason = forms.CharField(label=_("Reason, for the staff"), max_length=200, required=False)

    def __init__(self, *args: Any, players: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("one", "other"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = [("", "—"), *players]


class FixedTableForm(forms.Form):
    """A player's fixed table; empty removes it."""

    player = PlayerField(label=_("Player"))
    table = forms.IntegerField(
        label=_("always at table"), min_value=1, max_value=MAX_TABLE, required=False
    )

    def __init__(self, *args: Any, players: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", "—"), *players]


class RoomPlanForm(forms.ModelForm):
    """The tables of the room."""

    class Meta:
        model = Event
        fields = ["room_plan"]

    def clean_room_plan(self) -> str:
        """Return the plan, or refuse an invalid one."""
        plan = str(self.cleaned_data["room_plan"]).strip()
        validate_room_plan(plan)
        return plan
