"""`python -m engine evaluate`: documents, order, exit codes, no tracebacks."""

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cli.main import main


def run(monkeypatch, capsys, argv, stdin=b""):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
    code = main(["evaluate", *argv])
    out = capsys.readouterr()
    return code, [json.loads(line) for line in out.out.splitlines()], out.err


def test_hands_come_best_first_and_equal_ones_in_the_order_given(monkeypatch, capsys):
    argv = ["7c 5d 4h 3s 2c", "9c 9d Kc 7s 2h", "AH KH QH JH 10H", "9h 9s Kd 7h 2s"]
    code, documents, _ = run(monkeypatch, capsys, argv)
    assert code == 0
    assert documents == [
        {
            "hands": [
                {"hand": "Ah Kh Qh Jh Th", "category": "royal_flush", "strength": 7462},
                {"hand": "9c 9d Kc 7s 2h", "category": "pair", "strength": 2948},
                {"hand": "9h 9s Kd 7h 2s", "category": "pair", "strength": 2948},
                {"hand": "7c 5d 4h 3s 2c", "category": "nothing", "strength": 1},
            ]
        }
    ]


@pytest.mark.parametrize(
    "hand", ["", "Ah", "Ah Kh Qh Jh Th 9h", "Ah Ah Qh Jh Th", "Ah Kh Qh Jh 1h", "Ah,Kh,Qh,Jh,Th"]
)
def test_a_hand_that_cannot_be_read_is_bad_value_with_exit_2(monkeypatch, capsys, hand):
    code, documents, _ = run(monkeypatch, capsys, ["Ah Kh Qh Jh Th", hand])
    assert code == 2
    assert len(documents) == 1
    assert documents[0]["valid"] is False
    assert documents[0]["state"] is None
    (problem,) = documents[0]["problems"]
    assert (problem["code"], problem["severity"], problem["entry"]) == ("bad_value", "error", None)
    assert "Ah Kh Qh Jh Th" in problem["message"]


def test_lines_give_one_document_each_and_the_worst_exit_code(monkeypatch, capsys):
    stdin = "Ah Kh Qh Jh Th\n\n  \nnonsense \u2665\n2c 3c 4c 5c 7d\r\n".encode() + b"\xff\xfe\n"
    code, documents, _ = run(monkeypatch, capsys, ["--lines", "-"], stdin)
    assert code == 2
    assert [document.get("strength") for document in documents] == [7462, None, 1, None]
    assert documents[0] == {"hand": "Ah Kh Qh Jh Th", "category": "royal_flush", "strength": 7462}


def test_empty_input_with_lines_prints_nothing_and_is_exit_0(monkeypatch, capsys):
    assert run(monkeypatch, capsys, ["--lines", "-"]) == (0, [], "")


@pytest.mark.parametrize("argv", [[], ["--lines"], ["--lines", "-", "Ah"], ["--no-such"]])
def test_a_wrong_command_line_is_exit_2_with_a_usage_text_on_standard_error(
    monkeypatch, capsys, argv
):
    code, documents, error = run(monkeypatch, capsys, argv)
    assert (code, documents) == (2, [])
    assert "usage" in error


@pytest.mark.parametrize("path", ["no-such-file.txt", "a\0b", "."])
def test_a_file_that_cannot_be_read_is_exit_2(monkeypatch, capsys, path):
    code, documents, error = run(monkeypatch, capsys, ["--lines", path])
    assert (code, error) == (2, "")
    assert [document["problems"][0]["code"] for document in documents] == ["malformed"]


@given(st.lists(st.text(alphabet="Ahkd 10tTsScC♥\ud800\0-", max_size=20), min_size=1, max_size=3))
def test_any_arguments_end_with_an_exit_code(arguments):
    assert main(["evaluate", "--", *arguments]) in (0, 2)
