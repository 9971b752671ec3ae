"""Telling others inside the transaction, counting the table's revision, waking readers after it."""

from __future__ import annotations

from django.db import connection, transaction

from scoring.live import wake
from scoring.models import Sheet, Table
from scoring.signals import table_changed


def announce_sheet(sheet: Sheet, *, unsign: bool = False, results: bool = True) -> None:
    """Count the change of a saved sheet on its table, and tell of it.

    ``unsign`` takes the table's sign-off back, because what it signed is no longer there.
    ``results`` is false for an entry in the middle of a game, after which no result is another.
    """
    if unsign:
        Table.objects.filter(pk=sheet.table_id).update(signed_at=None, signed_by="", protest=None)
    with connection.cursor() as cursor:
        # Written out: every entry comes by here, and the query set costs ten times the statement.
        cursor.execute(
            "UPDATE scoring_table SET revision = revision + 1 WHERE id = %s", [sheet.table_id]
        )
    _announce(sheet.table_id, sheet, results)


def announce_table(table: Table) -> None:
    """Tell of a change of the table itself; the caller has counted the revision."""
    _announce(table.pk, None, True)


def _announce(table_id: int, sheet: Sheet | None, results: bool) -> None:
    table_changed.send(sender=Table, table_id=table_id, sheet=sheet, results=results)
    transaction.on_commit(wake)
