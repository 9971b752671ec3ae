"""Statements of every tap, put together once per process.

Django takes longer to make such a statement than the database to carry it out. What a field does
with its values on their way in and out stays Django's; signals are not sent. The compilers used
here are not part of Django's promised interface: tests/scoring/test_statements.py holds each
statement to the one that Django itself would send.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.models import sql
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)

#: The fields of most of an entry's values, which Django gives back as they are, and their types.
_AS_GIVEN = {models.CharField: str, models.ForeignKey: int, models.PositiveIntegerField: int}


def insert(row: models.Model) -> None:
    """Insert a new row; the database gives its key."""
    database = connections[DEFAULT_DB_ALIAS]
    text, fields = _insert(type(row), database.vendor)
    values = [_stored(database, field, field.pre_save(row, add=True)) for field in fields]
    with transaction.mark_for_rollback_on_error(), database.cursor() as cursor:
        cursor.execute(text, values)
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, database.alias


def update(row: models.Model, columns: tuple[str, ...]) -> None:
    """Write these fields of a row that is known to be there."""
    database = connections[DEFAULT_DB_ALIAS]
    text, fields = _update(type(row), database.vendor, columns)
    values = [_stored(database, field, getattr(row, field.attname)) for field in fields]
    with transaction.mark_for_rollback_on_error(), database.cursor() as cursor:
        cursor.execute(text, [*values, row.pk])


def fetch(
    model: type[M],
    key: Any,
    *,
    lock: bool = False,
    no_key: bool = False,
    only: tuple[str, ...] = (),
    related: tuple[str, ...] = (),
) -> M:
    """Return the row with this key, ``lock``: locked until the end of the transaction.

    ``no_key``: rows that refer to it may still be written meanwhile. ``only``: read these fields.
    ``related``: read the rows that these keys refer to, too; they are not locked. Raises the
    model's ``DoesNotExist``.
    """
    vendor = connections[DEFAULT_DB_ALIAS].vendor
    for row in _read(model, _select(model, vendor, lock, no_key, only, related), key):
        return row
    # The stubs know it of concrete models only.
    raise model.DoesNotExist  # type: ignore[attr-defined]


class Prepared(Generic[M]):
    """The rows of a model for one value, such as the sheets of a table.

    ``rows`` makes the query set, filtered first by the value alone, for which 0 stands.
    """

    def __init__(self, model: type[M], rows: Callable[[], models.QuerySet[M]]) -> None:
        """Keep how to make the query set, which is made at the first call."""
        self.model = model
        self.rows = rows
        self.made: dict[str, _Made] = {}

    def __call__(self, value: int) -> list[M]:
        """Return the rows (one query)."""
        vendor = connections[DEFAULT_DB_ALIAS].vendor
        if vendor not in self.made:
            self.made[vendor] = _made(self.rows())
        return list(_read(self.model, self.made[vendor], value))


class _Made(NamedTuple):
    text: str
    others: tuple[Any, ...]
    names: list[str]
    populators: list[Any]
    compiler: Any
    converters: Any


def _read(model: type[M], made: _Made, value: Any) -> Iterator[M]:
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        cursor.execute(made.text, [value, *made.others])
        found = cursor.fetchall()
    for values in made.compiler.apply_converters(found, made.converters):
        row = model.from_db(database.alias, made.names, values[: len(made.names)])
        for populator in made.populators:
            populator.populate(values, row)
        yield row


def _stored(database: Any, field: Any, value: Any) -> Any:
    if value is None or _AS_GIVEN.get(type(field)) is type(value):
        return value
    return field.get_db_prep_save(value, connection=database)


@cache
def _insert(model: type[models.Model], vendor: str) -> tuple[str, list[Any]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    query = sql.InsertQuery(model)
    query.insert_values(fields, [model()], raw=True)
    compiler: Any = query.get_compiler(DEFAULT_DB_ALIAS)
    compiler.returning_fields = [model._meta.pk]
    ((text, _values),) = compiler.as_sql()
    return text, fields


@cache
def _update(
    model: type[models.Model], vendor: str, columns: tuple[str, ...]
) -> tuple[str, list[Any]]:
    meta: Any = model._meta
    fields = [meta.get_field(each) for each in columns]
    name = connections[DEFAULT_DB_ALIAS].ops.quote_name
    given = ", ".join(f"{name(field.column)} = %s" for field in fields)
    return f"UPDATE {name(meta.db_table)} SET {given} WHERE {name(meta.pk.column)} = %s", fields


@cache
def _select(
    model: type[models.Model],
    vendor: str,
    lock: bool,
    no_key: bool,
    only: tuple[str, ...],
    related: tuple[str, ...],
) -> _Made:
    rows = model._base_manager.order_by().filter(pk=0)
    rows = rows.only(*only) if only else rows
    rows = rows.select_related(*related) if related else rows
    of = ("self",) if related else ()
    return _made(rows.select_for_update(no_key=no_key, of=of) if lock else rows)


def _made(rows: models.QuerySet[Any]) -> _Made:
    compiler: Any = rows.query.get_compiler(DEFAULT_DB_ALIAS)
    text, (first, *others) = compiler.as_sql()
    assert first == 0
    # Converters look at the connection's time zone only, so any thread may use them.
    columns: list[Any] = [each[0] for each in compiler.select]
    own = compiler.klass_info["select_fields"]
    names = [columns[place].target.attname for place in own]
    # The stubs know a later Django's.
    populators = get_related_populators(  # type: ignore[call-arg]
        compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS
    )
    return _Made(text, tuple(others), names, populators, compiler, compiler.get_converters(columns))
