"""Announcing changes: to listeners inside the transaction, to readers after it."""

from __future__ import annotations

from django.db import connection, transaction

from ..live import wake
from ..models import Sheet, Table
from ..signals import table_changed


def announce_sheet(sheet: Sheet, *, unsign: bool = False, results: bool = True) -> int:
    """Count a saved sheet's change on its table and announce it; return the table's revision.

    ``unsign`` undoes the table's sign-off, because what was signed no longer holds. ``results`` is
    false for what cannot change any result: a game's beginning, an entry in its middle.
    """
    if unsign:
        Table.objects.filter(pk=sheet.table_id).update(signed_at=None, signed_by="", protest=None)
    with connection.cursor() as cursor:
        # Raw SQL: every entry passes here, and the query set costs ten times as much.
        cursor.execute(
            "UPDATE scoring_table SET revision = revision + 1 WHERE id = %s RETURNING revision",
            [sheet.table_id],
        )
        (revision,) = cursor.fetchone()
    _announce(sheet.table_id, sheet, results)
    return int(revision)


def announce_table(table: Table) -> None:
    """Announce a change of the table itself; the caller has counted the revision."""
    _announce(table.pk, None, True)


def _announce(table_id: int, sheet: Sheet | None, results: bool) -> None:
    table_changed.send(sender=Table, table_id=table_id, sheet=sheet, results=results)
    transaction.on_commit(wake)
