"""The game record and ``python -m engine replay`` and ``rules`` (game-record.md, rulebook §8)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.answers import replay_record
from engine.errors import ChicagoError
from engine.sheet.record import dump_json, load_json, read_record
from tests.engine.sheet.factory import document

ROOT = Path(__file__).resolve().parents[3]

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


def cli(*arguments, text="", encoding="utf-8", **environment):
    data = text if isinstance(text, bytes) else text.encode(encoding, "surrogatepass")
    done = subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


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


@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        "[",
        "[]",
        "1",
        "null",
        '"x"',
        "{}",
        "{,}",
        b"\xff\xfe{}",
        b"\x80",
        "NaN",
        '{"format": NaN}',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"format": "chicago-game-record"}',
        '{"format": "chicago-game-record", "version": 2}',
        '{"format": "chicago-game-record", "version": "1"}',
        '{"format": "chicago-game-record", "version": true}',
        '{"format": "chicago-game-record", "version": 1.0}',
        '{"format": "chicago-game-record", "version": null}',
        '{"format": "chicago-heat", "version": 1}',
        '{"format": ["chicago-game-record"], "version": 1}',
        '{"version": 1}',
        '{"format": "chicago-game-record", "format": "chicago-game-record", "version": 1}',
    ],
)
def test_malformed(source):
    assert header_code(source) == "malformed"


def test_a_byte_order_mark_is_skipped():
    text = json.dumps(document(PAIR))
    assert replay_record("\ufeff" + text)["valid"]
    assert replay_record(b"\xef\xbb\xbf" + text.encode())["valid"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"rules": "nonsense"}, "unknown_rules"),
        ({"rules": 1}, "unknown_rules"),
        ({"rules": None}, "unknown_rules"),
        ({"rules": ["festival"]}, "unknown_rules"),
        ({"rules": "festival+W+X"}, "unknown_rules"),
        ({"seats": []}, "bad_seats"),
        ({"seats": ["A"]}, "bad_seats"),
        ({"seats": list("ABCDE")}, "bad_seats"),
        ({"seats": "ABC"}, "bad_seats"),
        ({"seats": None}, "bad_seats"),
        ({"seats": {"a": 1, "b": 2}}, "bad_seats"),
        ({"seats": ["A", 1]}, "bad_seats"),
        ({"seats": ["A", "A"]}, "bad_seats"),
        ({"seats": ["A", ""]}, "bad_seats"),
        ({"seats": ["A", " \t\u3000"]}, "bad_seats"),
        ({"dealer": 4}, "bad_value"),
        ({"dealer": -1}, "bad_value"),
        ({"dealer": True}, "bad_value"),
        ({"dealer": "0"}, "bad_value"),
        ({"dealer": None}, "bad_value"),
        ({"dealer": 0.0}, "bad_value"),
        ({"entries": None}, "bad_value"),
        ({"entries": {}}, "bad_value"),
        ({"entries": "[]"}, "bad_value"),
        ({"meta": []}, "bad_value"),
        ({"surprise": 1}, "unknown_field"),
        ({"Rules": "festival"}, "unknown_field"),
        ({"surprise": 1, "dealer": 9}, "unknown_field"),
        ({"surprise": 1, "seats": []}, "bad_seats"),
        ({"seats": [], "rules": "x"}, "unknown_rules"),
    ],
)
def test_header_problems(changed, expected):
    assert header_code({**document(PAIR), **changed}) == expected


@pytest.mark.parametrize("key", ["rules", "seats", "entries"])
def test_missing_header_fields(key):
    source = document(PAIR)
    del source[key]
    assert header_code(source) == "missing_field"


def test_names_are_compared_as_given():
    assert replay_record({**document(), "seats": ["Bo", "bo", "Bo ", "Bö"]})["valid"]


def test_optional_header_keys():
    extra = {"id": "1", "event": "F", "heat": 3, "game": 1, "started": "now", "meta": {"x": [1]}}
    record = read_record(document(PAIR, **extra))
    assert record.meta == extra
    assert read_record(record.as_json()).replay().state == record.replay().state


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (None, "malformed"),
        ([], "malformed"),
        ("none", "malformed"),
        (1, "malformed"),
        ({}, "missing_field"),
        ({"phase": 1}, "missing_field"),
        ({"kind": "dance"}, "unknown_kind"),
        ({"kind": None}, "unknown_kind"),
        ({"kind": 1}, "unknown_kind"),
        ({"kind": ["hand"]}, "unknown_kind"),
        ({"kind": "Hand"}, "unknown_kind"),
        ({"kind": "none", "phase": 1, "seat": 0}, "unknown_field"),
        ({"kind": "none", "seat": 0}, "unknown_field"),
        ({"kind": "none"}, "missing_field"),
        ({"kind": "none", "phase": "1"}, "bad_value"),
        ({"kind": "none", "phase": 1.0}, "bad_value"),
        ({"kind": "none", "phase": True}, "bad_value"),
        ({"kind": "none", "phase": None}, "bad_value"),
        ({"kind": "none", "phase": 0}, "bad_value"),
        ({"kind": "none", "phase": 4}, "bad_value"),
        ({"kind": "none", "phase": 1, "note": 3}, "bad_value"),
        ({"kind": "none", "phase": 1, "id": None}, "bad_value"),
        ({"kind": "none", "phase": 1, "at": 5}, "bad_value"),
        ({"kind": "none", "phase": 1, "by": []}, "bad_value"),
        ({"kind": "hand", "phase": 1, "seat": 0}, "missing_field"),
        ({"kind": "hand", "phase": 1, "category": "pair"}, "missing_field"),
        ({**PAIR, "category": "nothing"}, "bad_value"),
        ({**PAIR, "category": "Pair"}, "bad_value"),
        ({**PAIR, "category": 1}, "bad_value"),
        ({**PAIR, "category": None}, "bad_value"),
        ({**PAIR, "seat": 4}, "bad_value"),
        ({**PAIR, "seat": -1}, "bad_value"),
        ({**PAIR, "seat": "Anna"}, "bad_value"),
        ({**PAIR, "reset": True}, "bad_value"),
        ({**PAIR, "reset": "true"}, "bad_value"),
        ({**PAIR, "reset": None}, "bad_value"),
        ({**PAIR, "suit": "h"}, "bad_value"),
        ({**PAIR, "suit": "♥"}, "bad_value"),
        ({**PAIR, "suit": None}, "bad_value"),
        ({**PAIR, "points": 1}, "unknown_field"),
        ({"kind": "chicago", "seat": 0}, "missing_field"),
        ({"kind": "chicago", "seat": 0, "won": 1}, "bad_value"),
        ({"kind": "chicago", "seat": 0, "won": True, "breaker": 1}, "bad_value"),
        ({"kind": "chicago", "seat": 0, "won": False, "breaker": None}, "bad_value"),
        ({"kind": "chicago", "seat": 0, "won": False, "breaker": 4}, "bad_value"),
        ({"kind": "chicago", "seat": 0, "won": True, "blind": True}, "bad_value"),
        ({"kind": "chicago", "seat": 0, "won": True, "deuce": True}, "bad_value"),
        ({"kind": "chicago", "seat": 0, "won": True, "phase": 3}, "unknown_field"),
        ({"kind": "last_trick"}, "missing_field"),
        ({"kind": "last_trick", "seat": 0, "deuce": 1}, "bad_value"),
        ({"kind": "last_trick", "seat": 0, "phase": 3}, "unknown_field"),
        ({"kind": "revoke", "seat": None}, "bad_value"),
        ({"kind": "illegal_discard", "seat": 0, "phase": 1}, "unknown_field"),
        ({"kind": "ruling"}, "missing_field"),
        ({"kind": "ruling", "action": "dance"}, "bad_value"),
        ({"kind": "ruling", "action": []}, "bad_value"),
        ({"kind": "ruling", "action": "points", "seat": 0}, "missing_field"),
        ({"kind": "ruling", "action": "points", "points": 1}, "missing_field"),
        ({"kind": "ruling", "action": "disqualify"}, "missing_field"),
        ({**POINTS, "points": 1.5}, "bad_value"),
        ({**POINTS, "points": "5"}, "bad_value"),
        ({**POINTS, "points": True}, "bad_value"),
        ({**POINTS, "points": 10**9 + 1}, "bad_value"),
        ({**POINTS, "points": -(10**9) - 1}, "bad_value"),
        ({**POINTS, "reason": 5}, "bad_value"),
        ({**POINTS, "reason": " "}, "missing_reason"),
        ({"kind": "ruling", "action": "points", "seat": 0, "points": 1}, "missing_reason"),
        ({"kind": "ruling", "action": "end_game", "seat": 0, "reason": "x"}, "bad_value"),
        ({"kind": "ruling", "action": "end_game"}, "missing_reason"),
        (
            {"kind": "ruling", "action": "disqualify", "seat": 0, "points": 1, "reason": "x"},
            "bad_value",
        ),
    ],
)
def test_entry_problems(entry, expected):
    assert entry_code(entry) == expected


@pytest.mark.parametrize(
    "entry",
    [
        {**PAIR, "reset": False},
        {**PAIR, "suit": "H"},
        {**PAIR, "id": "a", "at": "b", "by": "c", "note": "d"},
        {**POINTS, "points": 10**9},
        {**POINTS, "points": -(10**9)},
        {"kind": "ruling", "action": "end_game", "reason": "x"},
    ],
)
def test_what_is_accepted(entry):
    assert replay_record(document(entry))["valid"]


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


def test_an_illegal_entry_leaves_the_state_before_it():
    result = replay_record(document(PAIR, NONE))
    assert (result["valid"], result["state"]["scores"], result["state"]["phase"]) == (
        False,
        [1, 0, 0, 0],
        2,
    )


def test_expected_lists_entries_that_are_legal():
    entries = [PAIR, {"kind": "none", "phase": 2}]
    found = problem(document(*entries, {"kind": "none", "phase": 3}))
    assert {item["kind"] for item in found["expected"]} == {"hand", "last_trick", "revoke"}
    for item in found["expected"]:
        assert replay_record(document(*entries, item))["valid"]


def test_expected_is_present_for_structural_problems_and_empty_at_the_end():
    assert problem(document({"kind": "dance"}))["expected"]
    royal = {**PAIR, "category": "royal_flush"}
    assert problem(document(royal, NONE))["expected"] == []


def test_messages_use_the_names_of_the_record():
    found = problem(
        document(
            {**POINTS, "points": 9},
            NONE,
            {"kind": "none", "phase": 2},
            {"kind": "chicago", "seat": 0, "won": True},
        )
    )
    assert found["code"] == "chicago_below_minimum"
    assert "Anna" in found["message"]


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


# -------------------------------------------------------------- command line


def test_cli_replay_a_file(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(document(PAIR)), encoding="utf-8")
    status, out, err = cli("replay", str(path))
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    assert json.loads(out)["state"]["scores"] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (json.dumps(document(PAIR)), 0),
        (json.dumps(document(PAIR, PAIR)), 1),
        (json.dumps(document(None)), 1),
        (json.dumps(document(rules="x")), 2),
        ("", 2),
        ("{", 2),
        ("[" * 50_000, 2),
    ],
)
def test_cli_exit_codes(text, status):
    found, out, _ = cli("replay", "-", text=text)
    assert found == status
    assert json.loads(out)["valid"] is (status == 0)


def test_cli_lines_print_one_document_each_and_exit_with_the_worst():
    good, bad = json.dumps(document(PAIR)), json.dumps(document(PAIR, PAIR))
    status, out, _ = cli("replay", "--lines", "-", text=f"{good}\n\n  \n{bad}\r\n{good}")
    assert status == 1
    assert [json.loads(line)["valid"] for line in out.splitlines()] == [True, False, True]
    status, out, _ = cli("replay", "-", "--lines", text=f"{bad}\n{{\n{good}\n")
    assert status == 2
    assert [json.loads(line)["state"] is None for line in out.splitlines()] == [False, True, False]


def test_cli_lines_of_empty_input():
    assert cli("replay", "--lines", "-", text="\n \n") == (0, "", "")
    assert cli("replay", "--lines", "-", text="") == (0, "", "")


def test_cli_unicode_prints_under_an_ascii_locale():
    text = json.dumps({**document({"kind": "none", "phase": 2}), "seats": ["Åsa", "\ud800"]})
    status, out, _ = cli("replay", "-", text=text, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert status == 1
    assert json.loads(out)["problems"]
    status, _, _ = cli("rules", "f\u00e5\u2665", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert status == 2


def test_cli_raw_utf8_text():
    text = json.dumps({**document(PAIR), "seats": ["Åsa", "Łucja", "♥"]}, ensure_ascii=False)
    assert cli("replay", "-", text=text)[0] == 0


def test_cli_a_missing_file(tmp_path):
    for name in (tmp_path / "nothing.json", tmp_path):
        status, out, _ = cli("replay", str(name))
        assert status == 2
        assert json.loads(out)["problems"][0]["code"] == "malformed"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("dance",),
        ("replay",),
        ("replay", "a", "b"),
        ("replay", "--x", "-"),
        ("rules", "a", "b"),
    ],
)
def test_cli_wrong_command_lines(arguments):
    status, out, err = cli(*arguments)
    assert (status, out) == (2, "")
    assert "usage" in err


def test_cli_help():
    status, out, _ = cli("--help")
    assert status == 0
    assert out.startswith("usage")


def test_cli_rules_lists_everything_with_a_sentence():
    status, out, _ = cli("rules")
    catalogue = json.loads(out)
    assert status == 0
    assert [item["name"] for item in catalogue["presets"]] == [
        "festival",
        "sm",
        "svensk",
        "pagat",
        "basic",
        "wikipedia",
    ]
    assert {"A", "B2", "V48", "Voff", "Z", "win-again"} <= {
        item["name"] for item in catalogue["variants"]
    }
    for item in catalogue["presets"] + catalogue["variants"]:
        assert item["text"]["en"]
        assert item["text"]["sv"]


def test_cli_rules_of_a_name():
    status, out, _ = cli("rules", "svensk+N+C")
    assert (status, json.loads(out)["rules"]) == (0, "svensk+C+N")
    assert cli("rules", "svensk+C+N")[1] == out
    status, out, _ = cli("rules", "svensk+W+X")
    assert (status, json.loads(out)["problems"][0]["code"]) == (2, "unknown_rules")
    assert json.loads(out)["state"] is None
