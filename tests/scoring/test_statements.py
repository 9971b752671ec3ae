"""Prepared SQL statements equal those that Django itself would send."""

import uuid
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, models
from django.test.utils import CaptureQueriesContext

from scoring.models import Sheet, SheetEntry
from scoring.models.statements import Prepared, fetch, insert, update
from scoring.writing.write import LEASE, STATUS, WRITTEN

from .factories import make_table, none, running, write

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 24, 12, 30, 0, 250, tzinfo=UTC)


def sent(asked: CaptureQueriesContext) -> str:
    (query,) = asked.captured_queries
    return str(query["sql"])


def values_of(row: models.Model) -> list[object]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def entry(sheet: Sheet, sequence: int) -> SheetEntry:
    return SheetEntry(
        sheet=sheet,
        sequence=sequence,
        client_id=uuid.UUID(int=sequence),
        kind="entry",
        entry={"kind": "hand", "seat": None, "note": "räksmörgås"},
        author="test",
        created_at=NOW,
        confirmed=True,
        previous_hash="0" * 64,
        hash=f"{sequence:064}",
        answer={"state": [1, None, True]},
    )


def test_an_insert_is_djangos() -> None:
    sheet = running(make_table())
    ours, djangos = entry(sheet, 8), entry(sheet, 8)
    with CaptureQueriesContext(connection) as asked:
        insert(ours)
    text = sent(asked)
    again = SheetEntry.objects.get(pk=ours.pk)
    assert values_of(again) == values_of(ours)
    # The same row once more: refused by the database, after Django has made its statement.
    with CaptureQueriesContext(connection) as asked, pytest.raises(IntegrityError):
        models.Model.save_base(djangos, raw=True, force_insert=True)
    assert text in [query["sql"] for query in asked.captured_queries]


def test_a_locked_read_is_djangos() -> None:
    sheet = running(make_table())
    write(sheet, none(1))
    for lock, no_key in ((False, False), (True, False), (True, True)):
        rows = Sheet.objects.select_for_update(no_key=no_key) if lock else Sheet.objects.all()
        with CaptureQueriesContext(connection) as asked:
            ours = fetch(Sheet, sheet.pk, lock=lock, no_key=no_key)
        with CaptureQueriesContext(connection) as expected:
            djangos = list(rows.order_by().filter(pk=sheet.pk))
        assert sent(asked) == sent(expected)
        assert [values_of(each) for each in djangos] == [values_of(ours)]
        assert (ours._state.adding, ours._state.db) == (False, "default")
    with pytest.raises(Sheet.DoesNotExist):
        fetch(Sheet, 0)


def test_a_read_of_some_fields_is_djangos() -> None:
    sheet = running(make_table())
    with CaptureQueriesContext(connection) as asked:
        ours = fetch(Sheet, sheet.pk, only=("state",))
    with CaptureQueriesContext(connection) as expected:
        (djangos,) = Sheet.objects.order_by().only("state").filter(pk=sheet.pk)
    assert sent(asked) == sent(expected)
    assert ours.get_deferred_fields() == djangos.get_deferred_fields()
    assert ours.state == djangos.state


@pytest.mark.parametrize("lock", [False, True])
def test_a_read_with_related_rows_is_djangos(lock: bool) -> None:
    sheet = running(make_table())
    rows = Sheet.objects.select_related("table").order_by().filter(pk=sheet.pk)
    with CaptureQueriesContext(connection) as asked:
        ours = fetch(Sheet, sheet.pk, lock=lock, related=("table",))
    with CaptureQueriesContext(connection) as expected:
        (djangos,) = rows.select_for_update(of=("self",)) if lock else rows
    assert sent(asked) == sent(expected)
    with CaptureQueriesContext(connection) as asked:
        assert values_of(ours) == values_of(djangos)
        assert values_of(ours.table) == values_of(djangos.table)
    assert not asked.captured_queries


def test_a_read_with_a_related_row_that_is_not_there() -> None:
    row = entry(running(make_table()), 1)
    insert(row)
    ours = fetch(SheetEntry, row.pk, related=("author_link",))
    with CaptureQueriesContext(connection) as asked:
        assert ours.author_link is None
    assert not asked.captured_queries


def test_prepared_rows_are_djangos() -> None:
    tables = [make_table(), make_table()]

    def rows(table: int) -> models.QuerySet[Sheet]:
        found = Sheet.objects.select_related("table").filter(table=table).filter(number__gt=1)
        return found.order_by("-number")

    prepared = Prepared(Sheet, lambda: rows(0))
    for table in tables:
        with CaptureQueriesContext(connection) as asked:
            ours = prepared(table.pk)
        with CaptureQueriesContext(connection) as expected:
            djangos = list(rows(table.pk))
        assert sent(asked) == sent(expected)
        assert [values_of(each) for each in ours] == [values_of(each) for each in djangos]
        assert {each.table for each in ours} == {table}
    assert prepared(0) == []


@pytest.mark.parametrize("columns", [WRITTEN, (*WRITTEN, *STATUS), (*WRITTEN, *STATUS, *LEASE)])
def test_an_update_is_djangos(columns: tuple[str, ...]) -> None:
    sheet = running(make_table())
    sheet.version, sheet.last_entry_at, sheet.chain = 3, NOW, "1" * 64
    with CaptureQueriesContext(connection) as asked:
        update(sheet, columns)
    values = {name: getattr(sheet, name) for name in columns}
    with CaptureQueriesContext(connection) as expected:
        Sheet.objects.filter(pk=sheet.pk).update(**values)

    def plain(text: str) -> str:
        # Django names the table once more in the condition.
        return text.replace('"scoring_sheet"."id"', '"id"').replace("(", "").replace(")", "")

    assert plain(sent(asked)) == plain(sent(expected))
    assert values_of(Sheet.objects.get(pk=sheet.pk)) == values_of(sheet)
