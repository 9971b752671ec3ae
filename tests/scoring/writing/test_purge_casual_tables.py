"""Casual tables are deleted after a month; an event's tables never are."""

import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from scoring.enums import RowKind
from scoring.models import FlipFlop, HeatPenalty, LeaseChange, Link, Sheet, SheetEntry, Table
from scoring.writing import correct_entry, create_link, take_lease
from scoring.writing.purge import purge_table

from ..factories import make_table, none, penalise, running, write

pytestmark = pytest.mark.django_db


def played(*, directed=False):
    table = make_table(directed=directed)
    sheet = running(table)
    take_lease(sheet_id=sheet.pk, device="one", author="test")
    write(sheet, none(1))
    correct_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=1,
        author="test",
        by_director=True,
    )
    FlipFlop(table=table, order=[], author="test", created_at=table.created_at).save()
    penalise(table, table.players[0])
    create_link(table_id=table.pk, role="reader", by="test")
    return table


def age(table, days):
    """Make everything about a table look so many days old."""
    then = timezone.now() - timedelta(days=days)
    Table.objects.filter(pk=table.pk).update(created_at=then)
    sheets = Sheet.objects.filter(table=table)
    sheets.update(last_entry_at=then)
    sheets.exclude(started_at=None).update(started_at=then)
    sheets.exclude(lease_since=None).update(lease_since=then)


def test_a_casual_table_is_deleted_with_everything_after_30_days():
    table = played()
    age(table, 31)
    call_command("purge_casual_tables", verbosity=0)
    for model in (Table, Sheet, SheetEntry, LeaseChange, FlipFlop, HeatPenalty, Link):
        assert not model.objects.exists(), model


@pytest.mark.parametrize(
    ("days", "options"), [(29, {}), (31, {"days": 40}), (31, {"dry_run": True})]
)
def test_a_casual_table_stays(days, options):
    table = played()
    age(table, days)
    call_command("purge_casual_tables", **options)
    assert SheetEntry.objects.count() == 2


def test_a_table_that_was_used_again_stays():
    table = played()
    age(table, 100)
    write(running(table), none(1))
    call_command("purge_casual_tables")
    assert SheetEntry.objects.count() == 3


def test_a_table_with_a_director_stays():
    table = played(directed=True)
    age(table, 1000)
    call_command("purge_casual_tables")
    with pytest.raises(DatabaseError), transaction.atomic():
        purge_table(table_id=table.pk)
    assert SheetEntry.objects.count() == 2


def test_rows_of_a_casual_table_cannot_be_deleted_before_it_expires():
    played()
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic():
        connection.cursor().execute("DELETE FROM scoring_sheetentry")
