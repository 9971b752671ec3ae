"""Exchanging one player of a heat, previewed like a correction."""

from dataclasses import dataclass

from django.db import transaction

from ...core.locks import lock_event
from ...core.log import By
from ...core.permissions import DIRECT, needs
from ...floor.commands.exchange import Exchange, exchange_player
from ...models import Heat
from .follows import Followed, make_decision


@dataclass(frozen=True)
class Exchanged(Followed):
    """What the exchange changes, and where the new player sits."""

    heat: Heat


@transaction.atomic
@needs(DIRECT)
def exchange(*, wanted: Exchange, by: By) -> Exchanged:
    """Exchange a player; return what it changed. Raises what :func:`exchange_player` raises."""
    event = lock_event(wanted.heat.event, for_play=True)
    heats: list[Heat] = []
    found = make_decision(
        event=event, change=lambda: heats.append(exchange_player(wanted=wanted, by=by))
    )
    return Exchanged(found.changed, found.effects, heats[0])


def preview_exchange(*, wanted: Exchange, by: By) -> Exchanged:
    """Return what an exchange would change, without changing anything."""
    with transaction.atomic():
        found = exchange(wanted=wanted, by=by)
        transaction.set_rollback(True)
    return found
