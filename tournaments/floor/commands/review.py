"""Tick off unusual entries that a director has reviewed."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.models import SheetEntry

from ...core.errors import Refused
from ...core.locks import lock_heat
from ...core.log import By, record
from ...core.permissions import RUN_FLOOR, needs
from ...models import Heat, WarningReview
from ...models.enums import LogAction
from ..queries.warnings import codes_of


@transaction.atomic
@needs(RUN_FLOOR)
def review_warning(*, heat: Heat, game: int, sequence: int, by: By) -> WarningReview:
    """Note that staff has reviewed an entry that the engine warned about.

    Refused with ``no_warning`` for any other entry, and with ``looked_at`` if somebody already has.
    """
    heat = lock_heat(heat)
    row = SheetEntry.objects.filter(
        sheet__table=heat.table_id, sheet__number=game, sequence=sequence, confirmed=True
    ).first()
    if row is None:
        raise Refused("no_warning", _("There is no such warning."))
    if WarningReview.objects.filter(entry=row).exists():
        raise Refused("looked_at", _("Somebody has already reviewed this."))
    seen = WarningReview.objects.create(event=heat.event, entry=row, seen_by=by)
    record(
        LogAction.WARNING_SEEN,
        heat,
        by,
        after={"game": game, "entry": sequence, "codes": codes_of(row)},
    )
    return seen
