"""Names for the references that tables hold; the only way names enter a page of scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from scoring.models import Table


class Resolver(Protocol):
    """What ``SCORING_NAME_RESOLVER`` points at."""

    def __call__(self, table_ids: Iterable[int], /) -> Mapping[int, Mapping[str, str]]:
        """Return for each table the display names of the references it knows."""


def names_for(tables: Iterable[Table]) -> dict[int, dict[str, str]]:
    """Return ``{table id: {reference: display name}}`` for every player of the tables.

    A reference that the resolver does not know stands for itself, so that a casual table,
    whose references are the names, needs no resolver. Names that two players of a table
    share are numbered, because a score sheet must tell them apart.
    """
    tables = list(tables)
    path = getattr(settings, "SCORING_NAME_RESOLVER", "")
    known: Mapping[int, Mapping[str, str]] = {}
    if path and tables:
        resolver: Resolver = import_string(path)
        known = resolver([table.pk for table in tables])
    result = {}
    for table in tables:
        own = known.get(table.pk, {})
        names = {str(ref): str(own.get(str(ref), ref)) for ref in table.players}
        result[table.pk] = _told_apart(names)
    return result


def names_of(table: Table) -> dict[str, str]:
    """Return ``{reference: display name}`` of one table."""
    return names_for([table])[table.pk]


def _told_apart(names: dict[str, str]) -> dict[str, str]:
    seen: dict[str, int] = {}
    result = {}
    for ref, name in names.items():
        seen[name] = seen.get(name, 0) + 1
        result[ref] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return result
