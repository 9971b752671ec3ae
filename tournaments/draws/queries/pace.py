"""How long heats take here, and when tables will be free."""

from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.formats import time_format

from ...core.clock import clock_of
from ...core.expiry import expire_at
from ...models import Announcement, Event, HeatEntry
from .plan import DrawPlan

#: From how many of the last heats their length is worked out.
HEATS_FOR_LENGTH = 30
#: What a game takes where no heat has been played, and the pause between two rounds.
GAME, BETWEEN = timedelta(minutes=20), timedelta(minutes=10)


def heat_length(event: Event) -> timedelta | None:
    """Return the median of how long the last heats took; None before the first (one query)."""
    times = event.heats.finished().filter(opened_at__isnull=False, finished_at__isnull=False)
    taken = [
        finished - opened
        for opened, finished in times.order_by("-finished_at").values_list(
            "opened_at", "finished_at"
        )[:HEATS_FOR_LENGTH]
        if finished and opened
    ]
    return timedelta(seconds=median(each.total_seconds() for each in taken)) if taken else None


def usual_length(event: Event, games: int) -> timedelta:
    """Return how long a heat of so many games takes: by those played, the clock, or a guess."""
    played = heat_length(event)
    if played is None and event.minutes_per_heat:
        played = timedelta(minutes=event.minutes_per_heat)
    return played / event.games_per_heat * games if played else GAME * games


def free_at(event: Event, tables: int = 1) -> datetime | None:
    """Return when about so many tables will be free, if that can be said (two queries).

    By the tables' clocks, otherwise by how long heats have taken; a break stops either.
    """
    now = timezone.now()
    length = heat_length(event)
    breaks = Announcement.objects.filter(
        event=OuterRef("stage__event"), is_break=True, taken_back_at=None, ends_at__gt=now
    )
    heats: Any = event.heats.open().annotate(
        break_since=Subquery(breaks.values("made_at")[:1]),
        break_ends=Subquery(breaks.values("ends_at")[:1]),
    )
    ends = []
    for heat in heats:
        clock = clock_of(heat, event)
        by_clock = clock.ends_at if clock else None
        if clock is not None and clock.state == "paused":
            by_clock = (heat.break_ends or now) + timedelta(seconds=clock.left)
        by_pace = heat.opened_at + length if heat.opened_at and length else None
        if by_pace and heat.break_ends:
            by_pace += heat.break_ends - heat.break_since
        ends.append(by_clock or by_pace)
    later = sorted(end for end in ends if end is not None and end > now)
    if len(later) < tables:
        return None
    expire_at(later[tables - 1])
    # Nobody knows it to the minute.
    end = later[tables - 1]
    return end + timedelta(minutes=-timezone.localtime(end).minute % 5)


def next_draw(event: Event, plan: DrawPlan, entry: HeatEntry) -> str | None:
    """Return about when somebody who waits will be drawn ("20:50"), if that can be said.

    Empty where the next draw would seat them now; each table that ends seats four of the others.
    """
    if entry.pk in {each.pk for each in plan.seated}:
        return ""
    stays = [each.pk for each, _why in plan.stays]
    before = stays.index(entry.pk) if entry.pk in stays else len(stays)
    at = free_at(event, before // 4 + 1)
    return time_format(timezone.localtime(at), "H:i") if at else None


def hours_of_rounds(event: Event, rounds: int) -> float:
    """Return how many hours so many play-off rounds take, the final with them, to the half."""
    final = usual_length(event, event.final_games or event.playoff_games)
    others = (usual_length(event, event.playoff_games) + BETWEEN) * (rounds - 1)
    half_hours = max(1, round((final + others) / timedelta(minutes=30)))
    return half_hours // 2 if half_hours % 2 == 0 else half_hours / 2
