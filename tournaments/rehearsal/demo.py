"""The demo festival: a rehearsal of a first day that stops at noon.

Players arrive, heats are drawn, bots play them and losers enter again, all with the pages' commands
and at plausible times, the last of which is now. What visitors should see but chance gives too
rarely is scripted. Everything is one transaction, so an interrupted demo leaves nothing behind.
"""

import heapq
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import count, permutations
from random import Random

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from engine.bots.simulation import play_game
from engine.cards.categories import Category
from engine.ranking.heat import SCORE_POINTS
from engine.sheet.entries import Hand, LastTrick
from engine.table.state import TableState
from scoring import writing as scoring
from scoring.models import Sheet
from scoring.reading.links import show_token
from scoring.reading.ranking import heat_ranking

from ..core.organisers import the_organiser
from ..core.queue import ask
from ..draws.commands.drafts import draw_heats
from ..draws.queries.plan import drawable, open_stage
from ..events.commands.events import create_event, set_event_status, set_role
from ..events.commands.organisers import set_member
from ..heats.commands import make_link
from ..models import Event, Heat, Registration
from ..models.enums import EventStatus, HeatStatus, RegistrationStatus, Role, Visibility
from ..registration.commands.check_in import check_in, enter_heat
from ..registration.commands.people import register_person, withdraw
from ..screens.commands import adopt, make_screen
from . import accounts, season
from .accounts import DemoAccount, account, may_load
from .clock import StoryClock
from .heat import Chances, Script, play_heat
from .names import HIDDEN, NICKNAMES, PLAYERS
from .tasks import SEASON

__all__ = ["DemoAccount", "account", "load", "may_load"]

SEED, DEMO = "chicago demo", "demo"
OWNER, DIRECTOR = "arne", "tove"
BOTS = ("novice", "regular")
#: What stands in the hall; the desk shows both.
SCREENS = ("Baren", "Entrén")
#: Nobody is disqualified on the first day that a visitor sees.
CHANCES = Chances(taken_back=0.15, penalty=0.05, disqualified=0)

#: Minutes before now.
DOORS, THIRD, LAST = 305, 62, 9
DRAWS = (275, 165, THIRD, LAST)
#: The minimum number of waiting players before each draw; the last one makes a table of three.
WANTED = (18, 14, 10, 3)
#: How many players come at the end of the story, and how many never.
LATECOMERS, ABSENT = 5, 2
#: The share of losers who want to play again.
AGAIN = 0.8

ROYAL_FLUSH: Script = {(2, 4): (Hand(1, 0, Category.ROYAL_FLUSH),)}
#: The festival article's worked round, which leaves three players at 4, 0 and 8.
WORKED_ROUND: Script = {
    (1, 0): (
        Hand(1, 0, Category.TWO_PAIR),
        Hand(2, 0, Category.TWO_PAIR),
        LastTrick(2),
        Hand(3, 2, Category.THREE_OF_A_KIND),
    )
}


def load() -> Event:
    """Load the demo festival, whose story stops now."""
    with transaction.atomic():
        day = _Day(timezone.now())
        with day.clock.running():
            found = day.play()
        ask(SEASON, key=SEASON)
    accounts.remember(found)
    return day.event


def load_season() -> None:
    """Make the season before the demo festival, if this installation has the festival."""
    event = Event.objects.filter(slug=DEMO).select_related("organiser").first()
    owner = User.objects.filter(username=OWNER).first()
    if event is not None and owner is not None and season.is_missing(event):
        season.make_season(event, owner)


#: The numbers of three games that tie; should the bots play otherwise, others are tried.
TIED = (0, 2, 3)

#: An activity, yielding the seconds until its next step.
Process = Iterator[float]


class _Day:
    def __init__(self, now: datetime) -> None:
        self.now = now
        self.chance = Random(SEED)
        self.clock = StoryClock(now - timedelta(days=16))
        self.agenda: list[tuple[datetime, int, Process]] = []
        self.numbers = count()
        self.password = accounts.new_password()
        # Made once, as it takes as long as a game.
        self.stored_password = make_password(self.password)
        # The organiser's owner may create more events; the director has a role at this one only.
        self.owner = self.user(OWNER, "Arne", "Sjöberg")
        set_member(organiser=the_organiser(), user=self.owner, is_owner=True, by=None)
        self.director = self.user(DIRECTOR, "Tove", "Ek")
        today = timezone.localdate(now)
        self.event = create_event(
            name=f"Chicagofestivalen {today.year}",
            slug=DEMO,
            venue="Arbetarföreningen, Norrköping",
            starts_on=today,
            ends_on=today + timedelta(days=1),
            by=self.owner,
        )
        set_role(event=self.event, user=self.director, role=Role.DIRECTOR, by=self.owner)
        for name in SCREENS:
            screen, _secret = make_screen()
            adopt(event=self.event, letters=screen.letters, name=name, by=self.director)

    def user(self, name: str, first: str, last: str) -> User:
        """Create an account with the demo's password."""
        return User.objects.create(
            username=name, password=self.stored_password, first_name=first, last_name=last
        )

    def ago(self, minutes: float) -> datetime:
        """Return the moment this many minutes before the end of the story."""
        return self.now - timedelta(minutes=minutes)

    def begin(self, process: Process, minutes_ago: float | None = None) -> None:
        """Start an activity at that moment, or now in the story."""
        moment = self.clock.now if minutes_ago is None else self.ago(minutes_ago)
        heapq.heappush(self.agenda, (moment, next(self.numbers), process))

    def play(self) -> DemoAccount:
        """Run all activities until now; return how to sign in."""
        registrations = self.registrations()
        self.clock.set(self.ago(DOORS))
        set_event_status(event=self.event, to=EventStatus.OPEN, by=self.owner)
        withdraw(registration=registrations.pop(), by=self.director, reason="Förkyld, ringde i går")
        coming = registrations[:-ABSENT]
        for index, registration in enumerate(coming):
            span = (THIRD + 3, DRAWS[0] - 20)
            if index < WANTED[0]:
                span = (DRAWS[0] + 3, DOORS - 2)
            elif index >= len(coming) - LATECOMERS:
                span = (1, LAST - 1)
            self.begin(self.arrival(registration), self.chance.uniform(*span))
        for number, minutes in enumerate(DRAWS):
            in_reach = coming if minutes == LAST else coming[:-LATECOMERS]
            self.begin(self.draw(number, in_reach), minutes)
        self.begin(self.call(), 2)
        while self.agenda:
            moment, _number, process = heapq.heappop(self.agenda)
            if moment > self.now:
                break
            self.clock.set(moment)
            pause = next(process, None)
            if pause is not None:
                self.begin(process, (self.now - self.clock.now).total_seconds() / 60 - pause / 60)
        heat = self.event.heats.open().latest("number")
        link = make_link(heat=heat, by=self.director)
        return DemoAccount(
            owner=OWNER,
            director=DIRECTOR,
            password=self.password,
            event_path=f"/e/{self.event.slug}/",
            scoring_path=f"/s/{show_token(link=link)}/",
        )

    def registrations(self) -> list[Registration]:
        """Register everybody over the weeks before."""
        found = []
        for name, club in self.chance.sample(PLAYERS, len(PLAYERS)):
            self.clock.set(self.clock.now + timedelta(hours=self.chance.uniform(1, 15)))
            visibility = Visibility.NICKNAME if name in NICKNAMES else Visibility.PUBLIC
            found.append(
                register_person(
                    event=self.event,
                    by=self.director,
                    legal_name=name,
                    display_name=NICKNAMES.get(name, ""),
                    visibility=Visibility.HIDDEN if name in HIDDEN else visibility,
                    club=club,
                )
            )
        return found

    # --- activities ---------------------------------------------------------------------------

    def arrival(self, registration: Registration) -> Process:
        """Check in a player, who wants to play at once."""
        registration.refresh_from_db()
        if registration.status == RegistrationStatus.REGISTERED:
            check_in(registration=registration, by=self.director)
        yield from ()

    def waiting(self) -> int:
        """Return how many players could be drawn now."""
        return len(drawable(self.event, open_stage(self.event)))

    def draw(self, number: int, coming: Sequence[Registration]) -> Process:
        """Draw heats from the queue; if too few wait, players still on the way arrive now."""
        for registration in coming:
            if self.waiting() >= WANTED[number]:
                break
            list(self.arrival(registration))
        seed = f"{SEED} draw {number + 1}"
        for index, heat in enumerate(
            draw_heats(event=self.event, by=self.director, seed=seed).heats
        ):
            script: Script = {}
            if (number, index) == (0, 1):
                script = ROYAL_FLUSH
            elif (number, index) == (0, 2):
                script = tied_on_points(heat)
            elif (number, index) == (3, 0):
                script = WORKED_ROUND
            self.begin(self.table(heat, 27 + 6 * (index % 4), script))
        yield from ()

    def table(self, heat: Heat, pace: float, script: Script) -> Process:
        """Play a heat, at about `pace` seconds per entry; most losers want to play again."""
        own = Random(f"{SEED} heat {heat.number}")
        yield own.uniform(60, 240)
        for _entry in play_heat(heat, own, CHANCES, BOTS, by=self.director, script=script):
            yield pace * own.uniform(0.7, 1.4)
        for entry in heat.entries.select_related("registration"):
            registration = entry.registration
            if not registration.qualifications.exists() and self.chance.random() < AGAIN:
                self.begin(self.another_entry(registration))

    def another_entry(self, registration: Registration) -> Process:
        """Queue again after a while; while three wait for the last draw, later ones are delayed."""
        yield self.chance.uniform(120, 900)
        if self.ago(THIRD) < self.clock.now < self.ago(LAST) and self.waiting() >= 3:
            later = self.ago(self.chance.uniform(1, LAST - 1))
            yield (later - self.clock.now).total_seconds()
        enter_heat(registration=registration, by=self.director)

    def call(self) -> Process:
        """Have one of the third draw's tables call the director."""
        heat = self.event.heats.filter(status=HeatStatus.OPEN, draw__number=3).latest("number")
        assert heat.table_id is not None
        scoring.call_td(table_id=heat.table_id, reason="")
        yield from ()


def tied_on_points(heat: Heat) -> Script:
    """Return whole games that leave the heat's winner ahead on sheet points only."""
    assert heat.table is not None
    sheets = list(Sheet.objects.filter(table=heat.table).order_by("number"))
    rules, players = heat.table.rules, heat.table.players

    @cache
    def game(number: int) -> TableState:
        return play_game(rules, players, f"{SEED} {number}").table

    others = (number for number in range(16) if number not in TIED)
    for numbers in permutations((*TIED, *others), len(sheets)):
        chosen = [game(number) for number in numbers]
        replaced = {
            sheet.pk: game.sheet.as_json() for sheet, game in zip(sheets, chosen, strict=True)
        }
        ranking = heat_ranking(table=heat.table, sheets=sheets, flip_flops=(), replaced=replaced)
        if ranking.rows[0].decided_by == SCORE_POINTS and not ranking.needs_flip_flop:
            return {(number, 0): game.entries for number, game in enumerate(chosen, 1)}
    raise RuntimeError("no tie")
