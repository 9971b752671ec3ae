"""What waited on a device while others wrote, over HTTP: the panel and the choice."""

import json
import re
import uuid

import pytest

from scoring.models import SheetEntry
from scoring.reading.recover import seating_of
from scoring.writing import open_next_sheet, reseat, take_lease, void_sheet

from ..factories import auditor_link, hand, make_table, play, quick_win, running, sheet_of

pytestmark = pytest.mark.django_db


def tap(entry, **more):
    return {"id": str(uuid.uuid4()), "at": 1772399640000, "entry": entry, **more}


def send(client, address, waiting, *, game=1, base=0, version=0, take=""):
    fields = {"game": game, "base": base, "version": version, "take": take, "taps": waiting}
    return client.post(
        address + "waiting/", data=json.dumps(fields), content_type="application/json"
    ).json()


def offered(answer):
    return re.findall(r'data-choice="(\w+)"', answer["html"])


@pytest.mark.parametrize("game", [1, 2])
def test_a_game_that_does_not_run_offers_to_leave_the_entries_and_takes_that(client, game):
    table = make_table()
    play(running(table), hand(1, 3, "flush"))
    void_sheet(sheet_id=running(table).pk, reason="wrong pack")
    address, waiting = auditor_link(table), [tap(hand(1, 0))]
    panel = send(client, address, waiting, game=game, base=2 - game)
    assert offered(panel) == ["theirs"]
    assert f"Game {game}" in panel["html"]
    assert send(
        client, address, waiting, game=game, base=2 - game, version=panel["version"], take="theirs"
    )["ok"]
    counting = SheetEntry.objects.filter(sheet=sheet_of(table, game), kind="entry")
    assert counting.count() == (2 if game == 1 else 1)


def test_after_a_move_the_panel_names_the_player_who_was_tapped(client):
    sheet = running(make_table())
    play(sheet, hand(1, 2))
    waiting = [tap(hand(2, 0, "flush"), seating=seating_of(sheet))]
    reseat(
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=1,
        author="director",
        seats=["Bo", "Anna", "Dag", "Cia"],
        reason="sat otherwise",
    )
    panel = send(client, auditor_link(sheet.table), waiting, base=1)
    named = re.findall(r'class="merge-line">\s*(\w+):', panel["html"])
    # Cia's pair before the move is nobody's news.
    assert (named, offered(panel)) == (["Anna"], ["both", "mine", "theirs"])


@pytest.mark.parametrize("game", [1, 2])
def test_only_whoever_keeps_the_score_now_chooses_for_an_earlier_game_too(client, game):
    table = make_table()
    play(running(table), quick_win(3))
    sheet = open_next_sheet(table_id=table.pk, by="test")
    play(sheet, hand(1, 3, "flush"))
    take_lease(sheet_id=sheet.pk, device="another", author="x")
    address, waiting = auditor_link(table), [tap(hand(1, 0))]
    panel = send(client, address, waiting, game=game)
    assert offered(panel) == []
    choice = {"game": game, "version": panel["version"], "take": "theirs"}
    assert send(client, address, waiting, **choice)["problems"][0]["code"] == "lease_taken"
    client.post(address + "lease/", data="{}", content_type="application/json")
    assert "theirs" in offered(send(client, address, waiting, game=game))
    assert send(client, address, waiting, **choice)["ok"]
    assert sheet_of(table, game).version == 3


@pytest.mark.parametrize(
    ("begun", "entry", "choices"),
    [
        (False, hand(1, 0), ["mine", "theirs"]),
        (True, hand(1, 0), ["theirs"]),
        (True, quick_win(0), ["mine", "theirs"]),
    ],
)
def test_once_the_next_game_has_begun_no_choice_lets_this_one_go_on(client, begun, entry, choices):
    table = make_table()
    play(running(table), quick_win(3))
    if begun:
        play(open_next_sheet(table_id=table.pk, by="test"), hand(1, 3))
    assert offered(send(client, auditor_link(table), [tap(entry)])) == choices


@pytest.mark.parametrize("take", ["", "mine"])
@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({}, "missing_field"),
        ({"kind": "nobody"}, "unknown_kind"),
        ({"kind": "hand", "phase": "1", "seat": 0, "category": "pair"}, "bad_value"),
    ],
)
def test_what_is_no_entry_is_refused_with_the_engines_reason(client, take, entry, problem):
    answer = send(client, auditor_link(make_table()), [tap(entry)], take=take)
    assert answer["problems"][0]["code"] == problem


def test_a_choice_that_is_no_word_is_refused(client):
    answer = send(client, auditor_link(make_table()), [tap(hand(1, 0))], take={"take": "mine"})
    assert answer["problems"][0]["code"] == "malformed"


def test_one_id_for_two_entries_is_refused(client):
    table = make_table()
    play(running(table), hand(1, 3, "flush"))
    address, one = auditor_link(table), tap(hand(1, 0))
    panel = send(client, address, [one, one])
    answer = send(client, address, [one, one], version=panel["version"], take="theirs")
    assert answer["problems"][0]["code"] == "client_id_reused"
