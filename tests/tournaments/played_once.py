"""Events that many tests start from, played once in each process.

A function decorated with :func:`played_once` makes an event in an empty database. Its rows are
kept, and the next test that asks for the same event gets them restored instead of played again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model

from tournaments.models import Event

Made = TypeVar("Made", bound=Model)
#: Table, its columns, its rows as stored in the database.
Rows = list[tuple[str, list[str], Any]]


def played_once(make: Callable[..., Made]) -> Callable[..., Made]:
    """Keep the rows that ``make`` creates in an empty database, by its arguments.

    If the database is not empty, just call it.
    """
    played: dict[str, tuple[Made, Rows]] = {}

    @functools.wraps(make)
    def wanted(*args: Any, **fields: Any) -> Made:
        if Event.objects.exists() or User.objects.exists():
            return make(*args, **fields)
        key = repr((args, sorted(fields.items())))
        if key not in played:
            tables = [name for name in _tables() if not _count(name)]
            made = make(*args, **fields)
            played[key] = made, [_read(name) for name in tables if _count(name)]
        else:
            with transaction.atomic():
                for rows in played[key][1]:
                    _write(*rows)
        made = played[key][0]
        return type(made)._default_manager.get(pk=made.pk)

    return wanted


def _tables() -> list[str]:
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(names)


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}"')
        return int(cursor.fetchone()[0])


def _read(table: str) -> tuple[str, list[str], Any]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_table_description(cursor, table)
        columns = [f'"{column.name}"' for column in found]
        if connection.vendor == "postgresql":
            with cursor.copy(f'COPY "{table}" ({", ".join(columns)}) TO STDOUT') as out:
                return table, columns, b"".join(out)
    # The "+" keeps SQLite from converting times and the like: values stay as they are stored.
    select = f'SELECT {", ".join(f"+{name}" for name in columns)} FROM "{table}"'
    with closing(connection.connection.execute(select)) as found:
        return table, columns, found.fetchall()


def _write(table: str, columns: list[str], rows: Any) -> None:
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        # Remove rows that triggers wrote while the earlier rows were restored.
        cursor.execute(f'DELETE FROM "{table}"')
    if connection.vendor == "postgresql":
        with (
            connection.cursor() as cursor,
            cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as to,
        ):
            to.write(rows)
        return
    values = ", ".join("?" * len(columns))
    insert = f'INSERT INTO "{table}" ({names}) VALUES ({values})'
    connection.connection.executemany(insert, rows).close()
