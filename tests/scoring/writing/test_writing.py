"""Writing an entry: what is stored, what is refused, what is answered again."""

import uuid
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.enums import RowKind, SheetStatus
from scoring.errors import IllegalEntry, LeaseTaken, NeedsConfirmation, ScoringError, SheetConflict
from scoring.models import LeaseChange, Sheet, SheetEntry
from scoring.reading.check import verify_sheet
from scoring.signals import table_changed
from scoring.writing import correct_entry, create_link, write_entry, write_game
from scoring.writing.rows import MAX_ROWS

from ..factories import chicago, hand, make_table, none, quick_win, running, sheet_of, trick, write

pytestmark = pytest.mark.django_db


def attempt(sheet, **more):
    return write_entry(
        **{
            "sheet_id": sheet.pk,
            "client_id": uuid.uuid4(),
            "seen_version": sheet.version,
            "entry": hand(1, 0),
            "author": "test",
            **more,
        }
    )


def test_an_entry_is_stored_with_its_state():
    sheet = running(make_table())
    result = attempt(sheet, entry=hand(1, 2, "flush"))
    assert (result.version, result.sequence, result.repeated) == (1, 1, False)
    assert result.state["scores"] == [0, 0, 5, 0]
    sheet.refresh_from_db()
    assert sheet.version == 1
    assert sheet.state == result.state
    row = sheet.entries.get()
    assert row.entry == hand(1, 2, "flush")
    assert row.author == "test"
    assert sheet.last_entry_at == row.created_at


def test_the_worked_round_of_the_festival_rules():
    sheet = running(make_table(("A", "B", "C"), games=1))
    for entry in (
        hand(1, 0, "two_pair"),
        hand(2, 0, "two_pair"),
        trick(2),
        hand(3, 2, "three_of_a_kind"),
    ):
        result = write(sheet, entry)
    assert result.state["scores"] == [4, 0, 8]
    assert result.state["deal"] == 1


def told(sheet):
    """What a sheet and its rows say, besides when and by which UUIDs."""
    sheet.refresh_from_db()
    hidden = {"id", "sheet_id", "client_id", "created_at", "previous_hash", "hash"}
    rows = [
        {name: value for name, value in row.items() if name not in hidden}
        for row in sheet.entries.order_by("sequence").values()
    ]
    return sheet.status, sheet.version, sheet.state, rows


def test_a_game_written_at_once_has_the_rows_of_its_entries():
    entries = [hand(1, 0), none(2), trick(2), hand(3, 2), hand(1, 1, "royal_flush")]
    one, other = (running(make_table()) for _ in range(2))
    for entry in entries:
        write(one, entry)
    write_game(sheet=other, entries=entries[:2], author="test")
    write_game(sheet=other, entries=entries[2:], author="test")
    assert told(one) == told(other)
    assert told(other)[0] == SheetStatus.FINISHED
    report, as_played = verify_sheet(sheet_id=other.pk)
    assert report.valid
    assert as_played


def test_of_a_game_with_an_illegal_entry_nothing_is_written():
    sheet = running(make_table())
    with pytest.raises(IllegalEntry) as caught:
        write_game(sheet=sheet, entries=[hand(1, 0), hand(1, 0), none(2)], author="test")
    assert caught.value.problem.code == "wrong_phase"
    assert told(sheet)[1] == 0


def test_an_illegal_entry_changes_nothing_and_says_why():
    sheet = running(make_table())
    with pytest.raises(IllegalEntry) as caught:
        attempt(sheet, entry=hand(2, 0))
    assert caught.value.problem.code == "wrong_phase"
    assert caught.value.message("sv", ["Anna", "Bo", "Cia", "Dag"])
    assert caught.value.as_json("en")["code"] == "wrong_phase"
    sheet.refresh_from_db()
    assert sheet.version == 0
    assert not SheetEntry.objects.exists()


@pytest.mark.parametrize(
    "entry", [{}, {"kind": "x"}, {"kind": "hand"}, hand(1, 9), hand(1, 0, "x")]
)
def test_malformed_entries_are_refused(entry):
    with pytest.raises(IllegalEntry):
        attempt(running(make_table()), entry=entry)


@pytest.mark.parametrize(
    "note",
    ["\x00", "\ud800", "x" * 2000, float("nan"), {1, 2}, 10**9999],
    ids=["nul", "half", "long", "nan", "set", "huge"],
)
def test_values_that_no_database_can_store_are_refused(note):
    with pytest.raises((ScoringError, IllegalEntry)) as caught:
        attempt(running(make_table()), entry={**none(1), "note": note})
    assert caught.value.code in {"malformed", "refused"}


def test_another_version_is_a_conflict_with_the_current_state():
    sheet = running(make_table())
    write(sheet, hand(1, 0))
    with pytest.raises(SheetConflict) as caught:
        attempt(sheet)
    assert (caught.value.seen, caught.value.version) == (0, 1)
    assert caught.value.state["scores"] == [1, 0, 0, 0]


def test_the_same_uuid_gets_the_same_answer_and_writes_nothing():
    sheet = running(make_table())
    client_id = uuid.uuid4()
    first = attempt(sheet, client_id=client_id)
    write(sheet, hand(2, 1))
    again = attempt(sheet, client_id=client_id)
    assert again.repeated
    assert (again.version, again.state) == (first.version, first.state)
    assert sheet.entries.count() == 2


def test_the_same_uuid_for_another_entry_is_refused():
    table = make_table()
    sheet = running(table)
    client_id = uuid.uuid4()
    attempt(sheet, client_id=client_id)
    with pytest.raises(ScoringError) as caught:
        attempt(sheet, client_id=client_id, entry=hand(1, 1))
    assert caught.value.code == "client_id_reused"
    with pytest.raises(ScoringError) as caught:
        attempt(running(make_table()), client_id=client_id)
    assert caught.value.code == "client_id_reused"


def test_a_warning_needs_a_confirmation():
    sheet = running(make_table())
    with pytest.raises(NeedsConfirmation) as caught:
        attempt(sheet, entry=quick_win())
    assert [warning.code for warning in caught.value.warnings] == ["rare_hand"]
    assert caught.value.as_json("sv")["warnings"][0]["code"] == "rare_hand"
    assert not sheet.entries.exists()
    result = attempt(sheet, entry=quick_win(), confirmed=True)
    assert result.finished
    assert result.warnings[0]["code"] == "rare_hand"
    assert sheet.entries.get().confirmed


def test_an_unneeded_confirmation_is_not_recorded():
    sheet = running(make_table())
    attempt(sheet, confirmed=True)
    assert not sheet.entries.get().confirmed


def test_the_deciding_entry_finishes_the_sheet():
    sheet = running(make_table())
    write(sheet, quick_win(1))
    sheet.refresh_from_db()
    assert sheet.status == "finished"
    assert sheet.finished_at is not None
    assert sheet.state["winners"] == [1]
    with pytest.raises(IllegalEntry) as caught:
        attempt(sheet)
    assert caught.value.problem.code == "game_finished"


def test_nothing_is_written_on_a_waiting_sheet():
    with pytest.raises(ScoringError, match="it is waiting") as caught:
        attempt(sheet_of(make_table(), 2))
    assert caught.value.code == "not_running"


def test_an_unknown_sheet_does_not_exist():
    with pytest.raises(Sheet.DoesNotExist):
        attempt(Sheet(pk=999))


def test_the_first_device_gets_the_lease_and_a_second_is_refused():
    sheet = running(make_table())
    attempt(sheet, device="one", author="link 1")
    sheet.refresh_from_db()
    assert (sheet.lease_device, sheet.lease_author) == ("one", "link 1")
    assert sheet.lease_since is not None
    with pytest.raises(LeaseTaken) as caught:
        attempt(sheet, device="two", entry=hand(2, 0))
    assert caught.value.holder == "link 1"
    assert LeaseChange.objects.count() == 1


def test_the_director_writes_without_the_lease():
    sheet = running(make_table())
    attempt(sheet, device="one")
    sheet.refresh_from_db()
    attempt(sheet, entry=hand(2, 0))
    sheet.refresh_from_db()
    assert sheet.lease_device == "one"


def test_a_refused_entry_does_not_take_the_lease():
    sheet = running(make_table())
    with pytest.raises(IllegalEntry):
        attempt(sheet, entry=hand(3, 0), device="one")
    sheet.refresh_from_db()
    assert sheet.lease_device == ""
    assert not LeaseChange.objects.exists()


@contextmanager
def listening(listen):
    table_changed.connect(listen)
    try:
        yield
    finally:
        table_changed.disconnect(listen)


def test_the_signal_is_sent_in_the_transaction_with_the_stored_sheet():
    heard = []

    def listen(sender, table_id, sheet, **kwargs):
        stored = Sheet.objects.get(pk=sheet.pk)
        heard.append((table_id, stored.version, stored.status))

    sheet = running(make_table())
    with listening(listen):
        write(sheet, none(1))
        write(sheet, hand(2, 0, "royal_flush"))
    assert heard == [(sheet.table_id, 1, "running"), (sheet.table_id, 2, "finished")]


def test_an_entry_refused_by_a_listener_is_not_written():
    def listen(sender, **kwargs):
        raise RuntimeError("disk full")

    sheet = running(make_table())
    with listening(listen), pytest.raises(RuntimeError), transaction.atomic():
        write(sheet, none(1))
    sheet.refresh_from_db()
    assert (sheet.version, sheet.entries.count()) == (0, 0)


def test_every_write_increments_the_tables_revision():
    table = make_table()
    before = table.__class__.objects.get(pk=table.pk).revision
    write(running(table), none(1))
    table.refresh_from_db()
    assert table.revision == before + 1


def test_the_chain_holds_and_the_cached_state_matches_a_replay():
    sheet = running(make_table())
    for entry in (none(1), none(2), trick(0, deuce=True), hand(3, 1), none(1)):
        write(sheet, entry)
    report, _played = verify_sheet(sheet_id=sheet.pk)
    assert (report.valid, report.rows, report.broken_at) == (True, 5, None)
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_a_chicago_needs_15():
    sheet = running(make_table())
    write(sheet, none(1))
    write(sheet, none(2))
    with pytest.raises(IllegalEntry) as caught:
        write(sheet, chicago(0))
    assert caught.value.problem.code == "chicago_below_minimum"


def test_a_write_takes_a_fixed_number_of_queries():
    sheet = running(make_table())
    counts = []
    for _ in range(4):
        for entry in (none(1), none(2), trick(0), none(3)):
            with CaptureQueriesContext(connection) as queries, transaction.atomic():
                write(sheet, entry)
            counts.append(len(queries))
    # The first one reads the rows; the next ones know the state they lead to. Closing a deal
    # also fetches who is away.
    closing = counts[3::4]
    within = [count for number, count in enumerate(counts) if number and number % 4 != 3]
    assert (len(set(within)), set(closing)) == (1, {within[0] + 1})
    assert within[0] <= 9


def test_a_full_sheet_takes_no_more_by_link():
    table = make_table()
    link = create_link(table_id=table.pk, role="auditor", by="test")
    Sheet.objects.filter(pk=running(table).pk).update(version=MAX_ROWS - 1)
    assert attempt(running(table), author=link).version == MAX_ROWS
    with pytest.raises(ScoringError) as full:
        attempt(running(table), entry=none(2), author=link)
    assert full.value.code == "sheet_full"
    void = {"sheet_id": running(table).pk, "seen_version": MAX_ROWS, "kind": RowKind.VOID}
    with pytest.raises(ScoringError) as full:
        correct_entry(**void, client_id=uuid.uuid4(), author=link)
    assert full.value.code == "sheet_full"
    assert correct_entry(**void, client_id=uuid.uuid4(), author="td").version == MAX_ROWS + 1
