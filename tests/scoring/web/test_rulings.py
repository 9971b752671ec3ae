"""What the director rules is said at the top of the pages, to each device until it has read it."""

import json
import re
import uuid

import pytest
from django.test import Client

from scoring.enums import RowKind
from scoring.writing import open_next_sheet, revise_entry, set_absent

from ..factories import (
    auditor_link,
    hand,
    make_table,
    penalise,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    write,
)

pytestmark = pytest.mark.django_db


def told(client, address):
    """The marks of the rulings that a device is told of."""
    found = re.findall(r'name="rulings" value="([^"]*)"', client.get(address).content.decode())
    return found[0].split() if found else []


def read(client, address, marks):
    """Say that they were read, as the page's script does."""
    return client.post(
        address + "rulings/",
        data=json.dumps({"rulings": " ".join(marks)}),
        content_type="application/json",
    ).json()


def test_is_told_until_read_and_to_each_device(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), hand(1, 0))
    assert told(client, address) == []
    write(running(table), ruling("points", 1, points=-5))
    [mark] = told(client, address)
    answer = read(client, address, [mark])
    assert answer["ok"]
    assert 'name="rulings"' not in answer["html"]
    assert told(client, address) == []
    # Its mark is another one than the picture's that still told of it.
    assert answer["etag"] == client.get(address + "live/")["ETag"]
    other = Client()
    assert told(other, auditor_link(table, role="reader")) == [mark]
    # A second one is told, the first not again.
    write(running(table), ruling("sit_out_game", 2))
    [second] = told(client, address)
    assert second != mark
    assert told(other, address) == [mark, second]


def test_without_the_script(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), ruling("points", 1, points=-5))
    response = client.post(address + "rulings/", {"rulings": " ".join(told(client, address))})
    assert response.status_code == 303
    assert told(client, address) == []


def test_what_was_taken_back_is_not_told_and_what_was_replaced_is_told_again(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), ruling("points", 1, points=-5))
    [mark] = told(client, address)
    read(client, address, [mark])
    change = {
        "sheet_id": running(table).pk,
        "author": "test",
        "by_director": True,
        "sequence": 1,
    }
    revise_entry(
        **change,
        kind=RowKind.AMEND,
        client_id=uuid.uuid4(),
        seen_version=1,
        entry=ruling("points", 1, points=-3),
        reason="typed wrongly",
    )
    assert len(told(client, address)) == 1
    revise_entry(**change, kind=RowKind.VOID, client_id=uuid.uuid4(), seen_version=2)
    assert told(client, address) == []


def test_a_game_that_a_ruling_ended_tells_of_it_until_the_next_has_an_entry(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), hand(1, 0), ruling("end_game"))
    [mark] = told(client, address)
    open_next_sheet(table_id=table.pk, by="test")
    assert told(client, address) == [mark]
    write(running(table), hand(1, 0))
    assert told(client, address) == []


def test_what_follows_from_an_earlier_game_is_not_told_again(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), ruling("disqualify", 3))
    set_absent(table_id=table.pk, player_ids=["Cia"], by="test", reason="")
    assert len(told(client, address)) == 2
    write(sheet_of(table), quick_win())
    open_next_sheet(table_id=table.pk, by="test")
    write(running(table), hand(1, 0))
    assert running(table).version == 3
    assert told(client, address) == []


def test_game_points_taken_are_told(client):
    table = make_table()
    address = auditor_link(table)
    penalise(table, "Bo")
    [mark] = told(client, address)
    read(client, address, [mark])
    assert told(client, address) == []


def test_a_table_that_rules_for_itself_is_told_nothing(client):
    table = make_table(directed=False)
    write(running(table), ruling("points", 1, points=-5))
    assert told(client, auditor_link(table)) == []


@pytest.mark.parametrize("sent", [{}, {"rulings": 7}, {"rulings": "a\nb"}])
def test_nonsense_is_refused_or_forgotten(client, sent):
    address = auditor_link(make_table())
    response = client.post(
        address + "rulings/", data=json.dumps(sent), content_type="application/json"
    )
    assert response.json()["problems"][0]["code"] == "malformed"


def test_the_cookie_stays_short(client):
    address = auditor_link(make_table())
    read(client, address, [f"{number:08x}" for number in range(500)] + ["x" * 4000, "<script>"])
    kept = client.cookies["scoring_rulings"].value.split(".")
    assert kept == [f"{number:08x}" for number in range(440, 500)]
