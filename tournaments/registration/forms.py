"""Forms for registering and changing players."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ..core.days import start_of
from ..core.errors import Refused
from ..core.forms import NAME_INPUT
from ..models import Day, Event, Person, Registration
from ..models.enums import Visibility
from ..models.validators import validate_visible
from ..results.queries.players import state_labels
from .queries.player_list import Note, list_of, mail_or_note
from .queries.sheets.book import MAX_BYTES, too_much
from .queries.sheets.text import read_text
from .queries.similar_names import known_persons
from .queries.waiting_list import Room, parts_of, room_of

_SILENT = {"autocomplete": "off"}


class PartField(forms.ModelChoiceField):
    """A part of a day, or any; ``room`` says how many places are free."""

    room: Room

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            Day.objects.none(), label=_("Part"), required=False, empty_label=_("Any"), **kwargs
        )

    def of(self, event: Event) -> None:
        """Offer the event's parts with places."""
        self.queryset = event.timetable.filter(places__isnull=False)
        self.room = room_of(event)

    def label_from_instance(self, obj: Any) -> str:
        """Return name, start and free places."""
        left = self.room.parts.get(obj.pk, 0) if self.room.left else 0
        free = (
            ngettext("%(count)s place free", "%(count)s places free", left) % {"count": left}
            if left
            else _("full: waiting list")
        )
        return f"{start_of(obj)} · {free}"


def with_part(
    form: forms.Form | forms.ModelForm, event: Event, parts: Sequence[Day] | None = None
) -> None:
    """Offer the event's parts in the form's field ``part``, or remove it where there are none."""
    if parts_of(event) if parts is None else parts:
        field = form.fields["part"]
        assert isinstance(field, PartField)
        field.of(event)
    else:
        del form.fields["part"]


class PlayerForm(forms.ModelForm):
    """Everything the staff keeps of a player: the person's data, and those of this event only."""

    here = forms.ChoiceField(
        label=_("Visible at this event"),
        # A field with choices; the stubs say any field.
        choices=Registration._meta.get_field("visibility").choices,  # type: ignore[arg-type]
        required=False,
        help_text=_("Stricter than elsewhere, if this event wants it."),
    )
    email = forms.CharField(
        label=_("E-mail"),
        max_length=254,
        required=False,
        widget=forms.EmailInput(attrs=_SILENT),
    )
    phone = forms.CharField(
        label=_("Telephone"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={**_SILENT, "inputmode": "tel"}),
    )
    part = PartField()
    pictures = forms.NullBooleanField(label=_("Pictures may be published"), required=False)
    note = forms.CharField(
        label=_("Note for the staff"),
        required=False,
        help_text=_("Contacts and note are kept with this event only."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    field_order = ["given_name", "family_name", "display_name", "visibility", "here"]
    #: What was done with an e-mail address that cannot be used.
    no_mail: Note | None = None

    class Meta:
        model = Person
        fields = ["given_name", "family_name", "display_name", "visibility", "club"]
        widgets = {
            "given_name": forms.TextInput(attrs=_SILENT),
            "family_name": forms.TextInput(attrs=_SILENT),
            "display_name": forms.TextInput(attrs=_SILENT),
        }
        help_texts = {
            "family_name": _("Lists are in the order of the last name."),
            "visibility": _(
                "At all events. Staff may hide more of a name; only the player, by their own "
                "link, and the organiser's owner may show more."
            ),
        }

    def __init__(self, data: Any = None, *, player: Registration) -> None:
        own = ("email", "phone", "note", "pictures")
        kept = {name: getattr(player, name) for name in own}
        initial = {**kept, "here": player.visibility, "part": player.part_id}
        super().__init__(data, instance=player.person, initial=initial)
        with_part(self, player.event)

    def clean(self) -> dict[str, Any]:
        """Require first or last name; keep an unusable e-mail address as a note."""
        data = super().clean() or {}
        if "email" in data:
            data["email"], data["note"], self.no_mail = mail_or_note(data["email"], data["note"])
        if not self.errors and not (data["given_name"] or data["family_name"]):
            self.add_error("given_name", forms.ValidationError(_("Enter the name."), "blank"))
        return data


class RegisterForm(forms.Form):
    """Quick registration at the desk: name, club, and whether to check in at once."""

    legal_name = forms.CharField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs=NAME_INPUT | {"autocomplete": "off"}),
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    part = PartField()
    here = forms.BooleanField(label=_("Is here now: check in"), required=False, initial=True)
    beyond = forms.BooleanField(label=_("Even if the event is full"), required=False)
    somebody_else = forms.BooleanField(label=_("Somebody else with the same name"), required=False)

    def __init__(
        self, *args: Any, event: Event, parts: Sequence[Day] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        with_part(self, event, parts)

    def clean_legal_name(self) -> str:
        """Return the name on one line."""
        return " ".join(str(self.cleaned_data["legal_name"]).split())


class PlayerSearchForm(forms.Form):
    """The desk's search for players; without play-offs nobody qualifies."""

    q = forms.CharField(label=_("Find a player"), required=False, max_length=100)
    state = forms.ChoiceField(label=_("Show"), required=False)

    def __init__(self, *args: Any, event: Event, in_playoffs: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["state"]
        assert isinstance(field, forms.ChoiceField)
        never = "qualified" if event.ends_with_heats else ""
        labels = state_labels(event, in_playoffs=in_playoffs)
        shown = [(key, label) for key, label in labels.items() if key != never]
        field.choices = [("", _("Everybody")), *shown]

    def values(self) -> tuple[str, str]:
        """Return search text and state; invalid input counts as empty."""
        self.is_valid()
        return self.cleaned_data.get("q", ""), self.cleaned_data.get("state", "")


#: Visibility as players are asked; staff sees other words.
CONSENT = [
    (Visibility.PUBLIC.value, _("Show my name")),
    (Visibility.NICKNAME.value, _("Show only my nickname")),
    (Visibility.HIDDEN.value, _("Show no name, only my player number")),
]


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())


class NicknameMixin(forms.Form):
    """A choice of visibility, with the nickname that one of the choices needs."""

    def clean_display_name(self) -> str:
        """Return the nickname on one line."""
        return _one_line(self.cleaned_data["display_name"])

    def clean(self) -> dict[str, Any]:
        """Require the nickname if only that is to be shown."""
        data = super().clean() or {}
        if data.get("visibility") == Visibility.NICKNAME and not data.get("display_name"):
            text = _("Give the nickname that is to be shown.")
            self.add_error("display_name", forms.ValidationError(text, "no_nickname"))
        return data


class SignUpForm(NicknameMixin):
    """The public sign-up form."""

    legal_name = forms.CharField(
        label=_("First and last name"),
        max_length=120,
        validators=[validate_visible],
        widget=forms.TextInput(attrs=NAME_INPUT | {"autocomplete": "name"}),
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        validators=[validate_visible],
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("Only the organisers see it."),
        error_messages={
            "invalid": _(
                "No mail can be sent to this address. Enter another, or leave the field empty."
            )
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    phone = forms.CharField(
        label=_("Telephone"),
        max_length=40,
        required=False,
        help_text=_("Only the organisers see it."),
        widget=forms.TextInput(attrs={"autocomplete": "tel", "inputmode": "tel"}),
    )
    part = PartField(
        help_text=_("When you want to play. With “Any” you get the first place that is free.")
    )
    visibility = forms.ChoiceField(
        label=_("On the public pages"),
        choices=CONSENT,
        initial=Visibility.PUBLIC.value,
        widget=forms.RadioSelect,
        help_text=_("Standings and protocols are public. You can change this later."),
    )
    display_name = forms.CharField(
        label=_("Nickname"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    pictures = forms.BooleanField(
        label=_("Pictures of me from the event may be published"),
        required=False,
        help_text=_("You can change this later, too."),
    )
    somebody_else = forms.BooleanField(
        label=_("I am somebody else with the same name"), required=False
    )
    #: Invisible to people; only bots fill it in.
    website = forms.CharField(required=False, max_length=200)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with_part(self, event)

    @property
    def is_trap(self) -> bool:
        """Whether the invisible field was filled in."""
        return bool(self.data.get("website"))

    @property
    def asks_who(self) -> bool:
        """Whether to ask if this is another person of the same name."""
        codes = {error.code for error in self.non_field_errors().as_data()}
        return "same_name" in codes or bool(self.data.get("somebody_else"))

    def clean_legal_name(self) -> str:
        """Return the name on one line; it must contain a letter."""
        name = _one_line(self.cleaned_data["legal_name"])
        if not any(sign.isalpha() for sign in name):
            raise forms.ValidationError(_("Enter your name."), "no_name")
        return name

    def values(self) -> dict[str, Any]:
        """Return the arguments for the command."""
        return {key: value for key, value in self.cleaned_data.items() if key != "website"}


class OwnNameForm(NicknameMixin):
    """How the player's own name is shown."""

    visibility = forms.ChoiceField(
        label=_("On the public pages"), choices=CONSENT, widget=forms.RadioSelect
    )
    display_name = forms.CharField(label=_("Nickname"), max_length=60, required=False)


class PartForm(forms.Form):
    """The part in which a player wants to play."""

    part = PartField()

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with_part(self, event)


class LostLinkForm(forms.Form):
    """The address to which a player's link is sent again."""

    email = forms.EmailField(label=_("The e-mail address you signed up with"), max_length=254)


class WhereForm(forms.Form):
    """Where in a list the players stand, if the program had guessed otherwise.

    The sheet from 0, and the row of headings (0: none).
    """

    sheet = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    header = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    @classmethod
    def chosen(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return what an address says, None for each that is not given or no number."""
        form = cls(data)
        form.is_valid()
        return {name: form.cleaned_data.get(name) for name in form.fields}


class ImportForm(WhereForm):
    """A list of players: pasted, or as a file."""

    text = forms.CharField(
        label=_("Paste a list"),
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "One player per line, or columns copied from a spreadsheet. Headings such as "
            "“first name”, “last name”, “club”, “e-mail” are understood, in Swedish too."
        ),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        required=False,
        allow_empty_file=True,
        max_length=300,
        help_text=_("CSV, XLSX or ODS, at most 1 MB."),
    )

    def clean(self) -> dict[str, Any]:
        """Read a text; leave a file to the worker."""
        data = super().clean() or {}
        if self.errors:
            return data
        text, file = str(data["text"]), data["file"]
        if file and not file.size:
            file = data["file"] = None
        if not file and not text.strip():
            raise forms.ValidationError(_("Paste a list or choose a file."), "nothing_there")
        try:
            if not file:
                data["book"] = read_text(text)
                list_of(data["book"], sheet=data["sheet"], header=data["header"])
            elif file.size > MAX_BYTES:
                raise too_much()
        except Refused as error:
            raise forms.ValidationError(str(error), error.code) from error
        return data


class MergeForm(forms.Form):
    """The other person, and the reason for merging."""

    person = forms.ModelChoiceField(
        Person.objects.none(), to_field_name="public_id", widget=forms.HiddenInput
    )
    reason = forms.CharField(label=_("Why"), max_length=200, required=False)

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data)
        field = self.fields["person"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = known_persons(event)
