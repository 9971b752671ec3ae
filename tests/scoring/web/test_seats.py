"""Before the first deal a table confirms its seats, or corrects them."""

import uuid

import pytest

from scoring.models import SheetEntry, Table
from scoring.reading.games import table_games
from scoring.writing import open_next_sheet, reseat, set_absent, take_lease

from ..factories import auditor_link, hand, make_table, play, quick_win, running, sheet_of
from .phone import parts_of, refused, tapped

pytestmark = pytest.mark.django_db


def asked(client, address):
    """Return whether the page asks for the seats instead of the first hand."""
    return "seats-asked" in parts_of(client, address).get("seats", "")


def say(client, address, version=0, *, order=None, game=1):
    """Answer as the page's script does; return the codes of refusals."""
    answer = tapped(client, address, "seats", version=version, order=order, game=game)
    return [code for code in [refused(answer)] if code]


def test_confirming_leads_to_the_first_hand(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    assert asked(client, address)
    assert say(client, address) == []
    assert not asked(client, address)
    # Confirmed again, even from an old page, nothing changes.
    revision = Table.objects.get(pk=table.pk).revision
    assert say(client, address) == []
    assert Table.objects.get(pk=table.pk).revision == revision
    assert not SheetEntry.objects.exists()


def test_changed_seats_are_a_row_with_author_and_reason(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    order = ["Dag", "Bo", "Cia", "Anna"]
    assert say(client, address, order=order) == []
    assert sheet_of(table).seats == order
    assert sheet_of(table, 2).seats == ["Anna", "Bo", "Cia", "Dag"]
    row = SheetEntry.objects.get()
    assert (row.kind, row.reason) == ("reseat", "reason:sat_otherwise")
    assert row.author_link_id == table.links.get().pk
    [correction] = table_games(table).games[0].corrections
    assert list(correction.seats) == order
    assert not asked(client, address)
    # The player who now sits first is the first dealer.
    play(running(table), hand(1, 0))
    assert sheet_of(table).state["scores"] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (["Anna", "Anna", "Cia", "Dag"], "bad_seats"),
        (["Anna", "Bo", "Cia", "Eva"], "bad_seats"),
        (["Anna", "B\no", "Cia", "Dag"], "malformed"),
    ],
)
def test_invalid_seats(client, order, code):
    table = make_table(seated=False)
    address = auditor_link(table)
    assert say(client, address, order=order) == [code]
    assert asked(client, address)


def test_no_question_once_something_was_written(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    play(running(table), hand(1, 0))
    assert not asked(client, address)
    assert say(client, address, 1, order=["Bo", "Anna", "Cia", "Dag"]) == ["has_entries"]
    assert sheet_of(table).seats == ["Anna", "Bo", "Cia", "Dag"]


def test_seats_changed_on_the_floor_meanwhile_are_asked_for_again(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    seats = ["Bo", "Anna", "Cia", "Dag"]
    reseat(
        sheet_id=sheet_of(table).pk,
        client_id=uuid.uuid4(),
        seen_version=0,
        author="floor",
        seats=seats,
        reason="they sat so",
    )
    assert say(client, address) == ["conflict"]
    assert asked(client, address)
    assert say(client, address, 1) == []
    assert sheet_of(table).seats == seats


def test_only_the_scoring_device_may_answer(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    take_lease(sheet_id=sheet_of(table).pk, device="another", author="test")
    assert say(client, address) == ["lease_taken"]
    assert Table.objects.get(pk=table.pk).seated_at is None


def test_readers_and_tables_that_have_answered_are_not_asked(client):
    table = make_table(seated=False)
    assert 'data-step="seats"' not in client.get(auditor_link(table, role="reader")).text
    assert not asked(client, auditor_link(make_table()))


def test_a_later_games_seats_are_exchanged_until_its_first_entry(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), quick_win())
    set_absent(table_id=table.pk, player_ids=["Dag"], by="floor", reason="gone")
    open_next_sheet(table_id=table.pk, by="test")
    order = ["Cia", "Bo", "Anna", "Dag"]
    # The ruling that Dag sits out stands there already, and moves with Dag.
    version = sheet_of(table, 2).version
    assert say(client, address, version, game=2, order=[*order[:2], "Dag", "Anna"]) == []
    assert sheet_of(table, 2).state["status"] == ["in", "in", "out", "in"]
    assert say(client, address, version + 1, game=2, order=order) == []
    sheet = sheet_of(table, 2)
    assert (sheet.seats, sheet.state["status"]) == (order, ["in", "in", "in", "out"])
    assert sheet_of(table).seats == sheet_of(table, 3).seats == ["Anna", "Bo", "Cia", "Dag"]
    play(running(table), hand(1, 0))
    assert say(client, address, version + 3, game=2, order=order[::-1]) == ["has_entries"]
    assert say(client, address, game=3, order=order) == ["not_running"]
    assert say(client, address, game=4, order=order) == ["malformed"]
