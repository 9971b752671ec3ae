"""Forms of the desk's screens."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from ..events.forms.event import PictureForm
from ..models import Event, Screen
from ..models.enums import ScreenPart, TakesOver
from ..models.screen import MAX_SECONDS
from ..models.validators import validate_visible
from .queries.screens import parts_for, programme_of

#: The longest programme; a shorter one leaves rows empty.
ROWS = 8
MIN_SECONDS = 5


class AdoptForm(forms.Form):
    """The letters on a screen, and what it is to be called, or which screen it replaces."""

    letters = forms.CharField(
        label=_("The six letters on the screen"),
        max_length=12,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=40,
        required=False,
        validators=[validate_visible],
        help_text=_("Where it stands: “Bar”, “Entrance”."),
    )
    instead = forms.ModelChoiceField(
        label=_("Instead of"),
        queryset=Screen.objects.none(),
        required=False,
        empty_label=_("no other: it is new"),
        help_text=_("A screen that has forgotten who it was gets its name and programme again."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["instead"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = event.screens.order_by("number")

    def clean(self) -> dict[str, Any]:
        """Ask for a name unless it replaces another screen."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not data.get("name") and not data.get("instead") and "name" not in self.errors:
            self.add_error("name", forms.ValidationError(_("Give it a name."), "required"))
        return data


class ScreenForm(forms.Form):
    """Name, language, ground, programme, and what may interrupt it."""

    name = forms.CharField(label=_("Name"), max_length=40, validators=[validate_visible])
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("all, in turns")), *settings.LANGUAGES],
        required=False,
    )
    dark = forms.BooleanField(label=_("Dark, for a dim hall"), required=False)
    takes_over = forms.MultipleChoiceField(
        label=_("May interrupt the programme"),
        choices=TakesOver.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, screen: Screen, **kwargs: Any) -> None:
        programme = programme_of(screen)
        shown: dict[str, Any] = {
            "name": screen.name,
            "language": screen.language,
            "dark": screen.dark,
            "takes_over": screen.takes_over,
        }
        for number, (part, seconds) in enumerate(programme, start=1):
            shown |= {f"part_{number}": part, f"seconds_{number}": seconds}
        super().__init__(*args, **kwargs | {"initial": shown})
        parts = [each for each in parts_for(screen.event) if each[0] != ScreenPart.BLACK]
        for number in range(1, ROWS + 1):
            self.fields[f"part_{number}"] = forms.ChoiceField(
                label=_("Part %(number)s") % {"number": number},
                choices=[("", "–"), *parts],
                required=False,
            )
            self.fields[f"seconds_{number}"] = forms.IntegerField(
                label=_("Seconds of part %(number)s") % {"number": number},
                min_value=MIN_SECONDS,
                max_value=MAX_SECONDS,
                required=False,
                initial=shown.get(f"seconds_{number}", 20),
            )

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The rows of the programme."""
        return [(self[f"part_{each}"], self[f"seconds_{each}"]) for each in range(1, ROWS + 1)]

    def clean(self) -> dict[str, Any]:
        """Put the programme together; it may not be empty."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        programme = []
        for number in range(1, ROWS + 1):
            if part := data.get(f"part_{number}"):
                seconds = data.get(f"seconds_{number}")
                if seconds is None and f"seconds_{number}" not in self.errors:
                    missing = forms.ValidationError(_("Say for how many seconds."), "required")
                    self.add_error(f"seconds_{number}", missing)
                programme.append((ScreenPart(part), seconds or 0))
        if not programme:
            raise forms.ValidationError(_("Choose at least one part."), "no_part")
        data["programme"] = programme
        return data


class SponsorForm(PictureForm):
    """A sponsor's picture and name."""

    name = forms.CharField(label=_("Name"), max_length=60, validators=[validate_visible])
    field_order = ["name", "picture"]


def wanted_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``set_up`` takes of a valid form."""
    return {each: data[each] for each in ("name", "language", "dark", "programme", "takes_over")}
