"""Recompute everything from the entries: sheets, heads, results, qualifications.

Check the guards.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from scoring.models import Sheet
from scoring.writing import rebuild, verify_chain

from ..core.locks import lock_heat
from ..heats.checks import check_heat
from ..models import Anchor, Event, Heat
from ..models.enums import EventStatus
from . import anchors, guards

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
        """Return the finding as a chore stores it."""
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
            found += _of_sheet(key)
    return found


def verify_open() -> list[Finding]:
    """Recompute all open events; the worker does so every few minutes."""
    found: list[Finding] = []
    for event in Event.objects.filter(status=EventStatus.OPEN):
        found += [each for each in verify(event, pause=0.05) if each not in found]
    return found or broken_guards()


def broken_guards() -> list[Finding]:
    """Return the triggers that are missing, switched off or not as they were made."""
    return [Finding(what, detail=name) for what, name in guards.broken()]


def unlike_the_last_anchor(event: Event | None = None) -> Iterator[Finding]:
    """Compare the chains with the last signed line."""
    last = Anchor.objects.last()
    if last is None:
        return
    places = {
        str(public_id): (slug, heat, game)
        for public_id, slug, heat, game in Sheet.objects.filter(
            table__heat__isnull=False
        ).values_list("public_id", "table__heat__event__slug", "table__heat__number", "number")
    }
    for what, public_id in anchors.broken_in(last):
        slug, heat, game = places.get(public_id, ("", None, None))
        if event is None or slug in {"", event.slug}:
            yield Finding(what, slug, heat, game, detail=f"{last.at:%Y-%m-%d %H:%M}")


def _of_heat(heat: Heat) -> Iterator[Finding]:
    slug = heat.event.slug
    try:
        with transaction.atomic():
            lock_heat(heat)
            sheets = Sheet.objects.select_for_update().filter(table=heat.table)
            for key, number in sheets.order_by("number").values_list("pk", "number"):
                for found in _of_sheet(key):
                    yield Finding(found.what, slug, heat.number, number, found.detail)
        for each in check_heat(heat=heat):
            yield Finding(each.what, slug, heat.number, detail=", ".join(each.player_ids))
    except Exception:
        logger.exception("heat %s of %s cannot be recomputed", heat.number, slug)
        yield Finding("unreadable", slug, heat.number)


def _of_sheet(key: int) -> Iterator[Finding]:
    report = verify_chain(sheet_id=key)
    if not report.valid:
        yield Finding("chain", detail=str(report.broken_at or ""))
    elif not rebuild(sheet_id=key):
        yield Finding("state")
