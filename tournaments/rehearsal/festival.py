"""A whole event from registration to champion, played by bots.

Every step is an ordinary command in its own transaction, so that all pages can be viewed meanwhile;
without a pace what an Auditor enters in a row is written together.
The same number of players, seed and format give the same event.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from django.contrib.auth.models import User
from django.utils.text import slugify

from engine.draws.draw import TABLE_MIN
from scoring.models import Sheet

from ..draws.commands.drafts import draft_heats, draft_round, publish
from ..draws.queries.plan import drawable, open_stage
from ..events.commands.events import create_event, set_event_status
from ..events.queries import formats
from ..heats.commands import void_heat
from ..models import Event, Heat, Registration
from ..models.enums import EventStatus, HeatStatus, RegistrationStatus, StageKind
from ..playoffs.commands import mark_absent, prepare_round
from ..playoffs.queries.rounds import next_round
from ..registration.commands.check_in import check_in, enter_heat, leave_queue
from ..registration.commands.people import register_person, withdraw
from .heat import Chances, play_heat
from .names import people

#: The formats that can be rehearsed, with their settings: those with play-offs.
FORMATS: Final[Mapping[str, Mapping[str, Any]]] = {
    key: formats.FORMATS[key].fields for key in ("festival", "sm")
}
#: With fewer, three qualifiers from different heats would take too long.
MIN_PLAYERS: Final = 8
MAX_PLAYERS: Final = 1000
#: Lines of the final's last game, where a rehearsal stops in it.
INTO_THE_LAST_GAME: Final = 14


@dataclass
class Rehearsal:
    """How to play: numbers, probabilities, and a function to report progress.

    ``pace`` is the time in seconds between two entries of all tables; 0 is as fast as possible.
    With ``stops_in_final`` the final's last game is still being played at the end.
    """

    players: int
    seed: str
    format: str = "festival"
    slug: str = ""
    name: str = ""
    pace: float = 0.0
    stops_in_final: bool = False
    owner: User | None = None
    bots: Sequence[str] = ("novice", "regular")
    chances: Chances = field(default_factory=Chances)
    reentry: float = 0.45
    waves: int = 3
    withdrawal: float = 0.02
    no_show: float = 0.04
    voided: float = 0.01
    tell: Callable[[str], None] = lambda _text: None

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for impossible numbers."""
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise ValueError(f"A rehearsal has between {MIN_PLAYERS} and {MAX_PLAYERS} players.")
        if self.format not in FORMATS:
            raise ValueError(f"The formats are {', '.join(FORMATS)}.")


def rehearse(plan: Rehearsal) -> Event:
    """Play a whole event and return it, finished unless it stops in the final."""
    return _Director(plan).run()


class _Director:
    def __init__(self, plan: Rehearsal) -> None:
        self.plan = plan
        self.chance = Random(f"rehearsal {plan.format} {plan.players} {plan.seed}")
        self.draws = 0
        slug = plan.slug or slugify(f"rehearsal {plan.format} {plan.players} {plan.seed}")
        self.event = create_event(
            name=plan.name or f"Rehearsal {plan.seed}",
            slug=slug[:60],
            by=plan.owner,
            status=EventStatus.OPEN,
            **FORMATS[plan.format],
        )

    def run(self) -> Event:
        players = [
            register_person(event=self.event, by=None, legal_name=name)
            for name in people(self.plan.players, self.chance)
        ]
        self.plan.tell(f"{len(players)} players registered.")
        for player in players:
            check_in(registration=player, by=None)
        self._qualifying()
        self._playoffs()
        if not self.plan.stops_in_final:
            set_event_status(event=self.event, to=EventStatus.FINISHED, by=None)
        self.event.refresh_from_db()
        return self.event

    # --- day 1 -----------------------------------------------------------------------------

    def _qualifying(self) -> None:
        wave = 0
        while True:
            wave += 1
            heats = self._draw()
            self._play(heats)
            coming = next_round(self.event)
            assert coming is not None
            enough = len(coming.candidates) >= TABLE_MIN
            if self.event.reentry_limit == 1 or (wave >= self.plan.waves and enough):
                break
            self._reenter(must=TABLE_MIN - len(self._waiting()))
        for registration in self._waiting():
            leave_queue(registration=registration, by=None, reason="day 1 is over")

    def _draw(self) -> list[Heat]:
        draw = draft_heats(event=self.event, by=None, seed=self._seed())
        drawn = publish(draw=draw, by=None, seen_version=draw.version)
        self.plan.tell(f"Draw {drawn.draw.number}: {len(drawn.heats)} heats.")
        return drawn.heats

    def _waiting(self) -> list[Registration]:
        waiting = drawable(self.event, open_stage(self.event))
        return [entry.registration for entry in waiting]

    def _reenter(self, must: int) -> None:
        """Have some of the losers enter again or withdraw; at least ``must`` enter."""
        lost = list(
            self.event.registrations.filter(status=RegistrationStatus.CHECKED_IN)
            .exclude(entries__status__in=["waiting", "seated"])
            .exclude(qualifications__revoked_at__isnull=True, qualifications__isnull=False)
            .order_by("number")
        )
        self.chance.shuffle(lost)
        for index, registration in enumerate(lost):
            if index < must or self.chance.random() < self.plan.reentry:
                enter_heat(registration=registration, by=None)
            elif self.chance.random() < self.plan.withdrawal:
                withdraw(registration=registration, by=None, reason="had a train to catch")

    # --- day 2 -----------------------------------------------------------------------------

    def _playoffs(self) -> None:
        while (coming := next_round(self.event)) is not None:
            stage = prepare_round(event=self.event, by=None)
            if coming.previous.kind == StageKind.QUALIFYING:
                for player in stage.players.order_by("order"):
                    if self.chance.random() < self.plan.no_show:
                        mark_absent(player=player, by=None, reason="not there at noon")
            draw = draft_round(stage=stage, by=None, seed=self._seed())
            drawn = publish(draw=draw, by=None, seen_version=draw.version)
            count = len(drawn.heats)
            self.plan.tell(f"{stage}: {count} table{'s' if count > 1 else ''}.")
            if self.plan.stops_in_final and count == 1:
                self._begin_final(drawn.heats[0])
                return
            self._play(drawn.heats, voids=False)

    def _begin_final(self, heat: Heat) -> None:
        """Play the final into its last game."""
        last = Sheet.objects.filter(table=heat.table, number=heat.games_planned)
        for _entry in self._table(heat, voids=False, stops=True):
            if last.filter(version__gte=INTO_THE_LAST_GAME).exists():
                return

    def _seed(self) -> str:
        self.draws += 1
        return f"rehearsal {self.plan.seed} draw {self.draws}"

    # --- tables ----------------------------------------------------------------------------

    def _play(self, heats: list[Heat], *, voids: bool = True) -> None:
        """Play these heats: with a pace all at once, otherwise one after the other."""
        order = list(heats)
        self.chance.shuffle(order)
        if not self.plan.pace:
            for heat in order:
                for _entry in self._table(heat, voids=voids):
                    pass
            return
        tables: list[Iterator[None]] = [self._table(heat, voids=voids) for heat in order]
        while tables:
            tables = [table for table in tables if next(table, self) is not self]
            time.sleep(self.plan.pace)

    def _table(self, heat: Heat, *, voids: bool, stops: bool = False) -> Iterator[None]:
        # Each table has its own generator, so that the pace does not change what happens.
        own = Random(f"{self.plan.seed} heat {heat.number}")
        void_after = own.randrange(1, 30) if voids and own.random() < self.plan.voided else -1
        at_once = not (self.plan.pace or void_after >= 0 or stops)
        chances, bots = self.plan.chances, self.plan.bots
        for count, _entry in enumerate(play_heat(heat, own, chances, bots, at_once=at_once)):
            if count == void_after:
                void_heat(heat=heat, by=None, reason="the pack had 51 cards")
                return
            yield
        heat.refresh_from_db(fields=["status"])
        assert heat.status == HeatStatus.FINISHED
