"""One festival from a seed: everybody's steps in random order."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.test import Client

from tests.simulation import invariants
from tests.simulation.people import Desk, Hall
from tests.simulation.world import Broken, World
from tournaments.core.organisers import the_organiser
from tournaments.events.commands.events import create_event, set_event_status, set_role
from tournaments.events.commands.organisers import set_member
from tournaments.models.enums import EventStatus, Role

#: Steps until nothing goes wrong any more, and until the festival must have ended.
STORMY, MAX_STEPS = 900, 4000
#: Cached pages and whole sheets are checked every this many steps.
SELDOM = 60


def play(seed: str, tell: Callable[[str], None] = lambda _text: None) -> World:
    """Play a festival; raise :class:`Broken` if an invariant fails."""
    world = World(seed, tell)
    with world.running():
        _play(world)
    return world


def _play(world: World) -> None:
    chance = world.chance
    owner = User.objects.create_user("owner")
    set_member(organiser=the_organiser(), user=owner, is_owner=True, by=None)
    rules, advance = chance.choice([("festival", 1), ("festival", 1), ("sm", 1)])
    event = create_event(
        name="Simulation",
        slug="simulation",
        by=owner,
        rules=rules,
        advance_per_heat=advance,
        games_per_heat=chance.choice([1, 1, 1, 2]),
    )
    set_event_status(event=event, to=EventStatus.OPEN, by=owner)
    hall = Hall(world, chance.randrange(6, 11))
    for name in ("tove", "arne")[: chance.choice([1, 1, 2])]:
        director = User.objects.create_user(name)
        set_role(event=event, user=director, role=Role.DIRECTOR, by=owner)
        client = Client()
        client.force_login(director)
        hall.begins(Desk(world, event, client, hall).runs(), name)
    for number in range(MAX_STEPS):
        if not hall.going_on:
            break
        world.calm = number >= STORMY
        world.let_time_pass()
        if world.floating and chance.random() < 0.2:
            world.deliver_late()
        name, process = chance.choice(hall.going_on)
        world.tell(f"{number} {world.clock.now:%H:%M:%S} {name}")
        try:
            next(process)
        except StopIteration:
            hall.going_on.remove((name, process))
        invariants.after_every_step(event, hall.ledger)
        if number % SELDOM == 0:
            invariants.now_and_then(event, chance)
    else:
        left = [name for name, _process in hall.going_on]
        raise Broken(f"no end after {MAX_STEPS} steps: {left}")
    while world.floating:
        world.deliver_late()
    invariants.now_and_then(event, chance)
    invariants.at_the_end(event)
