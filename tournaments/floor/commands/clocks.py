"""The heats' clocks: start, pause, resume, and end what is not finished in time."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import writing as scoring
from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reasons import coded

from ...core.clock import clock_of, needed_clock
from ...core.days import starts_later
from ...core.errors import Refused
from ...core.locks import lock_event, lock_open_heat
from ...core.log import By, record
from ...core.permissions import DIRECT, JUDGE, needs
from ...heats.commands import enter_ruling
from ...models import Event, Heat
from ...models.enums import LogAction
from ...results.commands import refresh_heat
from ..queries.ending import why_not_ended
from ..queries.open_tables import not_ended
from .floor import grant_extra_time

#: What a director can do with clocks.
START, PAUSE, GO_ON = WHAT = ("start", "pause", "go_on")
_TO_PLAY = [SheetStatus.WAITING, SheetStatus.RUNNING]
FROM = {START: "ready", PAUSE: "running", GO_ON: "paused"}
_ACTION = {
    START: LogAction.CLOCK_STARTED,
    PAUSE: LogAction.CLOCK_PAUSED,
    GO_ON: LogAction.CLOCK_WENT_ON,
}


@transaction.atomic
@needs(JUDGE)
def set_clock(*, heat: Heat, what: str, by: By, at: datetime | None = None) -> bool:
    """Start, pause or resume a heat's clock; return whether anything changed.

    Repeating what somebody else has just done changes nothing. ``at``: when, if not now. Refused
    with ``no_clock`` if the event has no time limit.
    """
    heat = lock_open_heat(heat)
    clock = needed_clock(heat)
    if clock.state != FROM[what]:
        return False
    now = at or timezone.now()
    if what == START:
        heat.clock_started_at = now
    elif what == PAUSE:
        heat.clock_paused_at = now
    else:
        assert heat.clock_paused_at is not None
        stopped = max(timedelta(), now - heat.clock_paused_at)
        heat.clock_paused_seconds += round(stopped.total_seconds())
        heat.clock_paused_at = None
    heat.save(update_fields=["clock_started_at", "clock_paused_at", "clock_paused_seconds"])
    scoring.show_again(table_id=heat.table_id or 0)
    record(_ACTION[what], heat, by, after={"left": clock.left})
    return True


@transaction.atomic
@needs(JUDGE)
def set_clocks(
    *,
    event: Event,
    what: str,
    by: By,
    at: datetime | None = None,
    stopped_since: datetime | None = None,
) -> int:
    """Do the same to the clocks of all open heats but those drawn for later; return how many.

    ``stopped_since``: only to those that were stopped then or later.
    """
    event = lock_event(event)
    heats = event.heats.open().order_by("number")
    if stopped_since is not None:
        heats = heats.filter(clock_paused_at__gte=stopped_since)
    return sum(
        set_clock(heat=heat, what=what, by=by, at=at)
        for heat in heats
        if heat.clock_started_at is not None or not starts_later(heat)
    )


@transaction.atomic
@needs(JUDGE)
def extend_clocks(
    *, event: Event, minutes: int, by: By, seen: Mapping[int, int] | None = None
) -> int:
    """Give all open heats more minutes; return how many there are.

    ``seen``: how many extra minutes the director saw, by the heats' numbers. Refused with
    ``minutes_given``, for all of them, if somebody has given one of them some since.
    """
    event = lock_event(event)
    heats = list(event.heats.open().order_by("number"))
    for heat in heats:
        grant_extra_time(heat=heat, minutes=minutes, by=by, seen=(seen or {}).get(heat.number))
    return len(heats)


@transaction.atomic
@needs(DIRECT)
def end_all_by_time(*, event: Event, by: By) -> tuple[int, list[Heat]]:
    """End all heats whose time is up and that may end now; return how many, and the others.

    If none may, the first one's refusal is raised; it names them if there are several.
    """
    event = lock_event(event)
    count, refusal = 0, None
    skipped: list[Heat] = []
    for heat in event.heats.open().order_by("number"):
        clock = clock_of(heat, event)
        left = Sheet.objects.filter(table=heat.table_id, status__in=_TO_PLAY)
        if clock is None or clock.state != "over" or not left.exists():
            continue
        try:
            with transaction.atomic():
                end_by_time(heat=heat, by=by)
            count += 1
        except Refused as refused:
            refusal = refusal or refused
            skipped.append(heat)
    if refusal is not None and not count:
        raise refusal if len(skipped) == 1 else Refused(refusal.code, not_ended(skipped))
    return count, skipped


@transaction.atomic
@needs(JUDGE)
def end_by_time(*, heat: Heat, by: By) -> Heat:
    """End a heat whose time is up, by the event's time rule.

    The running game ends with places by score, games not yet begun are not played, and the heat is
    ranked by the rest. Refused with ``time_left``, and as by :func:`why_not_ended`.
    """
    heat = lock_open_heat(heat)
    clock = clock_of(heat, heat.event)
    if clock is None or clock.state != "over":
        raise Refused("time_left", _("The time of %(heat)s is not up."), heat=heat)
    sheets = scoring.locked_sheets(heat.table_id or 0)
    if refused := why_not_ended(heat, sheets):
        raise refused
    running = next((each for each in sheets if each.status == SheetStatus.RUNNING), None)
    if running is not None and running.is_written:
        ruling = {"kind": "ruling", "action": "end_game", "reason": coded("time_up")}
        enter_ruling(
            heat=heat, ruling=ruling, by=by, client_id=uuid.uuid4(), seen_version=running.version
        )
    for sheet in Sheet.objects.filter(table=heat.table_id, status__in=_TO_PLAY):
        scoring.void_sheet(sheet_id=sheet.pk, reason=coded("not_begun"))
    refresh_heat(heat=heat)
    record(LogAction.TIME_UP, heat, by, after={"rule": heat.event.time_rule})
    return heat
