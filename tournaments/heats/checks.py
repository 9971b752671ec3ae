"""Check that results match the sheets, in case something else has written to the database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from scoring.models import AskedOften, Blank, Sheet
from scoring.reading.history import Step

from ..core.locks import lock_heat
from ..core.log import record
from ..models import Heat, HeatResult
from ..models.enums import HeatStatus, LogAction, StageKind
from ..results.commands import forget_results, mark_advancing, refresh_heat
from ..results.queries.from_sheets import results_match
from .commands import qualify_best

_ADVANCING = AskedOften(
    lambda: (
        HeatResult.objects.filter(heat=Blank(), advances=True)
        .order_by("order")
        .values_list("entry__registration__number", flat=True)
    )
)


@dataclass(frozen=True)
class Finding:
    """What is wrong with a heat; ``what`` is results, not_through or through_without_a_win."""

    heat: Heat
    what: str
    player_ids: tuple[str, ...] = ()


def check_heat(*, heat: Heat, repair: bool = False) -> list[Finding]:
    """Compare a heat's results with what its sheets give; with ``repair``, write them anew.

    Who advances from a closed heat stays as decided. A missing qualification is added; a surplus
    one is only reported, as its player may be playing on.
    """
    with transaction.atomic():
        found = list(_findings(lock_heat(heat)))
        if not repair:
            transaction.set_rollback(True)
        elif found:
            record(
                LogAction.RESULTS_REPAIRED,
                heat,
                None,
                after={each.what: list(each.player_ids) for each in found},
            )
    return found


@transaction.atomic
def compare_results(
    *, heat: Heat, sheets: Sequence[Sheet], steps: Mapping[int, Sequence[Step]]
) -> list[Finding]:
    """Compare a locked heat's results likewise, as its sheets were read and replayed."""
    found = list(_findings(heat, sheets, steps))
    transaction.set_rollback(True)
    return found


def _findings(
    heat: Heat,
    sheets: Sequence[Sheet] = (),
    steps: Mapping[int, Sequence[Step]] | None = None,
) -> Iterator[Finding]:
    closed = heat.status == HeatStatus.FINISHED
    went_on = _advancing(heat)
    decided = went_on if closed and went_on else None
    if not results_match(heat, decided, sheets, steps):
        yield Finding(heat, "results")
        forget_results(heat=heat)
        refresh_heat(heat=heat)
        if decided:
            mark_advancing(heat=heat, player_ids=decided)
        went_on = _advancing(heat)
    if closed and heat.stage.kind == StageKind.QUALIFYING:
        ahead = set(went_on)
        qualified = heat.event.qualifications.valid()
        rows = qualified.values_list("registration__number", "heat")
        missing = ahead - {str(number) for number, _heat in rows}
        if missing:
            qualify_best(heat=heat, player_ids=sorted(missing), by=None)
            yield Finding(heat, "not_through", tuple(sorted(missing)))
        surplus = {str(number) for number, of in rows if of == heat.pk} - ahead - missing
        if surplus:
            yield Finding(heat, "through_without_a_win", tuple(sorted(surplus)))


def _advancing(heat: Heat) -> list[str]:
    return [str(number) for number in _ADVANCING.rows(heat.pk)]
