"""Blank protocols before any draw: one for four players and one for three, for copying."""

from django.utils.translation import gettext_lazy as _

from engine.rules.variants import parse_rules
from scoring import paper

from ...core.days import days_of
from ...models import Event
from ._lists import BEFORE, Order

LABEL = _("Blank protocols for four and for three")
WHEN = BEFORE


def can_print(event: Event) -> bool:
    """Return True: they are needed before anybody has come."""
    return True


def blank_labels(event: Event) -> paper.Labels:
    """Return the event's name and day, or a line for the day if there are several."""
    days, sheet = days_of(event), event.paper_size
    if event.starts_on == event.ends_on:
        return paper.Labels(event_name=event.name, day=days, sheet=sheet)
    return paper.Labels(event_name=event.name, days=days, sheet=sheet)


def pdf(order: Order) -> bytes:
    """Return both, with the event's own rule set and number of games."""
    event = order.event
    heats = [
        paper.PaperHeat(
            labels=blank_labels(event),
            names=("",) * seats,
            rules=parse_rules(event.rules),
            games=event.games_per_heat,
        )
        for seats in (4, 3)
    ]
    return paper.empty_protocols_pdf(heats, language=order.language)
