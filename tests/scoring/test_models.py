"""Rows that are never changed, and the invariants that the database itself enforces."""

import uuid

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from scoring.models import FlipFlop, HeatPenalty, LeaseChange, Sheet, SheetEntry, Table
from scoring.models.append_only import AppendOnlyError
from scoring.reading.check import verify_sheet
from scoring.writing import take_lease
from tournaments.models import Booking, LogEntry

from .factories import make_table, none, penalise, quick_win, running, sheet_of, trick, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def row():
    sheet = running(make_table())
    write(sheet, none(1))
    return sheet.entries.get()


def test_a_saved_row_cannot_be_saved_again(row):
    row.author = "somebody else"
    with pytest.raises(AppendOnlyError):
        row.save()


def test_a_row_cannot_be_deleted(row):
    with pytest.raises(AppendOnlyError):
        row.delete()


@pytest.mark.parametrize("model", [SheetEntry, LeaseChange, FlipFlop, HeatPenalty])
def test_query_sets_neither_update_nor_delete(model):
    with pytest.raises(AppendOnlyError):
        model.objects.all().delete()
    with pytest.raises(AppendOnlyError):
        model.objects.update(author="x")
    with pytest.raises(AppendOnlyError):
        model.objects.bulk_update([], ["author"])


def test_the_database_refuses_raw_updates(row):
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute("UPDATE scoring_sheetentry SET author = 'x'")
    row.refresh_from_db()
    assert row.author == "test"


@pytest.mark.parametrize("model", [SheetEntry, LeaseChange, FlipFlop, HeatPenalty])
def test_the_database_refuses_raw_deletes(model):
    table = make_table()
    sheet = running(table)
    take_lease(sheet_id=sheet.pk, device="one", author="test")
    write(sheet, none(1))
    FlipFlop(table=table, order=[], author="test", created_at=table.created_at).save()
    penalise(table, "Bo")
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic():
        connection.cursor().execute(f"DELETE FROM {model._meta.db_table}")
    assert model.objects.count() == 1


def test_whether_a_table_has_a_director_cannot_change():
    table = make_table()
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(directed=False)


@pytest.mark.services
@pytest.mark.parametrize(
    "model", [SheetEntry, LeaseChange, FlipFlop, HeatPenalty, LogEntry, Booking]
)
def test_the_database_refuses_to_empty_a_table(model):
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute(f"TRUNCATE {model._meta.db_table} CASCADE")


def test_the_database_refuses_raw_updates_of_penalties():
    penalise(make_table(), "Bo")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute("UPDATE scoring_heatpenalty SET twelfths = 1")


def test_the_database_refuses_raw_updates_of_lease_changes():
    sheet = running(make_table())
    take_lease(sheet_id=sheet.pk, device="one", author="link 1")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute("UPDATE scoring_leasechange SET author = 'x'")


BAD_ROWS = {
    "same sequence": {"sequence": 1},
    "sequence 0": {"sequence": 0},
    "unknown kind": {"kind": "change"},
    "void of nothing": {"kind": "void"},
    "amend of nothing": {"kind": "amend", "reason": "x"},
    "reseat without a reason": {"kind": "reseat"},
    "its own hash": {"hash": "1" * 64, "previous_hash": "1" * 64},
}


@pytest.mark.parametrize("change", BAD_ROWS.values(), ids=BAD_ROWS)
def test_the_database_refuses_bad_rows(row, change):
    fields = {
        "sheet": row.sheet,
        "sequence": 2,
        "client_id": uuid.uuid4(),
        "kind": "entry",
        "entry": none(2),
        "author": "x",
        "created_at": row.created_at,
        "previous_hash": row.hash,
        "hash": "0" * 64,
        "answer": {},
        **change,
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetEntry(**fields).save()


def test_the_database_refuses_a_second_void_of_a_row(row):
    fields = {
        "sheet": row.sheet,
        "kind": "void",
        "target": row,
        "author": "x",
        "answer": {},
        "created_at": row.created_at,
        "previous_hash": row.hash,
        "hash": "0" * 64,
    }
    SheetEntry(**fields, sequence=2, client_id=uuid.uuid4()).save()
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetEntry(**fields, sequence=3, client_id=uuid.uuid4()).save()


def test_the_database_refuses_the_same_client_uuid(row):
    other = running(make_table())
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetEntry(
            sheet=other,
            sequence=1,
            client_id=row.client_id,
            kind="entry",
            entry=none(1),
            author="x",
            created_at=row.created_at,
            previous_hash="1" * 64,
            hash="0" * 64,
            answer={},
        ).save()


BAD_SHEETS = {
    "unknown status": {"status": "open"},
    "number 0": {"number": 0},
    "no such dealer": {"dealer": 4},
    "finished without a time": {"status": "finished"},
    "running without a start": {"started_at": None},
    "void without a reason": {"status": "void"},
    "a reason but not void": {"void_reason": "x"},
    "a lease without a time": {"lease_device": "x"},
    "the number of another": {"number": 2},
}


@pytest.mark.parametrize("change", BAD_SHEETS.values(), ids=BAD_SHEETS)
def test_the_database_refuses_bad_sheets(change):
    sheet = running(make_table())
    with pytest.raises(IntegrityError), transaction.atomic():
        Sheet.objects.filter(pk=sheet.pk).update(**change)


def test_the_database_refuses_two_running_games_of_a_table():
    table = make_table()
    with pytest.raises(IntegrityError), transaction.atomic():
        Sheet.objects.filter(table=table).update(status="running", started_at=table.created_at)


BAD_TABLES = {
    "no games": {"games_planned": 0},
    "too many games": {"games_planned": 21},
    "no label": {"label": ""},
    "no rules": {"rules": ""},
    "no seed": {"seed": ""},
    "signed by nobody": {"signed_at": "2026-01-01T00:00Z"},
    "signed at no time": {"signed_by": "x"},
    "a reason without a call": {"call_reason": "x"},
    "expired, though it has a director": {"expired_at": "2026-01-01T00:00Z"},
}


@pytest.mark.parametrize("change", BAD_TABLES.values(), ids=BAD_TABLES)
def test_the_database_refuses_bad_tables(change):
    table = make_table()
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(**change)


def _forge(sql):
    """Change rows behind the program's back, as somebody with access to the database file could."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER scoring_sheetentry_kept")
            cursor.execute("DROP TRIGGER scoring_sheetentry_there")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE scoring_sheetentry DISABLE TRIGGER USER")
        cursor.execute(sql)


FORGERIES = {
    "another author": ("UPDATE scoring_sheetentry SET author = 'x' WHERE sequence = 2", 2),
    "another entry": (
        """UPDATE scoring_sheetentry SET entry = '{"kind": "none"}' WHERE sequence = 3""",
        3,
    ),
    "a row gone": ("DELETE FROM scoring_sheetentry WHERE sequence = 2", 2),
    "the last row gone": ("DELETE FROM scoring_sheetentry WHERE sequence = 4", 0),
    "the head": ("UPDATE scoring_sheet SET dealer = 2 WHERE number = 1", 1),
}


@pytest.mark.parametrize(("sql", "where"), FORGERIES.values(), ids=FORGERIES)
def test_a_forged_row_breaks_the_chain(sql, where):
    sheet = running(make_table())
    for entry in (none(1), none(2), trick(0), none(3)):
        write(sheet, entry)
    _forge(sql)
    report, _played = verify_sheet(sheet_id=sheet.pk)
    assert not report.valid
    assert report.broken_at == where


def test_rows_have_readable_names():
    table = make_table()
    write(running(table), quick_win())
    assert str(table) == "Heat 12"
    assert str(sheet_of(table)).endswith("· 1")
    assert str(sheet_of(table).entries.get()).endswith("#1")


def test_a_heats_table_keeps_number_and_event_apart():
    table = make_table(label="Festivalen", heat_number=7)
    assert (table.heat_number, table.label, table.title) == (7, "Festivalen", "Heat 7 · Festivalen")
