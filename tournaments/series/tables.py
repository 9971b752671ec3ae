"""The standing of a series as a file: without django-tables2, as it can have thousands of lines."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from engine.messages import mixed_text

from ..core.guards import without_control
from ..core.listing import cut
from ..core.workbook import Sheet
from .queries.standing import Row, Standing


def standing_sheet(standing: Standing, rows: Iterable[Row]) -> Sheet:
    """Return place, player, club, what each event gave, and the total."""
    headers = [
        *(_("Place"), _("Player"), _("Club")),
        *(without_control(column.told) for column in standing.columns),
        *(_("Results that count"), _("Points"), _("Points, exactly")),
    ]
    return Sheet(_("Standing"), headers, [_cells(row) for row in rows])


def _cells(row: Row) -> list[Any]:
    return [
        *(row.place, without_control(row.name), without_control(row.club)),
        *("" if gave is None else cut(gave.points) for gave in row.gave),
        sum(gave is not None and not gave.dropped for gave in row.gave),
        *(cut(row.total), mixed_text(row.total)),
    ]
