"""Ready-made formats for new events, and copying an earlier event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ...core.log import By
from ...models import Event
from ...models.enums import Role
from ...models.ladder import sm_ladder
from .events import change_event, create_event, set_role


@dataclass(frozen=True)
class Format:
    """A well-known format; fields it does not set are the festival's (rulebook §6)."""

    key: str
    name: Any
    text: Any
    fields: Mapping[str, Any] = field(default_factory=dict)


FORMATS: dict[str, Format] = {
    each.key: each
    for each in (
        Format(
            "festival",
            pgettext_lazy("format", "Festival"),
            _(
                "Heats of three games, the winner goes on; whoever lost may enter again. "
                "Then play-offs, two per table, until the final."
            ),
        ),
        Format(
            "sm",
            pgettext_lazy("format", "Swedish Championship"),
            _(
                "Game points 20, 12, 8 and 5. Everybody enters once; two per table go on to a "
                "new session, from then on one per table."
            ),
            {
                "rules": "sm",
                "advance_per_heat": 2,
                "playoff_advance": [2, 1],
                "reentry_limit": 1,
                "penalty_ladder": sm_ladder(),
            },
        ),
        Format(
            "club",
            pgettext_lazy("format", "Club evening"),
            _("One table, one heat, no play-offs: its winner is the evening's."),
            {"advance_per_heat": 1, "reentry_limit": 1, "capacity": 4, "ends_with_heats": True},
        ),
    )
}

#: What a copy takes over: format and room, never people, days or results.
COPIED = (
    "rules",
    "games_per_heat",
    "advance_per_heat",
    "game_points",
    "tie_chain",
    "out_points",
    "table_size",
    "ends_with_heats",
    "room_plan",
    "playoff_advance",
    "playoff_games",
    "final_games",
    "playoff_grouping",
    "no_show_rule",
    "penalty_ladder",
    "penalties_per_offence",
    "reentry_limit",
    "keep_place_minutes",
    "minutes_per_heat",
    "time_rule",
    "shot_clock_seconds",
    "acceptance",
    "results_need_director",
    "capacity",
    "currency",
    "buy_in",
    "fee",
    "swish_number",
    "prizes",
    "prize_added",
    "venue",
    "contact",
    "colour",
    "wifi_name",
    "wifi_password",
)


def fields_like(event: Event) -> dict[str, Any]:
    """Return the fields with which a copy of the event begins."""
    return {name: getattr(event, name) for name in COPIED}


@transaction.atomic
def create_with_staff_of(*, earlier: Event | None, by: By, **fields: Any) -> Event:
    """Create an event; with ``earlier``, its staff gets the same roles. ``by`` owns it."""
    event = create_event(by=by, **fields)
    if earlier is not None:
        if earlier.staff_second_step:
            event = change_event(event=event, by=by, staff_second_step=True)
        for role in earlier.roles.select_related("user").order_by("pk"):
            if role.user != by and role.user.is_active:
                set_role(event=event, user=role.user, role=Role(role.role), by=by)
    return event
