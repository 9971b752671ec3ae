"""The director's rulings are shown at the top of the pages, on each device until read there."""

import re
import uuid

import pytest
from django.test import Client

from scoring.enums import RowKind
from scoring.writing import (
    answer_objection,
    correct_entry,
    object_to_deal,
    open_next_sheet,
    set_absent,
    withdraw_objection,
)

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
from .phone import refused, tapped

pytestmark = pytest.mark.django_db


def told(client, address):
    """Return the ids of the rulings shown on a device."""
    found = re.findall(
        r'name="rulings" value="([^"]*)"', client.get(address + "read/").content.decode()
    )
    return found[0].split() if found else []


def read(client, address, marks):
    """Mark rulings as read, as the page's script does."""
    return tapped(client, address, "read", rulings=" ".join(marks))


def test_a_ruling_is_shown_until_read_on_each_device(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), hand(1, 0))
    assert told(client, address) == []
    write(running(table), ruling("points", 1, points=-5))
    [mark] = told(client, address)
    answer = read(client, address, [mark])
    assert len(answer["took"]) == 1
    assert answer["parts"].get("rulings", {"html": ""})["html"] == ""
    assert told(client, address) == []
    other = Client()
    assert told(other, auditor_link(table, role="reader")) == [mark]
    # A second one is shown, the first is not shown again.
    write(running(table), ruling("sit_out_game", 2))
    [second] = told(client, address)
    assert second != mark
    assert told(other, address) == [mark, second]


def test_a_voided_ruling_is_not_shown_and_a_replaced_one_is_shown_again(client):
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
    correct_entry(
        **change,
        kind=RowKind.AMEND,
        client_id=uuid.uuid4(),
        seen_version=1,
        entry=ruling("points", 1, points=-3),
        reason="typed wrongly",
    )
    assert len(told(client, address)) == 1
    correct_entry(**change, kind=RowKind.VOID, client_id=uuid.uuid4(), seen_version=2)
    assert told(client, address) == []


def test_a_ruling_that_ended_a_game_is_shown_until_the_next_game_has_an_entry(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), hand(1, 0), ruling("end_game"))
    [mark] = told(client, address)
    open_next_sheet(table_id=table.pk, by="test")
    assert told(client, address) == [mark]
    write(running(table), hand(1, 0))
    assert told(client, address) == []


def test_consequences_of_an_earlier_game_are_not_shown_again(client):
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


def test_deducted_game_points_are_shown(client):
    table = make_table()
    address = auditor_link(table)
    penalise(table, "Bo")
    [mark] = told(client, address)
    read(client, address, [mark])
    assert told(client, address) == []


def objected(table, game=1):
    """Return what ends an objection of Bo's."""
    row = object_to_deal(
        table_id=table.pk,
        game=game,
        deal=1,
        player_id="Bo",
        text="",
        client_id=uuid.uuid4(),
        by="test",
    )
    return {"table_id": table.pk, "objection_id": row.pk, "by": "test"}


def test_the_answer_to_an_objection_is_shown_until_read_on_each_device(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), hand(1, 0))
    answer = objected(table)
    assert told(client, address) == []
    answer_objection(**answer, reason="Looked at the cards")
    [mark] = told(client, address)
    assert "Looked at the cards" in client.get(address + "read/").content.decode()
    read(client, address, [mark])
    assert told(client, address) == []
    assert told(Client(), auditor_link(table, role="reader")) == [mark]


def test_that_an_objection_was_taken_back_is_shown(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), hand(1, 0))
    withdraw_objection(**objected(table), player_id="Bo")
    assert len(told(client, address)) == 1


def test_an_answer_is_shown_in_the_game_in_which_it_was_given(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), quick_win())
    late, later = objected(table), objected(table)
    answer_objection(**late, reason="before game 2")
    open_next_sheet(table_id=table.pk, by="test")
    assert len(told(client, address)) == 1
    write(running(table), hand(1, 0))
    assert told(client, address) == []
    answer_objection(**later, reason="in game 2")
    assert len(told(client, address)) == 1


def test_a_table_that_rules_for_itself_is_shown_nothing(client):
    table = make_table(directed=False)
    write(running(table), ruling("points", 1, points=-5))
    assert told(client, auditor_link(table)) == []


@pytest.mark.parametrize("sent", [{}, {"rulings": 7}, {"rulings": "a\nb"}])
def test_malformed_ids_are_refused(client, sent):
    assert refused(tapped(client, auditor_link(make_table()), "read", **sent)) == "malformed"


def test_the_cookie_stays_short(client):
    address = auditor_link(make_table())
    read(client, address, [f"{number:08x}" for number in range(500)] + ["x" * 4000, "<script>"])
    kept = client.cookies["scoring_rulings"].value.split(".")
    assert kept == [f"{number:08x}" for number in range(440, 500)]


@pytest.mark.parametrize(("score", "taken"), [(0, "0 taken"), (4, "4 taken"), (5, "")])
def test_a_ruling_says_what_it_really_took(client, score, taken):
    """Rulebook §9."""
    table = make_table()
    if score:
        play(running(table), ruling("points", 0, points=score))
    play(running(table), ruling("points", 0, points=-5))
    page = client.get(auditor_link(table, "reader")).content.decode()
    assert set(re.findall(r"\d taken", page)) == {taken} - {""}
