"""Telling others after the commit, and counting the table's revision for its readers."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import F

from scoring.enums import SheetStatus
from scoring.live import wake
from scoring.models import Sheet, Table
from scoring.signals import sheet_changed, sheet_finished, table_changed


def announce_sheet(sheet: Sheet, *, unsign: bool = False) -> None:
    """Count the change on the table and send the sheet's signals after the commit.

    ``unsign`` takes the table's sign-off back, because what it signed is no longer there.
    """
    fields: dict[str, object] = {"revision": F("revision") + 1}
    if unsign:
        fields |= {"signed_at": None, "signed_by": ""}
    Table.objects.filter(pk=sheet.table_id).update(**fields)
    details = {"sheet_id": sheet.pk, "table_id": sheet.table_id, "version": sheet.version}
    transaction.on_commit(partial(sheet_changed.send, sender=Sheet, **details))
    transaction.on_commit(wake)
    if sheet.status == SheetStatus.FINISHED:
        transaction.on_commit(partial(sheet_finished.send, sender=Sheet, **details))


def announce_table(table: Table) -> None:
    """Send the table's signal after the commit; the caller has counted the revision."""
    transaction.on_commit(partial(table_changed.send, sender=Table, table_id=table.pk))
    transaction.on_commit(wake)
