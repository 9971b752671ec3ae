"""Rows that are asked for at every write, by a question that is put together once per process.

Django puts a query set's SQL together anew for each question, which for one row takes five to eight
times as long as asking it. Here it is made once, of the model's fields. What Django does not
promise, but only this module uses: a field's ``get_col``, and with it how a column's values are
converted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models, transaction

M = TypeVar("M", bound=models.Model)


class _Part:
    """The columns of one model: of the rows asked for, or of what they refer to."""

    def __init__(self, alias: str, model: type[models.Model], only: Collection[str] = ()) -> None:
        self.alias, self.model = alias, model
        fields = [each for each in model._meta.concrete_fields if not only or each.name in only]
        columns = [field.get_col(alias) for field in fields]
        self.columns = [f'"{alias}"."{field.column}"' for field in fields]
        self.names = [field.attname for field in fields]
        self.key = self.names.index(model._meta.pk.attname)
        #: The places of values that Python has in another form, and how each is converted.
        self.converted = [
            (place, column, converters)
            for place, column in enumerate(columns)
            if (
                converters := [
                    *connection.ops.get_db_converters(column),
                    *column.get_db_converters(connection),
                ]
            )
        ]

    def made(self, values: list[Any]) -> Any:
        """Return the object of these values; None if there is no such row."""
        if values[self.key] is None:
            return None
        for place, column, converters in self.converted:
            for convert in converters:
                values[place] = convert(values[place], column, connection)
        return self.model.from_db(connection.alias, self.names, values)


class AskedOften(Generic[M]):
    """The rows of a model for which a condition holds.

    ``condition``: SQL on the alias ``own``, with a ``%s`` for each value. ``related``: foreign keys
    whose rows come along, a row's before those of its own keys (``heat``, ``heat__table``).
    ``only``: the fields to read; others are read when asked for. ``lock``: how PostgreSQL locks the
    rows, such as ``NO KEY UPDATE``; on SQLite only one transaction writes at a time.
    """

    def __init__(
        self,
        model: type[M],
        condition: str,
        *,
        related: Sequence[str] = (),
        only: Collection[str] = (),
        lock: str = "",
    ) -> None:
        self.model, self.condition = model, condition
        self.related, self.only, self.lock = related, only, lock

    @cached_property
    def _question(self) -> tuple[str, dict[str, _Part]]:
        parts = {"": _Part("own", self.model, self.only)}
        tables = f'"{self.model._meta.db_table}" "own"'
        for path in self.related:
            before, _, name = path.rpartition("__")
            key: Any = parts[before].model._meta.get_field(name)
            parts[path] = _Part(path, key.related_model)
            tables += f' LEFT JOIN "{key.related_model._meta.db_table}" "{path}"'
            tables += f' ON "{path}"."{key.target_field.column}"'
            tables += f' = "{parts[before].alias}"."{key.column}"'
        columns = ", ".join(column for part in parts.values() for column in part.columns)
        sql = f"SELECT {columns} FROM {tables} WHERE {self.condition}"
        if self.lock and connection.vendor == "postgresql":
            sql += f" FOR {self.lock} OF own"
        return sql, parts

    def rows(self, *values: Any) -> list[M]:
        """Return the rows for these values of the condition (one query)."""
        if self.lock and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("a row is locked within a transaction")
        sql, parts = self._question
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return [_joined(parts, row) for row in cursor.fetchall()]

    def row(self, *values: Any) -> M:
        """Return the first of them, or raise the model's ``DoesNotExist``."""
        for row in self.rows(*values):
            return row
        missing: type[Exception] = self.model.DoesNotExist  # type: ignore[attr-defined]
        raise missing


def _joined(parts: dict[str, _Part], row: Sequence[Any]) -> Any:
    """Return the object of a row, with the related ones."""
    found: dict[str, Any] = {}
    begin = 0
    for path, part in parts.items():
        end = begin + len(part.names)
        found[path] = part.made(list(row[begin:end]))
        before, _, name = path.rpartition("__")
        if path and found[before] is not None:
            setattr(found[before], name, found[path])
        begin = end
    return found[""]
