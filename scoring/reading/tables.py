"""What is true of tables as a whole: changed, unplayed, unused."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from ..enums import RowKind
from ..models import HeatPenalty, Sheet, SheetEntry, Table


def table_versions(pks: Iterable[int]) -> dict[int, str]:
    """Return, by table, a text that changes with every write (one query)."""
    rows = Table.objects.filter(pk__in=list(pks)).values_list("pk", "revision")
    return {pk: str(revision) for pk, revision in rows}


def current_sheet(table_id: int) -> Sheet | None:
    """Return the running sheet, or else the last finished one (which may still be taken back)."""
    sheets = Sheet.objects.filter(table=table_id, status__in=["running", "finished"])
    return sheets.order_by("status", "number").last()


def has_row(table_id: int | None, client_id: str) -> bool:
    """Return whether a row with this id exists on one of the table's sheets."""
    rows = SheetEntry.objects.filter(sheet__table=table_id)
    try:
        return rows.filter(client_id=UUID(client_id)).exists()
    except ValueError:
        return False


def unplayed(table_id: int) -> bool:
    """Return whether nothing has been entered at a table; seats may have been corrected."""
    rows = SheetEntry.objects.filter(sheet__table=table_id)
    penalties = HeatPenalty.objects.filter(table=table_id)
    return not rows.exclude(kind=RowKind.RESEAT).exists() and not penalties.exists()


def unused_tables(*, since: datetime) -> list[Table]:
    """Return the casual tables that nobody has used since then."""
    used = Sheet.objects.filter(
        Q(started_at__gte=since) | Q(last_entry_at__gte=since) | Q(lease_since__gte=since)
    )
    return list(
        Table.objects.filter(directed=False, created_at__lt=since)
        .exclude(call_since__gte=since)
        .exclude(signed_at__gte=since)
        .exclude(pk__in=used.values("table"))
        .order_by("pk")
    )
