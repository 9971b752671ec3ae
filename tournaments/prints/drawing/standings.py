"""Standings by player, for the wall: who has qualified, who plays, who could enter again."""

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.messages import points_text, step_text
from scoring.words import lang

from ...models import Event
from ...models.titles import heat_title
from ...results.queries.player_standings import STATES, player_standings_of, standings_title
from ._lists import DAY, Column, Order, wall_list

LABEL = gettext_lazy("Standings")
WHEN = DAY


def can_print(event: Event) -> bool:
    """Return whether anybody has played."""
    return event.heats.exists()


def pdf(order: Order) -> bytes:
    """Return the list in the order of the page."""
    rows = player_standings_of(order.event)
    groups = [
        [
            (
                row.name,
                str(STATES[row.state]),
                points_text(row.result.game_points, lang()) if row.result else "",
                heat_title("", row.best_heat) if row.best_heat else "",
            )
        ]
        for row in rows
    ]
    count = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    columns = [
        Column(_("Player"), 7, bold=True),
        Column(_("Standing"), 3.4),
        Column(capfirst(step_text("game_points", lang())), 1.8, right=True),
        Column(_("Best heat"), 1.8, right=True),
    ]
    title = standings_title(has_rounds=order.event.stages.playoffs().exists())
    return wall_list(order, title, columns, groups, note=count)
