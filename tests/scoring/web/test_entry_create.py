"""Writing through the page: the script's JSON, plain forms, and malformed requests."""

import json
import uuid

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.models import LeaseChange, SheetEntry
from scoring.reading.words import entry_text
from scoring.reasons import FOLD
from scoring.writing import take_lease

from ..factories import (
    auditor_link,
    hand,
    make_table,
    none,
    quick_win,
    ruling,
    running,
    sheet_of,
    write,
)

pytestmark = pytest.mark.django_db


def body(entry, **more):
    return {
        "id": str(uuid.uuid4()),
        "game": 1,
        "version": 0,
        "entry": entry,
        "confirmed": False,
        **more,
    }


def post(client, address, fields, part="entry/", **headers):
    return client.post(
        address + part,
        data=fields if isinstance(fields, (str, bytes)) else json.dumps(fields),
        content_type="application/json",
        headers={"accept": "application/json", **headers},
    )


class TestScript:
    def test_an_entry_is_acknowledged_with_the_updated_page(self, client):
        table = make_table()
        response = post(client, auditor_link(table), body(hand(1, 0, "flush")))
        assert response.status_code == 200
        answer = response.json()
        assert answer["ok"]
        assert 'data-version="1"' in answer["html"]
        assert answer["etag"]
        assert sheet_of(table).state["scores"] == [5, 0, 0, 0]
        assert SheetEntry.objects.get().author.startswith("link ")

    def test_the_same_tap_twice_writes_once(self, client):
        table = make_table()
        address = auditor_link(table)
        fields = body(hand(1, 0, "flush"))
        assert post(client, address, fields).json()["ok"]
        assert post(client, address, fields).json()["ok"]
        assert SheetEntry.objects.count() == 1

    def test_a_warning_comes_back_as_a_question(self, client):
        table = make_table()
        address = auditor_link(table)
        fields = body(quick_win())
        response = post(client, address, fields)
        assert response.status_code == 422
        [problem] = response.json()["problems"]
        assert problem["code"] == "needs_confirmation"
        assert problem["warnings"][0]["code"] == "rare_hand"
        assert post(client, address, {**fields, "confirmed": True}).json()["ok"]
        assert sheet_of(table).status == "finished"

    def test_a_refusal_is_a_sentence_with_names_in_the_readers_language(self, client):
        table = make_table()
        play = body({"kind": "chicago", "seat": 1, "won": True})
        response = post(client, auditor_link(table), play, **{"accept-language": "sv"})
        assert response.status_code == 422
        [problem] = response.json()["problems"]
        assert problem["code"] == "unexpected_kind"
        assert problem["expected"]
        assert "köpet" in problem["message"]

    def test_a_conflict_returns_the_current_state(self, client):
        table = make_table()
        write(running(table), none(1))
        response = post(client, auditor_link(table), body(hand(1, 0)))
        assert response.status_code == 409
        answer = response.json()
        assert answer["problems"][0]["code"] == "conflict"
        assert 'data-version="1"' in answer["html"]

    def test_another_devices_lease_is_respected_until_taken_over(self, client):
        table = make_table()
        address = auditor_link(table)
        take_lease(sheet_id=running(table).pk, device="another", author="x")
        response = post(client, address, body(none(1)))
        assert response.status_code == 409
        assert response.json()["problems"][0]["code"] == "lease_taken"
        assert post(client, address, {}, "lease/").json()["ok"]
        assert post(client, address, body(none(1))).json()["ok"]
        assert LeaseChange.objects.count() == 2

    def test_a_reading_link_writes_nothing(self, client):
        table = make_table()
        address = auditor_link(table, "reader")
        for part in (
            "entry/",
            "take-back/",
            "next-game/",
            "last-game/",
            "lease/",
            "sign/",
            "flip-flop/",
        ):
            response = post(client, address, body(none(1)), part)
            assert response.status_code == 403, part
            assert response.json()["problems"][0]["code"] == "read_only"
        assert not SheetEntry.objects.exists()

    @pytest.mark.parametrize(
        "fields",
        [
            {"action": "end_game"},
            {"action": "redeal"},
            {"action": "points", "seat": 1, "points": -5},
            {"action": "sit_out_deal", "seat": 1},
            {"action": "sit_out_next_deal", "seat": 1},
            {"action": "sit_out_game", "seat": 1},
            {"action": "disqualify", "seat": 1},
        ],
        ids=lambda fields: fields["action"],
    )
    def test_only_the_director_may_write_a_ruling(self, client, fields):
        wanted = {"kind": "ruling", "reason": "x"} | fields
        response = post(client, auditor_link(make_table()), body(wanted))
        assert response.status_code == 403
        assert response.json()["problems"][0]["code"] == "ruling_only_director"

    def test_the_auditor_may_write_a_fold_and_take_it_back(self, client):
        table = make_table()
        address = auditor_link(table)
        assert post(client, address, body({**FOLD, "seat": 1})).json()["ok"]
        assert running(table).state["sitting_out"] == [False, True, False, False]
        page = client.get(address).content.decode()
        assert entry_text({**FOLD, "seat": 1}, ["Anna", "Bo"]) in page
        assert "Director" not in page
        back = body(none(1))
        back["version"] = 1
        del back["entry"]
        assert post(client, address, back, "take-back/").json()["ok"]
        assert not any(running(table).state["sitting_out"])

    def test_a_casual_table_may_end_its_game(self, client):
        table = make_table(directed=False)
        address, fields = auditor_link(table), body(ruling("end_game"))
        # Not with one tap.
        [problem] = post(client, address, fields).json()["problems"]
        assert problem["code"] == "needs_confirmation"
        assert post(client, address, {**fields, "confirmed": True}).json()["ok"]
        assert sheet_of(table).status == "finished"

    def test_without_the_csrf_token_nothing_is_written(self):
        strict = Client(enforce_csrf_checks=True)
        response = post(strict, auditor_link(make_table()), body(none(1)))
        assert response.status_code == 403
        assert not SheetEntry.objects.exists()


class TestForm:
    def fields(self, what, **more):
        return {
            "id": str(uuid.uuid4()),
            "game": "1",
            "version": "0",
            "what": json.dumps(what),
            **more,
        }

    def test_a_plain_form_writes_and_redirects_back(self, client):
        table = make_table()
        address = auditor_link(table)
        what = {"kind": "hand", "phase": 1, "category": "flush"}
        response = client.post(address + "entry/", self.fields(what, seat="2"))
        assert response.status_code == 303
        assert response.headers["Location"] == address
        assert sheet_of(table).state["scores"] == [0, 0, 5, 0]

    def test_nobody_scores_needs_no_seat(self, client):
        table = make_table()
        fields = self.fields({"kind": "none", "phase": 1}, seat="2")
        assert client.post(auditor_link(table) + "entry/", fields).status_code == 303

    def test_a_casual_game_is_ended_without_a_player(self, client):
        table = make_table(directed=False)
        what = {"kind": "ruling", "action": "end_game", "reason": "late"}
        fields = self.fields(what)
        asked = client.post(auditor_link(table) + "entry/", fields)
        assert 'name="confirmed"' in asked.content.decode()
        fields["confirmed"] = "1"
        assert client.post(auditor_link(table) + "entry/", fields).status_code == 303
        assert sheet_of(table).status == "finished"

    def test_a_missing_player_is_asked_for(self, client):
        what = {"kind": "hand", "phase": 1, "category": "flush"}
        response = client.post(auditor_link(make_table()) + "entry/", self.fields(what))
        assert response.status_code == 422
        assert 'role="alert"' in response.content.decode()

    def test_a_warning_shows_a_form_that_confirms(self, client):
        table = make_table()
        address = auditor_link(table)
        fields = self.fields({"kind": "hand", "phase": 1, "category": "straight_flush"}, seat="1")
        response = client.post(address + "entry/", fields)
        assert response.status_code == 422
        html = response.content.decode()
        form = html.split("confirm-plain")[1].split("</form>")[0]
        assert fields["id"] in form
        again = {
            "id": fields["id"],
            "game": "1",
            "version": "0",
            "confirmed": "1",
            "entry": json.dumps(hand(1, 1, "straight_flush")),
        }
        assert client.post(address + "entry/", again).status_code == 303
        assert sheet_of(table).status == "finished"

    def test_a_refusal_shows_the_page_with_the_reason(self, client):
        table = make_table()
        fields = self.fields({"kind": "last_trick"}, seat="0")
        response = client.post(auditor_link(table) + "entry/", fields)
        assert response.status_code == 422
        html = response.content.decode()
        assert 'role="alert"' in html
        assert 'name="what"' in html


MALFORMED = [
    "",
    "x",
    "[]",
    "null",
    "1",
    '"x"',
    "{",
    "{}",
    '{"id": 1}',
    "\x00",
    "[" * 100_000,
    json.dumps({**body(none(1)), "id": "x"}),
    json.dumps({**body(none(1)), "version": -1}),
    json.dumps({**body(none(1)), "version": True}),
    json.dumps({**body(none(1)), "version": 10**30}),
    json.dumps({**body(none(1)), "version": 1.5}),
    json.dumps({**body(none(1)), "game": "9" * 50}),
    json.dumps({**body(none(1)), "game": 7}),
    json.dumps({**body(none(1)), "entry": 7}),
    json.dumps({**body(none(1)), "entry": None}),
    json.dumps({**body(none(1)), "entry": {**none(1), "note": "\x00"}}),
    json.dumps({**body(none(1)), "entry": {**none(1), "note": "\ud800"}}),
    json.dumps({**body(none(1)), "entry": {"kind": float("nan")}}),
    json.dumps({**body(none(1)), "what": "{"}),
    json.dumps({**body(none(1)), "what": "[]"}),
    json.dumps({**body(none(1)), "what": json.dumps({"action": []})}),
]


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_bodies(client, text):
    response = post(client, auditor_link(make_table()), text)
    assert 400 <= response.status_code < 500
    assert response.json()["problems"][0]["code"]
    assert not SheetEntry.objects.exists()


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["hand", "none", "chicago", "last_trick", "ruling", "pair", "disqualify"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        name: VALUES | st.integers(0, 4)
        for name in (
            "kind",
            "phase",
            "seat",
            "category",
            "reset",
            "suit",
            "won",
            "breaker",
            "blind",
            "deuce",
            "action",
            "points",
            "reason",
            "id",
            "note",
        )
    },
)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "id": st.uuids().map(str) | VALUES,
        "game": st.integers(0, 3) | VALUES,
        "version": st.just(0) | VALUES,
        "entry": ENTRIES | VALUES,
        "what": st.text(max_size=30) | ENTRIES.map(json.dumps) | VALUES,
        "seat": st.integers(0, 4) | VALUES,
        "confirmed": VALUES,
    },
)
#: Examples for each test: in the quick run, and in the slow one.
FUZZ = pytest.mark.parametrize("examples", [40, pytest.param(120, marks=pytest.mark.slow)])


def check(response):
    assert response.status_code < 500
    if response.status_code >= 400:
        [problem] = response.json()["problems"]
        assert problem["code"]
        assert problem["message"]
    else:
        assert response.json()["ok"]


@FUZZ
def test_no_json_crashes_the_server(client, examples):
    @settings(max_examples=examples, deadline=None)
    @given(fields=BODIES, part=st.sampled_from(["entry/", "take-back/"]))
    def send(fields, part):
        check(post(client, auditor_link(make_table()), fields, part))

    send()


@FUZZ
def test_no_bytes_crash_the_server(client, examples):
    @settings(max_examples=examples, deadline=None)
    @given(
        text=st.binary(max_size=60)
        | st.text(max_size=60).map(lambda t: t.encode("utf-8", "surrogatepass"))
    )
    def send(text):
        check(post(client, auditor_link(make_table()), text))

    send()


FIELDS = ["id", "game", "version", "what", "seat", "confirmed", "entry", "reason"]
FIELDS += ["order", "order-1", "order-2"]


@FUZZ
def test_no_form_crashes_the_server(client, examples):
    @settings(max_examples=examples, deadline=None)
    @given(
        fields=st.dictionaries(
            st.sampled_from(FIELDS), st.text(max_size=12) | st.sampled_from(["0", "1", "{}"])
        ),
        part=st.sampled_from(["entry/", "take-back/", "call/", "flip-flop/", "lease/", "sign/"]),
    )
    def send(fields, part):
        response = client.post(auditor_link(make_table()) + part, fields)
        assert response.status_code < 500

    send()


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/x-www-form-urlencoded; charset=utf-7",
        "application/json; charset=klingon",
        "application/x-www-form-urlencoded; charset=klingon",
        "",
    ],
)
def test_no_content_type_crashes_the_server(client, kind):
    response = client.generic(
        "POST",
        auditor_link(make_table()) + "entry/",
        b"--x\r\nfoo",
        content_type=kind,
        headers={"accept": "application/json"},
    )
    assert 400 <= response.status_code < 500
    assert response.json()["problems"][0]["code"] == "malformed"


def test_a_body_over_the_limit(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = post(client, auditor_link(make_table()), "x" * 2000)
    assert response.status_code == 400
    assert response.json()["problems"][0]["code"] == "malformed"
