"""The standing of a series, for the wall."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.messages import points_text
from scoring.words import lang

from ...models import Series
from ...series.queries.standing import Gave, Standing, rows_of
from ._lists import Column, wall_list

#: Players on the print, and events with a column each.
MOST, COLUMNS = 200, 8
GREEN = "#1b5e3f"


@dataclass(frozen=True)
class _Head:
    name: str
    paper_size: str
    colour: str = GREEN


@dataclass(frozen=True)
class _Listing:
    event: _Head
    language: str
    plain: bool = False
    replaces: datetime | None = None


def series_pdf(series: Series, standing: Standing, paper_size: str) -> bytes:
    """Return the first players of a standing, and what each event gave; dropped ones in brackets.

    With more events than there is room for, of each player the number of results that count. At the
    foot stands which number is which event.
    """
    rows = rows_of(standing, standing.lines[:MOST])
    over = [index for index, column in enumerate(standing.columns) if column.is_over]
    shown = over if len(over) <= COLUMNS else []
    columns = [
        Column(_("Place"), 0.8, right=True),
        Column(_("Player"), 6, bold=True),
        *(Column(str(standing.columns[index].number), 1, right=True) for index in shown),
        *([] if shown else [Column(_("Results that count"), 1.4, right=True)]),
        Column(_("Points"), 1.4, right=True, bold=True),
    ]
    lines = []
    for row in rows:
        counted = sum(gave is not None and not gave.dropped for gave in row.gave)
        between = [_cell(row.gave[index]) for index in shown] if shown else [str(counted)]
        place = f"{row.place}=" if row.shared else str(row.place)
        lines.append([(place, row.name, *between, points_text(row.total, lang()))])
    listing = _Listing(_Head(series.name, paper_size), get_language() or "en")
    below = _events(standing, shown)
    return wall_list(
        listing, _("Standing"), columns, lines, note=_note(standing), size=11, below=below
    )


def _events(standing: Standing, shown: Sequence[int]) -> str:
    """Return which number is which event, and what brackets mean."""
    names = [
        f"{standing.columns[index].number} = {standing.columns[index].told}" for index in shown
    ]
    if names and standing.rules.best_of:
        names.append(_("in brackets: does not count"))
    return "; ".join(names)


def _cell(gave: Gave | None) -> str:
    if gave is None:
        return ""
    text = points_text(gave.points, lang())
    return f"({text})" if gave.dropped else text


def _note(standing: Standing) -> str:
    after = ngettext("After %(count)s event", "After %(count)s events", standing.after)
    parts = [after % {"count": standing.after}]
    if len(standing.lines) > MOST:
        parts.append(
            _("the first %(most)s of %(count)s players")
            % {"most": MOST, "count": len(standing.lines)}
        )
    if standing.is_stale:
        parts.append(_("an event is being worked out again"))
    return " · ".join(parts)
