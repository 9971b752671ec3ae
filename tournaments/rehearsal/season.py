"""A small season before the demo festival: club evenings of bots, in one series with the festival.

The worker has it made in a process of its own, as the demo is looked at already: the past has a
clock of its own, and each command a transaction of its own, so that nobody waits.
"""

from datetime import date, datetime, time, timedelta
from random import Random

from django.contrib.auth.models import User
from django.utils import timezone

from ..draws.commands.drafts import draft_heats, publish
from ..events.commands.events import create_event, set_event_status
from ..models import Event, Heat, Person, Registration, Series
from ..models.enums import EventStatus, Visibility
from ..registration.commands.check_in import check_in
from ..registration.commands.people import register_person
from ..series.commands.series import add_event, add_outside, create_series
from ..series.queries.outside import Typed
from ..statistics.commands.career import show_career
from .clock import StoryClock
from .heat import Chances, play_heat

SEED = "chicago season"
SLUG = "klubbserien"
#: Days before the festival on which evenings were, and who played: each misses at most one.
EVENINGS = (70, 56, 42, 28)
PLAYERS = 8
#: Seconds of an entry, and of a break before a game.
PACE = 24
BOTS = ("novice", "regular")
CHANCES = Chances(taken_back=0.1, penalty=0, disqualified=0)


def is_missing(event: Event) -> bool:
    """Return whether the season is not, or not wholly, made."""
    return Series.objects.filter(slug=SLUG, organiser=event.organiser_id).first() is None


def make_season(event: Event, owner: User) -> Series:
    """Make the season of the demo's players; what is there already stays."""
    # In the order in which they signed up; whoever hides the name at the festival is no regular.
    known = Person.objects.filter(
        registrations__event=event, visibility=Visibility.PUBLIC, merged_into__isnull=True
    )
    players = list(known.order_by("registrations__number")[: PLAYERS + 1])
    today = event.starts_on
    evenings = [
        _evening(number, today - timedelta(days=days), players, event, owner)
        for number, days in enumerate(EVENINGS, start=1)
    ]
    return _series(event, evenings, players, owner)


def _evening(number: int, day: date, players: list[Person], festival: Event, owner: User) -> Event:
    """Play an evening of two tables; on the first two somebody else is missing."""
    slug = f"klubbkvall-{number}"
    found = Event.objects.filter(slug=slug).first()
    if found is not None:
        return found
    begins = timezone.make_aware(datetime.combine(day, time(18)))
    clock = StoryClock(begins - timedelta(days=3))
    with clock.running():
        event = create_event(
            name=f"Klubbkväll {number}",
            slug=slug,
            venue=festival.venue,
            starts_on=day,
            ends_on=day,
            status=EventStatus.OPEN,
            ends_with_heats=True,
            reentry_limit=1,
            by=owner,
        )
        missing = -number if number <= 2 else len(players) - 1
        here = [player for at, player in enumerate(players) if at != missing % len(players)]
        entered: list[Registration] = []
        for player in here[:PLAYERS]:
            entered.append(register_person(event=event, by=owner, person=player))
        clock.set(begins)
        for registration in entered:
            check_in(registration=registration, by=owner)
        draw = draft_heats(event=event, by=owner, seed=f"{SEED} {number}")
        heats = publish(draw=draw, by=owner, seen_version=draw.version).heats
        for heat in heats:
            _play(heat, clock, owner)
        clock.set(clock.now + timedelta(minutes=10))
        set_event_status(event=event, to=EventStatus.FINISHED, by=owner)
    return event


def _play(heat: Heat, clock: StoryClock, owner: User) -> None:
    own = Random(f"{SEED} {heat.event.slug} {heat.number}")
    for _entry in play_heat(heat, own, CHANCES, BOTS, by=owner):
        clock.set(clock.now + timedelta(seconds=PACE * own.uniform(0.7, 1.4)))


def _series(event: Event, evenings: list[Event], players: list[Person], owner: User) -> Series:
    """Make the series of the evenings, an earlier one from a list, and the festival to come."""
    series = create_series(
        organiser=event.organiser,
        name="Klubbserien",
        starts_on=evenings[0].starts_on - timedelta(days=30),
        ends_on=event.ends_on,
        is_public=True,
        best_of=3,
        bonus_chicago=1,
        by=owner,
    )
    first = [
        Typed(place, player.legal_name, "") for place, player in enumerate(players[2:7], start=1)
    ]
    day = evenings[0].starts_on - timedelta(days=14)
    add_outside(
        series=series, name="Upptaktskväll", played_on=day, rows=first, by=owner, named=True
    )
    for each in (*evenings, event):
        add_event(series=series, event=each, by=owner)
    for player in players[:2]:
        show_career(registration=event.registrations.get(person=player), shown=True)
    return series
