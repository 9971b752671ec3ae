"""The standing of a series as a file."""

from collections.abc import Iterable
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..core.listing import cut
from .queries.standing import Row, Standing


class StandingTable(tables.Table):
    """Place, player, club, what each event gave, and the total."""

    place = tables.Column(gettext_lazy("Place"))
    name = tables.Column(gettext_lazy("Player"))
    club = tables.Column(gettext_lazy("Club"))

    def __init__(self, standing: Standing, rows: Iterable[Row]) -> None:
        extra = [
            (f"event_{column.number}", tables.Column(verbose_name=column.name))
            for column in standing.columns
        ]
        extra.append(("counted", tables.Column(verbose_name=_("Results that count"))))
        extra.append(("total", tables.Column(verbose_name=_("Points"))))
        super().__init__([_values(standing, row) for row in rows], extra_columns=extra)


def _values(standing: Standing, row: Row) -> dict[str, Any]:
    found: dict[str, Any] = {"place": row.place, "name": row.name, "club": row.club}
    for column, gave in zip(standing.columns, row.gave, strict=True):
        found[f"event_{column.number}"] = "" if gave is None else cut(gave.points)
    found["counted"] = sum(1 for gave in row.gave if gave is not None and not gave.dropped)
    found["total"] = cut(row.total)
    return found
