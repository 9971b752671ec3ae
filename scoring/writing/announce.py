"""Telling others after the commit, and counting the table's revision for its readers."""

from __future__ import annotations

from functools import partial

from django.db import connection, transaction

from scoring.enums import SheetStatus
from scoring.live import wake
from scoring.models import Sheet, Table
from scoring.signals import sheet_changed, sheet_finished, table_changed


def announce_sheet(sheet: Sheet, *, unsign: bool = False, results: bool = True) -> None:
    """Count the change on the table and send the sheet's signals after the commit.

    ``unsign`` takes the table's sign-off back, because what it signed is no longer there.
    ``results`` is false for an entry in the middle of a game, after which no result is another.
    """
    if unsign:
        Table.objects.filter(pk=sheet.table_id).update(signed_at=None, signed_by="")
    with connection.cursor() as cursor:
        # Written out: every entry comes by here, and the query set costs ten times the statement.
        cursor.execute(
            "UPDATE scoring_table SET revision = revision + 1 WHERE id = %s", [sheet.table_id]
        )
    details = {
        "sheet_id": sheet.pk,
        "table_id": sheet.table_id,
        "version": sheet.version,
        "results": results,
    }
    transaction.on_commit(partial(sheet_changed.send, sender=Sheet, **details))
    transaction.on_commit(wake)
    if sheet.status == SheetStatus.FINISHED:
        transaction.on_commit(partial(sheet_finished.send, sender=Sheet, **details))


def announce_table(table: Table) -> None:
    """Send the table's signal after the commit; the caller has counted the revision."""
    transaction.on_commit(partial(table_changed.send, sender=Table, table_id=table.pk))
    transaction.on_commit(wake)
