"""What a decision changes: it is made, compared, and taken back where it is only looked at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from ...core.locks import lock_event
from ...models import Event
from ..queries.effects import Effects, all_effects
from ..queries.picture import Picture, difference, picture_of


@dataclass(frozen=True)
class Followed:
    """What a decision changes, and the same in words."""

    changed: Picture
    effects: Effects


@transaction.atomic
def make_decision(*, event: Event, change: Callable[[], Any]) -> Followed:
    """Make a decision by calling ``change``, a command; return what it changed.

    Raises what the command raises.
    """
    event = lock_event(event)
    before = picture_of(event)
    change()
    changed = difference(before, picture_of(event))
    return Followed(changed, all_effects(event, changed))


def preview_decision(*, event: Event, change: Callable[[], Any]) -> Followed:
    """Return what a decision would change, without changing anything."""
    with transaction.atomic():
        found = make_decision(event=event, change=change)
        transaction.set_rollback(True)
    return found
