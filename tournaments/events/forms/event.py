"""Forms for creating and changing events, and for their staff."""

import re
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.functional import lazy
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.draws.draw import TABLE_SIZES
from engine.messages import step_text
from engine.ranking.heat import FLIP_FLOP, STEPS
from scoring.words import lang

from ...core.forms import MomentField
from ...models import Event
from ...models.enums import PenaltyLevel, Role
from ...models.event import default_playoff_advance, default_tie_chain
from ...models.ladder import COUNTED, MAX_STEPS, festival_ladder, validate_ladder
from ...models.money import digits_of, parse_amount, show_amount
from ...models.search import plain
from ...models.validators import RulesValidator, validate_advance_plan
from ..queries.formats import rule_points
from .rules import RulesWidget


def _tie_steps() -> list[tuple[str, str]]:
    return [(step, step_text(step, lang())) for step in STEPS]


class PointsField(forms.CharField):
    """Game points by place, as people write them: "20 15 12 8"."""

    def __init__(self, *, seats: int, **kwargs: Any) -> None:
        self.seats = seats
        super().__init__(max_length=40, required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Show a list as numbers with spaces."""
        return " ".join(str(each) for each in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int] | None:
        """Return the numbers, or None if the field is empty."""
        text = str(super().clean(value)).replace(",", " ").replace("/", " ")
        if not text.strip():
            return None
        parts = text.split()
        if len(parts) != self.seats or not all(p.isdecimal() and len(p) < 5 for p in parts):
            raise forms.ValidationError(
                _("Enter %(seats)s whole numbers, such as %(example)s."),
                params={
                    "seats": self.seats,
                    "example": " ".join(["20", "15", "12", "8"][: self.seats]),
                },
            )
        return [int(part) for part in parts]


class PlanField(forms.CharField):
    """How many players go on in each round: "2" or "2 1"."""

    def prepare_value(self, value: Any) -> Any:
        """Show a list as numbers with spaces."""
        return " ".join(str(each) for each in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        """Return the numbers."""
        parts = str(super().clean(value)).replace(",", " ").split()
        plan = [int(part) if part.isdecimal() and len(part) < 3 else 0 for part in parts]
        validate_advance_plan(plan)
        return plan


# The widget is made once for readers of all languages.
_step_label = lazy(lambda number: gettext("Step %(number)s") % {"number": number}, str)
_points_label = lazy(lambda number: gettext("Points of step %(number)s") % {"number": number}, str)


class LadderWidget(forms.MultiWidget):
    """A choice of step with its points, as often as a ladder may have steps."""

    def __init__(self) -> None:
        levels = [("", "—"), *PenaltyLevel.choices]
        super().__init__(
            [
                part
                for number in range(1, MAX_STEPS + 1)
                for part in (
                    forms.Select({"aria-label": _step_label(number)}, levels),
                    forms.NumberInput({"aria-label": _points_label(number)}),
                )
            ]
        )

    def decompress(self, value: Any) -> list[Any]:
        """Return nothing, as the field provides the parts."""
        return []


class LadderField(forms.Field):
    """The penalty ladder; empty steps are skipped, and an empty ladder is the festival's."""

    widget = LadderWidget

    def prepare_value(self, value: Any) -> Any:
        """Return the parts of all steps in one list."""
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            return value
        return [part for each in value for part in (each["level"], each.get("points"))]

    def clean(self, value: Any) -> list[dict[str, Any]]:
        """Return the ladder as stored."""
        parts = [str(part or "").strip() for part in value or ()]
        steps: list[dict[str, Any]] = []
        for level, points in zip(parts[::2], parts[1::2], strict=True):
            if level:
                counted = level in COUNTED
                if counted and not (points.isdecimal() and len(points) < 3):
                    text = _("Enter how many points this step takes off.")
                    raise forms.ValidationError(text, "bad_points")
                steps.append({"level": level, **({"points": int(points)} if counted else {})})
        ladder = steps or festival_ladder()
        validate_ladder(ladder)
        return ladder


class AmountField(forms.CharField):
    """An amount as people write it, stored in the smallest unit."""

    def __init__(self, **kwargs: Any) -> None:
        self.currency = "SEK"
        super().__init__(max_length=30, **kwargs)
        self.widget.attrs.setdefault("inputmode", "decimal")

    def prepare_value(self, value: Any) -> Any:
        """Show a stored amount without its currency."""
        return show_amount(value, "") if type(value) is int else value

    def clean(self, value: Any) -> Any:
        """Return the text; its value depends on the currency in another field."""
        return super().clean(value) or "0"


class PrizesField(forms.CharField):
    """Prizes as people write them.

    Shares of the pool, "50 % 30 % 20 %", or amounts, "5000 3000 2000".
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=500, required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Show stored prizes as they would be typed."""
        if not isinstance(value, dict):
            return value
        if "shares" in value:
            return " ".join(f"{show_amount(each)} %" for each in value["shares"])
        return " ".join(show_amount(each).replace("\xa0", "") for each in value.get("amounts", ()))

    def clean(self, value: Any) -> Any:
        """Return prizes as stored; amounts have two decimals, whatever the currency."""
        text = str(super().clean(value))
        parts = re.split(r"[\s;/]+", re.sub(r"\s*%", "% ", text).strip())
        if parts == [""]:
            return {}
        kind = "shares" if parts[0].endswith("%") else "amounts"
        numbers = [parse_amount(part.removesuffix("%"), "SEK") for part in parts]
        if not all(numbers) or any(part.endswith("%") != (kind == "shares") for part in parts):
            raise forms.ValidationError(
                _("Enter shares such as “50 % 30 % 20 %” or amounts such as “5000 3000 2000”."),
                "bad_prizes",
            )
        return {kind: numbers}


#: The form's sections, in order.
PARTS: list[tuple[Any, list[str]]] = [
    (
        _("The event"),
        [
            "name",
            "slug",
            "venue",
            "starts_on",
            "ends_on",
            "contact",
            "colour",
            "paper_size",
            "wifi_name",
            "wifi_password",
        ],
    ),
    (_("Rules"), ["rules", "points_4", "points_3", "out_points", "tie_chain"]),
    (
        _("Heats"),
        [
            "games_per_heat",
            "advance_per_heat",
            "reentry_limit",
            "table_size",
            "room_plan",
            "keep_turn_minutes",
            "minutes_per_heat",
            "time_rule",
            "shot_clock_seconds",
            "acceptance",
            "results_need_director",
        ],
    ),
    (
        _("Play-offs"),
        [
            "ends_with_heats",
            "playoff_games",
            "final_games",
            "playoff_advance",
            "playoff_grouping",
            "no_show_rule",
        ],
    ),
    (_("Penalties"), ["penalty_ladder", "penalties_per_offence"]),
    (
        _("Sign-up and money"),
        [
            "sign_up_opens_at",
            "sign_up_closes_at",
            "capacity",
            "currency",
            "buy_in",
            "fee",
            "prizes",
            "prize_added",
            "swish_number",
        ],
    ),
]
#: A page that sends this field sends all fields; others may send only the first few.
WHOLE = "whole"
_FIRST = frozenset(
    {
        "name",
        "slug",
        "venue",
        "starts_on",
        "ends_on",
        "rules",
        "games_per_heat",
        "advance_per_heat",
        "out_points",
        "tie_chain",
        "reentry_limit",
        "points_3",
        "points_4",
    }
)


class EventForm(forms.ModelForm):
    """An event with all settings of its format; empty points are the rule set's own.

    ``fixed``: fields that can no longer change; they are shown but not accepted.
    """

    points_4 = PointsField(seats=4, label=_("Game points, tables of four"))
    points_3 = PointsField(seats=3, label=_("Game points, tables of three"))
    tie_chain = forms.MultipleChoiceField(
        label=_("What decides a tie, in this order"),
        choices=_tie_steps,
        widget=forms.CheckboxSelectMultiple,
        initial=default_tie_chain,
    )
    playoff_advance = PlanField(
        label=_("Players who advance per play-off table"),
        max_length=40,
        initial=default_playoff_advance,
        help_text=_(
            "One number per round, such as “2 1”; the last one holds for all later rounds."
        ),
    )
    penalty_ladder = LadderField(label=_("Steps"), required=False, initial=festival_ladder)
    buy_in = AmountField(
        label=_("Buy-in per entry"), required=False, help_text=_("Leave empty for no buy-in.")
    )
    fee = AmountField(
        label=_("Fee per entry"),
        required=False,
        help_text=_("On top of the buy-in; it is not part of the prizes."),
    )
    prizes = PrizesField(
        label=_("Prizes, first place first"),
        help_text=_(
            "Shares of the pool such as “50 % 30 % 20 %”, or amounts. Leave empty for no prizes."
        ),
    )
    prize_added = AmountField(
        label=_("Added to the prizes"),
        required=False,
        help_text=_("The pool is all buy-ins plus this."),
    )

    class Meta:
        model = Event
        fields = [
            name for _head, names in PARTS for name in names if name not in {"points_3", "points_4"}
        ]
        labels = {"venue": _("Venue"), "slug": _("Web address")}
        error_messages = {
            "slug": {
                "invalid": _("Only the letters a to z, digits and hyphens, such as “sm-2026”.")
            }
        }
        widgets = {
            "starts_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "ends_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "colour": forms.TextInput(attrs={"type": "color"}),
            "rules": RulesWidget,
        }
        field_classes = {"sign_up_opens_at": MomentField, "sign_up_closes_at": MomentField}
        help_texts = {"rules": ""}

    def __init__(self, *args: Any, fixed: frozenset[str] = frozenset(), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fixed = fixed
        if "colour" in self.fields:
            self.fields["colour"].required = False
        if not self.instance.pk:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _(
                "The part of the web address that names the event, such as “sm-2026”. "
                "Leave empty to make it from the name."
            )
        # The model's check runs after clean(), which already needs a valid rule set.
        self.fields["rules"].validators.append(RulesValidator())
        for seats in TABLE_SIZES:
            field = self.fields[f"points_{seats}"]
            field.help_text = _("Leave empty to follow the rule set.")
            if self.instance.pk:
                field.initial = self.instance.points_for(seats)
            elif "game_points" in (self.initial or {}):
                field.initial = self.initial["game_points"][str(seats)]
        if self.is_bound and WHOLE not in self.data:
            for name in set(self.fields) - _FIRST:
                del self.fields[name]
        if self.is_bound:
            # The page does not send locked fields; if they are sent anyway, the command refuses
            # them.
            for name in [each for each in self.fields if self._is_fixed(each)]:
                if name not in self.data:
                    del self.fields[name]

    def locked(self) -> set[str]:
        """Return the names of the fields that are shown but not accepted."""
        return {name for name in self.fields if self._is_fixed(name)}

    def _is_fixed(self, name: str) -> bool:
        return ("game_points" if name.startswith("points_") else name) in self.fixed

    def parts(self) -> list[tuple[Any, list[Any], bool, bool]]:
        """Return the sections: their fields, whether one is fixed, and whether to unfold them."""
        found: list[tuple[Any, list[Any], bool, bool]] = []
        for head, names in PARTS:
            fields = [self[name] for name in names if name in self.fields]
            fixed = any(self._is_fixed(name) for name in names)
            unfolded = not found or any(field.errors for field in fields)
            found.append((head, fields, fixed, unfolded))
        return found

    def clean_slug(self) -> str:
        """Return the address; a new event's is made from its name if none was typed."""
        slug = str(self.cleaned_data["slug"] or "")
        if slug or self.instance.pk:
            return slug
        if "name" not in self.cleaned_data:
            return ""  # the name's own error is enough
        base = slugify(plain(str(self.cleaned_data["name"])))[:50].strip("-")
        if not base:
            raise forms.ValidationError(_("Enter the address."), "no_address")
        taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
        tries = (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3)))
        return next(each for each in tries if each not in taken)

    def clean_tie_chain(self) -> list[str]:
        """Return the chosen steps in the order given, else in the rulebook's.

        ``tie_order`` numbers the steps ("2,1,3,4" in the order of the boxes), as boxes alone have
        no order.
        """
        chosen = self.cleaned_data["tie_chain"]
        steps = list(STEPS)

        def rank(step: str) -> tuple[int, int]:
            typed = str(self.data.get(f"tie_order_{step}", ""))
            number = int(typed) if typed.isdecimal() and len(typed) < 3 else steps.index(step) + 1
            return number, steps.index(step)

        return sorted((step for step in steps if step in chosen), key=rank)

    def tie_rows(self) -> list[tuple[str, str, bool, int]]:
        """Return the steps as shown: key, name, whether chosen, and number.

        A Flip Flop comes last, even after steps that are not chosen.
        """
        if self.is_bound:
            chosen = [str(each) for each in self["tie_chain"].value() or []]
            order = sorted(
                (step for step in STEPS if step in chosen),
                key=lambda step: str(self.data.get(f"tie_order_{step}", "")).zfill(3)[:3],
            )
        else:
            order = list(self.get_initial_for_field(self.fields["tie_chain"], "tie_chain"))
        rest = [step for step in STEPS if step not in order]
        shown = sorted([*order, *rest], key=lambda step: step == FLIP_FLOP)
        names = dict(_tie_steps())
        return [
            (step, names[step], step in order, number) for number, step in enumerate(shown, start=1)
        ]

    def clean(self) -> dict[str, Any]:
        """Collect the points, and read the amounts in their currency."""
        data = super().clean() or {}
        if "rules" in data and {"points_3", "points_4"} <= set(data):
            own = rule_points(data["rules"])
            data["game_points"] = {
                str(seats): data[f"points_{seats}"] or own[str(seats)] for seats in TABLE_SIZES
            }
        currency = data.get("currency") or self.instance.currency
        for name in {"buy_in", "fee", "prize_added"} & set(data):
            amount = parse_amount(data[name], currency)
            if amount is None or amount > 2_000_000_000:
                example = "250" if not digits_of(currency) else show_amount(25050)
                self.add_error(name, _("Enter an amount such as %s.") % example)
            else:
                data[name] = amount
        opens, closes = data.get("sign_up_opens_at"), data.get("sign_up_closes_at")
        if opens and closes and closes <= opens:
            self.add_error("sign_up_closes_at", _("Sign-up closes before it opens."))
        return data

    def clean_colour(self) -> str:
        """Return the colour in lower case; the current one if none was sent."""
        return str(self.cleaned_data["colour"] or self.instance.colour).lower()

    def clean_swish_number(self) -> str:
        """Return the ten digits of a number as people write it."""
        digits = re.sub(r"[^0-9+]", "", str(self.cleaned_data["swish_number"] or ""))
        return re.sub(r"^(\+46|0046)", "0", digits)

    def clean_currency(self) -> str:
        """Return three capital letters."""
        text = str(self.cleaned_data["currency"]).strip().upper()
        if not (len(text) == 3 and text.isascii() and text.isalpha()):
            raise forms.ValidationError(
                _("Enter the three letters of a currency, such as SEK."), "bad_currency"
            )
        return text

    def values(self) -> dict[str, Any]:
        """Return the arguments for the command."""
        names = [*(name for name in self.Meta.fields if name in self.fields), "game_points"]
        return {name: self.cleaned_data[name] for name in names if name in self.cleaned_data}


class AccountForm(forms.Form):
    """An existing account, by its name."""

    username = forms.CharField(
        label=_("Account"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def clean_username(self) -> str:
        """Return the account's name, or refuse an unknown one."""
        name = str(self.cleaned_data["username"])
        self.user = User.objects.filter(username=name, is_active=True).first()
        if self.user is None:
            raise forms.ValidationError(_("There is no account with this name."), "no_account")
        return name


def _roles() -> str:
    rows = ((role.label, role.may) for role in Role)
    return format_html_join(mark_safe("<br>"), "<strong>{}</strong>: {}", rows)


class RoleField(forms.ChoiceField):
    """A role, with what each may do."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Role"),
            choices=Role.choices,
            initial=Role.FLOOR,
            help_text=lazy(_roles, str)(),
        )


class RoleForm(AccountForm):
    """An account's role at the event."""

    role = RoleField()


class TwoFactorForm(forms.ModelForm):
    """Whether the event's staff needs two-factor authentication."""

    class Meta:
        model = Event
        fields = ["staff_two_factor"]


class PictureForm(forms.Form):
    """An uploaded picture; its type is checked when it is re-encoded."""

    picture = forms.FileField(
        label=_("Choose a picture"),
        help_text=_("JPEG, PNG or WebP, at most 8 MB. It is scaled down automatically."),
        widget=forms.ClearableFileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
