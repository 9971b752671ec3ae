"""Versions of tables, for readers who wait for a change."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.models import Table


def table_versions(pks: Iterable[int]) -> dict[int, str]:
    """Return, by table, a text that changes with every write (one query)."""
    rows = Table.objects.filter(pk__in=list(pks)).values_list("pk", "revision")
    return {pk: str(revision) for pk, revision in rows}
