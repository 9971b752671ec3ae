"""Recompute everything from the entries: sheets, heads, results, qualifications.

Check the guards.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.models import Sheet
from scoring.reading.check import Verified, verify_sheets
from scoring.writing.locks import locked_sheets

from ..core.locks import lock_heat
from ..heats.checks import compare_results
from ..models import Anchor, Event, Heat, Job
from ..models.enums import EventStatus, JobStatus
from . import anchors, guards
from .queries import CHECK, checks

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not match; ``what`` is a key of ``texts.SENTENCES``."""

    what: str
    event: str = ""
    heat: int | None = None
    game: int | None = None
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a job stores it."""
        return asdict(self)


def verify(event: Event | None = None, *, pause: float = 0) -> list[Finding]:
    """Recompute one event, or all; return what does not match.

    ``pause``: seconds between two heats, so that checking a running event disturbs nobody.
    """
    found = [*broken_guards(), *unlike_the_last_anchor(event)]
    heats = Heat.objects.filter(table__isnull=False).select_related("event", "stage", "table")
    if event is not None:
        heats = heats.filter(event=event)
    for heat in heats.order_by("event", "number"):
        found += _of_heat(heat)
        time.sleep(pause)
    if event is None:
        casual = Sheet.objects.filter(table__heat__isnull=True)
        for key in casual.values_list("pk", flat=True):
            found += _of_sheet(*verify_sheets([Sheet.objects.select_related("table").get(pk=key)]))
    return found


def check_in_turn() -> list[dict[str, Any]]:
    """Check all open events and one finished one, which was checked longest ago.

    The worker does so every few minutes. Returns all findings, with those that the last check of
    each other finished event left.
    """
    finished = Event.objects.filter(status=EventStatus.FINISHED).order_by("pk").in_bulk()
    earlier = checks().filter(event__in=finished).order_by("started_at")
    kept = {each.event_id: each.result for each in earlier}
    turn = [*(key for key in finished if key not in kept), *kept][:1]
    found: list[Finding] = []
    for event in [
        *Event.objects.filter(status=EventStatus.OPEN),
        *(finished[key] for key in turn if key is not None),
    ]:
        found += [each for each in check(event, pause=0.05) if each not in found]
    others = [each for key in kept if key not in turn for each in kept[key]]
    return [each.as_json() for each in found or broken_guards()] + others


def check(event: Event, *, pause: float = 0) -> list[Finding]:
    """Recompute an event, and keep when that was and what of it does not match."""
    began = timezone.now()
    found = verify(event, pause=pause)
    # Findings about the whole database belong to the round, not to the event.
    own = [each.as_json() for each in found if each.event]
    Job.objects.update_or_create(
        kind=CHECK,
        event=event,
        defaults={
            "status": JobStatus.DONE,
            "started_at": began,
            "ended_at": timezone.now(),
            "result": own,
        },
    )
    return found


def broken_guards() -> list[Finding]:
    """Return the triggers that are missing, switched off or not as they were made."""
    return [Finding(what, detail=name) for what, name in guards.broken()]


def unlike_the_last_anchor(event: Event | None = None) -> Iterator[Finding]:
    """Compare the chains with the last signed line."""
    last = Anchor.objects.last()
    if last is None:
        return
    known = {
        str(public_id): (slug, heat, game)
        for public_id, slug, heat, game in Sheet.objects.filter(
            table__heat__isnull=False
        ).values_list("public_id", "table__heat__event__slug", "table__heat__number", "number")
    }
    for what, public_id in anchors.broken_in(last):
        slug, heat, game = known.get(public_id, ("", None, None))
        if event is None or slug in {"", event.slug}:
            yield Finding(what, slug, heat, game, detail=f"{last.at:%Y-%m-%d %H:%M}")


def _of_heat(heat: Heat) -> Iterator[Finding]:
    slug = heat.event.slug
    try:
        with transaction.atomic():
            heat = lock_heat(heat)
            sheets = locked_sheets(heat.table_id or 0)
            verified = verify_sheets(sheets)
            for sheet, each in zip(sheets, verified, strict=True):
                for found in _of_sheet(each):
                    yield Finding(found.what, slug, heat.number, sheet.number, found.detail)
            steps = {
                sheet.pk: each.steps
                for sheet, each in zip(sheets, verified, strict=True)
                if each.steps is not None
            }
            for wrong in compare_results(heat=heat, sheets=sheets, steps=steps):
                yield Finding(wrong.what, slug, heat.number, detail=", ".join(wrong.player_ids))
    except Exception:
        logger.exception("heat %s of %s cannot be recomputed", heat.number, slug)
        yield Finding("unreadable", slug, heat.number)


def _of_sheet(verified: Verified) -> Iterator[Finding]:
    if not verified.report.valid:
        yield Finding("chain", detail=str(verified.report.broken_at or ""))
    elif not verified.as_played:
        yield Finding("state")
