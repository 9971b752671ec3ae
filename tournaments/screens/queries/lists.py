"""What screens show of players: seats, who waits, standings, who is through."""

from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from engine.messages import points_text
from scoring.words import lang

from ...core.names import distinct_names, in_order
from ...draws.queries.pace import free_at
from ...models import Draw, Event, HeatEntry, Series
from ...models.enums import DrawStatus, HeatStatus
from ...registration.queries.queue import queue_of
from ...results.queries.player_standings import player_standings_of
from ...results.queries.standings import qualified_of
from ...series.queries.standing import rows_of, standing_of
from .pages import HALVES, IN_A_HALF, IN_A_THIRD, THIRDS, Part, Row, list_of
from .short import fitting
from .times import when

#: So many players of a series are shown.
IN_SERIES = 60


def last_draw(event: Event) -> tuple[Draw, datetime] | None:
    """Return the last published draw whose heats are played or to come, and when (one query)."""
    open_ = event.draws.filter(status=DrawStatus.PUBLISHED, heats__status=HeatStatus.OPEN)
    found: Any = open_.annotate(at=Max("heats__created_at")).order_by("-number").first()
    return (found, found.at) if found is not None else None


def seats(event: Event, beside: bool) -> Part:
    """Return where players of the last draw sit, by name."""
    drawn = last_draw(event)
    title = _("Where do I sit?")
    if drawn is None:
        return Part(title, said=_("No heat is drawn."))
    entries = HeatEntry.objects.filter(heat__draw=drawn[0], heat__status=HeatStatus.OPEN)
    rows = sorted(
        entries.select_related("heat", "registration__person"),
        key=lambda entry: in_order(entry.registration),
    )
    names = fitting(distinct_names(entry.registration for entry in rows), IN_A_THIRD)
    lines = []
    for entry in rows:
        assert entry.heat is not None
        table = entry.heat.table_number
        lines.append(
            Row(names[entry.registration.player_id], str(table) if table else str(entry.heat))
        )
    return list_of(title, lines, THIRDS, beside=beside)


def waiting(event: Event, beside: bool) -> Part:
    """Return who waits for a heat, and when about the next table is free."""
    queue = queue_of(event)
    names = fitting(distinct_names(entry.registration for entry in queue.waiting), IN_A_THIRD)
    seated = {entry.pk for entry in queue.plan.seated}
    lines = [
        Row(
            names[entry.registration.player_id],
            lead=str(number),
            tag=_("next") if entry.pk in seated else "",
        )
        for number, entry in enumerate(queue.waiting, start=1)
    ]
    said = _("Nobody waits for a heat.")
    if lines:
        at = free_at(event)
        said = _("About %(time)s") % {"time": when(at)} if at else ""
    return list_of(_("Waiting for a heat"), lines, THIRDS, beside=beside, said=said)


def standings(event: Event, beside: bool) -> Part:
    """Return the standings."""
    rows = [row for row in player_standings_of(event) if row.result is not None]
    names = fitting({str(row.number): row.name for row in rows}, IN_A_HALF)
    lines = [
        Row(
            names[str(row.number)],
            f"{int((row.share or 0) * 100)} %",
            lead=str(place),
            tag="✓" if row.went_on else "",
        )
        for place, row in enumerate(rows, start=1)
    ]
    said = "" if lines else _("No heat is finished yet.")
    return list_of(_("Standings"), lines, HALVES, beside=beside, said=said)


def qualified(event: Event, beside: bool) -> Part:
    """Return who is through."""
    rows = list(qualified_of(event))
    names = fitting(distinct_names(row.registration for row in rows), IN_A_THIRD)
    lines = [Row(names[row.registration.player_id], lead=str(row.order)) for row in rows]
    said = "" if lines else _("Nobody has qualified yet.")
    return list_of(_("Through"), lines, THIRDS, beside=beside, said=said)


def series(event: Event, beside: bool) -> Part:
    """Return the standing of the public series in which the event counts, the newest of several."""
    found = (
        Series.objects.filter(joined__event=event, joined__agreed_at__isnull=False, is_public=True)
        .order_by("-starts_on", "name")
        .first()
    )
    if found is None:
        return Part(_("The series"), said=_("The event is in no public series."))
    standing = standing_of(found)
    rows = rows_of(standing, standing.lines[:IN_SERIES])
    names = fitting({str(number): row.name for number, row in enumerate(rows)}, IN_A_HALF)
    lines = [
        Row(names[str(number)], points_text(row.total, lang()), lead=_place(row.place, row.shared))
        for number, row in enumerate(rows)
    ]
    said = "" if lines else _("Nobody is in it yet.")
    title = found.name
    if standing.is_stale:
        # In front: a long name is cut at its end.
        title = _("Being worked out again: %(series)s") % {"series": found.name}
    return list_of(title, lines, HALVES, beside=beside, said=said)


def _place(place: int, shared: bool) -> str:
    return f"{place}=" if shared else str(place)
