"""Inserting rows by SQL that is made once of a model's fields.

Every entry and every game's end pass here; Django's own inserts take two to three times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.db import connection, connections, models


@cache
def fields_of(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Return the fields of a new row: all but a key that the database gives."""
    given = model._meta.auto_field
    return [field for field in model._meta.concrete_fields if field is not given]


@cache
def insert_of(model: type[models.Model]) -> str:
    """Return the statement that inserts a row, with place holders for :func:`fields_of`."""
    columns = ", ".join(f'"{field.column}"' for field in fields_of(model))
    places = ", ".join(["%s"] * len(fields_of(model)))
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places})'


def insert_all(model: type[models.Model], rows: Iterable[Mapping[str, Any] | models.Model]) -> None:
    """Insert rows at once, given as new objects or by their columns' values.

    Their keys are not read, and objects do not learn that they are stored.
    """
    found = [vars(row) if isinstance(row, models.Model) else row for row in rows]
    if not found:
        return
    columns = [_column(field, found) for field in fields_of(model)]
    with connection.cursor() as cursor:
        cursor.executemany(insert_of(model), list(zip(*columns, strict=True)))


def _column(field: models.Field[Any, Any], rows: Iterable[Mapping[str, Any]]) -> list[Any]:
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
