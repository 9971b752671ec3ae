"""Row locks, always taken in this order: sheets by number, then their table."""

from __future__ import annotations

from ..models import Sheet, Table
from ..models.statements import Prepared, fetch

_SHEETS = Prepared(
    Sheet, lambda: Sheet.objects.select_for_update().filter(table_id=0).order_by("number")
)


def locked_sheet(sheet_id: int, *, only: tuple[str, ...] = ()) -> Sheet:
    """Return the sheet with its row locked until the end of the transaction.

    ``only``: read these fields; others are read when somebody asks for them. Raises
    ``Sheet.DoesNotExist``.
    """
    return fetch(Sheet, sheet_id, lock=True, only=only)


def locked_sheets(table_id: int) -> list[Sheet]:
    """Lock all sheets of a table in the order of their numbers, then the table itself."""
    sheets = _SHEETS(table_id)
    table = locked_table(table_id)
    for sheet in sheets:
        sheet.table = table
    return sheets


def locked_table(table_id: int) -> Table:
    """Lock a table whose sheets the caller neither changes nor asks."""
    return fetch(Table, table_id, lock=True)
