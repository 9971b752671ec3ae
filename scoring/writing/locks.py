"""Row locks, always taken in this order: sheets by number, then their table."""

from __future__ import annotations

import uuid

from django.db import connection
from django.db.models import JSONField, Value

from ..models import AskedOften, Blank, Sheet, SheetEntry, Table

#: What an entry needs of a sheet: not the state, which is kept in memory.
_READ = {
    "id", "table", "drawn_seats", "seats", "dealer", "status", "version", "chain", "lease_device"
}  # fmt: skip

# Without its table: PostgreSQL, which reads the sheet anew after it has waited for the lock, would
# give the table as it was before.
_SHEET = AskedOften(lambda: Sheet.objects.select_for_update().filter(pk=Blank()))
_SHEETS = AskedOften(
    lambda: Sheet.objects.select_for_update().filter(table=Blank()).order_by("number")
)
_TABLE = AskedOften(lambda: Table.objects.select_for_update().filter(pk=Blank()))


def locked_sheet(sheet_id: int) -> Sheet:
    """Return the sheet with its row locked until the end of the transaction.

    Raises ``Sheet.DoesNotExist``.
    """
    return _SHEET.row(sheet_id)


def sheet_for_entry(sheet_id: int) -> tuple[Sheet, uuid.UUID | None]:
    """Return the locked sheet with what an entry needs, and its last row's id.

    Other fields are read when asked for. Raises ``Sheet.DoesNotExist``.
    """
    fields = [field for field in Sheet._meta.concrete_fields if field.name in _READ]
    columns = ", ".join(str(field.column) for field in fields)
    lock = "FOR UPDATE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        # Raw SQL: every entry passes here, and a query set takes five times as long.
        cursor.execute(
            f"SELECT {columns}, (SELECT client_id FROM scoring_sheetentry"
            " WHERE sheet_id = scoring_sheet.id AND sequence = scoring_sheet.version)"
            f" FROM scoring_sheet WHERE id = %s {lock}",
            [sheet_id],
        )
        row = cursor.fetchone()
    if row is None:
        raise Sheet.DoesNotExist
    *found, last = row
    values = [
        field.from_db_value(value, Value(None), connection)
        if isinstance(field, JSONField)
        else value
        for field, value in zip(fields, found, strict=True)
    ]
    sheet = Sheet.from_db(connection.alias, [field.attname for field in fields], values)
    return sheet, SheetEntry._meta.get_field("client_id").to_python(last)


def locked_sheets(table_id: int) -> list[Sheet]:
    """Lock all sheets of a table in the order of their numbers, then the table itself."""
    sheets = _SHEETS.rows(table_id)
    table = locked_table(table_id)
    for sheet in sheets:
        sheet.table = table
    return sheets


def locked_table(table_id: int) -> Table:
    """Lock a table whose sheets the caller neither changes nor asks."""
    return _TABLE.row(table_id)
