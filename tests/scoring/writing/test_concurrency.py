"""Many writers at once: one sheet, nothing lost or duplicated, losers informed.

These run against the configured database: SQLite in a file, or PostgreSQL.
"""

import threading
import uuid

import pytest
from django.db import connection

from scoring.enums import RowKind
from scoring.errors import LeaseTaken, ScoringError, SheetConflict
from scoring.models import FlipFlop, LeaseChange, Sheet
from scoring.reading.check import verify_sheet
from scoring.writing import (
    correct_entry,
    open_next_sheet,
    record_flip_flop,
    take_lease,
    write_entry,
)

from ..factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    trick,
    write,
)
from ..web.phone import Phone, refused

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(jobs):
    """Run the jobs in threads that start together; return what each returned or raised."""
    barrier = threading.Barrier(len(jobs))
    outcomes = [None] * len(jobs)

    def run(index, job):
        try:
            barrier.wait(timeout=30)
            outcomes[index] = job()
        except Exception as error:  # noqa: BLE001 - the outcome is what the test checks
            outcomes[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index, job)) for index, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads)
    return outcomes


def attempt(sheet, entry, client_id, seen=None, **more):
    return lambda: write_entry(
        sheet_id=sheet.pk,
        client_id=client_id,
        seen_version=sheet.version if seen is None else seen,
        entry=entry,
        author="test",
        **more,
    )


def test_the_same_entry_twice_at_once_is_written_once():
    sheet = running(make_table())
    client_id = uuid.uuid4()
    outcomes = at_once([attempt(sheet, hand(1, 0), client_id)] * 8)
    assert [outcome.version for outcome in outcomes] == [1] * 8
    assert sorted(outcome.repeated for outcome in outcomes) == [False] + [True] * 7
    assert sheet.entries.count() == 1


def test_two_devices_with_the_same_entry_write_it_once():
    sheet = running(make_table())
    outcomes = at_once([attempt(sheet, hand(1, 0), uuid.uuid4()) for _ in range(2)])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [
        "SheetConflict",
        "WriteResult",
    ]
    sheet.refresh_from_db()
    assert sheet.state["scores"] == [1, 0, 0, 0]


def test_of_two_devices_at_once_one_gets_the_lease():
    sheet = running(make_table())
    outcomes = at_once(
        [attempt(sheet, hand(1, 0), uuid.uuid4(), device=name) for name in ("one", "two")]
    )
    losers = [outcome for outcome in outcomes if isinstance(outcome, ScoringError)]
    assert len(losers) == 1
    assert isinstance(losers[0], (SheetConflict, LeaseTaken))
    assert LeaseChange.objects.count() == 1


def test_the_same_uuid_on_two_sheets_at_once():
    sheets = [running(make_table()), running(make_table())]
    client_id = uuid.uuid4()
    outcomes = at_once([attempt(sheet, hand(1, 0), client_id) for sheet in sheets])
    errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert [getattr(error, "code", error) for error in errors] == ["client_id_reused"]


def test_twenty_threads_hammer_one_sheet():
    """Each thread writes five entries of its own, rereading the sheet after every conflict."""
    sheet = running(make_table())
    told = []

    def hammer(mine):
        def job():
            for client_id in mine:
                while True:
                    now = Sheet.objects.get(pk=sheet.pk)
                    phase = now.state["phase"]
                    entry = {
                        "exchange": none(phase),
                        "tricks": trick(0),
                        "final_hand": none(phase),
                    }[now.state["stage"]]
                    if now.state["finished"] or now.state["scores"][0] > 40:
                        entry = ruling("points", 0, points=-30)
                    try:
                        attempt(now, entry, client_id)()
                        break
                    except SheetConflict as error:
                        told.append(error.version)
            return "done"

        return job

    ids = [[uuid.uuid4() for _ in range(5)] for _ in range(20)]
    assert at_once([hammer(mine) for mine in ids]) == ["done"] * 20
    rows = list(sheet.entries.order_by("sequence"))
    assert [row.sequence for row in rows] == list(range(1, 101))
    assert {row.client_id for row in rows} == {one for mine in ids for one in mine}
    assert verify_sheet(sheet_id=sheet.pk)[1]
    assert told, "with twenty writers somebody must have been told to look again"


def test_an_entry_and_a_void_at_once():
    sheet = running(make_table())
    write(sheet, hand(1, 0))
    sheet.refresh_from_db()
    outcomes = at_once(
        [
            attempt(sheet, none(2), uuid.uuid4()),
            lambda: correct_entry(
                kind=RowKind.VOID,
                sheet_id=sheet.pk,
                client_id=uuid.uuid4(),
                seen_version=1,
                author="x",
            ),
        ]
    )
    assert sum(isinstance(outcome, SheetConflict) for outcome in outcomes) == 1
    assert verify_sheet(sheet_id=sheet.pk)[1]


def post(address, client_id, seat):
    """Send an entry as another device does; return why it was refused, empty if it was not."""

    def job():
        phone = Phone(address)
        tap = phone.tap("entry", entry=hand(1, seat)) | {"id": client_id}
        return refused(phone.sync(tap))

    return job


def test_one_tap_sent_many_times_over_the_network():
    table = make_table()
    same = post(auditor_link(table), str(uuid.uuid4()), 0)
    assert at_once([same] * 6) == [""] * 6
    assert running(table).version == 1


def test_many_devices_at_once_over_the_network():
    table = make_table()
    address = auditor_link(table)
    outcomes = at_once([post(address, str(uuid.uuid4()), seat) for seat in (0, 1, 2, 3) * 2])
    assert outcomes.count("") == 1
    assert {*outcomes} <= {"", "conflict", "lease_taken"}
    assert running(table).version == 1


def test_the_next_game_is_opened_once():
    table = make_table()
    write(running(table), quick_win())
    outcomes = at_once([lambda: open_next_sheet(table_id=table.pk, by="x")] * 6)
    opened = [outcome for outcome in outcomes if isinstance(outcome, Sheet)]
    assert [sheet.number for sheet in opened] == [2]
    assert {o.code for o in outcomes if not isinstance(o, Sheet)} == {"game_running"}


def test_the_lease_is_handed_over_in_order():
    sheet = running(make_table())
    at_once(
        [
            lambda name=name: take_lease(sheet_id=sheet.pk, device=name, author=name)
            for name in "abcdef"
        ]
    )
    changes = list(LeaseChange.objects.all())
    assert len(changes) == 6
    assert [change.previous_device for change in changes] == [
        "",
        *[change.device for change in changes[:-1]],
    ]


def test_writing_while_the_table_changes_does_not_deadlock():
    table = make_table(("A", "B", "C"), games=1)
    play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
    outcomes = at_once(
        [lambda: record_flip_flop(table_id=table.pk, order=["B", "A"], by="x")] * 4
        + [lambda: open_next_sheet(table_id=table.pk, by="x")] * 4
    )
    assert sum(isinstance(outcome, FlipFlop) for outcome in outcomes) == 4
    assert {o.code for o in outcomes[4:]} == {"no_more_games"}
