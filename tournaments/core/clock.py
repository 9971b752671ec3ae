"""The heat's clock: it starts when the director starts it and stops during breaks."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.host import Clock

from ..models import Event, Heat
from ..models.enums import HeatStatus
from .errors import Refused
from .expiry import expire_at


def clock_of(heat: Heat, event: Event) -> Clock | None:
    """Return the clock of an open heat, or None if the event has no time limit; makes no query."""
    if event.minutes_per_heat is None or heat.status != HeatStatus.OPEN:
        return None
    length = timedelta(minutes=event.minutes_per_heat + heat.extra_minutes)
    if heat.clock_started_at is None:
        return Clock("ready", int(length.total_seconds()))
    end = heat.clock_started_at + length + timedelta(seconds=heat.clock_paused_seconds)
    now = heat.clock_paused_at or timezone.now()
    left = round((end - now).total_seconds())
    if heat.clock_paused_at is not None:
        return Clock("paused", left)
    if left > 0:
        expire_at(end)
    return Clock("running" if left > 0 else "over", left, end)


def needed_clock(heat: Heat) -> Clock:
    """Return the clock of an open heat; refused with ``no_clock`` without a time limit."""
    clock = clock_of(heat, heat.event)
    if clock is None:
        raise Refused("no_clock", _("Heats of this event are played without a clock."))
    return clock
