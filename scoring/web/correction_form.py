"""The form for correcting a line of a sheet."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..enums import RowKind

KINDS = [
    (RowKind.AMEND.value, _("Something else happened: choose what")),
    (RowKind.INSERT.value, _("Something was forgotten just before it: choose what")),
    (RowKind.VOID.value, _("It did not happen: take it back")),
]


class CorrectionForm(forms.Form):
    """The correction of one line; only entries that are legal there can be chosen."""

    kind = forms.ChoiceField(label=_("What is wrong"), choices=KINDS, widget=forms.RadioSelect)
    entry = forms.CharField(required=False, max_length=400)
    version = forms.IntegerField(min_value=0, max_value=10**6, widget=forms.HiddenInput)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        legal: Mapping[str, Mapping[str, Any]],
        now: str = "",
        version: int = 0,
        **kwargs: Any,
    ) -> None:
        initial = {"version": version, "client_id": uuid.uuid4(), "kind": RowKind.AMEND.value}
        kwargs["initial"] = initial | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        self.legal = legal
        self.now = now

    def clean(self) -> dict[str, Any]:
        """Require a legal entry for kinds that need one, and set ``what`` to it."""
        data = super().clean() or {}
        data["what"] = None
        if data.get("kind") in {RowKind.AMEND, RowKind.INSERT}:
            self.choose(data)
        return data

    def choose(self, data: dict[str, Any]) -> None:
        """Set ``what`` to the chosen entry."""
        entry = data.get("entry", "")
        if not entry:
            self.add_error("entry", _("Choose what happened."))
        elif entry not in self.legal:
            self.add_error("entry", _("The rules do not allow this here. Choose again."))
        elif data["kind"] == RowKind.AMEND and entry == self.now:
            self.add_error("entry", _("The sheet says so already."))
        else:
            data["what"] = dict(self.legal[entry])
