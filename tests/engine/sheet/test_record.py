"""The game record and ``python -m engine replay`` and ``rules`` (game-record.md, rulebook §8)."""

import json

import pytest

from engine.answers import replay_record
from engine.errors import ChicagoError
from engine.sheet.record import dump_json, load_json, read_record
from tests.engine.sheet.factory import document

PAIR = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}
NONE = {"kind": "none", "phase": 1}
POINTS = {"kind": "ruling", "action": "points", "seat": 0, "points": 20, "reason": "x"}


def problem(source):
    result = replay_record(source)
    assert result["valid"] is False
    return result["problems"][-1]


def header_code(source):
    result = replay_record(source)
    assert result["state"] is None
    assert result["valid"] is False
    (found,) = result["problems"]
    assert (found["severity"], found["entry"]) == ("error", None)
    assert found["message"]
    return found["code"]


def entry_code(*entries, rules="festival", seats=4):
    result = replay_record(document(*entries, rules=rules, seats=seats))
    found = result["problems"][-1]
    assert result["state"] is not None
    assert found["entry"] == len(entries) - 1
    assert found["severity"] == "error"
    assert found["message"]
    return found["code"]


# ------------------------------------------------------------------ reading


def test_the_format_pages_example():
    result = replay_record(
        document(
            {"kind": "hand", "phase": 1, "seat": 0, "category": "two_pair"},
            {"kind": "none", "phase": 2},
            {"kind": "last_trick", "seat": 2, "deuce": True},
            {"kind": "hand", "phase": 3, "seat": 2, "category": "three_of_a_kind"},
            dealer=0,
        )
    )
    state = result["state"]
    assert (result["valid"], result["problems"]) == (True, [])
    expected = {
        "deal": 1,
        "phase": 1,
        "dealer": 1,
        "finished": False,
        "scores": [2, 0, 13, 0],
        "executed": [False] * 4,
        "asterisks": [0] * 4,
        "discardless": [False] * 4,
        "status": ["in"] * 4,
        "winners": [],
        "win": None,
        "places": None,
        "game_points": None,
    }
    assert {key: state[key] for key in expected} == expected


def test_a_finished_game_prints_exact_fractions():
    royal = {**PAIR, "category": "royal_flush"}
    state = replay_record(document(royal))["state"]
    assert state["game_points"] == ["20", "35/3", "35/3", "35/3"]
    assert (state["winners"], state["win"], state["places"]) == (
        [0],
        "royal_flush",
        [[0], [1, 2, 3]],
    )
    assert state["phase"] is None


def test_a_byte_order_mark_is_skipped():
    text = json.dumps(document(PAIR))
    assert replay_record("\ufeff" + text)["valid"]
    assert replay_record(b"\xef\xbb\xbf" + text.encode())["valid"]


def test_names_are_compared_as_given():
    assert replay_record({**document(), "seats": ["Bo", "bo", "Bo ", "Bö"]})["valid"]


def test_optional_header_keys():
    extra = {"id": "1", "event": "F", "heat": 3, "game": 1, "started": "now", "meta": {"x": [1]}}
    record = read_record(document(PAIR, **extra))
    assert record.meta == extra
    assert read_record(record.as_json()).replay().state == record.replay().state


def test_flags_set_to_false_are_accepted():
    entries = [POINTS, NONE, {"kind": "none", "phase": 2}]
    chicago = {"kind": "chicago", "seat": 0, "won": True, "blind": False, "deuce": False}
    assert replay_record(document(*entries, chicago))["valid"]


def test_structure_is_checked_before_rules_and_entries_in_order():
    royal = {**PAIR, "category": "royal_flush"}
    assert entry_code(royal, {"kind": "none", "phase": 9}) == "bad_value"
    assert entry_code(royal, NONE) == "game_finished"
    assert entry_code({"kind": "none", "phase": 2}) == "wrong_phase"
    result = replay_record(document({"kind": "none", "phase": 2}, {"kind": "dance"}))
    assert result["problems"][-1]["code"] == "wrong_phase"


def test_huge_numbers_in_the_text():
    text = json.dumps(document(POINTS))
    for number in ("1" * 5000, "-" + "9" * 100_000, "1e400", "-1e400", "1e-400", "0.1"):
        changed = text.replace('"points": 20', f'"points": {number}')
        assert problem(changed)["code"] == "bad_value"
    assert header_code(text.replace('"version": 1', '"version": 1e400')) == "malformed"


def test_meta_may_hold_anything():
    text = json.dumps(document(PAIR, meta={})).replace(
        '"meta": {}', '"meta": {"a": 1e400, "b": ' + "[" * 200 + "]" * 200 + "}"
    )
    assert replay_record(text)["valid"]


def test_repeated_keys_are_refused_at_any_depth():
    text = json.dumps(document(PAIR)).replace('"seat": 0', '"seat": 0, "seat": 1')
    assert header_code(text) == "malformed"


def test_lone_surrogates_and_other_unicode_survive():
    names = ["\ud800", "\x00", "Ł ß ♥", "\U0001f0a1"]
    result = replay_record({**document({"kind": "none", "phase": 2}), "seats": names})
    assert dump_json(result).encode("utf-8")
    text = json.dumps({**document(PAIR), "seats": names})
    assert replay_record(text)["valid"]
    assert entry_code({"kind": "\udfff" * 99}) == "unknown_kind"
    assert entry_code({**NONE, "\ud800": 1}) == "unknown_field"


def test_load_json_raises_coded_errors_only():
    with pytest.raises(ChicagoError) as caught:
        load_json(b"\xff")
    assert caught.value.code == "malformed"
