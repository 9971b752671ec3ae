"""What follows in a tournament from changes elsewhere, in the same transaction."""

from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from scoring.models import Sheet
from scoring.signals import table_changed

from .core.log import By
from .core.signals import player_left
from .events.commands.events import end_with_heats
from .heats.commands import close_signed
from .models import Event, Heat
from .results.commands import refresh_sheet, write_results

#: Something was decided at the heat's table: a Flip Flop, a penalty or a sign-off.
_DECIDED = (
    Q(table__flip_flops__isnull=False)
    | Q(table__penalties__isnull=False)
    | Q(table__signed_at__isnull=False)
)


@receiver(table_changed, dispatch_uid="tournaments.table_changed")
def on_table_changed(
    sender: Any, table_id: int, sheet: Sheet | None, results: bool, **kwargs: Any
) -> None:
    """Update results, ranking Flip Flops and penalties; close a heat whose table signed off."""
    if sheet is not None:
        if results:
            refresh_sheet(sheet_id=sheet.pk)
        return
    decided = Heat.objects.filter(_DECIDED, table=table_id).open()
    for heat in decided.select_related("event", "table")[:1]:
        write_results(heat=heat)
        close_signed(heat=heat)
        end_with_heats(event=heat.event)


@receiver(player_left, dispatch_uid="tournaments.player_left")
def on_player_left(sender: Any, event: Event, by: By, **kwargs: Any) -> None:
    """End an event without play-offs that this player was the last to hold up."""
    end_with_heats(event=event, by=by)
