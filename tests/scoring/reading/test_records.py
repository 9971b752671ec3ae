"""Sheets as public records: the effective entries, and a history that anybody can check."""

import uuid

import pytest

from engine.answers import replay_record
from scoring.chain import row_hash
from scoring.enums import RowKind
from scoring.reading.check import head_of
from scoring.reading.records import game_records, row_histories
from scoring.writing import correct_entry, open_next_sheet

from ..factories import hand, make_table, quick_win, running, sheet_of, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """Return a table whose first game was corrected in every way, and whose second is running."""
    table = make_table()
    sheet = running(table)
    write(sheet, hand(1, 0, "flush"))
    write(sheet, hand(2, 1, "flush"))
    again = {"sheet_id": sheet.pk, "author": "director"}
    correct_entry(kind=RowKind.VOID, **again, client_id=uuid.uuid4(), seen_version=2)
    correct_entry(
        kind=RowKind.AMEND,
        by_director=True,
        **again,
        client_id=uuid.uuid4(),
        seen_version=3,
        sequence=1,
        entry=hand(1, 2, "straight"),
        reason="Åsa misheard",
    )
    write(sheet, hand(2, 3, "straight_flush"))
    open_next_sheet(table_id=table.pk, by="x")
    return table


def test_records_hold_the_effective_entries_and_can_be_replayed(table, django_assert_num_queries):
    with django_assert_num_queries(2):
        games = game_records([table])[table.pk]
    assert [record["game"] for _sheet, record in games] == [1, 2]
    sheet, record = games[0]
    assert record["entries"] == [hand(1, 2, "straight"), hand(2, 3, "straight_flush")]
    answer = replay_record(record)
    assert answer["valid"]
    assert answer["state"] == sheet.state


def test_a_history_can_be_verified(table):
    sheet = sheet_of(table)
    rows = row_histories([table])[sheet.pk]
    previous = head_of(sheet)
    for row in rows:
        hashed = {key: row[key] for key in ("at", "confirmed", "entry", "kind", "reason")}
        hashed |= {"author": row["by"], "client_id": row["id"]}
        hashed |= {"sequence": row["sequence"], "target": row["target"]}
        assert row["hash"] == row_hash(previous, hashed)
        previous = row["hash"]
    assert previous == sheet.chain
    assert len(rows) == 5


def test_rows_of_several_games_are_kept_apart(table):
    write(running(table), quick_win())
    assert [len(rows) for rows in row_histories([table]).values()] == [5, 1]
