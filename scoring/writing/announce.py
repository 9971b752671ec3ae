"""Announcing changes: to listeners inside the transaction, to readers after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import connection, transaction

from ..live import wake
from ..models import Sheet, Table
from ..signals import table_changed


def announce_sheet(sheet: Sheet, *, unsign: bool = False, results: bool = True) -> int:
    """Count a saved sheet's change on its table and announce it; return the table's revision.

    ``unsign`` undoes the table's sign-off, because what was signed no longer holds. ``results`` is
    false for what cannot change any result: a game's beginning, an entry in its middle.
    """
    undone = {"signed_at": None, "signed_by": "", "protest": None} if unsign else {}
    revision = _change(sheet.table_id, undone)
    _announce(sheet.table_id, sheet, results)
    return revision


def announce_games(sheets: Sequence[Sheet], *, begun: int) -> None:
    """Announce games of a table that were written at once; of these, some were begun with it.

    The revision is what it would be had they been begun and written one after the other.
    """
    _change(sheets[0].table_id, {}, times=len(sheets) + begun)
    for sheet in sheets:
        _announce(sheet.table_id, sheet, False)


def change_table(table: Table, **fields: object) -> Table:
    """Set fields of a locked table, count its revision and announce the change."""
    table.revision = _change(table.pk, fields)
    for name, value in fields.items():
        setattr(table, name, value)
    _announce(table.pk, None, True)
    return table


def _change(table_id: int, fields: Mapping[str, object], times: int = 1) -> int:
    """Set fields of a table's row and count its revision, which is returned."""
    found = [field for field in Table._meta.concrete_fields if field.name in fields]
    given = "".join(f", {field.column} = %s" for field in found)
    values = [field.get_db_prep_save(fields[field.name], connection) for field in found]
    with connection.cursor() as cursor:
        # Raw SQL: every entry passes here, and the query set costs ten times as much.
        cursor.execute(
            f"UPDATE scoring_table SET revision = revision + %s{given} WHERE id = %s "
            "RETURNING revision",
            [times, *values, table_id],
        )
        (revision,) = cursor.fetchone()
    return int(revision)


def _announce(table_id: int, sheet: Sheet | None, results: bool) -> None:
    table_changed.send(sender=Table, table_id=table_id, sheet=sheet, results=results)
    transaction.on_commit(wake)
