"""Correct the players of the round that follows a corrected heat."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_heat
from ...core.log import By
from ...core.transitions import transition_draw, transition_stage
from ...heats.commands import dissolve_heat
from ...models import Draw, Heat, Stage, StagePlayer
from ...models.enums import DrawStatus, StageKind, StagePlayerSource, StageStatus
from ...playoffs.commands import fill_up
from ...playoffs.queries.rounds import basis_of
from ...results.queries.ranking import finished_rows
from ..queries import RoundEffect


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
) -> list[int]:
    """Put the right players into the round; return the numbers of the discarded drafts."""
    if effect is not None and effect.begun:
        if heat.event.stages.filter(number__gt=stage.number).exists():
            raise Refused(
                "later_round",
                _("A later round has already been made. Let the tables stand."),
            )
        for begun in stage.heats.not_void():
            dissolve_heat(heat=lock_heat(begun), by=by, reason=reason, requeue=False)
        if stage.status == StageStatus.FINISHED:
            transition_stage(stage, StageStatus.OPEN)
        transition_stage(stage, StageStatus.PLANNED)
        stage.save(update_fields=["status"])
    drafts = []
    for draw in Draw.objects.filter(stage=stage, status=DrawStatus.DRAFT):
        transition_draw(draw, DrawStatus.DISCARDED)
        draw.save(update_fields=["status"])
        drafts.append(draw.number)
    _swap_players(stage, heat, lost, won)
    stage.event = heat.event
    fill_up(stage=stage, by=by)
    return drafts


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
