"""Rows that are written once and never changed."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import connection, models

from .inserting import fields_of, insert_of


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
        values = [
            field.get_db_prep_save(field.pre_save(self, add=True), connection)
            for field in fields_of(type(self))
        ]
        with connection.cursor() as cursor:
            cursor.execute(f"{insert_of(type(self))} RETURNING id", values)
            (self.pk,) = cursor.fetchone()
        self._state.adding, self._state.db = False, connection.alias

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("rows of this table are never deleted")
