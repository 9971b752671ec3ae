"""Questions that are asked all the time: a query set whose SQL is put together once per process.

Django puts a query set's SQL together anew for each question, which for one row takes five to eight
times as long as asking it. What Django does not promise, but only this module uses: that a
compiler's SQL and what it has found out by making it can be used again.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection, transaction
from django.db.models import BigIntegerField, Expression, QuerySet

T = TypeVar("T")


class Blank(Expression):
    """Stands in the conditions of an :class:`AskedOften` for the value given at this place.

    ``several``: for a list of values, after ``__in``; of an empty one there are no rows.
    """

    def __init__(self, place: int = 0, *, several: bool = False) -> None:
        super().__init__()
        self.place, self.several = place, several

    def as_sql(self, compiler: Any, connection: Any, *_more: Any) -> tuple[str, tuple[Any, ...]]:
        """Return a place holder, and itself instead of a value."""
        return ("(%s)" if self.several else "%s"), (self,)


class AskedOften(Generic[T]):
    """A query set with blanks, for instance ``lambda: Sheet.objects.filter(table=Blank())``.

    ``ask`` is called once per process. The values that fill its blanks are keys, numbers and texts,
    as the database has them, or lists of those. What it gives is a list: nothing can be filtered
    further.
    """

    def __init__(self, ask: Callable[[], QuerySet[Any, T]]) -> None:
        self.ask = ask
        #: By kind of database, as tests have several.
        self._made: dict[str, _Made[T]] = {}

    def _question(self) -> _Made[T]:
        made = self._made.get(connection.vendor)
        if made is None:
            made = self._made[connection.vendor] = _Made(self.ask())
        return made

    def rows(self, *values: Any) -> list[T]:
        """Return the rows for these values of the blanks (one query).

        Raises ``TransactionManagementError`` if they are to be locked outside a transaction.
        """
        if any(map(_fits_nothing, values)):
            return []
        return list(self._question().filled(values))

    def row(self, *values: Any) -> T:
        """Return the first of them, or raise the model's ``DoesNotExist``."""
        for row in self.rows(*values):
            return row
        raise self._question().queryset.model.DoesNotExist


def _fits_nothing(value: Any) -> bool:
    """Whether no row can have this value: one of an empty list, or a number beyond all columns."""
    return value == [] or (isinstance(value, int) and abs(value) > BigIntegerField.MAX_BIGINT)


class _Made(Generic[T]):
    """A query set with the SQL that it was put together to."""

    def __init__(self, queryset: QuerySet[Any, T]) -> None:
        self.queryset = queryset
        self.compiler = queryset.query.get_compiler(connection=connection)
        sql, self.values = self.compiler.as_sql()
        self.pieces = sql.split("%s")
        selected = [column for column, _sql, _alias in self.compiler.select]
        self.converters = self.compiler.get_converters(selected)

    def filled(self, values: Sequence[Any]) -> QuerySet[Any, T]:
        """Return the query set for these values; it can only be read."""
        query = self.queryset.query
        if query.select_for_update and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("a row is locked within a transaction")
        sql, filled = self._filled(values)
        compiler = copy.copy(self.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda *_args, **_more: (sql, filled)
        compiler.get_converters = lambda _columns: self.converters
        # A clone would take as long as asking.
        asked: Any = object.__new__(type(self.queryset))
        asked.__dict__.update(self.queryset.__dict__)
        asked._query = copy.copy(query)
        asked._query.get_compiler = lambda *_args, **_more: compiler
        found: QuerySet[Any, T] = asked
        return found

    def _filled(self, values: Sequence[Any]) -> tuple[str, list[Any]]:
        """Return the SQL and its values."""
        sql, filled = self.pieces[0], list[Any]()
        for value, piece in zip(self.values, self.pieces[1:], strict=True):
            given = values[value.place] if isinstance(value, Blank) else value
            those = given if isinstance(value, Blank) and value.several else [given]
            sql += ", ".join(["%s"] * len(those)) + piece
            filled += those
        return sql, filled
