"""Rows that are written once and never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from django.db import connection, connections, models


class AppendOnlyError(TypeError):
    """Somebody tried to change or delete an append-only row."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """A query set that cannot update or delete."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("rows of this table are never updated")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("rows of this table are never deleted")

    def bulk_update(self, objs: Any, fields: Any, batch_size: int | None = None) -> NoReturn:
        raise AppendOnlyError("rows of this table are never updated")


class AppendOnly(models.Model):
    """Base of append-only tables: a second ``save`` and every ``delete`` raise.

    The migrations add database triggers against UPDATE and DELETE, so that raw SQL is refused as
    well.
    """

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, **kwargs: Any) -> None:
        """Insert the row; refuse to save it again."""
        if not self._state.adding:
            raise AppendOnlyError("rows of this table are never updated")
        with connection.cursor() as cursor:
            # Raw SQL: every entry passes here, and Django's own insert takes twice as long.
            cursor.execute(f"{self._insert()} RETURNING id", self._values())
            (self.pk,) = cursor.fetchone()
        self._state.adding, self._state.db = False, connection.alias

    @classmethod
    def insert_all(cls, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows at once, of values by their columns' names; their keys are not read."""
        columns = [cls._column(field, rows) for field in cls._fields()]
        with connection.cursor() as cursor:
            cursor.executemany(cls._insert(), list(zip(*columns, strict=True)))

    @classmethod
    def _column(cls, field: models.Field[Any, Any], rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return the rows' values of a field as they are stored.

        What one value of many rows is, such as their author, is made ready once.
        """
        using, name = connections[connection.alias], field.attname
        prepared: list[Any] = []
        last: Any = prepared  # no row has it
        for row in rows:
            value = row[name]
            if value is not last:
                stored = field.get_db_prep_save(value, using)
                last = value
            prepared.append(stored)
        return prepared

    @classmethod
    def _fields(cls) -> list[models.Field[Any, Any]]:
        return [field for field in cls._meta.concrete_fields if not field.primary_key]

    @classmethod
    def _insert(cls) -> str:
        columns = ", ".join(f'"{field.column}"' for field in cls._fields())
        places = ", ".join(["%s"] * len(cls._fields()))
        return f'INSERT INTO "{cls._meta.db_table}" ({columns}) VALUES ({places})'

    def _values(self) -> list[Any]:
        return [
            field.get_db_prep_save(field.pre_save(self, add=True), connection)
            for field in self._fields()
        ]

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("rows of this table are never deleted")
