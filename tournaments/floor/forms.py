"""Forms for the floor: penalties, time, seats, missing players."""

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.messages import mixed_text, seat_name
from scoring.words import lang

from ..models.enums import Offence, PenaltyLevel
from ..models.fields import DENOMINATOR
from .commands.floor import MAX_MINUTES
from .commands.penalties import MAX_POINTS
from .queries.penalties import LAST_AT_ONCE

_POINTS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4}|( [0-9]{1,2})?/[0-9]{1,2})?", re.ASCII)

#: The level that follows the player's penalties so far.
NEXT = ""
Choices = Sequence[tuple[str, Any]]


def _choices(form: forms.Form, name: str, choices: Choices) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


class PointsField(forms.Field):
    """Exact points: whole, decimal, or a fraction such as 5/2 or 2 1/2."""

    widget = forms.TextInput(attrs={"maxlength": 12, "autocomplete": "off"})

    def to_python(self, value: Any) -> Fraction | None:
        """Return the points, or None if the field is empty."""
        text = str(value or "").strip().replace(",", ".")
        if not text:
            return None
        points = Fraction()
        if _POINTS.fullmatch(text):
            with suppress(ZeroDivisionError):
                points = sum(map(Fraction, text.split()), points)
        if not 0 < points <= MAX_POINTS or DENOMINATOR % points.denominator:
            raise forms.ValidationError(
                _("Enter at most 52 points, such as 5, 2.5 or 5/2; fractions in twelfths."),
                "bad_points",
            )
        return points


class OffenceSelect(forms.Select):
    """Marks the offences that are always the last step, for the style sheet."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return an option with its mark, if any."""
        option = super().create_option(*args, **kwargs)
        if option["value"] in LAST_AT_ONCE:
            option["attrs"]["data-last"] = True
        return option


class PenaltyForm(forms.Form):
    """A penalty: player, offence, and the level unless it is simply the next step.

    ``game`` is the running or next one that the director saw (0: none), ``version`` the running
    sheet's, ``last`` the event's last penalty then (0: none); ``client_id`` keeps a double tap from
    punishing twice. ``sure`` is asked only before a disqualification.
    """

    player = forms.ChoiceField(label=_("Player"), widget=forms.RadioSelect)
    offence = forms.ChoiceField(label=_("For what"), choices=Offence.choices, widget=OffenceSelect)
    level = forms.ChoiceField(
        label=_("Penalty"),
        required=False,
        choices=[(NEXT, _("The next step")), *PenaltyLevel.choices],
        help_text=_("Each further one is a step harder; cheating and collusion are the last."),
    )
    points = PointsField(
        label=PenaltyLevel.POINTS.label,
        required=False,
        initial=5,
        help_text=_(
            "Only if you choose the penalty yourself. Game points may be fractions, such as 5/2."
        ),
    )
    reason = forms.CharField(
        label=_("In your own words"),
        required=False,
        max_length=150,
        help_text=_("Everybody at the table can read them."),
    )
    sure = forms.BooleanField(
        label=_("Yes: out of the whole event, no refund"), required=False, widget=forms.HiddenInput
    )
    game = forms.IntegerField(min_value=0, max_value=100, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    last = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        players: Choices,
        last: int = 0,
        game: int = 0,
        version: int = 0,
        ask: bool = False,
        **kwargs: Any,
    ) -> None:
        initial = {"game": game, "version": version, "last": last, "client_id": uuid.uuid4()}
        kwargs.setdefault("initial", initial)
        kwargs.setdefault("prefix", "penalty")
        super().__init__(*args, **kwargs)
        _choices(self, "player", players)
        if ask:
            self.fields["sure"].widget = forms.CheckboxInput()


class DisqualifyForm(PenaltyForm):
    """Put a player who sits at no table out of the event."""

    player = forms.ChoiceField(label=_("Player"))
    reason = forms.CharField(label=_("In your own words"), required=False, max_length=150)
    sure = forms.BooleanField(label=_("Yes: out of the whole event, no refund"))

    def __init__(self, *args: Any, players: Choices, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "out")
        # Nobody is chosen at first.
        super().__init__(*args, players=[("", "–"), *players], **kwargs)
        for name in ("level", "points", "game", "version"):
            del self.fields[name]


class ClosedPenaltyForm(PenaltyForm):
    """Take or give back game points after a heat is closed; first asks about the consequences."""

    points = PointsField(
        label=PenaltyLevel.GAME_POINTS.label,
        required=False,
        initial=5,
        help_text=_("May be a fraction, such as 5/2."),
    )
    sure = forms.BooleanField(
        label=_("Yes, do this as well"), required=False, widget=forms.HiddenInput
    )
    seen = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)

    def __init__(self, *args: Any, given: Iterable[Any] = (), **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "closed")
        super().__init__(*args, **kwargs)
        del self.fields["level"], self.fields["game"], self.fields["version"]
        self.given = {f"back-{row.pk}": row for row in given}
        back = [
            (
                key,
                _("%(name)s: give the %(points)s game points back")
                % {"name": row.registration.person, "points": mixed_text(row.points)},
            )
            for key, row in self.given.items()
        ]
        _choices(self, "player", [*kwargs["players"], *back])

    def decide(self, questions: Mapping[str, forms.Field]) -> None:
        """Add the questions on who advances, above the final confirmation."""
        sure = self.fields.pop("sure")
        self.fields |= {**questions, "sure": sure}

    def confirm(self, seen: str, what: str) -> None:
        """Ask to confirm the consequences, again if they differ from what was confirmed."""
        typed = {key: value for key, value in self.data.items() if key != self.add_prefix("sure")}
        self.data = {**typed, self.add_prefix("seen"): seen}
        self.fields["sure"].widget = forms.CheckboxInput()
        self.add_error("sure", what)


class MinutesForm(forms.Form):
    """More minutes for a heat, or fewer; ``seen`` is how many extra ones the director saw."""

    minutes = forms.IntegerField(
        label=_("Minutes more"), min_value=-MAX_MINUTES, max_value=MAX_MINUTES
    )
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)
    seen = forms.IntegerField(min_value=0, max_value=MAX_MINUTES, widget=forms.HiddenInput)

    def __init__(self, *args: Any, seen: int = 0, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "time")
        kwargs.setdefault("initial", {"minutes": 5, "seen": seen})
        super().__init__(*args, **kwargs)


class AllMinutesForm(forms.Form):
    """The extra minutes of each open heat that the director saw, such as ``12:5 13:0``."""

    seen = forms.RegexField(re.compile(r"[0-9]{1,6}:[0-9]{1,3}( [0-9]{1,6}:[0-9]{1,3})*\Z"))

    def clean_seen(self) -> dict[int, int]:
        """Return the minutes by the heats' numbers."""
        pairs = (each.split(":") for each in self.cleaned_data["seen"].split())
        return {int(heat): int(minutes) for heat, minutes in pairs}


class MissingForm(forms.Form):
    """A player who is gone, or back."""

    player = forms.ChoiceField(label=_("Player"))
    what = forms.ChoiceField(
        label=_("What"),
        widget=forms.RadioSelect,
        choices=[
            ("away", _("is called away: keeps the points and folds each deal until back")),
            ("missing", _("is gone: sits out this game and all later ones")),
            ("back", _("is back: plays again")),
        ],
    )
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)

    def __init__(self, *args: Any, players: Choices, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "missing")
        super().__init__(*args, **kwargs)
        # Nobody is chosen until somebody is.
        _choices(self, "player", [("", "—"), *players])


class PlayersForm(forms.Form):
    """Who leaves a heat that has not begun, and who comes in from the queue."""

    out = forms.TypedChoiceField(label=_("Goes out"), coerce=int, empty_value=None, required=False)
    into = forms.TypedChoiceField(label=_("Comes in"), coerce=int, empty_value=None, required=False)
    here = forms.BooleanField(label=_("Whoever goes out is here and waits again"), required=False)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)

    def __init__(self, *args: Any, players: Choices, waiting: Choices, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "players")
        super().__init__(*args, **kwargs)
        _choices(self, "out", [("", _("nobody")), *players])
        _choices(self, "into", [("", _("nobody")), *waiting])


class SwapForm(forms.Form):
    """Two players who sat down at each other's tables."""

    player = forms.ChoiceField(label=_("Sits here"))
    other = forms.ChoiceField(label=_("Should sit here"))
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, players: Choices, others: Choices, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "swap")
        super().__init__(*args, **kwargs)
        _choices(self, "player", [("", "—"), *players])
        _choices(self, "other", [("", "—"), *others])

    def chosen(self) -> tuple[int, int, int]:
        """Return the player here, the other heat's number and the other player."""
        heat, _sep, player_id = self.cleaned_data["other"].partition(":")
        return int(self.cleaned_data["player"]), int(heat), int(player_id)


class SeatsForm(forms.Form):
    """Who really sits where in a game."""

    follow = forms.ChoiceField(
        label=_("What was written"),
        widget=forms.RadioSelect,
        initial="player",
        choices=[
            ("player", _("goes along with the players: they only sat elsewhere")),
            ("seat", _("stays with the seats: the Auditor took one for another")),
        ],
    )
    reason = forms.CharField(label=_("Reason"), max_length=200)
    game = forms.IntegerField(min_value=1, max_value=99, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        players: Choices,
        seats: Sequence[str],
        game: int = 1,
        version: int = 0,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("prefix", "seats")
        kwargs.setdefault("initial", {"game": game, "version": version, "client_id": uuid.uuid4()})
        super().__init__(*args, **kwargs)
        self.seats = list(seats)
        own = {
            f"seat_{index}": forms.ChoiceField(
                label=seat_name(index, lang()),
                choices=list(players),
                initial=player_id,
            )
            for index, player_id in enumerate(seats)
        }
        self.fields = {**own, **self.fields}

    def clean(self) -> dict[str, Any]:
        """Refuse a player on two seats, and unchanged seats."""
        data = super().clean() or {}
        chosen = [data.get(f"seat_{index}") for index in range(len(self.seats))]
        if all(chosen):
            if len(set(chosen)) != len(chosen):
                raise forms.ValidationError(_("Every player has one seat."), "seat_twice")
            if chosen == self.seats:
                raise forms.ValidationError(_("They already sit like that."), "same_seats")
        return data

    def order(self) -> list[str]:
        """Return the references by seat."""
        return [self.cleaned_data[f"seat_{index}"] for index in range(len(self.seats))]


class TakeBackForm(forms.Form):
    """The reason for taking a penalty back."""

    reason = forms.CharField(label=_("Reason"), max_length=200)
