"""Exchanging one player of a heat, previewed like a correction."""

from dataclasses import dataclass

from django.db import transaction

from ...core.locks import lock_event
from ...core.log import By
from ...floor.commands.exchange import Exchange, exchange_player
from ...models import Heat
from ..queries.effects import Effects, effects_of
from ..queries.picture import Picture, difference, picture_of


@dataclass(frozen=True)
class Exchanged:
    """Where the new player sits, and what the exchange changes."""

    heat: Heat
    changed: Picture
    effects: Effects


@transaction.atomic
def exchange(*, wanted: Exchange, by: By) -> Exchanged:
    """Exchange a player; return what it changed. Raises what :func:`exchange_player` raises."""
    event = lock_event(wanted.heat.event, for_play=True)
    before = picture_of(event)
    heat = exchange_player(wanted=wanted, by=by)
    changed = difference(before, picture_of(event))
    return Exchanged(heat, changed, effects_of(event, changed))


def preview_exchange(*, wanted: Exchange, by: By) -> Exchanged:
    """Return what an exchange would change, without changing anything."""
    with transaction.atomic():
        found = exchange(wanted=wanted, by=by)
        transaction.set_rollback(True)
    return found
