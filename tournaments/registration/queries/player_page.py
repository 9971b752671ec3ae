"""What a player reads on the own page: where to sit, what is needed, the own heats."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages.outlook import sentences
from engine.ranking.outlook import HeatSoFar, outlook
from scoring.reading.words import lang

from ...core.names import distinct_names, registration_name
from ...heats.queries import HeatCard, heat_cards, protocol_for
from ...models import Event, Heat, HeatEntry, Registration
from ...models.enums import EntryStatus, StageKind
from ...results.queries.players import player_state, player_state_label, players_of
from ...results.queries.standings import history_of, reason
from .queue import queue_of
from .waiting_list import place_in_line


@dataclass(frozen=True)
class OwnPage:
    """The player's page as it stands now."""

    player: Any
    state: str
    name: str
    heat: Heat | None
    card: HeatCard | None
    needs: tuple[str, ...]
    place_in_line: int | None
    before_in_queue: int | None
    history: tuple[tuple[Any, str], ...]

    @property
    def title(self) -> str:
        """Where the player stands, in large letters."""
        if self.state == "playing" and self.heat is not None:
            if not self.heat.table_number:
                return str(self.heat)
            numbers = {"table": self.heat.table_number, "heat": self.heat.number}
            return _("Table %(table)s · heat %(heat)s") % numbers
        titles = {
            "waiting": _("You wait for a heat"),
            "wait_listed": _("Number %(place)s on the waiting list")
            % {"place": self.place_in_line},
            "registered": _("You are registered"),
            "free": _("You are checked in"),
        }
        return titles.get(self.state) or player_state_label(self.player)

    @property
    def note(self) -> str:
        """What comes next for the player."""
        notes = {
            "waiting": _("This page shows your table as soon as it is drawn."),
            "qualified": _("You play on in the play-offs. The table is shown here."),
            "wait_listed": _(
                "Whoever is first moves up as soon as somebody withdraws; you will see it here."
            ),
            "registered": _("Tell the desk when you have come."),
            "free": _("To play again, tell the desk."),
        }
        note = notes.get(self.state, "")
        if self.state != "waiting":
            return note
        if not self.before_in_queue:
            return _("Nobody has waited longer.") + f" {note}"
        longer = ngettext(
            "%(count)s player has waited longer.",
            "%(count)s players have waited longer.",
            self.before_in_queue,
        ) % {"count": self.before_in_queue}
        return f"{longer} {note}"


def own_page(registration: Registration) -> OwnPage:
    """Return what the page shows (a fixed number of queries)."""
    event = registration.event
    player = players_of(event).get(pk=registration.pk)
    state = player_state(player)
    entry = registration.entries.open().select_related("heat__table", "heat__stage").first()
    heat = entry.heat if entry is not None and entry.status == EntryStatus.SEATED else None
    card = heat_cards([heat])[0] if heat is not None else None
    return OwnPage(
        player=player,
        state=state,
        name=registration_name(player),
        heat=heat,
        card=card,
        needs=needs_of(event, heat, registration.player_id) if heat is not None else (),
        place_in_line=place_in_line(player),
        before_in_queue=_before(event, entry) if state == "waiting" and entry else None,
        history=tuple((row, reason(row)) for row in history_of(player)),
    )


def _before(event: Event, entry: HeatEntry) -> int:
    """Return how many wait longer than this one."""
    waiting = [each.pk for each in queue_of(event).waiting]
    return waiting.index(entry.pk) if entry.pk in waiting else len(waiting)


def needs_of(event: Event, heat: Heat, player_id: str) -> tuple[str, ...]:
    """Return, in the reader's language, what the player needs in a heat; nothing of a final.

    Exact for what the finished games' points decide; the running game counts as wholly open.
    """
    names = distinct_names(
        entry.registration
        for entry in HeatEntry.objects.filter(heat=heat).select_related("registration__person")
    )
    protocol = protocol_for(heat, names)
    if protocol is None or player_id not in names:
        return ()
    done = sum(game.status == "finished" for game in protocol.games)
    advance = 1 if heat.stage.kind == StageKind.FINAL else heat.advance
    points: Sequence[Fraction] = [Fraction(each) for each in event.points_for(len(names))]
    found = outlook(
        HeatSoFar(
            {row.player_id: row.game_points for row in protocol.ranking},
            max(0, heat.games_planned - done),
            advance,
            points,
            frozenset(row.player_id for row in protocol.ranking if row.disqualified),
        )
    )
    own = next((each for each in found if each.player == player_id), None)
    if own is None:
        return ()
    return tuple(sentences(own, lang(), lambda player: names.get(player, player)))
