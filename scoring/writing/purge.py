"""Deleting abandoned casual tables with their sheets."""

from __future__ import annotations

from django.db import connection, transaction
from django.utils import timezone

from ..models import Link, Sheet, Table
from .locks import locked_sheets


@transaction.atomic
def purge_table(*, table_id: int) -> None:
    """Delete a casual table with all its rows; the database protects those of other tables."""
    sheets = [sheet.pk for sheet in locked_sheets(table_id)]
    Table.objects.filter(pk=table_id).update(expired_at=timezone.now())
    with connection.cursor() as cursor:
        # Raw SQL, because the query sets of these rows refuse to delete.
        for pk in sheets:
            cursor.execute("DELETE FROM scoring_sheetentry WHERE sheet_id = %s", [pk])
            cursor.execute("DELETE FROM scoring_leasechange WHERE sheet_id = %s", [pk])
            cursor.execute("DELETE FROM scoring_declaration WHERE sheet_id = %s", [pk])
            cursor.execute("DELETE FROM scoring_gameacceptance WHERE sheet_id = %s", [pk])
            of_sheet = "SELECT id FROM scoring_objection WHERE sheet_id = %s"
            cursor.execute(
                f"DELETE FROM scoring_objectionanswer WHERE objection_id IN ({of_sheet})", [pk]
            )
            cursor.execute("DELETE FROM scoring_objection WHERE sheet_id = %s", [pk])
        for rows in ("flipflop", "heatpenalty"):
            cursor.execute(f"DELETE FROM scoring_{rows} WHERE table_id = %s", [table_id])
    Sheet.objects.filter(table=table_id).delete()
    Link.objects.filter(table=table_id).delete()
    Table.objects.filter(pk=table_id).delete()
