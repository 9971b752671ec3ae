"""The bracket of the play-offs on one sheet of A4."""

from django.utils.translation import gettext_lazy

from ...models import Event
from ...playoffs.drawing.sheet import bracket_sheet
from ...playoffs.queries.bracket import bracket_of
from ._lists import DAY, Order

LABEL = gettext_lazy("Bracket")
WHEN = DAY
PLAY_OFFS = True


def can_print(event: Event) -> bool:
    """Return whether there are play-offs, or enough qualified players to plan them."""
    return bool(bracket_of(event, most=0).rounds)


def pdf(order: Order) -> bytes:
    """Return the bracket, in black if no colour is wanted."""
    return bracket_sheet(order.event, plain=order.plain)
