"""What follows in a tournament from changes elsewhere, in the same transaction."""

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from scoring.models import AskedOften, Blank, Sheet
from scoring.signals import table_changed

from .core.log import By
from .core.signals import logged, player_left
from .events.commands.events import end_with_heats
from .heats.commands import close_signed
from .models import Draw, Event, Heat, LogEntry, PushSubscription
from .models.enums import LogAction, PushKind
from .notices.commands.push import tell
from .results.commands import refresh_sheet, write_results
from .webhooks.commands import note

#: A table's heat, if something was decided there: a Flip Flop, a penalty or a sign-off.
_DECIDED = AskedOften(
    lambda: (
        Heat.objects.open()
        .filter(
            Q(table__flip_flops__isnull=False)
            | Q(table__penalties__isnull=False)
            | Q(table__signed_at__isnull=False),
            table=Blank(),
        )
        .select_related("event", "table")[:1]
    )
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
    for heat in _DECIDED.rows(table_id):
        write_results(heat=heat)
        close_signed(heat=heat)
        end_with_heats(event=heat.event)


@receiver(player_left, dispatch_uid="tournaments.player_left")
def on_player_left(sender: Any, event: Event, by: By, **kwargs: Any) -> None:
    """End an event without play-offs that this player was the last to hold up."""
    end_with_heats(event=event, by=by)


#: How long before a planned start players are told that their heat begins.
BEFORE_START = timedelta(minutes=5)


@receiver(logged, dispatch_uid="tournaments.logged")
def on_logged(sender: Any, entry: LogEntry, **kwargs: Any) -> None:
    """Tell the programs and the phones that want to know what was just done."""
    note(entry)
    event, action, number = entry.event, entry.action, entry.heat_number
    if event is None:
        return
    if action == LogAction.DRAWN:
        draw = int(entry.object_id)
        tell(event=event, kind=PushKind.DRAWN, key=f"draw {draw}", draw=draw)
        _remind(event, draw)
    elif action == LogAction.CLOCK_STARTED:
        tell(event=event, kind=PushKind.BEGINS, key=f"begins {number}", heats=[number])
    elif action == LogAction.HEAT_CLOSED:
        tell(event=event, kind=PushKind.RESULT, key=f"result {number}", heat=number)
    elif action == LogAction.DRAFTED:
        tell(event=event, kind=PushKind.SOON, key=f"soon {entry.object_id}")
    elif action == LogAction.ANNOUNCED:
        made = int(entry.object_id)
        key = f"announcement {made}"
        tell(event=event, kind=PushKind.ANNOUNCED, key=key, announcement=made)
    elif action == LogAction.PLAYER_LINK:
        # What a link has switched on ends with it.
        PushSubscription.objects.filter(registration=int(entry.object_id)).delete()


def _remind(event: Event, draw: int) -> None:
    """Tell players shortly before a planned start that their heats begin."""
    begins: dict[Any, list[int]] = {}
    for heat in Draw.objects.get(pk=draw).heats.filter(starts_at__isnull=False):
        begins.setdefault(heat.starts_at, []).append(heat.number)
    for at, heats in begins.items():
        due_at = at - BEFORE_START
        key = f"begins {draw} {heats[0]}"
        tell(event=event, kind=PushKind.BEGINS, key=key, due_at=due_at, heats=heats)
