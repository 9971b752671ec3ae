"""The festival itself: a day that is played up to now, event by event, in the order of time.

Players arrive, heats are drawn, entries are written, heats are closed, losers enter again, all by
the functions that the pages call, at the times that the story gives them. The whole is one
transaction: a demo that was interrupted has never begun.
"""

import heapq
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from engine.draws.draw import TABLE_MIN as HEAT_MIN
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, Entry, Hand, LastTrick, NoHand
from scoring import writing as scoring
from scoring.enums import RowKind
from scoring.models import Sheet

from ..draws.commands import drafts as draws
from ..draws.queries.drafts import drawable, open_stage
from ..events.commands import events
from ..heats import commands as heats
from ..models import Event, Heat, HeatEntry, Registration
from ..models.enums import EventStatus, HeatStatus, RegistrationStatus, Role, Visibility
from ..registration.commands import check_in as queue
from ..registration.commands import people
from . import accounts
from .clock import StoryClock
from .heats import HeatPlan, plan_heat, tie_by_the_chain
from .players import PLAYERS

SEED = "chicago demo"
SLUG = "demo"
OWNER = "arne"
DIRECTOR = "tove"

#: Minutes before now.
DOORS, FIRST_DRAW, SECOND_DRAW, THIRD_DRAW, LAST_DRAW = 305, 275, 165, 58, 9
#: How many stand in line before each of the first three draws, at the least.
FIRST, SECOND, THIRD = 22, 17, 14
#: Which arrivals never come today, and who goes home again.
ABSENT, WITHDRAWN = 2, 1
#: How many of those who lost want to play again.
AGAIN = 0.8
#: Which entry of a game is written wrongly at first, at the table where that happens.
SLIP_AT = 8
#: Seconds that pass before an entry is written.
PAUSES: dict[type[object], int] = {Hand: 50, NoHand: 45, LastTrick: 70, Chicago: 80}


def load(*, now: datetime | None = None) -> Event:
    """Load the demo festival: `now` is the moment at which its story stops."""
    with transaction.atomic():
        story = _Story(now or timezone.now())
        with story.clock.running():
            story.run()
        account = story.account()
    accounts.remember(account)
    return story.event


class _Story:
    """What has happened so far, and what is going to."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.generator = Random(SEED)
        self.clock = StoryClock(now - timedelta(days=16))
        self.password = accounts.new_password()
        self.agenda: list[tuple[datetime, int, Callable[[], None]]] = []
        self.numbers = count()
        self.registrations: list[Registration] = []
        self.to_come: list[Registration] = []
        self.event: Event
        self.owner: User
        self.director: User

    # --- the agenda ---------------------------------------------------------------------------

    def at(self, moment: datetime, action: Callable[[], None]) -> None:
        """Put something on the agenda."""
        heapq.heappush(self.agenda, (moment, next(self.numbers), action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Put something on the agenda for so many seconds from the story's present."""
        self.at(self.clock.now + timedelta(seconds=seconds), action)

    def ago(self, minutes: float) -> datetime:
        """Return the moment that many minutes before the end of the story."""
        return self.now - timedelta(minutes=minutes)

    def run(self) -> None:
        """Let everything happen until now."""
        self.prepare()
        self.at(self.ago(FIRST_DRAW), self.first_draw)
        self.at(self.ago(SECOND_DRAW), self.second_draw)
        self.at(self.ago(THIRD_DRAW), self.third_draw)
        self.at(self.ago(LAST_DRAW), self.last_draw)
        while self.agenda:
            moment, _number, action = heapq.heappop(self.agenda)
            if moment > self.now:
                break
            self.clock.set(moment)
            action()

    # --- before the day -----------------------------------------------------------------------

    def prepare(self) -> None:
        """Make accounts, the event and its registrations over the weeks before."""
        # Staff may make further events; the director has a role at this one only.
        self.owner = self.user(OWNER, "Arne", "Sjöberg", is_staff=True)
        self.director = self.user(DIRECTOR, "Tove", "Ek")
        day = timezone.localdate(self.now)
        self.event = events.create_event(
            name=f"Chicagofestivalen {day.year}",
            slug=SLUG,
            venue="Arbetarföreningen, Norrköping",
            starts_on=day,
            ends_on=day + timedelta(days=1),
            by=self.owner,
        )
        events.set_role(event=self.event, user=self.director, role=Role.DIRECTOR, by=self.owner)
        order = list(PLAYERS)
        self.generator.shuffle(order)
        for player in order:
            self.clock.set(self.clock.now + timedelta(hours=self.generator.uniform(1, 15)))
            visibility = Visibility.PUBLIC
            if player.hidden:
                visibility = Visibility.HIDDEN
            elif player.nickname:
                visibility = Visibility.NICKNAME
            self.registrations.append(
                people.register_person(
                    event=self.event,
                    by=self.director,
                    legal_name=player.name,
                    display_name=player.nickname,
                    visibility=visibility,
                    club=player.club,
                )
            )
        self.clock.set(self.ago(DOORS))
        events.set_event_status(event=self.event, to=EventStatus.OPEN, by=self.owner)
        people.withdraw(
            registration=self.registrations[-1], by=self.director, reason="Förkyld, ringde i går"
        )
        self.to_come = self.registrations[: -(ABSENT + WITHDRAWN)]
        early, late = self.to_come[:FIRST], self.to_come[FIRST:]
        for registration in early:
            self.arrive(registration, self.generator.uniform(FIRST_DRAW + 3, DOORS - 2))
        for registration in late:
            self.arrive(registration, self.generator.uniform(THIRD_DRAW + 3, FIRST_DRAW - 20))

    def user(self, name: str, first: str, last: str, *, is_staff: bool = False) -> User:
        """Make an account with the demo's password."""
        user = User(username=name, first_name=first, last_name=last, is_staff=is_staff)
        user.set_password(self.password)
        user.save()
        return user

    def arrive(self, registration: Registration, minutes: float) -> None:
        """Let a player arrive at that time."""
        self.at(self.ago(minutes), lambda: self.check_in(registration))

    def check_in(self, registration: Registration) -> None:
        """Check a player in, who wants to play at once."""
        registration.refresh_from_db()
        if registration.status == RegistrationStatus.REGISTERED:
            queue.check_in(registration=registration, by=self.director)

    def fetch(self, wanted: int) -> None:
        """Let those who were still on their way come now, until enough stand in line."""
        for registration in self.to_come:
            if self.waiting() >= wanted:
                break
            self.check_in(registration)

    def waiting(self) -> int:
        """Return how many could be drawn now."""
        return len(drawable(self.event, open_stage(self.event)))

    # --- heats --------------------------------------------------------------------------------

    def draw(self, word: str) -> list[Heat]:
        """Draw heats; the demo's seeds say which time of the day it is."""
        return draws.draw_heats(event=self.event, by=self.director, seed=f"{SEED} {word}").heats

    def first_draw(self) -> None:
        """Draw the morning's heats: with a royal flush, a zeroed player and a tie in them."""
        self.fetch(FIRST)
        wanted: list[dict[str, Any]] = [
            {},
            {"with_royal": True},
            {"with_zeroed": True},
            {"wanted": tie_by_the_chain},
        ]
        for index, heat in enumerate(self.draw("morgon")):
            self.play(heat, 0.82 + 0.05 * index, **(wanted[index] if index < len(wanted) else {}))

    def second_draw(self) -> None:
        """Draw the heats around noon."""
        self.fetch(SECOND)
        for index, heat in enumerate(self.draw("middag")):
            self.play(heat, 0.8 + 0.06 * index)

    def third_draw(self) -> None:
        """Draw the heats that are being played now: one fast, one with a slip of the finger."""
        self.fetch(THIRD)
        drawn = self.draw("eftermiddag")
        for index, heat in enumerate(drawn):
            self.play(heat, (0.5, 0.85, 1.0, 0.9, 0.75)[index % 5], slip=index == 1)
        self.at(self.ago(2), lambda: self.call(drawn[-1]))

    def last_draw(self) -> None:
        """Draw a table of three that has just begun: with the festival article's worked round."""
        self.fetch(3)
        self.last_drawn = True
        for heat in self.draw("kväll"):
            self.play(heat, 0.75, with_worked_round=True)

    def play(self, heat: Heat, pace: float, *, slip: bool = False, **wanted: Any) -> None:
        """Plan a heat's games and put their entries on the agenda."""
        assert heat.table is not None
        generator = Random(f"{SEED} {heat.number}")
        sheets = list(Sheet.objects.filter(table=heat.table).order_by("number"))
        plan = plan_heat(
            parse_rules(self.event.rules),
            [sheet.seats for sheet in sheets],
            f"{SEED} {heat.number}",
            **wanted,
        )
        auditor = self.event.registrations.get(number=generator.choice(heat.table.players))
        heats.set_auditor(heat=heat, registration=auditor, by=self.director)
        link = heats.make_link(heat=heat, by=self.director)
        table = _TableInPlay(self, heat, sheets, plan, pace, generator, slip, f"link {link.pk}")
        self.after(generator.uniform(60, 240), table.write)

    def close(self, heat: Heat) -> None:
        """Close a heat; who lost mostly wants to play again."""
        heats.close_heat(heat=heat, by=self.director)
        for entry in HeatEntry.objects.filter(heat=heat).select_related("registration"):
            registration = entry.registration
            if registration.qualifications.exists() or self.generator.random() > AGAIN:
                continue
            self.after(
                self.generator.uniform(120, 900),
                lambda registration=registration: self.enter(registration),  # type: ignore[misc]
            )

    def enter(self, registration: Registration) -> None:
        """Let somebody queue again; while three wait for the last draw the others have coffee."""
        third, last = self.ago(THIRD_DRAW), self.ago(LAST_DRAW)
        if third < self.clock.now < last and self.waiting() >= HEAT_MIN:
            later = self.generator.uniform(1, LAST_DRAW)
            self.at(last + timedelta(minutes=later), lambda: self.enter(registration))
            return
        queue.enter_heat(registration=registration, by=self.director)

    def call(self, heat: Heat) -> None:
        """Let a table call the director."""
        heat.refresh_from_db()
        if heat.status == HeatStatus.OPEN and heat.table_id is not None:
            link = heats.make_link(heat=heat, by=self.director)
            scoring.call_td(table_id=heat.table_id, reason="", by=f"link {link.pk}")

    # --- afterwards ---------------------------------------------------------------------------

    def account(self) -> accounts.DemoAccount:
        """Return what the run command prints: the scoring link is the worked round's table."""
        heat = self.event.heats.filter(status=HeatStatus.OPEN).latest("number")
        link = heats.make_link(heat=heat, by=self.director)
        return accounts.DemoAccount(
            owner=OWNER,
            director=DIRECTOR,
            password=self.password,
            event_path=self.event.get_absolute_url(),
            scoring_path=f"/s/{scoring.show_token(link=link)}/",
        )


class _TableInPlay:
    """A heat while it is being played: writes one entry after the other."""

    def __init__(
        self,
        story: _Story,
        heat: Heat,
        sheets: Sequence[Sheet],
        plan: HeatPlan,
        pace: float,
        generator: Random,
        slip: bool,
        author: str,
    ) -> None:
        self.story = story
        self.heat = heat
        self.sheets = sheets
        self.plan = plan
        self.pace = pace
        self.generator = generator
        self.slip = slip
        self.author = author
        self.game = 0
        self.written = 0
        self.version = 0

    def write(self) -> None:
        """Write the next entry, and plan what comes after it."""
        entries = self.plan.games[self.game].entries
        entry = entries[self.written]
        if self.slip and self.written == SLIP_AT and isinstance(entry, Hand):
            self.slip = False
            self.take_back_a_slip(entry)
        self.send(entry)
        self.written += 1
        if self.written < len(entries):
            self.story.after(self.pause(entries[self.written]), self.write)
        elif self.game + 1 < len(self.sheets):
            self.story.after(self.generator.uniform(90, 300), self.next_game)
        else:
            self.story.after(self.generator.uniform(30, 90), self.sign)

    def next_game(self) -> None:
        """Open the next game's sheet."""
        scoring.open_next_sheet(table_id=self.sheets[0].table_id, by=self.author)
        self.game, self.written, self.version = self.game + 1, 0, 0
        self.story.after(self.pause(self.plan.games[self.game].entries[0]), self.write)

    def sign(self) -> None:
        """Let the table sign off its results; a while later the director closes the heat."""
        scoring.sign_off(table_id=self.sheets[0].table_id, by=self.author)
        self.story.after(self.generator.uniform(60, 240), lambda: self.story.close(self.heat))

    def pause(self, entry: Entry) -> float:
        """Return how many seconds pass before an entry is written."""
        return PAUSES[type(entry)] * self.pace * self.generator.uniform(0.7, 1.4)

    def send(self, entry: Entry) -> None:
        """Write an entry as the Auditor's page does."""
        sheet = self.sheets[self.game]
        result = scoring.write_entry(
            sheet_id=sheet.pk,
            client_id=self.mark(),
            seen_version=self.version,
            entry=entry.as_json(),
            author=self.author,
            confirmed=True,
        )
        self.version = result.version

    def take_back_a_slip(self, meant: Hand) -> None:
        """Write the neighbour's name first, see it, take it back."""
        wrong = Hand(meant.phase, (meant.seat + 1) % len(self.plan.seats[0]), meant.category)
        self.send(wrong)
        self.story.clock.set(self.story.clock.now + timedelta(seconds=7))
        result = scoring.revise_entry(
            kind=RowKind.VOID,
            sheet_id=self.sheets[self.game].pk,
            client_id=self.mark(),
            seen_version=self.version,
            author=self.author,
        )
        self.version = result.version
        self.story.clock.set(self.story.clock.now + timedelta(seconds=5))

    def mark(self) -> uuid.UUID:
        """Return the mark of the next write."""
        return uuid.uuid5(self.sheets[self.game].public_id, f"demo {self.version}")
