"""What a phone kept of a table is taken by a server that lacks it, like any entry, once."""

import uuid

import pytest

from scoring.models import SheetEntry

from ..factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    sheet_of,
    trick,
)

pytestmark = pytest.mark.django_db


def tap(entry, deal=0, stage="exchange", phase=1, game=1):
    place = {"deal": deal, "stage": stage, "phase": phase}
    return {"id": str(uuid.uuid4()), "game": game, "place": place, "entry": entry}


def send(client, address, **fields):
    return client.post(address + "kept/", fields, content_type="application/json").json()


def give(client, address, *taps):
    """Send what was kept; return the code of why not all was taken."""
    answer = send(client, address, taps=taps)
    assert answer["ok"]
    return answer["problems"][0]["code"] if "problems" in answer else ""


FIRST = (
    tap(hand(1, 0, "flush")),
    tap(hand(2, 1), phase=2),
    tap(None, stage="tricks", phase=3),
    tap(hand(2, 2), phase=2),
)


def test_takes_what_it_lacks_in_order_and_once(client):
    table = make_table()
    address = auditor_link(table)
    kept = [
        *FIRST[:4],
        tap(trick(0), stage="tricks", phase=3),
        tap(hand(3, 0, "straight_flush"), stage="final_hand", phase=3),
        # The next game had begun, too.
        tap(hand(1, 2, "flush"), game=2),
    ]
    ids = [each["id"] for each in kept]
    assert send(client, address, ids=ids)["lacks"] == ids
    assert give(client, address, *kept[:3]) == ""
    assert send(client, address, ids=ids)["lacks"] == ids[3:]
    for _twice in range(2):
        assert give(client, address, *kept) == ""
    assert sheet_of(table).state["winners"] == [0]
    assert sheet_of(table, 2).state["scores"] == [0, 0, 5, 0]
    rows = SheetEntry.objects.order_by("pk")
    assert [str(row.client_id) for row in rows] == ids
    assert [row.kind for row in rows] == [*["entry"] * 2, "void", *["entry"] * 4]


def test_what_does_not_fit_ends_it_with_its_reason(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), none(1))
    # Somebody else has begun the deal again: no entry comes where it was not tapped.
    assert give(client, address, *FIRST) == "conflict"
    assert SheetEntry.objects.count() == 1
    assert (
        give(client, address, FIRST[1], tap(hand(3, 0), stage="final_hand", phase=3)) == "conflict"
    )
    assert SheetEntry.objects.count() == 2


def test_checks_are_those_of_any_entry(client):
    address = auditor_link(make_table())
    assert give(client, address, tap(hand(3, 0))) == "wrong_phase"
    assert give(client, address, tap(ruling("end_game"))) == "ruling_only_director"
    assert give(client, address, tap(none(1), game=9)) == "malformed"
    assert SheetEntry.objects.count() == 0


def test_only_the_device_that_writes(client):
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
        {"taps": [1]},
        {"taps": [FIRST[0] | {"place": None}]},
        {"taps": [FIRST[0] | {"entry": 3}]},
        {"ids": [str(uuid.uuid4())] * 5001},
    ],
)
def test_what_cannot_be_read(client, fields):
    response = client.post(
        auditor_link(make_table()) + "kept/", fields, content_type="application/json"
    )
    assert response.status_code == 400
