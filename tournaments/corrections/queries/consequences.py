"""A sheet as the director corrects it, and the consequences of a correction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.sheet.sheet import legal_rulings
from scoring.models import Sheet
from scoring.reading.correction import Plan
from scoring.reading.games import Game, games_of
from scoring.reading.slots import Change, EntrySlot

from ...core.names import staff_name, staff_text_of
from ...models import Heat, HeatEntry, HeatResult, LogEntry, Stage
from ...models.enums import (
    EntryStatus,
    EventStatus,
    HeatStatus,
    LogAction,
    RegistrationStatus,
    StageKind,
)
from ...results.queries.stood import STAND, Stood
from .effects import Effects
from .picture import Picture

#: What else to do with play-off tables that have begun with the wrong players.
REDRAW = "redraw"
TABLE = "table"


@dataclass(frozen=True)
class Seat:
    """A player's score, place, game points and status in the corrected game, before and after."""

    player_id: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class RoundEffect:
    """A play-off round whose players change.

    Who leaves, who comes in, which heats have begun, and at which of these somebody leaves.
    ``deals`` are how many have been begun, by the heats' keys. ``fixed``: a later round has been
    made, or the event is over, so the tables can only stand.
    """

    stage: Stage
    out: tuple[str, ...]
    into: tuple[str, ...]
    begun: tuple[Heat, ...]
    concerned: tuple[Heat, ...] = ()
    deals: Mapping[int, int] = field(default_factory=dict)
    fixed: bool = False

    def lost(self, heats: Iterable[Heat]) -> int:
        """Return how many deals these heats have begun."""
        return sum(self.deals.get(heat.pk, 0) for heat in heats)


@dataclass(frozen=True)
class OtherWin:
    """Another heat won by a player who loses a place; ``instead``: who advanced for them there."""

    player_id: str
    heat: Heat
    instead: str


@dataclass(frozen=True)
class Consequences:
    """Everything that a correction changes; players are given by reference.

    ``changed`` is the event's difference before and after, ``effects`` the same in words; ``lost``
    and ``won`` are those of it who no longer advance and who now do. ``stood`` says who plays on
    against the sheets.
    ``needs`` lists the missing decisions: ``with_later``, ``end_game``, ``flip_flop``, ``round``,
    ``instead`` (one of ``stand_ins``); ``round`` is the one that they are about.
    """

    heat: Heat
    seats: tuple[Seat, ...]
    ranking_before: tuple[HeatResult, ...]
    ranking_after: tuple[HeatResult, ...]
    changed: Picture
    effects: Effects
    lost: tuple[str, ...] = ()
    other_wins: tuple[OtherWin, ...] = ()
    won: tuple[str, ...] = ()
    stood: Stood | None = None
    playing_now: tuple[tuple[str, int], ...] = ()
    later: tuple[tuple[int, str], ...] = ()
    #: What happens on the sheet.
    plan: Plan | None = None
    flip_flop_groups: tuple[tuple[str, ...], ...] = ()
    round: RoundEffect | None = None
    payouts: tuple[tuple[str, int, str], ...] = ()
    needs: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()

    @property
    def left_queue(self) -> tuple[str, ...]:
        """Who no longer waits for a heat."""
        return tuple(player for player, (was, _now) in self.changed.waiting.items() if was)

    @property
    def drafts(self) -> tuple[int, ...]:
        """The drafts that are thrown away."""
        return tuple(n for n, (_was, now) in self.changed.drafts.items() if now is None)

    @property
    def stale(self) -> tuple[int, ...]:
        """The drafts that have to be drawn again, as a player in them no longer waits."""
        return tuple(number for number, (_was, now) in self.changed.drafts.items() if now)

    @property
    def take_in(self) -> bool:
        """Whether somebody would have to be taken into the play-offs by hand."""
        return takes_in(self.other_wins)


def game_of(heat: Heat, number: int, names: Mapping[str, str]) -> Game | None:
    """Return one game of a heat, replayed, or None if there is no such game."""
    if heat.table is None:
        return None
    sheets = list(Sheet.objects.filter(table=heat.table, number=number))
    text = staff_text_of(heat.event)
    return games_of(heat.table, sheets, names, text).games[0] if sheets else None


def rulings_at(slot: EntrySlot) -> set[tuple[str, int | None]]:
    """Return the rulings that the rules allow at this slot, as (action, seat)."""
    return set(legal_rulings(slot.before))


def following_stage(heat: Heat) -> Stage | None:
    """Return the round in which the heat's best play, or None if it has not been made."""
    if heat.stage.kind == StageKind.QUALIFYING:
        later = heat.event.stages.playoffs()
    else:
        later = heat.event.stages.filter(number__gt=heat.stage.number)
    return later.order_by("number").first()


def other_wins(heat: Heat, players: Sequence[str], *, after: bool = False) -> list[OtherWin]:
    """Return the other heats that these players have won after qualifying.

    ``after`` the correction that cost them their place, they no longer advance from there.
    """
    won = Q(place__lte=F("heat__advance"), disqualified=False) if after else Q(advances=True)
    rows = HeatResult.objects.filter(
        won,
        heat__event=heat.event,
        heat__status=HeatStatus.FINISHED,
        heat__stage__kind=StageKind.QUALIFYING,
        entry__registration__number__in=[int(player_id) for player_id in players],
    ).exclude(heat=heat)
    # A player who is barred from the event keeps no place.
    rows = rows.exclude(entry__registration__status=RegistrationStatus.DISQUALIFIED)
    found = []
    for row in rows.select_related("heat__event", "heat__stage", "entry__registration"):
        qualified = row.heat.qualifications.valid().select_related("registration__person")
        names = [staff_name(each.registration.person) for each in qualified]
        instead = ", ".join(names) if len(names) >= row.heat.advance else ""
        found.append(OtherWin(row.entry.registration.player_id, row.heat, instead))
    return found


def effect_on(stage: Stage, lost: Sequence[str], won: Sequence[str]) -> RoundEffect:
    """Return who leaves the round, who comes in, and which of its heats have begun."""
    inside = {
        str(number) for number in stage.players.values_list("registration__number", flat=True)
    }
    begun = tuple(stage.heats.not_void().order_by("number"))
    gone = Q(registration__number__in=[int(player_id) for player_id in lost])
    wrong = stage.players.filter(gone | Q(replaces__in=stage.players.filter(gone)))
    seats = seats_of(stage).filter(registration__in=wrong.values("registration")) if begun else ()
    concerned = {entry.heat_id for entry in seats}
    event = stage.event
    return RoundEffect(
        stage=stage,
        out=tuple(player_id for player_id in lost if player_id in inside),
        into=tuple(won),
        begun=begun,
        concerned=tuple(heat for heat in begun if heat.pk in concerned),
        deals=deals_begun(begun),
        fixed=event.status != EventStatus.OPEN
        or event.stages.filter(number__gt=stage.number).exists(),
    )


def seats_of(stage: Stage) -> QuerySet[HeatEntry]:
    """Return who sits at the tables of a round, open or closed, in their order."""
    statuses = [EntryStatus.SEATED, EntryStatus.DONE]
    return (
        HeatEntry.objects.filter(heat__stage=stage, status__in=statuses)
        .select_related("registration__person")
        .order_by("heat__number", "pk")
    )


def entries_of(heat: Heat, players: Sequence[str], status: EntryStatus) -> QuerySet[HeatEntry]:
    """Return these players' entries of the heat's event with this status."""
    numbers = [int(player_id) for player_id in players]
    return HeatEntry.objects.filter(
        registration__event=heat.event_id, registration__number__in=numbers, status=status
    )


def deals_begun(heats: Iterable[Heat]) -> dict[int, int]:
    """Return how many deals have been begun in heats, by their keys (one query)."""
    tables = {heat.table_id: heat.pk for heat in heats}
    found: dict[int, int] = {}
    for table, state in Sheet.objects.filter(
        table__in=list(tables), last_entry_at__isnull=False
    ).values_list("table", "state"):
        key = tables[table]
        found[key] = found.get(key, 0) + state.get("deal", 0) + 1
    return found


def round_choices(effect: RoundEffect) -> list[tuple[str, str]]:
    """Return what can be done with the tables that have begun, each with what is lost by it."""
    choices = [(STAND, _("stand: their players play on, only the sheets are corrected"))]
    if effect.fixed:
        return choices
    if effect.concerned:
        text = ngettext(
            "Table %(tables)s begins anew, with the right player in the seat. "
            "Deals lost: %(deals)s.",
            "Tables %(tables)s begin anew, with the right players in the seats. "
            "Deals lost: %(deals)s.",
            len(effect.concerned),
        )
        choices.append((TABLE, text % _lost(effect, effect.concerned)))
    text = _(
        "all are drawn again: tables %(tables)s are voided, the right players get new seats. "
        "Deals lost: %(deals)s."
    )
    return [*choices, (REDRAW, text % _lost(effect, effect.begun))]


def _lost(effect: RoundEffect, heats: Sequence[Heat]) -> dict[str, Any]:
    tables = ", ".join(str(heat.table_number or heat) for heat in heats)
    return {"tables": tables, "deals": effect.lost(heats)}


# --- before and after -------------------------------------------------------------------------


def game_changes(found: Consequences, names: Mapping[str, str]) -> list[Change]:
    """Return the changes of score, place and points, in the corrected game's new order."""
    rows = [
        Change(names.get(seat.player_id, seat.player_id), tuple(seat.before), tuple(seat.after))
        for seat in found.seats
    ]
    return sorted(rows, key=lambda row: (row.after[1] or 9, -row.after[0]))


def ranking_changes(found: Consequences, names: Mapping[str, str]) -> list[Change]:
    """Return the changes of place, game points and sheet points, in the heat's new order."""
    before = {row.entry.registration.player_id: _values(row) for row in found.ranking_before}
    after = {row.entry.registration.player_id: _values(row) for row in found.ranking_after}
    player_ids = [*after, *(player_id for player_id in before if player_id not in after)]
    none = (None, None, None, None)
    return [
        Change(
            names.get(player_id, player_id), before.get(player_id, none), after.get(player_id, none)
        )
        for player_id in player_ids
    ]


def takes_in(wins: Iterable[OtherWin]) -> bool:
    """Return whether somebody would have to be taken into the play-offs by hand."""
    return any(win.instead for win in wins)


def lost_by(heat: Heat) -> list[str]:
    """Return the players who lost their place by the heat's last correction."""
    made = [LogAction.CORRECTED, LogAction.PAPER_ENTERED]
    rows = LogEntry.objects.filter(action__in=made, object_type="heat", object_id=str(heat.pk))
    row = rows.order_by("pk").last()
    return list((row.after or {}).get("no_longer_through", ())) if row else []


def other_wins_text(wins: Iterable[OtherWin], names: Mapping[str, str]) -> str:
    """Return a sentence for each other heat won by somebody who loses a place."""
    kept = _("%(name)s also won %(heat)s and stays qualified by it.")
    taken = _(
        "%(name)s also won %(heat)s, where %(instead)s advanced instead and stays qualified. "
        "If %(name)s is to play as well, add %(name)s by hand on the page of the play-offs."
    )
    return " ".join(
        (taken if win.instead else kept)
        % {
            "name": names.get(win.player_id, win.player_id),
            "heat": win.heat,
            "instead": win.instead,
        }
        for win in wins
    )


def follows_text(found: Consequences, names: Mapping[str, str]) -> str:
    """Return a sentence on who now advances and who no longer does."""
    if found.stood is not None:
        return found.stood.sentence()
    if not found.lost and not found.won:
        return _("The ranking is recomputed; nobody's qualification changes.")
    lost, won = (
        ", ".join(names.get(player_id, player_id) for player_id in players) or "–"
        for players in (found.lost, found.won)
    )
    words = {"lost": lost, "won": won}
    if found.heat.nobody_goes_on:
        return _("No longer the winner: %(lost)s. The winner instead: %(won)s.") % words
    text = _("No longer qualified: %(lost)s. Qualified instead: %(won)s.") % words
    return f"{text} {other_wins_text(found.other_wins, names)}".strip()


def _values(row: HeatResult) -> tuple[Any, ...]:
    return (row.place, row.game_points, row.score_points, row.asterisks)
