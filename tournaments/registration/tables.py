from collections.abc import Mapping
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy

from ..core.names import registration_name
from ..models import Registration
from ..results.queries.players import End, player_state_label


class RegistrationsTable(tables.Table):
    """All registrations with what the staff knows, for downloads.

    ``ends``: how the play-offs ended, by the player's reference.
    """

    def __init__(self, *args: Any, ends: Mapping[str, End], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ends = ends

    number = tables.Column(gettext_lazy("Player's number"))
    legal_name = tables.Column(gettext_lazy("Name"), accessor="person__legal_name")
    given_name = tables.Column(gettext_lazy("First name"), accessor="person__given_name")
    family_name = tables.Column(gettext_lazy("Last name"), accessor="person__family_name")
    display_name = tables.Column(gettext_lazy("Nickname"), accessor="person__display_name")
    shown = tables.Column(gettext_lazy("Others read"), empty_values=())
    club = tables.Column(gettext_lazy("Club"), accessor="person__club")
    email = tables.Column(gettext_lazy("E-mail"), accessor="email")
    phone = tables.Column(gettext_lazy("Telephone"), accessor="phone")
    status = tables.Column(gettext_lazy("Status"), accessor="get_status_display")
    now = tables.Column(gettext_lazy("Now"), empty_values=())
    entries = tables.Column(gettext_lazy("Entries"), accessor="entries_used")
    registered = tables.Column(gettext_lazy("Registered"), accessor="registered_at")

    def value_shown(self, record: Registration) -> str:
        """Return the name shown in public."""
        return registration_name(record)

    def value_now(self, record: Registration) -> str:
        """Return the player's state in words."""
        return player_state_label(record, self.ends.get(record.player_id))
