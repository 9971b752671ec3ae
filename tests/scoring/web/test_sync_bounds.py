"""Calls that no page of ours sends: of other sites, with anything in them, too large."""

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..factories import auditor_link, hand, make_table
from .phone import Phone, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return Phone(auditor_link(make_table()))


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
    ],
)
def test_no_other_site_can_send(phone, headers):
    response = phone.client.post(
        f"{phone.address}sync/", "{}", content_type="application/json", headers=headers
    )
    assert response.status_code == 400
    response = phone.client.post(f"{phone.address}sync/", {"taps": "[]"})
    assert response.status_code == 400


ID = str(uuid.uuid4())
PLACE = {"deal": 0, "stage": "exchange", "phase": 1}


@pytest.mark.parametrize(
    "fields",
    [
        {"have": []},
        {"have": {"x": {}}},
        {"have": {"1": []}},
        {"have": {"1": {"rows": -1}}},
        {"have": {"1": {"ids": ["x"]}}},
        {"taps": {}},
        {"taps": [1]},
        {"taps": [{}]},
        {"taps": [{"act": "entry", "id": "x", "game": 1, "entry": {}}]},
        {"taps": [{"act": "sign", "id": ID}] * 101},
        {"take": "all"},
    ],
)
def test_malformed_calls(phone, fields):
    response = phone.post(**fields)
    assert response.status_code == 400
    assert response.json()["mark"] == "chicago-table"


@pytest.mark.parametrize(
    "tap",
    [
        {"act": "entry", "id": ID, "game": 1},
        {"act": "entry", "id": ID, "game": 1, "entry": {}, "place": 3},
        {"act": "entry", "id": ID, "game": 1, "entry": {}, "at": "now"},
        {"act": "entry", "id": ID, "game": 1, "entry": {}, "away": [0] * 7},
        {"act": "everything", "id": ID},
        {"act": "correct", "id": ID, "game": 1, "kind": "paper", "target": ID},
        {"act": "correct", "id": ID, "game": 1, "kind": "amend", "target": ID},
        {"act": "seats", "id": ID, "game": 1, "order": "x"},
        {"act": "accept", "id": ID, "player": "Anna"},
    ],
)
def test_a_malformed_tap_is_refused_and_holds_up_no_other(phone, tap):
    (good,) = phone.entries(hand(1, 0))
    answer = phone.sync(good, tap)
    assert answer["took"] == [good["id"]]
    assert refused(answer) == "malformed"
    assert answer["refused"]["tap"] == ID


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
FIXTURES = [HealthCheck.function_scoped_fixture]


@given(ANYTHING)
@settings(max_examples=40, suppress_health_check=FIXTURES, deadline=None)
def test_no_json_crashes_the_server(phone, document):
    tap = {"id": ID, "act": "entry", "game": 1, "entry": document, "place": document}
    for fields in ({"taps": document}, {"have": document}, {"taps": [tap]}, {"taps": [document]}):
        assert phone.post(**fields).status_code in {200, 400}


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"7", b"\xff\xfe", b'{"taps": [' * 2000, b'{"taps": "\\ud800"}'],
)
def test_no_bytes_crash_the_server(phone, body):
    response = phone.client.post(f"{phone.address}sync/", body, content_type="application/json")
    assert response.status_code == 400


def test_a_body_over_the_limit(phone, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert phone.post(taps=["x" * 2000]).status_code in {400, 413}
