"""Correct the players of the round that follows a corrected heat."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import event_not_open, lock_heat
from ...core.log import By
from ...core.transitions import transition_draw, transition_stage
from ...floor.commands.exchange import put_in_seats
from ...heats.commands import dissolve_heat
from ...models import Draw, Heat, Registration, Stage, StagePlayer
from ...models.enums import DrawStatus, EventStatus, StageKind, StagePlayerSource, StageStatus
from ...playoffs.commands import fill_up, take_in_next
from ...playoffs.queries.rounds import basis_of
from ...results.queries.ranking import finished_rows
from ..queries.consequences import RoundEffect, seats_of


@transaction.atomic
def rearrange(
    *,
    stage: Stage,
    effect: RoundEffect | None,
    heat: Heat,
    lost: Sequence[str],
    won: Sequence[str],
    by: By,
    reason: str,
    anew: bool = False,
) -> None:
    """Put the right players into the round; its drafts are thrown away.

    If it has begun, it is drawn again; with ``anew`` only the tables concerned begin anew. Refused
    with ``later_round`` once there is one, and with ``event_not_open``.
    """
    stage.event = heat.event
    if effect is not None and effect.begun:
        if heat.event.stages.filter(number__gt=stage.number).exists():
            raise Refused(
                "later_round",
                _("A later round has already been made. Let the tables stand."),
            )
        if heat.event.status != EventStatus.OPEN:
            raise event_not_open(heat.event)
        if anew:
            _tables_anew(stage, heat, lost, won, by, reason)
            return
        for begun in stage.heats.not_void():
            dissolve_heat(heat=lock_heat(begun), by=by, reason=reason, requeue=False)
        if stage.status == StageStatus.FINISHED:
            transition_stage(stage, StageStatus.OPEN)
        transition_stage(stage, StageStatus.PLANNED)
        stage.save(update_fields=["status"])
    for draw in Draw.objects.filter(stage=stage, status=DrawStatus.DRAFT):
        transition_draw(draw, DrawStatus.DISCARDED)
        draw.save(update_fields=["status"])
    _swap_players(stage, heat, lost, won)
    fill_up(stage=stage, by=by)


def _tables_anew(
    stage: Stage, heat: Heat, lost: Sequence[str], won: Sequence[str], by: By, reason: str
) -> None:
    """Put the right players into the seats of those who should not be there.

    Where there are more seats than right players, the next lucky losers come in.
    """
    before = {entry.registration_id: entry for entry in seats_of(stage)}
    _swap_players(stage, heat, lost, won)
    inside = set(stage.players.filter(absent=False).values_list("registration", flat=True))
    leaving = [entry for key, entry in before.items() if key not in inside]
    numbers = {int(player_id) for player_id in won}
    coming = [
        each
        for each in heat.event.registrations.filter(number__in=numbers)
        if each.pk in inside and each.pk not in before
    ]
    coming.sort(key=lambda each: won.index(each.player_id))
    if len(coming) > len(leaving):
        raise Refused(
            "no_seat",
            _("No seat is free for %(name)s. Keep the tables as they are, or draw them again."),
            name=coming[-1].person,
        )
    by_heat: dict[int, dict[Registration, Registration]] = {}
    for entry in leaving:
        into = coming.pop(0) if coming else take_in_next(stage=stage, by=by, reason=reason)
        by_heat.setdefault(entry.heat_id or 0, {})[entry.registration] = into
    for key, replaced in by_heat.items():
        table = lock_heat(Heat.objects.get(pk=key))
        table.event, table.stage = heat.event, stage
        put_in_seats(heat=table, replaced=replaced, by=by, reason=reason)


def _swap_players(stage: Stage, heat: Heat, lost: Sequence[str], won: Sequence[str]) -> None:
    results = {
        row.player_id: row.result
        for row in finished_rows(heat.event, [heat.stage])
        if row.heat_id == heat.pk
    }
    gone = [int(player_id) for player_id in lost]
    stage.players.filter(replaces__registration__number__in=gone).delete()
    stage.players.filter(registration__number__in=gone).delete()
    source = (
        StagePlayerSource.QUALIFIED
        if heat.stage.kind == StageKind.QUALIFYING
        else StagePlayerSource.ADVANCED
    )
    for player_id in won:
        registration = heat.event.registrations.get(number=int(player_id))
        known = stage.players.filter(registration=registration).first()
        if known is not None:
            # A lucky loser or replacement who now plays in their own right.
            known.source, known.replaces = source, None
            known.save(update_fields=["source", "replaces"])
            continue
        last = stage.players.order_by("-order").values_list("order", flat=True).first() or 0
        StagePlayer.objects.create(
            stage=stage,
            registration=registration,
            source=source,
            order=last + 1,
            basis=basis_of(results.get(player_id)),
        )
