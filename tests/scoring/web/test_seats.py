"""Before the first deal a table confirms its seats, or corrects them."""

import json
import uuid

import pytest

from scoring.models import SheetEntry, Table
from scoring.reading.games import table_games
from scoring.writing import open_next_sheet, reseat, set_absent, take_lease

from ..factories import auditor_link, hand, make_table, play, quick_win, running, sheet_of

pytestmark = pytest.mark.django_db


def asked(client, address):
    """Return whether the page asks for the seats instead of the first hand."""
    html = client.get(address).content.decode()
    seats, hand = ('data-step="seats"' in html), ('data-step="hand"' in html)
    assert seats != hand
    return seats


def say(client, address, version=0, *, order=None, **more):
    """Answer as the page's script does; return the codes of refusals."""
    fields = {"seats_version": version, "order": "typed" if order else "", **more}
    fields |= {f"seat-{seat}": name for seat, name in enumerate(order or ("Anna", "Bo"))}
    answer = client.post(
        address + "seats/", data=json.dumps(fields), content_type="application/json"
    ).json()
    return [problem["code"] for problem in answer.get("problems", ())]


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


def test_without_the_script(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    fields = {"seats_version": "0", "order": "typed"}
    seats = {f"seat-{seat}": name for seat, name in enumerate(("Bo", "Anna", "Cia", "Dag"))}
    assert client.post(address + "seats/", fields | seats).status_code == 303
    assert sheet_of(table).seats == ["Bo", "Anna", "Cia", "Dag"]


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
        (["Anna", "Bo\n", "C\nia", "Dag"], "malformed"),
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
    assert "seats-exchanged" not in client.get(address).text
    open_next_sheet(table_id=table.pk, by="test")
    assert "seats-exchanged" in client.get(address).text
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
    assert "seats-exchanged" not in client.get(address).text
    assert say(client, address, version + 3, game=2, order=order[::-1]) == ["has_entries"]
    assert say(client, address, game=3, order=order) == ["not_running"]
    assert say(client, address, game=4, order=order) == ["malformed"]
