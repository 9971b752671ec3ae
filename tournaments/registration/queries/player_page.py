"""The player's own page: where to sit, what they need, their heats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.enums import SheetStatus
from scoring.pictures.shapes import Picture
from scoring.reading.acceptance import Asked, ObjectionRow, TableAcceptance
from scoring.reading.board import declared_in
from scoring.reading.games import Game, table_games
from scoring.reading.outlook import Need, needs_of
from scoring.reading.pages import GamePart, game_part
from scoring.reading.protocol import protocol_from
from scoring.reading.question import title_of
from scoring.reading.race import Race, races_of
from scoring.reading.rulings import (
    RulingRow,
    answers_in,
    latest_games,
    rulings_in,
    unseen,
    warnings_in,
)

from ...core.clock import clock_of
from ...core.days import playoff_day, times_of
from ...core.names import distinct_names, registration_name
from ...draws.queries.pace import next_draw
from ...heats.queries.cards import HeatCard, heat_cards
from ...models import Event, Heat, HeatEntry, Registration
from ...models.enums import EntryStatus, EventStatus, StageStatus
from ...results.queries.players import (
    AT_THE_END,
    End,
    player_of,
    player_state,
    player_state_label,
    playoff_ends,
)
from ...results.queries.road import road_of
from ...results.queries.stood import told_history
from .about import when_text
from .queue import queue_of
from .waiting_list import waiting_number


@dataclass(frozen=True)
class OwnTable:
    """The sheet of the player's open heat, and what the player can do there.

    ``part`` is the game in progress or the last one, of those ``begun``.
    """

    part: GamePart | None
    needs: tuple[Need, ...]
    races: tuple[Race, ...]
    asked: Asked | None
    acceptance: TableAcceptance
    own_objections: tuple[ObjectionRow, ...]
    signed: bool
    begun: tuple[Game, ...]
    rulings: tuple[RulingRow, ...] = ()
    #: What the Auditor is asked now, with who plays a Chicago; empty between games.
    question: str = ""

    @property
    def to_accept(self) -> tuple[Game, ...]:
        """The games that the player is asked to confirm."""
        numbers = {game.number for game in self.asked.games} if self.asked else set()
        return tuple(game for game in self.begun if game.number in numbers)

    @property
    def objections(self) -> tuple[ObjectionRow, ...]:
        """The objections besides those whose end is announced at the top."""
        announced = {row.client_id for row in self.rulings}
        return tuple(row for row in self.acceptance.objections if row.client_id not in announced)

    @property
    def to_compare(self) -> tuple[Game, ...]:
        """The games from paper that wait for a second person to compare them with it."""
        return tuple(
            game
            for game in self.begun
            if game.finished and game.from_paper and not game.from_paper.checked_at
        )

    @property
    def to_object(self) -> tuple[Game, ...]:
        """The games with deals to object to, until the table has signed off."""
        return () if self.signed else tuple(game for game in self.begun if game.deals)

    @property
    def objects(self) -> str:
        """The id of the form that a tap on a deal of the sheet opens."""
        return f"own-object-{self.part.game.number}" if self.part and not self.signed else ""


@dataclass(frozen=True)
class OwnPage:
    """Everything on the player's page."""

    player: Any
    state: str
    name: str
    heat: Heat | None
    card: HeatCard | None
    table: OwnTable | None
    waiting_number: int | None
    before_in_queue: int | None
    #: About when the player will be drawn; empty for the next draw, None if nobody can say.
    next_draw: str | None
    history: tuple[tuple[Any, list[str]], ...]
    #: How the play-offs ended for the player, once they have.
    end: End | None = None
    #: When and where the player plays next, as far as that is planned.
    when: str = ""

    @property
    def road(self) -> Picture | None:
        """The picture of the player's heats, the first one first."""
        return road_of([row for row, _told in reversed(self.history)])

    @property
    def title(self) -> str:
        """The player's current position, in large letters."""
        if self.state == "playing" and self.heat is not None:
            return self.heat.at_table
        if self._is_over:
            return _("The event is over")
        if self._is_out:
            return player_state_label(self.player, self.end)
        titles = {
            "waiting": _("You are waiting for a heat"),
            "wait_listed": _("Number %(number)s on the waiting list")
            % {"number": self.waiting_number},
            "registered": _("You are registered"),
            "free": _("You are checked in"),
        }
        return titles.get(self.state) or player_state_label(self.player, self.end)

    @property
    def note(self) -> str:
        """What comes next for the player."""
        if self.end is not None:
            return self.end.stage
        if self._is_over or self._is_out:
            return ""
        notes = {
            "waiting": _("This page shows your table as soon as it is drawn."),
            "qualified": self._plays_on,
            "wait_listed": _(
                "The first in line moves up as soon as somebody withdraws; you will see it here."
            ),
            "registered": ". ".join(
                filter(None, (self.when, _("Tell the desk when you have arrived.")))
            ),
        }
        note = notes.get(self.state, "")
        if self.state != "waiting":
            return note
        if self.next_draw is not None:
            soon = _("You are in the next draw.")
            if self.next_draw:
                soon = _("Next draw about %(time)s.") % {"time": self.next_draw}
            note = f"{soon} {note}"
        if not self.before_in_queue:
            return _("Nobody has waited longer.") + f" {note}"
        longer = ngettext(
            "%(count)s player has waited longer.",
            "%(count)s players have waited longer.",
            self.before_in_queue,
        ) % {"count": self.before_in_queue}
        return f"{longer} {note}"

    @property
    def _is_over(self) -> bool:
        """Whether the event ended while the player had nothing to do, or before the play-offs."""
        event = self.player.event
        idle = self.state in AT_THE_END or (
            self.state == "qualified" and self.end is None and not event.ends_with_heats
        )
        return idle and event.status == EventStatus.FINISHED

    @property
    def _is_out(self) -> bool:
        """Whether the play-offs have begun without the player."""
        return self.state in AT_THE_END and bool(self.player.in_playoffs)

    @property
    def _plays_on(self) -> str:
        """When and where a qualified player plays on."""
        if self.player.event.ends_with_heats:
            return ""
        if not self.when:
            return _("You play on in the play-offs. The table is shown here.")
        return _("You play on %(when)s. The table is shown here.") % {"when": self.when}


def own_page(registration: Registration, seen_rulings: Sequence[str] = ()) -> OwnPage:
    """Return the player's page (a fixed number of queries).

    ``seen_rulings``: those that the reader's device has already shown.
    """
    event = registration.event
    player = player_of(registration)
    state = player_state(player)
    entry = registration.entries.open().select_related("heat__table", "heat__stage").first()
    heat = entry.heat if entry is not None and entry.status == EntryStatus.SEATED else None
    card = heat_cards([heat])[0] if heat is not None else None
    before, soon = _in_queue(event, entry) if state == "waiting" and entry else (None, None)
    return OwnPage(
        player=player,
        state=state,
        name=registration_name(player),
        heat=heat,
        card=card,
        table=own_table(heat, registration.player_id, seen_rulings) if heat is not None else None,
        waiting_number=waiting_number(player),
        before_in_queue=before,
        next_draw=soon,
        history=tuple(told_history(player)),
        end=playoff_ends(event).get(player.player_id) if state == "qualified" else None,
        when=_when(player, state),
    )


def _when(player: Any, state: str) -> str:
    """Return when and where a player who is registered or qualified plays next."""
    event, when = player.event, ""
    if state == "registered" and player.stage_is_open:
        when = when_text(event)
    elif state == "qualified":
        days, left = list(event.timetable.all()), _rounds_after_the_next(event)
        day = playoff_day(days, entering=player.stage_is_open, left=left)
        if day is not None:
            when = f"{day.title}: {times_of(day)}"
        elif event.ends_on > event.starts_on:
            when = date_format(event.ends_on, "l j F")
    return ", ".join(filter(None, (when, event.venue))) if when else ""


def _rounds_after_the_next(event: Event) -> int | None:
    """Return how many rounds follow the next one to be played; None if that is not known."""
    rounds = event.stages.playoffs().order_by("-number")
    last = rounds.values_list("status", "rounds_left").first()
    if last is None:
        return None
    status, left = last
    return left - 1 if left and status != StageStatus.PLANNED else left


def _in_queue(event: Event, entry: HeatEntry) -> tuple[int, str | None]:
    """Return how many players have waited longer, and about when this one will be drawn."""
    queue = queue_of(event)
    waiting = [each.pk for each in queue.waiting]
    before = waiting.index(entry.pk) if entry.pk in waiting else len(waiting)
    return before, next_draw(event, queue.plan, entry)


def own_table(heat: Heat, player_id: str, seen_rulings: Sequence[str] = ()) -> OwnTable | None:
    """Return the sheet of a heat as one of its players sees it."""
    if heat.table is None:
        return None
    names = distinct_names(
        entry.registration
        for entry in HeatEntry.objects.filter(heat=heat).select_related("registration__person")
    )
    read = table_games(heat.table, names=names)
    protocol = protocol_from(read)
    # Totals from paper have no deals.
    played = (SheetStatus.RUNNING, SheetStatus.FINISHED)
    begun = [game for game in protocol.games if game.deals or game.status in played]
    acceptance = protocol.acceptance
    clock = clock_of(heat, heat.event)
    needs = needs_of(protocol, is_final=heat.nobody_goes_on, clock=clock)
    latest = latest_games(begun)
    rulings = rulings_in(heat.table, latest, names)
    warnings = warnings_in(heat.table, latest, names)
    others = [row for row in acceptance.objections if row.player_id != player_id or row.answer]
    answers = answers_in(heat.table, latest, others)
    part = game_part(begun[-1]) if begun else None
    return OwnTable(
        part=part,
        needs=tuple(sorted(needs, key=lambda need: need.player_id != player_id)),
        races=races_of(begun, read.rules),
        asked=acceptance.of(player_id),
        acceptance=acceptance,
        own_objections=tuple(
            row for row in acceptance.open_objections if row.player_id == player_id
        ),
        signed=heat.table.signed_at is not None,
        begun=tuple(begun),
        rulings=unseen((*rulings, *warnings, *answers), seen_rulings),
        question=title_of(part.game.state, part.shorts, declared_in(part.game)) if part else "",
    )
