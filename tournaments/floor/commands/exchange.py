"""Putting another player into a seat, before a table's first line or after it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from engine.draws.draw import TABLE_MIN
from scoring import writing as scoring
from scoring.models import Sheet

from ...core.errors import Refused
from ...core.locks import lock_open_heat
from ...core.log import By, author, record
from ...core.permissions import DIRECT, needs
from ...core.transitions import transition_entry, transition_stage
from ...draws.commands.opening import open_heat
from ...heats.commands import dissolve_heat
from ...models import Heat, HeatEntry, Registration
from ...models.enums import EntryStatus, HeatStatus, LogAction, StageKind, StageStatus
from ...playoffs.commands import exchange_in_round
from ...registration.commands.check_in import leave_queue, undo_check_in
from ...results.commands import forget_results, refresh_heat
from ..queries.players import not_begun
from .players import let_go, note_on_draw, seated, waiting


@dataclass(frozen=True)
class Exchange:
    """One player of a heat for another: from the queue or, in the play-offs, who is next."""

    heat: Heat
    out: Registration
    into: Registration
    reason: str
    #: Whoever goes out waits again (not in the play-offs).
    here: bool = False


@transaction.atomic
@needs(DIRECT)
def exchange_player(*, wanted: Exchange, by: By) -> Heat:
    """Exchange one player of an open heat; return the heat in which the new one sits.

    Before the first line the heat stays as it is. After it the table begins anew: the lines written
    so far no longer count, and their sheets stay readable. In the play-offs the round's list of
    players changes with it. Refused with ``missing_reason``, ``not_at_table``, ``not_waiting``, in
    the play-offs with ``cannot_come_in``, and with ``too_few_left``.
    """
    if not wanted.reason.strip():
        raise Refused("missing_reason", _("Say why."))
    heat = lock_open_heat(wanted.heat)
    # An entry locks its sheet only: none comes in between.
    scoring.locked_sheets(heat.table_id or 0)
    seated(heat, wanted.out)
    if heat.stage.kind == StageKind.QUALIFYING:
        waiting(heat, wanted.into)
    else:
        exchange_in_round(
            stage=heat.stage, out=wanted.out, into=wanted.into, by=by, reason=wanted.reason
        )
    return put_in_seats(
        heat=heat,
        replaced={wanted.out: wanted.into},
        here=wanted.here,
        by=by,
        reason=wanted.reason,
    )


@transaction.atomic
def put_in_seats(
    *,
    heat: Heat,
    replaced: Mapping[Registration, Registration],
    by: By,
    reason: str,
    here: bool = False,
) -> Heat:
    """Put other players into seats of a heat, open or closed; return the heat where they sit.

    The caller holds the locks and has seen to the round's list of players.
    """
    if heat.status == HeatStatus.OPEN and not_begun(heat):
        _replace(heat, replaced, here=here, by=by, reason=reason)
        now = heat
    else:
        now = _begin_anew(heat, replaced, here=here, by=by, reason=reason)
    for out, into in replaced.items():
        note_on_draw(now, out, into, reason)
        record(
            LogAction.PLAYERS_CHANGED,
            now,
            by,
            before={"player": out.number, "heat": heat.number},
            after={"player": into.number, "heat": now.number},
            reason=reason,
        )
    return now


def _replace(
    heat: Heat, replaced: Mapping[Registration, Registration], *, here: bool, by: By, reason: str
) -> None:
    leaving = {out: seated(heat, out) for out in replaced}
    scoring.replace_players(
        table_id=heat.table_id or 0,
        replaced={out.player_id: into.player_id for out, into in replaced.items()},
        by=author(by),
        reason=reason,
    )
    heat.refresh_from_db(fields=["table"])
    forget_results(heat=heat)
    for out, into in replaced.items():
        entry = leaving[out]
        assert entry is not None
        if heat.stage.kind == StageKind.QUALIFYING:
            let_go(entry, here=here, by=by, reason=reason)
        else:
            # A seat in a round belongs to who plays in it: nobody waits for one.
            transition_entry(entry, EntryStatus.WAITING)
            transition_entry(entry, EntryStatus.WITHDRAWN)
            entry.heat = None
            entry.ended_at = heat.opened_at
            entry.save(update_fields=["status", "heat", "ended_at"])
        coming = _entry_of(heat, into)
        transition_entry(coming, EntryStatus.SEATED)
        coming.heat = heat
        coming.save(update_fields=["status", "heat"])
    refresh_heat(heat=heat)


def _begin_anew(
    heat: Heat, replaced: Mapping[Registration, Registration], *, here: bool, by: By, reason: str
) -> Heat:
    stage, table = heat.stage, heat.table
    assert table is not None
    seats: list[list[str]] = list(
        Sheet.objects.filter(table=table).order_by("number").values_list("seats", flat=True)
    )
    again = {
        entry.registration.player_id: entry
        for entry in dissolve_heat(heat=heat, by=by, reason=reason)
    }
    for out in replaced:
        entry = again.pop(out.player_id, None)
        if entry is None:
            continue
        if stage.kind != StageKind.QUALIFYING:
            transition_entry(entry, EntryStatus.WITHDRAWN)
            entry.ended_at = heat.finished_at
            entry.save(update_fields=["status", "ended_at"])
        elif not here:
            undo_check_in(registration=out, by=by, reason=reason)
    coming = {out.player_id: into for out, into in replaced.items()}
    players = [
        coming[player].player_id if player in coming else player
        for player in table.players
        if player in coming or player in again
    ]
    if len(players) < TABLE_MIN:
        raise Refused(
            "too_few_left",
            _("%(heat)s cannot begin again: only %(count)s can play. Let them play it out."),
            heat=heat,
            count=len(players),
        )
    for into in replaced.values():
        again[into.player_id] = _entry_of(heat, into)
    if stage.status == StageStatus.FINISHED:
        transition_stage(stage, StageStatus.OPEN)
        stage.save(update_fields=["status"])
    now = {out: into.player_id for out, into in coming.items()}
    plan = [[now.get(player, player) for player in order] for order in seats]
    return open_heat(
        event=heat.event,
        stage=stage,
        entries=[again[player] for player in players],
        seed=heat.draw.seed if heat.draw else heat.seed,
        method=heat.method,
        draw=heat.draw,
        table_number=_free_number(heat),
        seat_plan=[[player for player in order if player in players] for order in plan],
        games_planned=heat.games_planned,
        advance=heat.advance,
        by=by,
    )


def _free_number(heat: Heat) -> int | None:
    """Return the heat's table, unless others play there since."""
    taken = Heat.objects.filter(
        event=heat.event, status=HeatStatus.OPEN, table_number=heat.table_number
    ).exclude(pk=heat.pk)
    return None if taken.exists() else heat.table_number


def _entry_of(heat: Heat, player: Registration) -> HeatEntry:
    """Return the entry with which a player comes in; a seat in a round is made here."""
    if heat.stage.kind == StageKind.QUALIFYING:
        entry = waiting(heat, player)
        assert entry is not None
        return entry
    if player.entries.waiting().exists():
        leave_queue(registration=player, by=None)
    last = player.entries.counted().aggregate(last=Max("number"))["last"] or 0
    return HeatEntry.objects.create(registration=player, stage=heat.stage, number=last + 1)
