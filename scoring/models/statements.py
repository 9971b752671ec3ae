"""Statements of every tap, put together once per process.

Django takes longer to make such a statement than the database to carry it out. What a field does
with its values on their way in and out stays Django's; signals are not sent. The compilers used
here are not part of Django's promised interface: tests/scoring/test_statements.py holds each
statement to the one that Django itself would send.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.models import sql
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)


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
    database = connections[DEFAULT_DB_ALIAS]
    text, names, populators, compiler, converters = _select(
        model, database.vendor, lock, no_key, only, related
    )
    with database.cursor() as cursor:
        cursor.execute(text, [key])
        found = cursor.fetchone()
    if found is None:
        # The stubs know it of concrete models only.
        raise model.DoesNotExist  # type: ignore[attr-defined]
    ((*values,),) = compiler.apply_converters([found], converters)
    row = model.from_db(database.alias, names, values[: len(names)])
    for populator in populators:
        populator.populate(values, row)
    return row


def _stored(database: Any, field: Any, value: Any) -> Any:
    if value is None or (type(value) is str and type(field) is models.CharField):
        # Half of an entry's values, which Django gives back as they are.
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
) -> tuple[str, list[str], list[Any], Any, Any]:
    rows = model._base_manager.order_by().filter(pk=0)
    rows = rows.only(*only) if only else rows
    rows = rows.select_related(*related) if related else rows
    of = ("self",) if related else ()
    query = (rows.select_for_update(no_key=no_key, of=of) if lock else rows).query
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    text, _values = compiler.as_sql()
    # Converters look at the connection's time zone only, so any thread may use them.
    columns: list[Any] = [each[0] for each in compiler.select]
    own = compiler.klass_info["select_fields"]
    names = [columns[place].target.attname for place in own]
    # The stubs know a later Django's.
    populators = get_related_populators(  # type: ignore[call-arg]
        compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS
    )
    return text, names, populators, compiler, compiler.get_converters(columns)
