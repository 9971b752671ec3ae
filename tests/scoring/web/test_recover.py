"""Entries that a phone still has are accepted by a server that lacks them, once, like any entry."""

import json
import re
import uuid

import pytest
from django.utils import timezone

from scoring.models import Declaration, HeatPenalty, SheetEntry
from scoring.models.author import is_link
from scoring.reading.merge import Take, Tap
from scoring.writing import (
    call_td,
    clear_call,
    confirm_seats,
    object_to_deal,
    set_away,
    settle_waiting,
)
from scoring.writing.rows import MAX_ROWS

from ..factories import (
    auditor_link,
    hand,
    make_table,
    none,
    penalise,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)

pytestmark = pytest.mark.django_db


def tap(entry, deal=0, stage="exchange", phase=1, game=1):
    place = {"deal": deal, "stage": stage, "phase": phase}
    return {"id": str(uuid.uuid4()), "game": game, "place": place, "entry": entry}


def send(client, address, **fields):
    return client.post(address + "kept/", fields, content_type="application/json").json()


def give(client, address, *taps):
    """Send entries back; return the code of the first one refused, if any."""
    answer = send(client, address, taps=taps)
    assert answer["ok"]
    return answer["problems"][0]["code"] if "problems" in answer else ""


FIRST = (
    tap(hand(1, 0, "flush")),
    tap(hand(2, 1), phase=2),
    tap(None, stage="tricks", phase=3),
    tap(hand(2, 2), phase=2),
)


def test_missing_entries_are_accepted_in_order_and_once(client):
    table = make_table()
    address = auditor_link(table)
    taps = [
        *FIRST[:4],
        tap(trick(0), stage="tricks", phase=3),
        tap(hand(3, 0, "straight_flush"), stage="final_hand", phase=3),
        # The next game had begun, too.
        tap(hand(1, 2, "flush"), game=2),
    ]
    ids = [each["id"] for each in taps]
    assert send(client, address, ids=ids)["lacks"] == ids
    assert give(client, address, *taps[:3]) == ""
    assert send(client, address, ids=ids)["lacks"] == ids[3:]
    for _twice in range(2):
        assert give(client, address, *taps) == ""
    assert sheet_of(table).state["winners"] == [0]
    assert sheet_of(table, 2).state["scores"] == [0, 0, 5, 0]
    rows = SheetEntry.objects.order_by("pk")
    assert [str(row.client_id) for row in rows] == ids
    assert [row.kind for row in rows] == [*["entry"] * 2, "void", *["entry"] * 4]


def test_an_entry_that_does_not_fit_stops_with_its_reason(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), none(1))
    # Somebody else has begun the deal again: no entry is written where it was not tapped.
    assert give(client, address, *FIRST) == "conflict"
    assert SheetEntry.objects.count() == 1
    assert (
        give(client, address, FIRST[1], tap(hand(3, 0), stage="final_hand", phase=3)) == "conflict"
    )
    assert SheetEntry.objects.count() == 2


def test_the_checks_are_those_of_any_entry(client):
    address = auditor_link(make_table())
    assert give(client, address, tap(hand(3, 0))) == "wrong_phase"
    assert give(client, address, tap(ruling("end_game"))) == "ruling_only_director"
    assert give(client, address, tap(none(1), game=9)) == "malformed"
    assert SheetEntry.objects.count() == 0


def test_only_the_writing_device_may_send(client):
    table = make_table()
    address = auditor_link(table)
    assert give(client, address, FIRST[0]) == ""
    client.cookies.clear()
    assert give(client, address, FIRST[1]) == "lease_taken"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"ids": "x"},
        {"ids": ["x"]},
        {"known": "x"},
        {"taps": [1]},
        {"taps": [FIRST[0] | {"place": None}]},
        {"taps": [FIRST[0] | {"away": [0] * 7}]},
        {"taps": [FIRST[0] | {"entry": 3}]},
        {"taps": [FIRST[0] | {"act": "correction", "kind": "paper", "target": FIRST[1]["id"]}]},
        {"taps": [FIRST[0] | {"act": "correction", "kind": "amend"}]},
        {"taps": [FIRST[0] | {"act": "chicago", "announce": "x"}]},
        {"taps": [FIRST[0] | {"act": ["sign"]}]},
        {"taps": [FIRST[0] | {"act": "correction", "kind": {}, "target": FIRST[1]["id"]}]},
        {"taps": [], "told": "x"},
        {"taps": [], "told": [3]},
        {"taps": [], "told": ["x"] * 101},
        {"ids": [str(uuid.uuid4())] * 5001},
        {"taps": [FIRST[0]] * (MAX_ROWS + 1)},
    ],
)
def test_malformed_requests(client, fields):
    response = client.post(
        auditor_link(make_table()) + "kept/", fields, content_type="application/json"
    )
    assert response.status_code == 400


def correct(of, entry, kind="amend", place=None, **more):
    """Return a correction of the line ``of``, in the place of the next tap."""
    place = place or {"deal": 0, "stage": "exchange", "phase": 2}
    return {
        **tap(entry),
        "act": "correction",
        "kind": kind,
        "target": of["id"],
        "place": place,
        **more,
    }


def sheet_told(client, address):
    """Return the sheet as the page gives it to its device."""
    page = client.get(address).content.decode()
    return json.loads(re.findall(r'id="device-sheet"[^>]*>(.*?)</script>', page, re.DOTALL)[0])


def test_a_corrected_line_keeps_its_id(client):
    table = make_table()
    address = auditor_link(table)
    corrected = correct(FIRST[0], hand(1, 2, "pair"))
    assert give(client, address, FIRST[0], corrected, FIRST[1]) == ""
    assert sheet_of(table).state["scores"] == [0, 1, 1, 0]
    row = SheetEntry.objects.get(kind="amend")
    assert str(row.client_id) == corrected["id"]
    assert row.author_link is not None


def test_a_page_gets_corrected_lines_in_the_form_it_sends_back(client):
    """What the page gets is what another server accepts."""
    table = make_table()
    address = auditor_link(table)
    for row in (FIRST[0], correct(FIRST[0], hand(1, 2, "pair")), FIRST[1]):
        assert give(client, address, row) == ""
    forgotten = correct(
        FIRST[1],
        hand(1, 3, "two_pair"),
        place={"deal": 0, "stage": "tricks", "phase": 3},
    )
    assert give(client, address, correct(FIRST[1], None, "void", forgotten["place"])) == ""
    told = sheet_told(client, address)
    assert [row["kind"] for row in told["corrections"]] == ["amend", "void"]
    other = make_table(seed="other")
    given = [
        {**row, "act": act, "game": 1, "id": str(uuid.uuid4())}
        for row, act in zip(told["corrections"], ("correction", "mend"), strict=True)
    ]
    first, second = (each | {"id": str(uuid.uuid4())} for each in FIRST[:2])
    for row, target in zip(given, (first, second), strict=True):
        row["target"] = target["id"]
    taps = [first, given[0], second, given[1]]
    assert give(client, auditor_link(other), *taps) == ""
    assert sheet_of(other).state == sheet_of(table).state


def test_a_phone_gets_what_others_wrote_in_the_form_it_sends_back(client):
    """Dag is called away in the second deal; one line is taken back, another corrected."""
    table = make_table(games=2)
    address = auditor_link(table)
    last = tap(none(3), stage="final_hand", phase=3)
    for row in (
        *FIRST,
        tap(trick(0), stage="tricks", phase=3),
        correct(FIRST[0], hand(1, 1), place={"deal": 0, "stage": "final_hand", "phase": 3}),
    ):
        assert give(client, address, row) == ""
    set_away(table_id=table.pk, player_ids=[sheet_of(table).seats[3]], by="floor")
    more = (
        *(last, tap(none(1), deal=1), tap(none(2), deal=1, phase=2)),
        *(tap(trick(1), deal=1, stage="tricks", phase=3),),
        tap(hand(3, 0, "straight_flush"), deal=1, stage="final_hand", phase=3),
        tap(hand(1, 0), game=2),
    )
    assert give(client, address, *more) == ""
    rows = send(client, address, known=[])["rows"]
    other = make_table(games=2, seed="other")
    ids = {row["id"]: str(uuid.uuid4()) for row in rows}
    taps = [
        row | {"id": ids[row["id"]], "target": ids.get(row["target"]), "seating": ""}
        for row in rows
    ]
    assert give(client, auditor_link(other), *taps) == ""
    for game in (1, 2):
        assert sheet_of(other, game).state == sheet_of(table, game).state
    assert send(client, address, known=[row["id"] for row in rows[:-1]])["rows"] == rows[-1:]


def test_a_correction_removes_later_entries_only_if_it_did_before(client):
    address = auditor_link(make_table())
    place = {"deal": 0, "stage": "final_hand", "phase": 3}
    taps = [
        FIRST[0],
        FIRST[1],
        tap(trick(0), stage="tricks", phase=3),
        correct(FIRST[0], hand(1, 0, "royal_flush"), place=place),
    ]
    assert give(client, address, *taps) == "later_entries"
    assert give(client, address, *taps[:3], taps[3] | {"later": True}) == ""
    told = sheet_told(client, address)["corrections"]
    assert [row["later"] for row in told] == [True]


def test_a_missing_line_cannot_be_corrected(client):
    address = auditor_link(make_table())
    assert give(client, address, FIRST[0], correct(FIRST[1], hand(1, 2))) == "entry_gone"


def test_an_earlier_game_cannot_be_corrected_at_the_table(client):
    address = auditor_link(make_table())
    won = tap(hand(1, 0, "straight_flush"))
    later = tap(hand(1, 2), game=2)
    over = {"deal": 0, "stage": "over", "phase": None}
    assert give(client, address, won, later) == ""
    assert give(client, address, correct(won, hand(1, 1), place=over)) == "entry_gone"


def test_a_finished_game_is_reopened_by_taking_back(client):
    table = make_table()
    won = tap(hand(1, 0, "straight_flush"))
    over = tap(None) | {"place": {"deal": 0, "stage": "over", "phase": None}}
    assert give(client, auditor_link(table), won, over) == ""
    assert sheet_of(table).status == "running"


def test_a_declared_chicago_is_accepted_again(client):
    table = make_table()
    address = auditor_link(table)
    # With fifteen points or more a player may declare it.
    write(running(table), ruling("points", 1, points=20))
    at = {"stage": "tricks", "phase": 3}
    said = tap(None, **at) | {"act": "chicago", "announce": 1}
    unsaid = tap(None, **at) | {"act": "chicago", "announce": None}
    taps = [tap(none(1)), tap(none(2), phase=2), said, unsaid, said | {"id": str(uuid.uuid4())}]
    assert give(client, address, *taps) == ""
    assert list(Declaration.objects.values_list("seat", flat=True)) == [1, None, 1]
    assert sheet_told(client, address)["announced"] == 1
    assert send(client, address, ids=[said["id"]])["lacks"] == []


def test_a_correction_cannot_be_a_ruling(client):
    address = auditor_link(make_table())
    ruled = correct(FIRST[0], ruling("points", 1, points=5))
    assert give(client, address, FIRST[0], ruled) == "ruling_only_director"


def test_no_entry_moves_to_another_seat(client):
    table = make_table()
    address = auditor_link(table)
    seating = sheet_told(client, address)["seating"]
    swapped = [*reversed(sheet_of(table).seats)]
    confirm_seats(table_id=table.pk, seen_version=0, by="test", order=swapped)
    assert give(client, address, FIRST[0] | {"seating": seating}) == "other_seats"
    now = sheet_told(client, address)["seating"]
    assert give(client, address, FIRST[0] | {"seating": now}) == ""


def test_a_page_gets_the_directors_decisions_as_text(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), hand(1, 0))
    write(running(table), ruling("points", 1, points=-5))
    penalise(table, sheet_of(table).seats[0])
    told = sheet_told(client, address)["told"]
    rows = [SheetEntry.objects.get(sequence=2).client_id, HeatPenalty.objects.get().client_id]
    assert [row["id"] for row in told] == [str(row) for row in rows]
    assert send(client, address, ids=[str(row) for row in rows])["lacks"] == []


def test_players_called_away_fold_again(client):
    """The server has lost that Dag was called away, too."""
    table = make_table()
    sheet = running(table)
    set_away(table_id=table.pk, player_ids=[sheet.seats[3]], by="floor")
    address = auditor_link(table)
    deal = [
        tap(none(1)),
        tap(none(2), phase=2),
        tap(trick(1), stage="tricks", phase=3),
        tap(none(3), stage="final_hand", phase=3),
    ]
    assert give(client, address, *deal) == ""
    other = make_table(seed="other")
    again = [each | {"id": str(uuid.uuid4()), "away": [3]} for each in deal]
    assert give(client, auditor_link(other), *again) == ""

    def entries(of):
        rows = SheetEntry.objects.filter(sheet=sheet_of(of)).order_by("sequence")
        return list(rows.values_list("entry", flat=True))

    assert entries(other) == entries(table)
    assert sheet_of(other).state == sheet_of(table).state
    assert sheet_of(other).state["sitting_out"] == [False, False, False, True]


def test_a_sign_off_is_given_again_through_the_same_checks(client):
    won = tap(hand(1, 0, "straight_flush"))
    signed = {"id": str(uuid.uuid4()), "act": "sign"}
    table = make_table(games=1)
    address = auditor_link(table)
    assert give(client, address, signed) == "games_unfinished"
    assert give(client, address, won, signed) == ""
    table.refresh_from_db()
    assert is_link(table.signed_by)
    [told] = sheet_told(client, address)["told"]
    assert (told["act"], told["state"]) == ("sign", True)
    assert send(client, address, ids=[told["id"]])["lacks"] == []
    assert send(client, auditor_link(make_table()), ids=[told["id"]])["lacks"] == [told["id"]]


def test_a_page_gets_objections_and_a_call_as_text(client):
    table = make_table()
    address = auditor_link(table)
    write(running(table), hand(1, 0))
    call_td(table_id=table.pk, reason="reason:call_rules")
    mark = uuid.uuid4()
    object_to_deal(
        table_id=table.pk,
        game=1,
        deal=1,
        player_id=sheet_of(table).seats[1],
        text="",
        client_id=mark,
        by="test",
    )
    objection, call = sheet_told(client, address)["told"]
    assert objection["id"] == str(mark)
    assert call["state"]
    ids = [objection["id"], call["id"]]
    assert send(client, address, ids=ids)["lacks"] == []
    clear_call(table_id=table.pk)
    assert send(client, address, ids=ids)["lacks"] == [call["id"]]
    assert [row["id"] for row in sheet_told(client, address)["told"]] == [objection["id"]]


def test_decisions_lost_by_a_server_call_the_director_and_are_not_written(client):
    table = make_table()
    address = auditor_link(table)
    answer = send(client, address, taps=[FIRST[0]], told=["Bo −5", "Bo is out"])
    assert answer["ok"]
    table.refresh_from_db()
    assert table.call_since is not None
    assert table.call_reason == "reason:call_restored. Bo −5; Bo is out"
    assert sheet_of(table).state["scores"] == [5, 0, 0, 0]


def test_a_phone_gets_changed_seats_and_an_open_chicago_in_the_form_it_sends_back(client):
    table = make_table(seated=False)
    address = auditor_link(table)
    swapped = [*reversed(sheet_of(table).seats)]
    confirm_seats(table_id=table.pk, seen_version=0, by=table.links.get(), order=swapped)
    client.post(address + "lease/")
    write(running(table), ruling("points", 1, points=20))
    said = tap(None, stage="tricks", phase=3) | {"act": "chicago", "announce": 1}
    assert give(client, address, tap(none(1)), tap(none(2), phase=2), said) == ""
    rows = send(client, address, known=[])["rows"]
    assert [row["act"] for row in rows] == ["correction", "entry", "entry", "chicago"]
    seats, *taps = (row | {"id": str(uuid.uuid4())} for row in rows)
    other = make_table(seed="other", seated=False)
    address = auditor_link(other)
    assert give(client, address, *taps) == "other_seats"
    assert give(client, address, seats) == ""
    write(running(other), ruling("points", 1, points=20))
    assert give(client, address, *taps) == ""
    assert sheet_of(other).seats == swapped
    assert sheet_told(client, address)["announced"] == 1


@pytest.mark.parametrize("between", ["points", "redeal"])
def test_a_phone_gets_a_chicago_that_is_open_though_the_director_has_ruled_since(client, between):
    table = make_table()
    address = auditor_link(table)
    play(running(table), ruling("points", 1, points=20))
    said = tap(None, stage="tricks", phase=3) | {"act": "chicago", "announce": 1}
    assert give(client, address, tap(none(1)), tap(none(2), phase=2), said) == ""
    if between == "points":
        play(running(table), ruling("points", 2, points=-5))
    else:
        play(running(table), ruling("redeal"))
        assert give(client, address, tap(none(1)), tap(none(2), phase=2)) == ""
    acts = [row["act"] for row in send(client, address, known=[])["rows"]]
    # After a redeal nobody has declared one.
    announced, told = (1, ["chicago"]) if between == "points" else (None, [])
    assert [act for act in acts if act != "entry"] == told
    assert sheet_told(client, address)["announced"] == announced


def test_a_heat_drawn_again_gets_the_seats_that_a_phone_has_by_name(client):
    names = ["Dan", "Cia", "Bo", "Ada"]
    taps = [
        tap(hand(1, 0, "flush")),
        tap(none(2), phase=2),
        tap(trick(0), stage="tricks", phase=3),
        tap(hand(3, 0, "straight_flush"), stage="final_hand", phase=3),
        tap(hand(1, 2, "flush"), game=2),
    ]
    taps = [each | {"seating": "elsewhere", "names": names} for each in taps]
    table = make_table(players=["Ada", "Bo", "Cia", "Dan"], seated=False)
    address = auditor_link(table)
    assert give(client, address, *(each | {"names": ["Eva", *names[1:]]} for each in taps)) == (
        "other_seats"
    )
    # The next games get them also after an offer that was refused in the middle of a game.
    wrong = taps[2] | {"id": str(uuid.uuid4()), "entry": none(2)}
    assert give(client, address, *taps[:2], wrong) == "unexpected_kind"
    assert give(client, address, *taps) == ""
    assert [sheet_of(table, number).seats for number in (1, 2, 3)] == [
        names,
        names,
        ["Ada", "Bo", "Cia", "Dan"],
    ]
    assert sheet_of(table, 2).state["scores"] == [0, 0, 5, 0]


def test_no_seats_are_taken_from_a_phone_once_something_is_written(client):
    table = make_table(players=["Ada", "Bo", "Cia", "Dan"])
    address = auditor_link(table)
    assert give(client, address, tap(none(1))) == ""
    seats = {"seating": "elsewhere", "names": ["Dan", "Cia", "Bo", "Ada"]}
    assert give(client, address, tap(none(2), phase=2) | seats) == "other_seats"
    assert give(client, address, tap(hand(1, 2, "flush"), game=2) | seats) != ""
    assert sheet_of(table, 2).seats == ["Ada", "Bo", "Cia", "Dan"]
    seats["names"].reverse()
    assert give(client, address, tap(none(2), phase=2) | seats) == ""


def test_no_game_takes_the_lines_of_a_later_one(client):
    """The game between them was void, or came from paper, and the server has lost that."""
    table = make_table(players=["Ada", "Bo", "Cia", "Dan"])
    play(running(table), quick_win())
    address = auditor_link(table)
    line = tap(hand(1, 2, "flush"), game=3)
    seats = {"seating": "elsewhere", "names": ["Dan", "Cia", "Bo", "Ada"]}
    assert give(client, address, line | seats) == "game_order"
    assert give(client, address, line) == "game_order"
    assert (sheet_of(table, 2).status, sheet_of(table, 2).version) == ("waiting", 0)


@pytest.mark.parametrize("take", ["both", "mine", "theirs"])
def test_what_was_chosen_after_a_conflict_can_be_given_back_in_order(client, take):
    table = make_table()
    address = auditor_link(table)
    theirs = (tap(none(1)), tap(hand(2, 3, "flush"), phase=2))
    mine = (tap(trick(0)), tap(hand(3, 0), stage="final_hand", phase=3))
    if take == "mine":
        mine = (tap(hand(1, 1)), tap(hand(2, 2), phase=2), *mine)
    assert give(client, address, *theirs) == ""
    settle_waiting(
        sheet_id=sheet_of(table).pk,
        seen_version=2,
        base=0,
        taps=[Tap(uuid.UUID(each["id"]), each["entry"], timezone.now()) for each in mine],
        take=Take(take),
        author=table.links.get(),
        device=SheetEntry.objects.get(sequence=1).sheet.lease_device,
    )
    place = {"theirs": {"stage": "tricks", "phase": 3}}.get(take, {"deal": 1})
    last = trick(1) if take == "theirs" else none(1)
    assert give(client, address, tap(last, **place)) == ""
    rows = send(client, address, known=[])["rows"]
    other = make_table(seed="other")
    ids = {row["id"]: str(uuid.uuid4()) for row in rows}
    taps = [row | {"id": ids[row["id"]], "target": ids.get(row["target"])} for row in rows]
    assert give(client, auditor_link(other), *taps) == ""
    assert sheet_of(other).state == sheet_of(table).state
