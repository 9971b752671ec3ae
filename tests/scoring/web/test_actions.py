"""The other buttons: take back, next game and back, calls, flip-flop, sign-off."""

import html
import json
import re
import uuid

import pytest

from scoring.errors import ScoringError
from scoring.models import FlipFlop, Table
from scoring.writing import sign_off

from ..factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    write,
)

pytestmark = pytest.mark.django_db


def act(client, address, part, fields=None):
    """Press a button without the script; return the page it redirects to."""
    response = client.post(address + part, fields or {})
    if response.status_code == 303:
        return client.get(response.headers["Location"])
    return response


class TestTakeBack:
    def fields(self, version):
        return {"id": str(uuid.uuid4()), "game": "1", "version": str(version)}

    def test_takes_the_last_entry_back(self, client):
        table = make_table()
        write(running(table), hand(1, 0, "flush"))
        response = act(client, auditor_link(table), "take-back/", self.fields(1))
        assert response.status_code == 200
        assert sheet_of(table).state["scores"] == [0, 0, 0, 0]
        assert sheet_of(table).version == 2

    def test_with_the_script(self, client):
        table = make_table()
        write(running(table), hand(1, 0, "flush"))
        response = client.post(
            auditor_link(table) + "take-back/",
            data=json.dumps({"id": str(uuid.uuid4()), "game": 1, "version": 1}),
            content_type="application/json",
        )
        assert response.json()["ok"]

    def test_nothing_to_take_back(self, client):
        response = act(client, auditor_link(make_table()), "take-back/", self.fields(0))
        assert response.status_code == 409
        assert 'role="alert"' in response.content.decode()

    def test_takes_back_the_entry_that_ended_the_game(self, client):
        table = make_table()
        write(running(table), quick_win())
        act(client, auditor_link(table), "take-back/", self.fields(1))
        assert sheet_of(table).status == "running"

    def test_not_after_signing(self, client):
        table = make_table(games=1)
        write(running(table), quick_win())
        sign_off(table_id=table.pk, by="x")
        response = act(client, auditor_link(table), "take-back/", self.fields(1))
        assert response.status_code == 409
        assert sheet_of(table).version == 1


class TestGames:
    def test_next_game_and_back(self, client):
        table = make_table()
        address = auditor_link(table)
        assert act(client, address, "next-game/").status_code == 409
        write(running(table), quick_win())
        html = act(client, address, "next-game/").content.decode()
        assert 'data-game="2" data-version="0" data-mode="play"' in html
        html = act(client, address, "last-game/").content.decode()
        assert 'data-game="1" data-version="1" data-mode="over"' in html
        assert act(client, address, "last-game/").status_code == 409

    def test_a_late_tap_opens_or_leaves_no_other_game_than_its_own(self, client):
        table = make_table()
        address = auditor_link(table)
        write(running(table), quick_win())
        for _again in range(2):
            act(client, address, "next-game/", {"opens": 2})
        write(running(table), quick_win())
        act(client, address, "next-game/", {"opens": 2})
        assert sheet_of(table, 3).status == "waiting"
        act(client, address, "next-game/", {"opens": 3})
        act(client, address, "last-game/", {"game": 2})
        assert sheet_of(table, 3).status == "running"

    def test_a_whole_heat(self, client):
        table = make_table()
        address = auditor_link(table)
        for number in (1, 2, 3):
            play(running(table), hand(1, 0), quick_win(number) | {"phase": 2})
            if number < 3:
                act(client, address, "next-game/")
        html = act(client, address, "sign/").content.decode()
        assert "/sign/" not in html
        assert "take-back" not in html
        assert Table.objects.get().signed_by.startswith("link ")

    def test_signing_too_early(self, client):
        assert act(client, auditor_link(make_table()), "sign/").status_code == 409


class TestCalls:
    @pytest.mark.parametrize("role", ["auditor", "reader"])
    def test_everybody_at_the_table_may_call(self, client, role):
        table = make_table()
        address = auditor_link(table, role)
        html = act(client, address, "call/", {"reason": "Cards on the floor"}).content.decode()
        assert "Cards on the floor" in html
        table.refresh_from_db()
        assert table.call_since is not None
        html = act(client, address, "call-done/").content.decode()
        assert "Cards on the floor" not in html

    @pytest.mark.parametrize(
        "reason",
        ["a\x00b", "a\nb", "\ud800", "reason:call_slow", "reason:call_slow?player=1&name=A"],
    )
    def test_invalid_reasons(self, client, reason):
        response = client.post(
            auditor_link(make_table()) + "call/",
            data=json.dumps({"reason": reason}),
            content_type="application/json",
        )
        assert response.status_code == 400

    def test_a_long_reason_is_cut(self, client):
        act(client, auditor_link(make_table()), "call/", {"reason": "x" * 500})
        assert len(Table.objects.get().call_reason) == 200


class TestFlipFlop:
    @pytest.fixture
    def tied(self):
        table = make_table(("A", "B", "C"), games=1)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        return table

    def test_the_order_is_recorded_with_who(self, client, tied):
        fields = {"order": "B\r\nA"}
        html = act(client, auditor_link(tied), "flip-flop/", fields).content.decode()
        assert "flip-flop/" not in html
        row = FlipFlop.objects.get()
        assert row.order == ["B", "A"]
        assert row.author.startswith("link ")

    def test_lots_are_drawn_once_however_often_tapped(self, client, tied):
        for _tap in range(5):
            act(client, auditor_link(tied), "flip-flop/", {"lots": "A\nB"})
        assert FlipFlop.objects.get().seed

    @pytest.mark.parametrize("name", ["order", "lots", "order-1"])
    def test_names_at_a_kitchen_table_have_spaces(self, client, name):
        table = make_table(("Anna Ek", "Bo Ek", "Cia"), games=1, directed=False)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        address = auditor_link(table)
        page = client.get(address).content.decode()
        buttons = dict(re.findall(r'name="(order|lots)"\s+value="([^"]*)"', page))
        fields = {key: html.unescape(value) for key, value in buttons.items() if key == name}
        fields = fields or {"order-1": "Bo Ek", "order-2": "Anna Ek"}
        act(client, address, "flip-flop/", fields)
        assert sorted(FlipFlop.objects.get().order) == ["Anna Ek", "Bo Ek"]

    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({}, "not_a_tie"),
            ({"order": "A"}, "not_a_tie"),
            ({"order-1": "A", "order-2": "A"}, "twice_in_order"),
            ({"order-1": "A", "order-2": "C"}, "not_a_tie"),
            ({"order": "x\nB"}, "not_a_tie"),
        ],
    )
    def test_an_invalid_order_is_refused_with_a_sentence(self, client, tied, fields, code):
        response = act(client, auditor_link(tied), "flip-flop/", fields)
        assert response.status_code == 422
        assert ScoringError(code).message() in html.unescape(response.content.decode())
        assert not FlipFlop.objects.exists()


@pytest.mark.parametrize(
    "part",
    [
        "entry",
        "take-back",
        "next-game",
        "last-game",
        "lease",
        "call",
        "call-done",
        "sign",
        "flip-flop",
    ],
)
def test_every_action_needs_post_and_a_known_link(client, part):
    address = auditor_link(make_table())
    assert client.get(f"{address}{part}/").status_code == 405
    assert client.post(f"/s/unknown/{part}/").status_code == 404


def test_two_writes_from_one_old_page_are_reported(client):
    """The first press uses up the plain form's UUID; another choice with it is refused."""
    table = make_table()
    address = auditor_link(table)
    fields = {"id": str(uuid.uuid4()), "game": "1", "version": "0", "what": json.dumps(none(1))}
    assert act(client, address, "entry/", fields).status_code == 200
    fields["what"] = json.dumps({"kind": "hand", "phase": 1, "category": "pair"})
    assert act(client, address, "entry/", {**fields, "seat": "0"}).status_code == 409
