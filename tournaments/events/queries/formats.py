"""Formats of events: ready-made ones, what a copy takes over, what can no longer change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.draws.draw import TABLE_SIZES
from engine.rules.variants import parse_rules

from ...models import Event
from ...models.ladder import sm_ladder


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
                "Heats of three games; the winner advances, and whoever lost may enter again. "
                "Then play-offs, two per table, until the final."
            ),
        ),
        Format(
            "sm",
            pgettext_lazy("format", "Swedish Championship"),
            _(
                "Game points 20, 12, 8 and 5. Everybody enters once; two per table advance to a "
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
            _("One table, one heat, no play-offs: its winner wins the evening."),
            {"advance_per_heat": 1, "reentry_limit": 1, "capacity": 4, "ends_with_heats": True},
        ),
    )
}

#: What a copy does not take over: people, days, and what belongs to one event only.
NOT_COPIED = frozenset(
    {
        "id",
        "organiser",
        "slug",
        "name",
        "starts_on",
        "ends_on",
        "status",
        "rules_digest",
        "staff_two_factor",
        "created_at",
        "sign_up_opens_at",
        "sign_up_closes_at",
        "mails_players",
        "mail_site",
    }
)


def fields_like(event: Event) -> dict[str, Any]:
    """Return the fields with which a copy of the event begins: format, room, prices, looks."""
    names = (field.name for field in Event._meta.concrete_fields)
    return {name: getattr(event, name) for name in names if name not in NOT_COPIED}


#: Fields on which sheets and results depend; fixed with the first heat.
FORMAT_FIELDS = frozenset(
    {
        "rules",
        "games_per_heat",
        "advance_per_heat",
        "game_points",
        "tie_chain",
        "out_points",
        "table_size",
    }
)

#: Fields on which the play-offs depend; fixed with their first round.
PLAYOFF_FIELDS = frozenset(
    {
        "ends_with_heats",
        "playoff_advance",
        "playoff_games",
        "final_games",
        "playoff_grouping",
        "no_show_rule",
    }
)

#: Fields that give meaning to amounts in the ledger; fixed with the first booking.
MONEY_FIELDS = frozenset({"currency", "buy_in", "fee"})


def rule_points(rules: str) -> dict[str, list[int]]:
    """Return the rule set's own game points for tables of three and four."""
    parsed = parse_rules(rules)
    return {
        str(seats): [int(points) for points in parsed.place_points(seats)] for seats in TABLE_SIZES
    }


def fixed_fields(event: Event) -> frozenset[str]:
    """Return the fields that can no longer change (three queries)."""
    fixed: frozenset[str] = frozenset()
    if event.heats.exists():
        fixed |= FORMAT_FIELDS
    if event.stages.playoffs().exists():
        fixed |= PLAYOFF_FIELDS
    if event.bookings.exists():
        fixed |= MONEY_FIELDS
    return fixed
