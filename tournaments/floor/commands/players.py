"""Changing the players of a heat before its first entry.

Latecomers, no-shows, taking back a draw.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.draws.draw import TABLE_MAX, TABLE_MIN
from scoring import writing as scoring
from scoring.reasons import coded
from scoring.writing.players import resize_table

from ...core.errors import Refused
from ...core.locks import lock_event, lock_open_heat
from ...core.log import By, author, record
from ...core.permissions import DIRECT, needs
from ...core.transitions import transition_draw, transition_entry, transition_stage
from ...draws.queries.plan import own_numbers
from ...draws.queries.published import can_be_taken_back
from ...heats.commands import dissolve_heat
from ...models import Draw, Heat, HeatEntry, HeatGame, Registration
from ...models.enums import (
    DrawStatus,
    EntryStatus,
    HeatStatus,
    LogAction,
    RegistrationStatus,
    StageKind,
    StageStatus,
)
from ...registration.commands.check_in import check_in, enter_heat, undo_check_in
from ...results.commands import forget_results, refresh_heat
from ..queries.players import not_begun, taken_out


@transaction.atomic
@needs(DIRECT)
def change_players(
    *,
    heat: Heat,
    out: Registration | None = None,
    into: Registration | None = None,
    here: bool = False,
    by: By,
    reason: str = "",
) -> Heat:
    """Take a player out of a drawn heat, bring in one who waits, or both.

    The heat keeps its number, table and links; if its size changes, the seats are drawn again. With
    ``here`` the player taken out waits again in the old place; otherwise the check-in is undone.
    Who sits at another table, too, stays checked in and there. Who was taken out by a slip can come
    back, checked in and in the queue or not.
    Refused with ``heat_begun`` once anything is entered, ``table_size``, ``not_at_table``,
    ``not_waiting``, ``nobody`` and ``play_off``.
    """
    heat = lock_open_heat(heat)
    if heat.stage.kind != StageKind.QUALIFYING:
        raise Refused("play_off", _("In a play-off, mark the player as missing."))
    # An entry locks its sheet only: none comes in between.
    scoring.locked_sheets(heat.table_id or 0)
    if not not_begun(heat):
        raise Refused("heat_begun", _("%(heat)s has begun. Mark the player as missing."), heat=heat)
    if out is None and into is None:
        raise Refused("nobody", _("Choose who goes out or who comes in."))
    for player in taken_out(heat):
        if player == into:
            _bring_back(player, by)
    leaving, coming = seated(heat, out), waiting(heat, into)
    old = heat.table
    assert old is not None
    why = reason.strip() or coded("did_not_come" if out else "came_late")
    if out is not None and into is not None:
        replaced = {out.player_id: into.player_id}
        scoring.replace_players(table_id=old.pk, replaced=replaced, by=author(by), reason=why)
    else:
        players = [each for each in old.players if out is None or each != out.player_id]
        players += [into.player_id] if into else []
        if not TABLE_MIN <= len(players) <= TABLE_MAX:
            raise Refused("table_size", _("A heat is played by three or four. Swap two players."))
        table = resize_table(
            table_id=old.pk,
            players=players,
            overrides=own_numbers(heat.event, len(players)),
            by=author(by),
            reason=why,
        )
        heat.table = table
        heat.save(update_fields=["table"])
        for sheet in table.sheets.all():
            HeatGame.objects.filter(heat=heat, number=sheet.number).update(sheet=sheet)
    forget_results(heat=heat)
    if leaving is not None:
        let_go(leaving, here=here, by=by, reason=reason)
    if coming is not None:
        transition_entry(coming, EntryStatus.SEATED)
        coming.heat = heat
        coming.save(update_fields=["status", "heat"])
    refresh_heat(heat=heat)
    note_on_draw(heat, out, into, reason)
    record(
        LogAction.PLAYERS_CHANGED,
        heat,
        by,
        before={"player": out.number if out else None},
        after={"player": into.number if into else None},
        reason=reason,
    )
    return heat


def _bring_back(player: Registration, by: By) -> None:
    """Have somebody wait who was taken out of a heat."""
    if player.status == RegistrationStatus.REGISTERED:
        player = check_in(registration=player, by=by)
    if not player.entries.open().exists():
        enter_heat(registration=player, by=by)


def seated(heat: Heat, player: Registration | None) -> HeatEntry | None:
    """Return the player's entry at this table, or refuse."""
    if player is None:
        return None
    entry = heat.entries.filter(registration=player, status=EntryStatus.SEATED).first()
    if entry is None:
        raise Refused("not_at_table", _("%(name)s does not play here."), name=player.person)
    return entry


def waiting(heat: Heat, player: Registration | None) -> HeatEntry | None:
    """Return the entry with which the player waits in the heat's stage, or refuse."""
    if player is None:
        return None
    entry = player.entries.waiting().filter(stage=heat.stage).first()
    if entry is None or player.event_id != heat.event_id:
        raise Refused("not_waiting", _("%(name)s is not waiting for a heat."), name=player.person)
    return entry


def let_go(entry: HeatEntry, *, here: bool, by: By, reason: str) -> None:
    """Give a seat up: ``here``, the player waits again in the old place."""
    transition_entry(entry, EntryStatus.WAITING)
    entry.heat = None
    entry.save(update_fields=["status", "heat"])
    if entry.registration.entries.seated().exists():
        # Somebody who was registered twice sits at another table, and stays there.
        transition_entry(entry, EntryStatus.WITHDRAWN)
        entry.ended_at = timezone.now()
        entry.save(update_fields=["status", "ended_at"])
    elif not here:
        undo_check_in(registration=entry.registration, by=by, reason=reason)


def note_on_draw(
    heat: Heat, out: Registration | None, into: Registration | None, reason: str
) -> None:
    """Add the change to the draw's public list of changes by hand."""
    draw = heat.draw
    if draw is None:
        return
    leaves, comes = (each.player_id if each else None for each in (out, into))
    draw.groups = [
        [*(comes if each == leaves else each for each in group)]
        if comes and leaves
        else [each for each in group if each != leaves]
        for group in draw.groups
    ]
    if comes and not leaves:
        index = [each.pk for each in draw.heats.order_by("number")].index(heat.pk)
        draw.groups[index].append(comes)
    draw.adjustments = [*draw.adjustments, {"out": leaves, "in": comes, "reason": reason}]
    draw.version += 1
    draw.save(update_fields=["groups", "adjustments", "version"])


@transaction.atomic
@needs(DIRECT)
def take_draw_back(*, draw: Draw, by: By, reason: str) -> Draw:
    """Take back a published draw before anything is entered; all wait again as before.

    Refused with ``missing_reason``, ``draw_gone`` if it is not a published draw, and
    ``heat_begun``.
    """
    if not reason.strip():
        raise Refused("missing_reason", _("Say why."))
    event = lock_event(draw.event)
    draw = Draw.objects.select_for_update(of=("self",)).select_related("stage").get(pk=draw.pk)
    draw.event = draw.stage.event = event
    if draw.status != DrawStatus.PUBLISHED:
        raise Refused(
            "draw_gone",
            _("%(draw)s is already “%(status)s”."),
            draw=draw,
            status=DrawStatus(draw.status).label,
        )
    for table in draw.heats.open().order_by("number").values_list("table", flat=True):
        scoring.locked_sheets(table)
    if not can_be_taken_back(draw):
        raise Refused("heat_begun", _("A heat of %(draw)s has begun."), draw=draw)
    qualifying = draw.stage.kind == StageKind.QUALIFYING
    for heat in draw.heats.filter(status=HeatStatus.OPEN).select_related("stage", "table"):
        heat.event = event
        dissolve_heat(heat=heat, by=by, reason=reason, requeue=qualifying)
    transition_draw(draw, DrawStatus.TAKEN_BACK)
    draw.save(update_fields=["status"])
    if not qualifying:
        transition_stage(draw.stage, StageStatus.PLANNED)
        draw.stage.save(update_fields=["status"])
    record(LogAction.DRAW_TAKEN_BACK, draw, by, reason=reason)
    return draw
